"""Lists: databases, schemas, tables, datasets."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tools.clients.superset import Superset
from tools.connect import Call
from tools.resolve import database
from tools.toolsets.explore.base import DEFAULT_SCHEMAS

PAGE = 100
"""The most entries one call lists."""


async def listed(arguments: dict[str, Any], client: Superset, call: Call) -> dict[str, Any]:
    """A page of a list, with what it is a list of."""
    listing = arguments["listing"]
    facts: dict[str, Any] = {"environment": arguments["env_id"], "listing": listing}
    if listing == "databases":
        items = [_without(asdict(one), "uuid") for one in await client.databases()]
        return facts | _page(items, arguments)
    where = None
    if arguments.get("database") is not None:
        where = await database(arguments["database"], client, call)
        facts["database"] = {"id": where.id, "name": where.name}
    if listing == "datasets" or where is None:
        found = await client.all_datasets(where.id if where else None)
        kept = ("id", "name", "kind", "schema", "database", "changed_on")
        return facts | _page([{key: vars(one)[key] for key in kept} for one in found], arguments)
    if listing == "schemas":
        usual = DEFAULT_SCHEMAS.get(where.backend)
        names = await client.schemas(where.id)
        return facts | _page([{"name": n, "default": n == usual} for n in names], arguments)
    facts["schema"] = arguments["schema_name"]
    tables = await client.tables(where.id, arguments["schema_name"])
    return facts | _page([asdict(one) for one in tables], arguments)


def _without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


def _page(items: Sequence[dict[str, Any]], arguments: dict[str, Any]) -> dict[str, Any]:
    """The entries from `offset` on, at most `limit`; the order is that of the names."""
    offset = max(0, arguments["offset"])
    limit = max(1, min(arguments["limit"], PAGE))
    shown = list(items[offset : offset + limit])
    return {"total": len(items), "offset": offset, "items": shown}
