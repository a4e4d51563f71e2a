"""An environment: does it answer, its databases, how much it holds, tasks, maintenance."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

from tools.clients.http import SupersetError, Unanswered, Unreachable
from tools.clients.superset import DatabaseSummary, Filter, Superset
from tools.clients.superset_health import check_database
from tools.clients.superset_lists import Resource
from tools.connect import Call
from tools.context import Language
from tools.definition import OPERATORS
from tools.judgement import explain
from tools.records import MaintenanceEvent, Records, Task
from tools.settings import SettingsError
from tools.toolsets.health.base import MANY_SECONDS, PROBE_SECONDS, Part, each, part, worst_first

DATABASES = 20
"""How many databases are asked."""

COUNTED: Mapping[str, Resource] = MappingProxyType(
    {"dashboards": "dashboard", "charts": "chart", "datasets": "dataset"}
)
"""What is counted."""

AT_ONCE = 4
"""Databases that are asked at the same time."""

RECENT = timedelta(days=7)
"""How far back tasks that ended badly are told."""

LISTED = 5
"""How many tasks, and how many maintenance events, are listed."""


async def probe(env_id: str, call: Call) -> Part:
    """Whether the installation answers a real read with this role's account.

    Returns:
        `state`: up, down (no answer), or refused (an answer that lets us not in); `problem` says
        more; of one that is up `latency_ms`.
    """
    environment = call.environment(env_id)
    head: Part = {"id": env_id, "title": environment.title, "stage": environment.stage}
    try:
        client = call.superset(env_id)
        async with asyncio.timeout(PROBE_SECONDS):
            seconds = await client.ping()
    except (Unreachable, Unanswered, TimeoutError) as error:
        return head | {"state": "down", "problem": explain(error, call.language)}
    except (SupersetError, SettingsError) as error:
        return head | {"state": "refused", "problem": explain(error, call.language)}
    return head | {"state": "up", "latency_ms": round(1000 * seconds)}


async def installation(env_id: str, call: Call) -> Part:
    """What only an installation that answers can tell: its version, databases and counts.

    Lists are read one after the other: of two that wait for one another only one would hang, and
    both would be given up.
    """
    client, language = call.superset(env_id), call.language
    found: list[DatabaseSummary] = []

    async def read() -> Part:
        found.extend(await client.databases())
        return {}

    version, unread = await asyncio.gather(part(_version(client), language), part(read(), language))
    databases, counts = await asyncio.gather(
        _databases(client, found, language), _counts(client, language)
    )
    return {"version": version.get("version"), "databases": unread or databases, "counts": counts}


async def recorded(env_id: str, call: Call) -> Part:
    """What our own records tell, also of an installation that does not answer."""
    tasks, maintenance = await asyncio.gather(
        part(_tasks(env_id, call), call.language), part(_maintenance(env_id, call), call.language)
    )
    return {"tasks": tasks, "maintenance": maintenance}


async def _version(client: Superset) -> Part:
    return {"version": await client.version()}


async def _databases(client: Superset, found: list[DatabaseSummary], language: Language) -> Part:
    """Each database, asked by the shortest query."""
    asked = found[:DATABASES]
    checked = await each(
        asked, partial(_database, client), language, at_once=AT_ONCE, seconds=MANY_SECONDS
    )
    items = worst_first(
        [
            {"id": one.id, "name": one.name, "backend": one.backend, "state": "unchecked"} | checks
            for one, checks in zip(asked, checked, strict=True)
        ]
    )
    states = [one["state"] for one in items]
    numbers = {name: states.count(name) for name in ("works", "broken", "empty", "unchecked")}
    return {"total": len(found), "asked": len(items), **numbers, "items": items}


async def _database(client: Superset, database: DatabaseSummary) -> Part:
    found = await check_database(client, database)
    made: Part = {"state": found.state, "way": found.way}
    return made | ({"problem": found.problem} if found.problem else {})


async def _counts(client: Superset, language: Language) -> Part:
    """How many objects the account may see, by kind."""

    async def count(resource: Resource) -> Part:
        total = await client.count(resource)
        if resource != "dashboard":
            return {"total": total}
        published = await client.count(resource, [Filter("published", "eq", value=True)])
        return {"total": total, "published": published, "drafts": total - published}

    parts = await each(COUNTED.values(), count, language, at_once=1, seconds=MANY_SECONDS)
    return dict(zip(COUNTED, parts, strict=True))


async def _tasks(env_id: str, call: Call) -> Part:
    """The user's tasks that run or ended badly; of others' an operator learns how many there are.

    Whoever may start such work must know what else is under way. What it is, stays its owner's.
    """
    since = call.now() - RECENT

    def find(records: Records) -> tuple[list[Task], dict[Any, int], dict[Any, int] | None]:
        call.services.tidy(records)
        own, others = call.user.id, call.role_in(env_id) in OPERATORS
        tasks = records.tasks
        return (
            tasks.open_or_failed(own, env_id, since, LISTED),
            tasks.count_open_or_failed(env_id, since, user_id=own),
            tasks.count_open_or_failed(env_id, since, but=own) if others else None,
        )

    items, mine, others = await call.services.store(find)
    made: Part = {**_numbers(mine), "items": [_task(one) for one in items]}
    return made | ({} if others is None else {"others": _numbers(others)})


def _numbers(states: dict[Any, int]) -> dict[str, int]:
    return {
        "running": states.get("running", 0),
        "failed": states.get("failed", 0) + states.get("unknown", 0),
    }


def _task(task: Task) -> Part:
    return {
        "id": task.id,
        "kind": task.kind,
        "state": task.state,
        "started_at": task.started_at.isoformat(),
        "error": task.error,
    }


async def _maintenance(env_id: str, call: Call) -> Part:
    """The open maintenance; titles of its dashboards are for its own list."""
    events, total = await call.services.store(
        lambda records: records.maintenance.list(env_id, "open", LISTED)
    )
    return {"total": total, "items": [event_part(one, call.now()) for one in events]}


def event_part(event: MaintenanceEvent, now: datetime) -> Part:
    """An open maintenance event."""
    return {
        "id": event.id,
        "message": event.message,
        "dashboards": len(event.banners),
        "started_at": event.started_at.isoformat(),
        "ends_at": event.ends_at.isoformat() if event.ends_at else None,
        "overdue": event.ends_at is not None and event.ends_at < now,
    }
