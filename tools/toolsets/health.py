"""The state of an environment and of a dashboard, in one look."""

from typing import Any

from langchain_core.tools import ToolException

from tools.connect import Call
from tools.definition import EVERYONE, Lexicon, Toolset

HEALTH = Toolset("health")


@HEALTH.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=(
            "здоров",
            "статус системы",
            "состояние системы",
            "статус дашборд",
            "состояние дашборд",
            "health",
            "healthy",
            "system status",
            "status of the dashboard",
            "dashboard status",
        ),
    ),
    ru="Как здоровье этого дашборда?",
    en="How healthy is this dashboard?",
    affinity=frozenset({"dashboard", "migration"}),
    page={"dashboard": "dashboard"},
    timeout=60,
)
async def get_health_summary(
    call: Call, env_id: str | None = None, dashboard: str | None = None
) -> dict[str, Any]:
    """Tell how an environment is: does it answer, its databases, counts, tasks, maintenance.

    With a dashboard also: when and by whom it was changed, whether it is published, in git and
    validated, which of its charts are broken, and which maintenance is open on it.

    Args:
        env_id: The environment, by its id; left out, it is the page's.
        dashboard: A dashboard by id, slug, uuid or title; left out, it is the page's.
    """
    raise ToolException("not built yet")
