"""What the maintenance tools share."""

from typing import Any

from tools.clients.http import SupersetError
from tools.clients.superset import Dashboard, Superset
from tools.connect import Call
from tools.context import Language
from tools.definition import Toolset
from tools.judgement import explain
from tools.messages.markdown import escape
from tools.resolve import dashboard
from tools.results import items_of

MAINTENANCE = Toolset("maintenance")

ABOUT = (
    *("обслуж", "техобслуж", "техработ", "технических работ", "плановых работ", "о работах"),
    *("баннер", "плашк", "событи", "работы", "предупреждени", "объявлени", "notice"),
    *("maintenance", "banner", "event"),
)

LISTED = 50
"""How many events one call lists."""


async def meant_dashboards(words: list[str], client: Superset, call: Call) -> list[Dashboard]:
    """The dashboards that words name, each once.

    Raises:
        Question: none or several fit.
    """
    found: dict[str, Dashboard] = {}
    for word in words:
        item = await dashboard(word, client, call, "dashboards")
        found.setdefault(item.uuid, item)
    return list(found.values())


def titles_of(value: Any) -> tuple[int, str]:
    """How many objects a list has, and their titles; one that was shortened says so."""
    titles = [escape(item["title"]) for item in items_of(value)]
    total = value["total"] if isinstance(value, dict) else len(titles)
    return total, ", ".join([*titles, "…"] if total > len(titles) else titles)


def problem_of(error: SupersetError, language: Language) -> dict[str, str]:
    """The state of a banner whose write failed: provably not done, or unknown."""
    state = "failed" if error.nothing_done else "unknown"
    return {"state": state, "problem": explain(error, language)}


def problems(failed: list[dict[str, Any]]) -> str:
    """What went wrong, in one line."""
    return "; ".join(f"{escape(item['title'])}: {item['problem']}" for item in failed)
