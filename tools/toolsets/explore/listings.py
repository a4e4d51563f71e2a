"""Lists: databases, schemas, tables, datasets."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tools.clients.superset import DatabaseSummary, Superset
from tools.connect import Call
from tools.resolve import database
from tools.toolsets.explore.base import part
from tools.toolsets.explore.places import Place, default_schema

PAGE = 100
"""The most entries one call lists."""

SECONDS = 10.0
"""How long catalogs may take: they are told beside the schemas."""

DATABASE = ("id", "name", "backend", "sql_lab", "allow_dml")
DATASET = ("id", "name", "kind", "schema", "database", "changed_on")
"""What is told of each."""


async def listed(arguments: dict[str, Any], client: Superset, call: Call) -> dict[str, Any]:
    """A page of a list, with what it is a list of."""
    listing = arguments["listing"]
    facts: dict[str, Any] = {"environment": arguments["env_id"], "listing": listing}
    if listing == "databases":
        return facts | _page(_chosen(await client.databases(), DATABASE), arguments)
    where = None
    if arguments.get("database") is not None:
        where = await database(arguments["database"], client, call)
        facts["database"] = {"id": where.id, "name": where.name}
    if listing == "datasets" or where is None:
        found = await client.all_datasets(where.id if where else None)
        return facts | _page(_chosen(found, DATASET), arguments)
    place = Place(where, client, call)
    if listing == "schemas":
        names = await place.schemas()
        usual = default_schema(names, where)
        facts |= await _catalogs(where, client, call)
        return facts | _page([{"name": n, "default": n == usual} for n in names], arguments)
    facts["schema"] = arguments["schema_name"]
    tables = await place.tables(arguments["schema_name"])
    return facts | _page([asdict(one) for one in tables], arguments)


async def _catalogs(where: DatabaseSummary, client: Superset, call: Call) -> dict[str, Any]:
    """The catalogs of a database that has several; the schemas are those of the usual one."""
    if not where.catalogs:
        return {}

    async def read() -> dict[str, Any]:
        path = f"/api/v1/database/{where.id}/catalogs/"
        answer = await client.request_json("GET", path)
        return {"catalogs": sorted(str(name) for name in answer["result"])}

    found = await part(read(), call, SECONDS)
    return {"catalogs": {"problem": found["problem"]}} if "problem" in found else found


def _chosen(found: Sequence[Any], names: Sequence[str]) -> list[dict[str, Any]]:
    return [{name: getattr(one, name) for name in names} for one in found]


def _page(items: Sequence[dict[str, Any]], arguments: dict[str, Any]) -> dict[str, Any]:
    """The entries from `offset` on, at most `limit`; the order is that of the names."""
    offset = max(0, arguments["offset"])
    limit = max(1, min(arguments["limit"], PAGE))
    shown = list(items[offset : offset + limit])
    return {"total": len(items), "offset": offset, "items": shown}
