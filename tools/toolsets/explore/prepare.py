"""What the words of a call mean: the database, the schema, the table, the dataset."""

from difflib import get_close_matches
from typing import Any

from tools.clients.superset import DatabaseSummary, Superset
from tools.clients.superset_search import fold
from tools.connect import Call
from tools.definition import Prepared
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve import Question, database, dataset
from tools.toolsets.explore.base import schema_of

NEAR = 5
"""How many similar names are told of a table that is not there."""


async def prepare_explore(arguments: dict[str, Any], call: Call) -> Prepared:
    """Put ids and exact names for the words; what is listed when nothing is named is databases."""
    client = call.superset(str(arguments["env_id"]))
    if "table" in arguments:
        return Prepared(await _table(arguments, client, call))
    if "listing" not in arguments and "dataset" in arguments:
        found = await dataset(str(arguments["dataset"]), client, call)
        return Prepared(arguments | {"dataset": str(found.id)})
    return Prepared(await _listing(arguments, client, call))


async def _listing(arguments: dict[str, Any], client: Superset, call: Call) -> dict[str, Any]:
    named = "database" in arguments or "schema_name" in arguments
    listing = arguments.get("listing") or ("tables" if named else "databases")
    made = arguments | {"listing": listing}
    made.pop("dataset", None)
    if listing == "databases" or (listing == "datasets" and not named):
        return made
    where = await database(arguments.get("database"), client, call)
    made["database"] = str(where.id)
    if listing == "tables":
        made["schema_name"] = await schema_of(arguments.get("schema_name"), where, client, call)
    return made


async def _table(arguments: dict[str, Any], client: Superset, call: Call) -> dict[str, Any]:
    where = await database(arguments.get("database"), client, call)
    words, schema = str(arguments["table"]), arguments.get("schema_name")
    before, dot, last = words.partition(".")
    if dot and schema is None and not await _named(words, None, where, client, call):
        # "schema.table", unless the dot belongs to the table's name.
        words, schema = last, before
    schema = await schema_of(schema, where, client, call)
    name = await _named(words, schema, where, client, call)
    if name is None:
        raise Question("table", await _unknown(words, schema, where, client, call))
    return arguments | {"database": str(where.id), "schema_name": schema, "table": name}


async def _named(
    words: str, schema: str | None, where: DatabaseSummary, client: Superset, call: Call
) -> str | None:
    """The exact name of the table that words name, letters' case apart; None: there is none."""
    schema = await schema_of(schema, where, client, call)
    names = [item.name for item in await client.tables(where.id, schema)]
    found = [name for name in names if name == words] or [
        name for name in names if fold(name) == fold(words)
    ]
    return found[0] if len(found) == 1 else None


async def _unknown(
    words: str, schema: str, where: DatabaseSummary, client: Superset, call: Call
) -> str:
    names = {fold(item.name): item.name for item in await client.tables(where.id, schema)}
    near = [names[name] for name in get_close_matches(fold(words), names, NEAR, cutoff=0.6)]
    told = {"name": escape(words), "schema": escape(schema), "database": escape(where.name)}
    said = text(call.language, "no-such-table", **told)
    if near:
        listed = ", ".join(escape(name) for name in near)
        said += " " + text(call.language, "near-tables", names=listed)
    return said
