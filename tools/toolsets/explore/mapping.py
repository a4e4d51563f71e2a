"""Where a dataset is in the other environments of the user."""

import asyncio
from typing import Any

from tools.clients.http import NotFound, SupersetError
from tools.clients.superset import Dataset, Superset
from tools.clients.superset_lists import Filter
from tools.connect import Call
from tools.judgement import explain
from tools.settings import SettingsError

SECONDS = 10.0
"""How long one other environment may take: it must not hold up what is asked of this one."""


async def mapped(found: Dataset, env_id: str, call: Call) -> list[dict[str, Any]]:
    """The same dataset in each environment: this one first, then the others at once."""
    here = {"environment": env_id, "id": found.id, "database": found.database, "state": "here"}
    others = [other for other in call.environments() if other != env_id]
    return [here, *await asyncio.gather(*(_other(found, other, call) for other in others))]


async def _other(found: Dataset, env_id: str, call: Call) -> dict[str, Any]:
    entry: dict[str, Any] = {"environment": env_id}
    try:
        async with asyncio.timeout(SECONDS):
            client = call.superset(env_id)
            number, by = await _find(found, client)
            if number is None:
                return entry | {"state": "not_there"}
            other = await client.dataset(number)
    except NotFound:
        return entry | {"state": "not_there"}
    except (SupersetError, SettingsError, TimeoutError) as error:
        return entry | {"state": "not_read", "problem": explain(error, call.language)}
    own, there = ({one.name for one in each.columns} for each in (found, other))
    return entry | {
        "state": "there",
        "id": other.id,
        "database": other.database,
        "by": by,
        "missing": sorted(own - there),
        "new": sorted(there - own),
    }


async def _find(found: Dataset, client: Superset) -> tuple[int | None, str]:
    """The id of the dataset with this uuid, else of the only one on a table of the same name."""
    same = [row async for row in client.rows("dataset", ["id"], [Filter("uuid", "eq", found.uuid)])]
    if len(same) == 1:
        return int(same[0]["id"]), "uuid"
    named = [Filter("table_name", "eq", found.name)]
    if found.schema:
        named.append(Filter("schema", "eq", found.schema))
    rows = [row async for row in client.rows("dataset", ["id", "table_name"], named)]
    exact = [row for row in rows if row["table_name"] == found.name]
    return (int(exact[0]["id"]), "name") if len(exact) == 1 else (None, "")
