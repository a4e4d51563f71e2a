"""Does what Superset serves work: databases and charts, each asked for real."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from tools.clients.http import BadAnswer, Forbidden, Invalid, NotFound, ServerFault, TooLarge
from tools.clients.superset import DatabaseSummary, Superset

State = Literal["works", "broken", "empty", "no_query", "no_dataset", "running"]
"""How a database or a chart is.

works: it answered with data. broken: it answered with an error, which is its own. empty: a SQLite
database without a table, which is what a lost file looks like. no_query: a chart that was never
saved with its query, so that only a browser can run it. no_dataset: a chart whose dataset is gone.
running: Superset runs it later, apart.
"""

Way = Literal["sql", "no_right", "closed", "refused"]
"""How a database was asked.

sql: by a query. The others read its schemas, because the account may not run SQL, the database is
closed to SQL Lab, or Superset does not take the query.
"""

PROBES: Mapping[str, str] = MappingProxyType(
    {
        # It would make a lost file anew and answer 1; the catalogue is read from the file.
        "sqlite": "SELECT count(*) AS tables FROM sqlite_master",
        "oracle": "SELECT 1 FROM dual",
        "hana": "SELECT 1 FROM dummy",
        "db2": "SELECT 1 FROM sysibm.sysdummy1",
        "ibm_db_sa": "SELECT 1 FROM sysibm.sysdummy1",
    }
)
"""The shortest query of dialects that do not answer `SELECT 1`, or not honestly."""

_NO_RIGHT = ("SECURITY_ACCESS_ERROR", "was not found")


@dataclass(frozen=True)
class Check:
    """What became of one check.

    Attributes:
        state: How the object is.
        problem: The object's own error; empty where there is none.
        way: How a database was asked.
    """

    state: State
    problem: str = ""
    way: Way = "sql"


async def check_database(client: Superset, database: DatabaseSummary) -> Check:
    """Run the shortest query; where that is not allowed, read the schemas.

    Raises:
        SupersetError: it could not be found out: no right to read it, or no answer.
    """
    if not database.sql_lab:
        return await _by_schemas(client, database, "closed")
    body = {
        "database_id": database.id,
        "sql": PROBES.get(database.backend, "SELECT 1"),
        "queryLimit": 1,
        "runAsync": False,
        "client_id": secrets.token_hex(5),
    }
    try:
        answer = await _query(client, body)
    except Forbidden:
        return await _by_schemas(client, database, "no_right")
    except Invalid:
        return await _by_schemas(client, database, "refused")
    except ServerFault as error:
        if _passing(error):
            raise
        if any(mark in text for mark in _NO_RIGHT for text in (error.error_type, error.detail)):
            return await _by_schemas(client, database, "no_right")
        return Check("broken", _short(error.detail))
    if database.backend == "sqlite" and _tables(answer) == 0:
        return Check("empty")
    return Check("works")


async def _query(client: Superset, body: dict[str, Any]) -> Any:
    """Run a query of SQL Lab, once more where it is refused.

    A Superset that has just started refuses the first queries if they come at the same moment:
    400 `'NoneType' object has no attribute 'push'` (its task queue is being set up).
    """
    path = "/api/v1/sqllab/execute/"
    try:
        return await client.request_json("POST", path, body=body)
    except Invalid:
        again = body | {"client_id": secrets.token_hex(5)}
        return await client.request_json("POST", path, body=again)


async def _by_schemas(client: Superset, database: DatabaseSummary, way: Way) -> Check:
    """Read the schemas afresh; of SQLite the tables, for which the file must be opened."""
    query: dict[str, Any] = {"force": True}
    path = f"/api/v1/database/{database.id}/schemas/"
    if database.backend == "sqlite":
        path = f"/api/v1/database/{database.id}/tables/"
        query["schema_name"] = "main"
    try:
        answer = await client.request_json("GET", path, query={"q": query})
    except Invalid as error:
        return Check("broken", _short(error.detail), way)
    except ServerFault as error:
        if _passing(error):
            raise
        return Check("broken", _short(error.detail), way)
    found = answer.get("result") if isinstance(answer, dict) else None
    if database.backend == "sqlite" and not found:
        return Check("empty", way=way)
    return Check("works", way=way)


async def dashboard_charts(client: Superset, dashboard_id: int) -> dict[int, str]:
    """The charts attached to a dashboard: names by id.

    Raises:
        NotFound: there is no such dashboard, or the account may not see it.
    """
    answer = await client.request_json("GET", f"/api/v1/dashboard/{dashboard_id}/charts")
    return {int(row["id"]): str(row.get("slice_name") or "") for row in answer["result"]}


def placed_charts(layout: Mapping[str, Any]) -> set[int]:
    """Ids of the charts that have a place in a layout."""
    nodes = (node for node in layout.values() if isinstance(node, dict))
    metas = (node.get("meta") for node in nodes if node.get("type") == "CHART")
    found = (meta.get("chartId") for meta in metas if isinstance(meta, dict))
    return {chart_id for chart_id in found if isinstance(chart_id, int)}


async def check_chart(client: Superset, chart_id: int) -> Check:
    """Run a saved chart, past all caches.

    Raises:
        SupersetError: it could not be found out: no right to see it, or no answer.
    """
    path = f"/api/v1/chart/{chart_id}/data/"
    try:
        answer = await client.request_json("GET", path, query={"force": "true"})
    except TooLarge as error:
        if error.status != 200:
            raise
        return Check("works")
    except (NotFound, Invalid, ServerFault) as error:
        return await _failed(client, chart_id, error)
    results = answer.get("result") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        return Check("running")
    errors = [str(item["error"]) for item in results if item.get("error")]
    return Check("broken", _short(errors[0])) if errors else Check("works")


async def _failed(
    client: Superset, chart_id: int, error: NotFound | Invalid | ServerFault
) -> Check:
    """What it says of a chart that its data could not be read; the error again: nothing."""
    if isinstance(error, ServerFault):
        if _passing(error):
            raise error
        return Check("broken", _short(error.detail))
    saved = await _saved(client, chart_id)
    if isinstance(error, NotFound):
        if saved is None:
            raise error
        # The chart is there, so it is its dataset; without a right to that it would be 403.
        return Check("no_dataset")
    # The words for a missing query are in the language of the installation.
    if saved is None or saved.get("query_context"):
        return Check("broken", _short(error.detail))
    return Check("no_query")


async def _saved(client: Superset, chart_id: int) -> Mapping[str, Any] | None:
    """A chart with the query that its data are read by; None: the account may not see it."""
    query = {"q": {"columns": ["id", "query_context"]}}
    try:
        answer = await client.request_json("GET", f"/api/v1/chart/{chart_id}", query=query)
    except NotFound:
        return None
    found: Mapping[str, Any] = answer["result"]
    return found


def _tables(answer: Any) -> int | None:
    """The one number of an answer of SQL Lab; None where there is none."""
    match answer:
        case {"data": [{**row}]} if len(row) == 1:
            (value,) = row.values()
            return value if isinstance(value, int) else None
    return None


def _passing(error: ServerFault) -> bool:
    """Whether a fault is of the way to Superset, and says nothing of what was asked about."""
    return error.transient or isinstance(error, BadAnswer)


def _short(words: str) -> str:
    """The error without what SQLAlchemy adds for programmers."""
    return words.split(" (Background on this error", 1)[0].split(" [SQL: ", 1)[0]
