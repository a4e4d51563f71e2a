"""The tool: both parts of the summary in one result, and how many things need attention."""

import asyncio
from typing import Any

from tools.clients.http import SupersetError
from tools.connect import Call
from tools.definition import EVERYONE, Lexicon, Prepared
from tools.resolve import dashboard as meant_dashboard
from tools.settings import SettingsError
from tools.toolsets.health.answer import answer_health
from tools.toolsets.health.base import HEALTH, Part
from tools.toolsets.health.dashboard import dashboard_health
from tools.toolsets.health.environment import installation, probe, recorded

PARTS = ("databases", "tasks", "maintenance")


async def prepare_health(arguments: dict[str, Any], call: Call) -> Prepared:
    """Find the dashboard that is meant, as an id.

    An installation that does not answer is what the summary is to tell, so it stops nothing here.
    """
    words = arguments.get("dashboard")
    if words is None:
        return Prepared(arguments)
    try:
        # The judgement gives up a little later, and with it the whole summary.
        async with asyncio.timeout(0.8 * call.settings.limits.preview_timeout):
            client = call.superset(arguments["env_id"])
            found = await meant_dashboard(words, client, call, "dashboard")
    except (SupersetError, SettingsError, TimeoutError):
        return Prepared(arguments)
    return Prepared(arguments | {"dashboard": str(found.id)})


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
    prepare=prepare_health,
    answer=answer_health,
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
    place = str(env_id)
    environment, records = await asyncio.gather(probe(place, call), recorded(place, call))
    about: Part | None = None
    if environment["state"] != "up":
        if dashboard is not None:
            about = {"named": dashboard, "problem": environment["problem"]}
    elif dashboard is None:
        environment |= await installation(place, call)
    else:
        more, about = await asyncio.gather(
            installation(place, call), dashboard_health(dashboard, place, call)
        )
        environment |= more
    environment |= records
    if about is not None:
        about = _weighed(about, _dashboard_counts(about))
    environment = _weighed(environment, _environment_counts(environment))
    return {"environment": environment, "dashboard": about}


def _weighed(found: Part, counts: tuple[int, int]) -> Part:
    """A part with its counts before all else, where shortening leaves them."""
    return {"attention": counts[0], "unchecked": counts[1], **found}


def _environment_counts(found: Part) -> tuple[int, int]:
    """What needs attention, and what could not be found out, in an environment."""
    databases, tasks, maintenance = (found.get(key, {}) for key in PARTS)
    bad = databases.get("broken", 0) + databases.get("empty", 0) + tasks.get("failed", 0)
    bad += _overdue(maintenance) + (found["state"] != "up")
    left = databases.get("unchecked", 0) + databases.get("total", 0) - databases.get("asked", 0)
    parts = [databases, tasks, maintenance, *found.get("counts", {}).values()]
    return bad, left + sum("problem" in one for one in parts)


def _dashboard_counts(found: Part) -> tuple[int, int]:
    """What needs attention, and what could not be found out, of a dashboard."""
    if "problem" in found:
        return 0, 1
    charts, maintenance = found["charts"], found["maintenance"]
    bad = charts.get("broken", 0) + bool(charts.get("holes")) + bool(charts.get("unplaced"))
    left = charts.get("unchecked", 0) + charts.get("total", 0) - charts.get("run", 0)
    parts = [charts, maintenance, found["git"], found["validation"]]
    return bad + _overdue(maintenance), left + sum("problem" in one for one in parts)


def _overdue(maintenance: Part) -> int:
    """How many of the open events should have ended."""
    return sum(one["overdue"] for one in maintenance.get("items", []))
