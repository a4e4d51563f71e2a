"""A dataset in words."""

from collections.abc import Iterator
from typing import Any

from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape, fenced, table
from tools.results import items_of, total_of
from tools.toolsets.explore.wording import clipped, joined, when

NAMED = 10
"""How many charts and dashboards are named; the whole list is in the result."""


def answer_dataset(payload: Any, language: Language) -> str:
    """What the dataset is, how it stands to its table, where else it is, what stands on it."""
    parts = [_head(payload, language), _comparison(payload["comparison"], language)]
    if words := payload["description"]:
        parts.insert(1, text(language, "dataset-description", words=escape(words)))
    parts.append(_places(payload["environments"], language))
    parts.append(_dependants(payload, language))
    parts.append(_review(payload["review"], language))
    parts.append(_columns(payload, language))
    if payload.get("sql"):
        parts.append(fenced(payload["sql"], "sql"))
    return "\n\n".join(part for part in parts if part)


def _head(payload: Any, language: Language) -> str:
    names = ("dataset", "database", "schema", "changed_by")
    shown = {name: escape(str(payload[name] or "-")) for name in names}
    line = text(
        language,
        f"dataset-{payload['kind']}",
        id=str(payload["id"]),
        name=shown["dataset"],
        database=shown["database"],
        schema=shown["schema"],
        environment=escape(payload["environment"]),
    )
    changed = text(
        language, "dataset-changed", when=when(payload["changed_on"]), who=shown["changed_by"]
    )
    owners = text(language, "dataset-owners", names=joined(payload["owners"]))
    return " ".join([line, changed, owners, *_vouched(payload, language)])


def _vouched(payload: Any, language: Language) -> Iterator[str]:
    """Who vouches for the dataset, and what its owners warn of."""
    by, details = (escape(payload.get(name) or "") for name in ("certified_by", "certification"))
    if by and details:
        yield text(language, "dataset-certified-what", by=by, details=details)
    elif by:
        yield text(language, "dataset-certified", by=by)
    if words := payload.get("warning"):
        yield text(language, "dataset-warning", words=escape(words))


def _comparison(compared: Any, language: Language) -> str:
    if compared["state"] == "not_compared":
        return text(language, "dataset-not-compared", reason=escape(compared["reason"]))
    lines = [
        text(language, f"dataset-{kind}", names=joined(compared[kind]))
        for kind in ("missing", "new")
        if total_of(compared[kind])
    ]
    for one in items_of(compared["retyped"]):
        values = {"name": escape(one["name"]), "was": escape(one["dataset"])}
        lines.append(text(language, "dataset-retyped", **values, now=escape(one["table"])))
    if not lines:
        return text(language, "dataset-same")
    return "\n".join([text(language, "dataset-differs"), *(f"- {line}" for line in lines)])


def _places(places: Any, language: Language) -> str:
    lines = [_place(place, language) for place in items_of(places)]
    return "\n".join([text(language, "dataset-environments"), *(f"- {line}" for line in lines)])


def _place(place: Any, language: Language) -> str:
    environment, state = escape(place["environment"]), place["state"]
    if state == "not_there":
        return text(language, "place-not-there", environment=environment)
    if state == "not_read":
        problem = escape(place["problem"])
        return text(language, "place-not-read", environment=environment, problem=problem)
    if state == "several":
        ids = place["ids"]
        told = {"ids": joined(ids), "environment": environment}
        return text(language, "place-several", n=total_of(ids), **told)
    values = {"environment": environment, "database": escape(place["database"])}
    line = text(language, "place-there", id=str(place["id"]), **values)
    if state == "here":
        return line
    if place["by"] == "name":
        line += " " + text(language, "place-by-name")
    differ = [
        text(language, f"place-{kind}", names=joined(place[kind]))
        for kind in ("missing", "new")
        if total_of(place[kind])
    ]
    types = [
        f"{one['name']} ({one['here']} → {one['there']})" for one in items_of(place["retyped"])
    ]
    if types:
        differ.append(text(language, "place-retyped", names=joined(types)))
    return " ".join([line, *(differ or [text(language, "place-same")])])


def _dependants(payload: Any, language: Language) -> str:
    lines = []
    for kind in ("charts", "dashboards"):
        there = payload[kind]
        if "problem" in there:
            lines.append(text(language, f"on-{kind}-unread", problem=escape(there["problem"])))
            continue
        lines.append(_standing(kind, there, language))
    return "\n".join(lines)


def _standing(kind: str, there: Any, language: Language) -> str:
    """How many charts or dashboards there are, and the first by name."""
    shown = items_of(there["visible"])[:NAMED]
    titles = (clipped(one.get("title") or one.get("name") or "-") for one in shown)
    names = ", ".join(
        f"{escape(title)} ({one['id']})" for title, one in zip(titles, shown, strict=True)
    )
    visible = total_of(there["visible"])
    parts = [text(language, f"on-{kind}", n=there["all"], names=f": {names}" if names else "")]
    if rest := visible - len(shown):
        parts.append(text(language, "on-rest", n=rest))
    if hidden := there["all"] - visible:
        parts.append(text(language, "on-hidden", n=hidden))
    return " ".join(parts)


def _review(review: Any, language: Language) -> str:
    if "documentation" not in review:
        return ""  # cut off, in a very short result
    described = text(
        language,
        "dataset-review",
        columns=review["columns"],
        described=review["columns_described"],
        metrics=review["metrics"],
        told=review["metrics_described"],
    )
    state = review["documentation"]["state"].replace("_", "-")
    return f"{described} {text(language, f'dataset-documentation-{state}')}"


def _columns(payload: Any, language: Language) -> str:
    items = items_of(payload["items"])
    heads = [text(language, f"explore-head-{name}") for name in ("name", "type")]
    parts = [text(language, "dataset-columns", n=payload["total"])]
    parts.append(table(heads, ([one["name"], one["type"]] for one in items)))
    for kind in ("calculated", "metrics"):
        named = [f"{one['name']} = {one['expression']}" for one in items_of(payload[kind])]
        if named:
            parts.append(text(language, f"dataset-{kind}", names=joined(named)))
    return "\n\n".join(parts)
