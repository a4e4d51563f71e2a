"""The summary as people read it: a verdict, then the dashboard, then the environment."""

from collections.abc import Iterator
from typing import Any

from tools.cards import title_of
from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape, table
from tools.times import shown
from tools.toolsets.health.base import Part


def answer_health(payload: Any, language: Language) -> str:
    """The verdict in the first line; then the parts, whether the result was shortened or not."""
    environment, dashboard = payload.get("environment"), payload.get("dashboard")
    if environment is None:
        return text(language, "health-too-long")
    blocks = [_verdict(environment, dashboard, language)]
    if dashboard is not None:
        blocks += _dashboard(dashboard, language)
    blocks += _environment(environment, language)
    return "\n\n".join(block for block in blocks if block)


def _verdict(environment: Part, dashboard: Part | None, language: Language) -> str:
    """All is well, or how many things need attention, or that nothing could be asked."""
    parts = [one for one in (environment, dashboard) if one is not None]
    attention, unchecked = (sum(one[key] for one in parts) for key in ("attention", "unchecked"))
    if environment["state"] != "up":
        title, problem = escape(environment["title"]), escape(environment["problem"])
        key = "health-down" if environment["state"] == "down" else "health-refused"
        return text(language, key, title=title, id=environment["id"], problem=problem)
    if not attention and not unchecked:
        return text(language, "health-well")
    head = (
        text(language, "health-attention", n=attention)
        if attention
        else text(language, "health-nothing-wrong")
    )
    return f"{head} {text(language, 'health-unchecked', n=unchecked)}" if unchecked else head


def _dashboard(found: Part, language: Language) -> Iterator[str]:
    if "problem" in found:
        yield _bold(text(language, "health-dashboard-named", words=escape(found["named"])))
        yield f"- {escape(found['problem'])}"
        return
    title = escape(found["title"])
    yield _bold(text(language, "health-dashboard", title=title, id=str(found["id"])))
    lines = [_changed(found, language)]
    lines += [_later(found[name], name, language) for name in ("git", "validation")]
    lines += _charts(found["charts"], language)
    lines += _maintenance(found["maintenance"], language)
    yield _list(lines)
    yield _troubles("chart", found["charts"], language)


def _changed(found: Part, language: Language) -> str:
    state = text(language, "published" if found["published"] else "draft")
    if not found["changed_on"]:
        return state
    when, who = shown(found["changed_on"]), escape(found["changed_by"]) or "-"
    return f"{text(language, 'health-changed', when=when, who=who)}; {state}"


def _later(found: Part, name: str, language: Language) -> str:
    """A part that tells nothing yet but that it is not set up."""
    return _unread(found, name, language) or text(
        language, "health-not-set-up", part=text(language, f"health-part-{name}")
    )


def _charts(found: Part, language: Language) -> Iterator[str]:
    if problem := _unread(found, "charts", language):
        yield problem
        return
    if not found["total"]:
        yield text(language, "health-charts-none")
    else:
        yield text(language, "health-charts", states=_states("chart", found, language))
    if found["total"] > found["run"]:
        yield text(language, "health-first", n=found["run"], total=found["total"])
    for key in ("holes", "unplaced"):
        total, ids = _ids(found[key])
        if total:
            yield f"⚠️ {text(language, f'health-{key}', n=total, ids=ids)}"


def _environment(found: Part, language: Language) -> Iterator[str]:
    title = escape(found["title"])
    yield _bold(text(language, "health-environment", title=title, id=found["id"]))
    lines: list[str] = []
    if found["state"] == "up":
        lines.append(_answers(found, language))
        lines += _databases(found["databases"], language)
        lines += _counts(found["counts"], language)
    lines += _tasks(found["tasks"], language)
    lines += _maintenance(found["maintenance"], language)
    yield _list(lines)
    yield _troubles("database", found.get("databases", {}), language)
    yield _task_table(found["tasks"], language)


def _answers(found: Part, language: Language) -> str:
    known = found["version"] not in (None, "unknown")
    name = f"Superset {found['version']}" if known else "Superset"
    return text(language, "health-answers", name=escape(name), ms=found["latency_ms"])


