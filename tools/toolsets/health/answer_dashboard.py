"""What is said of a dashboard."""

from collections.abc import Iterator

from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape
from tools.times import shown
from tools.toolsets.health.base import Part
from tools.toolsets.health.wording import (
    bold,
    bullets,
    ids_of,
    maintenance_lines,
    states_of,
    troubles,
    unread,
)


def dashboard_blocks(found: Part, language: Language) -> Iterator[str]:
    """The title, facts and charts of a dashboard, or why it could not be read."""
    if "problem" in found:
        yield bold(text(language, "health-dashboard-named", words=escape(found["named"])))
        yield f"- {escape(found['problem'])}"
        return
    title = escape(found["title"])
    yield bold(text(language, "health-dashboard", title=title, id=str(found["id"])))
    lines = [_changed(found, language)]
    lines += [_later(found[name], name, language) for name in ("git", "validation")]
    lines += _charts(found["charts"], language)
    lines += maintenance_lines(found["maintenance"], language)
    yield bullets(lines)
    yield troubles("chart", found["charts"], language)


def _changed(found: Part, language: Language) -> str:
    state = text(language, "published" if found["published"] else "draft")
    if not found["changed_on"]:
        return state
    when, who = shown(found["changed_on"]), escape(found["changed_by"]) or "-"
    return f"{text(language, 'health-changed', when=when, who=who)}; {state}"


def _later(found: Part, name: str, language: Language) -> str:
    """A part that tells nothing yet but that it is not set up."""
    return unread(found, name, language) or text(
        language, "health-not-set-up", part=text(language, f"health-part-{name}")
    )


def _charts(found: Part, language: Language) -> Iterator[str]:
    if problem := unread(found, "charts", language):
        yield problem
        return
    if not found["total"]:
        yield text(language, "health-charts-none")
    else:
        yield text(language, "health-charts", states=states_of("chart", found, language))
    if found["total"] > found["run"]:
        yield text(language, "health-first", n=found["run"], total=found["total"])
    for key in ("holes", "unplaced"):
        total, ids = ids_of(found[key])
        if total:
            yield f"⚠️ {text(language, f'health-{key}', n=total, ids=ids)}"
