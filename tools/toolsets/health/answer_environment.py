"""What is said of an environment."""

from collections.abc import Iterator

from tools.cards import title_of
from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape, table
from tools.results import items_of
from tools.times import shown
from tools.toolsets.health.base import Part
from tools.toolsets.health.wording import (
    bold,
    bullets,
    maintenance_lines,
    states_of,
    troubles,
    unread,
)


def environment_blocks(found: Part, language: Language) -> Iterator[str]:
    """What an installation tells, and what our own records tell of it."""
    title = escape(found["title"])
    yield bold(text(language, "health-environment", title=title, id=found["id"]))
    lines: list[str] = []
    if found["state"] == "up":
        lines.append(_answers(found, language))
        lines += _databases(found["databases"], language)
        lines += _counts(found["counts"], language)
    lines += _tasks(found["tasks"], language)
    lines += maintenance_lines(found["maintenance"], language)
    yield bullets(lines)
    yield troubles("database", found.get("databases", {}), language)
    yield _task_table(found["tasks"], language)


def _answers(found: Part, language: Language) -> str:
    known = found["version"] not in (None, "unknown")
    name = f"Superset {found['version']}" if known else "Superset"
    return text(language, "health-answers", name=escape(name), ms=found["latency_ms"])


def _databases(found: Part, language: Language) -> Iterator[str]:
    if problem := unread(found, "databases", language):
        yield problem
        return
    if not found["total"]:
        yield text(language, "health-databases-none")
        return
    yield text(language, "health-databases", states=states_of("database", found, language))
    if found["total"] > found["asked"]:
        yield text(language, "health-first", n=found["asked"], total=found["total"])
    for way in sorted(
        {one["way"] for one in items_of(found["items"]) if one.get("way", "sql") != "sql"}
    ):
        yield text(language, f"health-way-{way.replace('_', '-')}")


def _counts(found: Part, language: Language) -> Iterator[str]:
    told = []
    for name, one in found.items():
        if problem := unread(one, name, language):
            yield problem
            continue
        values = {"n": one["total"], **{key: one[key] for key in one if key != "total"}}
        told.append(text(language, f"health-count-{name}", **values))
    if told:
        yield ", ".join(told)


def _tasks(found: Part, language: Language) -> Iterator[str]:
    if problem := unread(found, "tasks", language):
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
        for one in items_of(found.get("items", []))
    ]
    names = ("tasks-id", "tasks-kind", "tasks-state", "tasks-start", "health-why")
    return table([text(language, name) for name in names], rows) if rows else ""
