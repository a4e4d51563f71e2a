"""A dashboard: who changed it when, is it published, in git, validated; do its charts work?"""

import asyncio
from functools import partial

from tools.clients.superset import Dashboard, Superset
from tools.clients.superset_health import check_chart, dashboard_charts, placed_charts
from tools.connect import Call
from tools.context import Language
from tools.resolve import dashboard
from tools.toolsets.health.base import MANY_SECONDS, PROBE_SECONDS, Part, each, part, worst_first
from tools.toolsets.health.environment import LISTED, event_part

CHARTS = 30
"""How many charts of a dashboard are run."""

AT_ONCE = 3
"""Charts that run at the same time."""


async def dashboard_health(words: str, env_id: str, call: Call) -> Part:
    """A dashboard of an installation that answers.

    Args:
        words: Which one: an id after `prepare`, words where that did not find it in time.
        env_id: The environment.
        call: Who asks.
    """
    client = call.superset(env_id)
    found: list[Dashboard] = []

    async def read() -> Part:
        found.append(await dashboard(words, client, call, "dashboard"))
        return _facts(found[0])

    # It reads lists, which may have to wait for one that hangs.
    facts = await part(read(), call.language, 2 * PROBE_SECONDS)
    if not found:
        return {"named": words} | facts
    charts, git, validation, maintenance = await asyncio.gather(
        _charts(client, found[0], call.language),
        part(git_status(found[0], env_id, call), call.language),
        part(last_validation(found[0], env_id, call), call.language),
        part(_maintenance(found[0], env_id, call), call.language),
    )
    return facts | {
        "git": git,
        "validation": validation,
        "charts": charts,
        "maintenance": maintenance,
    }


async def git_status(found: Dashboard, env_id: str, call: Call) -> Part:
    """How the dashboard stands in git: `state`, and later the last commit that holds it."""
    return {"state": "not_set_up"}


async def last_validation(found: Dashboard, env_id: str, call: Call) -> Part:
    """The last validation of the dashboard: `state`, and later its verdict and date."""
    return {"state": "not_set_up"}


def _facts(found: Dashboard) -> Part:
    return {
        "id": found.id,
        "title": found.title,
        "link": found.url,
        "published": found.published,
        "changed_on": found.changed_on,
        "changed_by": found.changed_by,
    }


async def _charts(client: Superset, found: Dashboard, language: Language) -> Part:
    """Every chart run for real, and the layout compared with what is attached.

    A chart placed and not attached is a hole in the dashboard. One attached and not placed stands
    where nobody put it.
    """
    names: dict[int, str] = {}

    async def read() -> Part:
        names.update(await dashboard_charts(client, found.id))
        return {}

    if unread := await part(read(), language):
        return unread
    placed = placed_charts(found.layout)
    run = list(names)[:CHARTS]
    checked = await each(
        run, partial(_chart, client), language, at_once=AT_ONCE, seconds=MANY_SECONDS
    )
    items = [
        {"id": chart_id, "name": names[chart_id], "state": "unchecked"} | checks
        for chart_id, checks in zip(run, checked, strict=True)
    ]
    states = [one["state"] for one in items]
    broken = states.count("broken") + states.count("no_dataset")
    counted = {"works": states.count("works"), "broken": broken}
    return {
        "total": len(names),
        "run": len(items),
        **counted,
        "unchecked": len(items) - sum(counted.values()),
        "holes": sorted(placed - names.keys()),
        "unplaced": sorted(names.keys() - placed),
        "items": [one for one in worst_first(items) if one["state"] != "works"],
    }


async def _chart(client: Superset, chart_id: int) -> Part:
    found = await check_chart(client, chart_id)
    made: Part = {"state": found.state}
    return made | ({"problem": found.problem} if found.problem else {})


async def _maintenance(found: Dashboard, env_id: str, call: Call) -> Part:
    """The open maintenance on the dashboard."""
    events = await call.services.store(
        lambda records: records.maintenance.for_dashboard(env_id, found.uuid)
    )
    items = [event_part(one, call.now()) for one in events[:LISTED]]
    return {"total": len(events), "items": items}