def _databases(found: Part, language: Language) -> Iterator[str]:
    if problem := _unread(found, "databases", language):
        yield problem
        return
    if not found["total"]:
        yield text(language, "health-databases-none")
        return
    yield text(language, "health-databases", states=_states("database", found, language))
    if found["total"] > found["asked"]:
        yield text(language, "health-first", n=found["asked"], total=found["total"])
    for way in sorted(
        {one["way"] for one in listed(found["items"]) if one.get("way", "sql") != "sql"}
    ):
        yield text(language, f"health-way-{way.replace('_', '-')}")


def _counts(found: Part, language: Language) -> Iterator[str]:
    told = []
    for name, one in found.items():
        if problem := _unread(one, name, language):
            yield problem
            continue
        values = {"n": one["total"], **{key: one[key] for key in one if key != "total"}}
        told.append(text(language, f"health-count-{name}", **values))
    if told:
        yield ", ".join(told)


def _tasks(found: Part, language: Language) -> Iterator[str]:
    if problem := _unread(found, "tasks", language):
        yield problem
        return
    yield _task_numbers("mine", found, language)
    if "others" in found:
        yield _task_numbers("others", found["others"], language)


def _task_numbers(whose: str, found: Part, language: Language) -> str:
    running, failed = found["running"], found["failed"]
    mark = "⚠️ " if failed and whose == "mine" else ""
    return mark + text(language, f"health-tasks-{whose}", running=running, failed=failed)


def _task_table(found: Part, language: Language) -> str:
    rows = [
        (
            one["id"],
            title_of(one["kind"], language),
            text(language, f"task-{one['state']}"),
            shown(one["started_at"]),
            one["error"] or "",
        )
        for one in listed(found.get("items", []))
    ]
    names = ("tasks-id", "tasks-kind", "tasks-state", "tasks-start", "health-why")
    return table([text(language, name) for name in names], rows) if rows else ""


def _maintenance(found: Part, language: Language) -> Iterator[str]:
    if problem := _unread(found, "maintenance", language):
        yield problem
        return
    yield text(language, "health-maintenance", n=found["total"])
    for one in listed(found["items"]):
        since, message = shown(one["started_at"]), escape(one["message"])
        line = text(language, "health-event", id=one["id"], since=since, message=message)
        if one["ends_at"]:
            key = "health-event-overdue" if one["overdue"] else "health-event-until"
            line += f", {text(language, key, when=shown(one['ends_at']))}"
        yield f"⚠️ {line}" if one["overdue"] else line


def _states(kind: str, found: Part, language: Language) -> str:
    """How many objects are in which state."""
    names = [name for name in ("works", "broken", "empty", "unchecked") if found.get(name)]
    told = [text(language, f"health-{kind}-{name}", n=found[name]) for name in names]
    bad = found.get("broken") or found.get("empty")
    return f"{'⚠️ ' if bad else ''}{', '.join(told)}"


def _troubles(kind: str, found: Part, language: Language) -> str:
    """A table of the objects that do not work, with the reasons."""
    rows = [
        (
            one["name"],
            text(language, f"health-state-{one['state'].replace('_', '-')}"),
            one.get("problem") or _reason(one["state"], language),
        )
        for one in listed(found.get("items", []))
        if one["state"] != "works"
    ]
    names = (f"health-part-{kind}", "health-state", "health-why")
    return table([text(language, name) for name in names], rows) if rows else ""


def _reason(state: str, language: Language) -> str:
    known = ("empty", "no_query", "running")
    return text(language, f"health-why-{state.replace('_', '-')}") if state in known else ""


def _unread(found: Part, name: str, language: Language) -> str:
    """That a part could not be read, and why; empty where it could."""
    if "problem" not in found:
        return ""
    named = text(language, f"health-part-{name}")
    return text(language, "health-unread", part=named, problem=escape(found["problem"]))


def _ids(found: Any) -> tuple[int, str]:
    """How many ids a list has, and the first of them; it may have been shortened."""
    ids = listed(found)
    total = found["total"] if isinstance(found, dict) else len(ids)
    return total, ", ".join([*map(str, ids[:10]), *(["…"] if total > len(ids[:10]) else [])])


def listed(value: Any) -> list[Any]:
    """A list that may have been shortened."""
    return list(value["items"] if isinstance(value, dict) else value)


def _list(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines if line)


def _bold(words: str) -> str:
    return f"**{words}**"
