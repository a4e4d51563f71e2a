"""A table: its columns, keys and a query of all of them."""

from typing import Any

from tools.clients.superset import Superset
from tools.clients.superset_tables import Key
from tools.connect import Call
from tools.resolve import database


async def described_table(
    arguments: dict[str, Any], client: Superset, call: Call
) -> dict[str, Any]:
    """A table as the database has it."""
    where = await database(arguments["database"], client, call)
    found = await client.table(where.id, arguments["table"], arguments["schema_name"])
    columns = [
        {"name": one.name, "type": one.type}
        | ({"key": "primary"} if one.name in found.primary_key else {})
        | ({"comment": one.comment} if one.comment else {})
        for one in found.columns
    ]
    return {
        "environment": arguments["env_id"],
        "table": found.name,
        "schema": arguments["schema_name"],
        "database": {"id": where.id, "name": where.name},
        "comment": found.comment,
        "indexes": [_key(one) for one in found.indexes],
        "foreign_keys": [_key(one) for one in found.foreign_keys],
        "select_star": found.select_star,
        "total": len(columns),
        "items": columns,
    }


def _key(key: Key) -> dict[str, Any]:
    made: dict[str, Any] = {"name": key.name, "columns": list(key.columns)}
    if key.refers_to is not None:
        return made | {"refers_to": key.refers_to}
    return made | {"unique": key.unique}
