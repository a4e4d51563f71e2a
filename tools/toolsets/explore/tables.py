"""A table: its columns, keys and a query of all of them."""

import asyncio
from typing import Any

from langchain_core.tools import ToolException

from tools.clients.http import NotFound
from tools.clients.superset import Superset, Table
from tools.clients.superset_tables import Key
from tools.connect import Call
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve import database
from tools.toolsets.explore.base import asking, part

SECONDS = 20.0
"""How long the list of tables may take, which only tells whether it is a view."""


async def described_table(
    arguments: dict[str, Any], client: Superset, call: Call
) -> dict[str, Any]:
    """A table as the database has it.

    Raises:
        ToolException: it is not there, or the account may not see it.
    """
    where = await database(arguments["database"], client, call)
    name, schema = arguments["table"], arguments["schema_name"]

    async def kind() -> dict[str, Any]:
        tables = await client.tables(where.id, schema)
        return {"kind": next((one.kind for one in tables if one.name == name), None)}

    async def read() -> Table | None:
        with asking(where, call):
            try:
                found = await client.table(where.id, name, schema)
            except NotFound:
                return None
        return found if found.columns else None

    found, summary = await asyncio.gather(read(), part(kind(), call, SECONDS))
    if found is None:
        told = {"name": escape(name), "schema": escape(schema), "database": escape(where.name)}
        raise ToolException(text(call.language, "no-such-table", **told))
    return {
        "environment": arguments["env_id"],
        "table": found.name,
        "kind": summary.get("kind"),
        "schema": schema,
        "database": {"id": where.id, "name": where.name},
        **_facts(found),
    }


def _facts(found: Table) -> dict[str, Any]:
    columns = [
        {"name": one.name, "type": one.type}
        | ({"key": "primary"} if one.name in found.primary_key else {})
        | ({"comment": one.comment} if one.comment else {})
        for one in found.columns
    ]
    return {
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
