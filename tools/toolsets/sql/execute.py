"""Run one query that only reads."""

import asyncio
from typing import Any

from langchain_core.tools import ToolException

from tools.clients.http import SupersetError, Unanswered
from tools.clients.superset_sql import Ending, SqlQuery, SqlRows, SqlRun
from tools.connect import Call
from tools.definition import ANALYSTS, Lexicon, Prepared
from tools.messages import text
from tools.sql.check import check
from tools.sql.limits import Limited, limited
from tools.sql.refusal import Refused
from tools.toolsets.sql.answers import answer_execute
from tools.toolsets.sql.base import SQL, Place, place
from tools.toolsets.sql.faults import closed, explained, refusal

MOST = 1000
"""The most rows of a call."""

RESERVE = 5.0
"""Seconds of a call's time, at most, that are kept for giving up a query that takes too long."""


async def prepare_execute(arguments: dict[str, Any], call: Call) -> Prepared:
    """Find the database, and refuse a text that does more than read."""
    client = call.superset(str(arguments["env_id"]))
    where = await place(arguments, client, call)
    await bounded(str(arguments["sql"]), where, MOST, call)
    made = arguments | {"database": str(where.database.id)}
    if where.schema is not None:
        made["schema_name"] = where.schema
    made.pop("dataset", None)
    return Prepared(made)


@SQL.tool(
    effect="read",
    roles=ANALYSTS,
    lexicon=Lexicon(
        objects=("sql", "запрос", "select", "query"), exclude=("selected", "по запросу")
    ),
    ru="Выполни запрос `select count(*) from sales_orders` в базе Analytics",
    en="Run the query `select count(*) from sales_orders` in the database Analytics",
    affinity=frozenset({"dataset"}),
    page={"dataset": "dataset"},
    # Without a database it is the only one there is, or `prepare` asks which of them.
    required=frozenset({"sql"}),
    instead={"database": ("dataset",), "dataset": ("database",)},
    prepare=prepare_execute,
    answer=answer_execute,
)
async def superset_execute_sql(
    call: Call,
    sql: str | None = None,
    database: str | None = None,
    schema_name: str | None = None,
    dataset: str | None = None,
    limit: int = 100,
    env_id: str | None = None,
) -> dict[str, Any]:
    """Run one SELECT (or WITH ... SELECT) and return its rows; anything that writes is refused.

    Args:
        sql: The whole query, in the dialect of the database.
        database: The database, by its name or id.
        schema_name: The schema that names without one are in; left out, the database's default.
        dataset: Instead of a database: run where this dataset (name or id) has its table.
        limit: The most rows, 1 to 1000.
        env_id: The environment, by its id; left out, it is the page's.
    """
    started = asyncio.get_running_loop().time()
    client = call.superset(str(env_id))
    named = {"database": database, "schema_name": schema_name, "dataset": dataset}
    where = await place(named, client, call)
    wanted = max(1, min(limit, MOST))
    bound = await bounded(sql or "", where, wanted, call)
    query = SqlQuery(where.database.id, bound.text, where.schema, bound.rows)
    try:
        found = await within(SqlRun(client, query), started, call)
    except SupersetError as error:
        raise explained(error, where, call) from None
    return _result(found, bound, wanted, limit, where, env_id)


async def bounded(sql: str, where: Place, wanted: int, call: Call) -> Limited:
    """The text that may be sent, with a bound on its rows.

    Raises:
        ToolException: it does more than read, or the database is closed; why.
    """
    if not where.database.sql_lab:
        raise closed(where, call)
    try:
        return await asyncio.to_thread(
            lambda: limited(check(sql, where.dialect), wanted)  # a long text takes a second
        )
    except Refused as error:
        raise refusal(error, call) from None


async def within(run: SqlRun, started: float, call: Call) -> SqlRows:
    """Run a query within the call's time.

    One that takes longer is given up, and so is one whose caller goes away.

    Raises:
        ToolException: it took too long; what became of it.
        SupersetError: it failed.
    """
    limit = call.settings.limits.tool_timeout
    reserve = min(RESERVE, limit / 4)
    try:
        async with asyncio.timeout_at(started + limit - reserve):
            return await run.rows()
    except TimeoutError:
        pass
    except Unanswered as error:
        if not error.timed_out:
            raise
    except asyncio.CancelledError:
        await asyncio.shield(asyncio.ensure_future(_given_up(run, reserve)))
        raise
    ending = await _given_up(run, reserve * 0.8)
    seconds = round(asyncio.get_running_loop().time() - started)
    raise ToolException(text(call.language, f"sql-late-{ending}", seconds=seconds))


async def _given_up(run: SqlRun, seconds: float) -> Ending:
    """Give a query up, in a few seconds at most."""
    try:
        async with asyncio.timeout(seconds):
            return await run.give_up()
    except TimeoutError:
        return "unknown"


def _result(
    found: SqlRows, bound: Limited, wanted: int, asked: int, where: Place, env_id: str | None
) -> dict[str, Any]:
    """The rows, cut once more: some installations of Superset bring more than they were asked."""
    most = wanted if bound.own is None else min(wanted, bound.own)
    rows = found.rows[:most]
    made: dict[str, Any] = {
        "environment": env_id,
        "database": where.database.name,
        "schema": where.schema,
        "sql": bound.text,
        "columns": [{"name": name, "type": kind} for name, kind in found.columns],
        "total": len(rows),
        "limit": wanted,
        "limited": len(found.rows) > wanted and (bound.own is None or bound.own > wanted),
        "items": rows,
    }
    return made if asked == wanted else made | {"asked": asked}
