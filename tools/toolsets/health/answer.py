"""The summary as people read it: a verdict, then the dashboard, then the environment."""

from typing import Any

from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape
from tools.toolsets.health.answer_dashboard import dashboard_blocks
from tools.toolsets.health.answer_environment import environment_blocks
from tools.toolsets.health.base import Part

KEPT = {"attention", "unchecked"}
"""What the verdict is made of."""


def answer_health(payload: Any, language: Language) -> str:
    """The verdict in the first line; then the parts, whether the result was shortened or not."""
    environment, dashboard = (_unwrapped(payload.get(key)) for key in ("environment", "dashboard"))
    parts = [one for one in (environment, dashboard) if one is not None]
    if environment is None or not all(one.keys() >= KEPT for one in parts):
        return text(language, "health-too-long")
    blocks = [_verdict(environment, dashboard, language)]
    try:
        told = dashboard_blocks(dashboard, language) if dashboard is not None else ()
        blocks += [*told, *environment_blocks(environment, language)]
    except (AttributeError, KeyError, TypeError):  # shortened so far that parts of it are missing
        blocks.append(text(language, "health-too-long"))
    return "\n\n".join(block for block in blocks if block)


def _unwrapped(found: Any) -> Part | None:
    """A part; of one that was shortened to its first keys those."""
    if isinstance(found, dict) and found.keys() == {"total", "shown", "items"}:
        found = found["items"]
    return found if isinstance(found, dict) else None


def _verdict(environment: Part, dashboard: Part | None, language: Language) -> str:
    """All is well, or how many things need attention, or that nothing could be asked."""
    parts = [one for one in (environment, dashboard) if one is not None]
    attention, unchecked = (sum(one[key] for one in parts) for key in ("attention", "unchecked"))
    if environment.get("state", "up") != "up":
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
