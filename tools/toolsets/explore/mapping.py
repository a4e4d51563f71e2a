"""Where a dataset is in the other environments of the user."""

import asyncio
from typing import Any

from tools.cards import denial
from tools.clients.http import NotFound
from tools.clients.superset import Dataset, Superset
from tools.clients.superset_lists import Filter
from tools.connect import Call
from tools.messages import text
from tools.policy import decide
from tools.toolsets.explore.base import EXPLORE, part
from tools.toolsets.explore.kinds import retyped

SECONDS = 10.0
"""How long one other environment may take: it must not hold up what is asked of this one."""


async def mapped(found: Dataset, env_id: str, call: Call) -> list[dict[str, Any]]:
    """The same dataset in each environment: this one first, then the others at once."""
    here = {"environment": env_id, "id": found.id, "database": found.database, "state": "here"}
    others = [other for other in call.environments() if other != env_id]
    return [here, *await asyncio.gather(*(_other(found, other, call) for other in others))]


async def _other(found: Dataset, env_id: str, call: Call) -> dict[str, Any]:
    entry = {"environment": env_id}
    problem = _refusal(env_id, call)
    if problem is None:
        told = await part(_place(found, env_id, call), call, SECONDS)
        if "problem" not in told:
            return entry | told
        problem = told["problem"]
    return entry | {"state": "not_read", "problem": problem}


def _refusal(env_id: str, call: Call) -> str | None:
    """Why this user may not look there, or not without being asked; None: may."""
    [definition] = EXPLORE
    judged = decide(definition, call.user, env_id, call.settings)
    if judged["verdict"] == "run":
        return None
    if judged["verdict"] == "confirm":
        return text(call.language, "place-asks")
    return denial(judged, call.language)


async def _place(found: Dataset, env_id: str, call: Call) -> dict[str, Any]:
    client = call.superset(env_id)
    numbers, by = await _find(found, client)
    if len(numbers) > 1:
        return {"state": "several", "ids": numbers}
    try:
        other = await client.dataset(*numbers) if numbers else None
    except NotFound:
        other = None
    if other is None:
        return {"state": "not_there"}
    own, there = ({one.name: one.type for one in each.columns} for each in (found, other))
    virtual = found.sql is not None
    return {
        "state": "there",
        "id": other.id,
        "database": other.database,
        "by": by,
        "missing": sorted(own.keys() - there.keys()),
        "new": sorted(there.keys() - own.keys()),
        "retyped": [
            {"name": name, "here": own[name], "there": there[name]}
            for name in sorted(own.keys() & there.keys())
            if retyped(own[name], there[name], by_kind=virtual)
        ],
    }


async def _find(found: Dataset, client: Superset) -> tuple[list[int], str]:
    """The id of the dataset with this uuid, else of all on a table of the same name."""
    asked = [Filter("uuid", "eq", found.uuid)]
    async for row in client.rows("dataset", ["id", "uuid"], asked):
        if row["uuid"] == found.uuid:
            return [int(row["id"])], "uuid"
    named = [Filter("table_name", "eq", found.name)]
    if found.schema:
        named.append(Filter("schema", "eq", found.schema))
    rows = [row async for row in client.rows("dataset", ["id", "table_name"], named)]
    return sorted(int(row["id"]) for row in rows if row["table_name"] == found.name), "name"
