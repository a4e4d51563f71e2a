"""What the words of a call mean: the database, the schema, the table, the dataset."""

from typing import Any

from tools.clients.superset import Superset
from tools.connect import Call
from tools.definition import Prepared
from tools.resolve import database, dataset
from tools.toolsets.explore.places import Place


async def prepare_explore(arguments: dict[str, Any], call: Call) -> Prepared:
    """Put ids and exact names for the words; what is listed when nothing is named is databases."""
    client = call.superset(str(arguments["env_id"]))
    if "table" in arguments:
        return Prepared(await _table(arguments, client, call))
    if "listing" not in arguments and "dataset" in arguments:
        return Prepared(await _dataset(arguments, client, call))
    return Prepared(await _listing(arguments, client, call))


async def _dataset(arguments: dict[str, Any], client: Superset, call: Call) -> dict[str, Any]:
    within = None
    if "database" in arguments:
        within = await database(str(arguments["database"]), client, call)
    found = await dataset(
        str(arguments["dataset"]), client, call, within=within.id if within else None
    )
    made = arguments | {"dataset": str(found.id)}
    return made | {"database": str(within.id)} if within else made


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
        schema = await Place(where, client, call).schema(arguments.get("schema_name"))
        made["schema_name"] = schema
    return made


async def _table(arguments: dict[str, Any], client: Superset, call: Call) -> dict[str, Any]:
    where = await database(arguments.get("database"), client, call)
    place = Place(where, client, call)
    schema, name = await place.table(str(arguments["table"]), arguments.get("schema_name"))
    return arguments | {"database": str(where.id), "schema_name": schema, "table": name}
