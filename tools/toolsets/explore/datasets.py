"""A dataset: its columns against the database, where else it is, what stands on it."""

import asyncio
from typing import Any

from tools.clients.superset import Dataset, Dependants, Superset
from tools.connect import Call
from tools.toolsets.explore.base import part
from tools.toolsets.explore.compare import compared
from tools.toolsets.explore.mapping import mapped

SECONDS = 20.0
"""How long it may take to read what stands on a dataset."""


async def described_dataset(
    arguments: dict[str, Any], client: Superset, call: Call
) -> dict[str, Any]:
    """A dataset with all that is known of it; a part that cannot be read says why."""
    found = await client.dataset(int(arguments["dataset"]))
    compare, dependants, places, documented = await asyncio.gather(
        compared(found, client, call),
        _dependants(found, client, call),
        mapped(found, str(arguments["env_id"]), call),
        last_documentation(found, str(arguments["env_id"]), call),
    )
    own = [one for one in found.columns if one.expression is None]
    return {
        "environment": arguments["env_id"],
        **_facts(found),
        "sql": found.sql,
        "comparison": compare,
        "review": _review(found) | {"documentation": documented},
        "environments": places,
        **dependants,
        "metrics": [{"name": one.name, "expression": one.expression} for one in found.metrics],
        "calculated": [
            {"name": one.name, "expression": one.expression}
            for one in found.columns
            if one.expression is not None
        ],
        "total": len(own),
        "items": [{"name": one.name, "type": one.type} for one in own],
    }


def _facts(found: Dataset) -> dict[str, Any]:
    return {
        "dataset": found.name,
        "id": found.id,
        "uuid": found.uuid,
        "kind": "virtual" if found.sql else "physical",
        "database": found.database,
        "schema": found.schema,
        "description": found.description,
        "owners": list(found.owners),
        "changed_on": found.changed_on,
        "changed_by": found.changed_by,
        "certified_by": found.certified_by,
        "certification": found.certification,
        "warning": found.warning,
    }


async def last_documentation(found: Dataset, env_id: str, call: Call) -> dict[str, Any]:
    """The last documentation task of the dataset: `state`, and later its number and date."""
    return {"state": "not_set_up"}


def _review(found: Dataset) -> dict[str, Any]:
    """How much of a dataset is described."""
    return {
        "columns": len(found.columns),
        "columns_described": sum(one.described for one in found.columns),
        "metrics": len(found.metrics),
        "metrics_described": sum(one.described for one in found.metrics),
    }


async def _dependants(found: Dataset, client: Superset, call: Call) -> dict[str, Any]:
    async def read() -> dict[str, Any]:
        return _listed(await client.dependants(found.id))

    told = await part(read(), call, SECONDS)
    return {"charts": told, "dashboards": told} if "problem" in told else told


def _listed(there: Dependants) -> dict[str, Any]:
    return {
        "charts": {
            "all": there.charts,
            "visible": [{"id": key, "name": name} for key, name in there.visible_charts],
        },
        "dashboards": {
            "all": there.dashboards,
            "visible": [{"id": key, "title": name} for key, name in there.visible_dashboards],
        },
    }
