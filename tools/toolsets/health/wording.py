"""Lines and tables that both parts of the answer are made of."""

from collections.abc import Iterator
from typing import Any

from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape, table
from tools.results import items_of
from tools.times import shown
from tools.toolsets.health.base import Part


def bullets(lines: list[str]) -> str:
    """A list of lines; empty ones are left out."""
    return "\n".join(f"- {line}" for line in lines if line)


def bold(words: str) -> str:
    """Words that head a block; titles in them are escaped already."""
    return f"**{words}**"


def unread(found: Part, name: str, language: Language) -> str:
    """That a part could not be read, and why; empty where it could."""
    if "problem" not in found:
        return ""
    named = text(language, f"health-part-{name}")
    return text(language, "health-unread", part=named, problem=escape(found["problem"]))


def states_of(kind: str, found: Part, language: Language) -> str:
    """How many objects are in which state."""
    names = [name for name in ("works", "broken", "empty", "unchecked") if found.get(name)]
    told = [text(language, f"health-{kind}-{name}", n=found[name]) for name in names]
    bad = found.get("broken") or found.get("empty")
    return f"{'⚠️ ' if bad else ''}{', '.join(told)}"


def troubles(kind: str, found: Part, language: Language) -> str:
    """A table of the objects that do not work, with the reasons."""
    rows = [
        (
            one["name"],
            text(language, f"health-state-{one['state'].replace('_', '-')}"),
            one.get("problem") or _reason(one["state"], language),
        )
        for one in items_of(found.get("items", []))
        if one["state"] != "works"
    ]
    names = (f"health-part-{kind}", "health-state", "health-why")
    return table([text(language, name) for name in names], rows) if rows else ""


def _reason(state: str, language: Language) -> str:
    known = ("empty", "no_query", "no_dataset", "running")
    return text(language, f"health-why-{state.replace('_', '-')}") if state in known else ""


def ids_of(found: Any) -> tuple[int, str]:
    """How many ids a list has, and the first of them; it may have been shortened."""
    ids = items_of(found)
    total = found["total"] if isinstance(found, dict) else len(ids)
    return total, ", ".join([*map(str, ids[:10]), *(["…"] if total > len(ids[:10]) else [])])


def maintenance_lines(found: Part, language: Language) -> Iterator[str]:
    """How much maintenance is open, and a line for each of it."""
    if problem := unread(found, "maintenance", language):
        yield problem
        return
    yield text(language, "health-maintenance", n=found["total"])
    for one in items_of(found["items"]):
        since, message = shown(one["started_at"]), escape(one["message"])
        line = text(language, "health-event", id=one["id"], since=since, message=message)
        if one["ends_at"]:
            key = "health-event-overdue" if one["overdue"] else "health-event-until"
            line += f", {text(language, key, when=shown(one['ends_at']))}"
        yield f"⚠️ {line}" if one["overdue"] else line
