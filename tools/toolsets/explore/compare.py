"""A dataset's columns against those of its table, or of its query."""

import asyncio
from typing import Any

from tools.clients.http import Forbidden, SupersetError, Unanswered
from tools.clients.superset import Dataset, Superset
from tools.clients.superset_sql import SqlQuery, SqlRun
from tools.connect import Call
from tools.judgement import explain
from tools.messages import text
from tools.sql.check import check
from tools.sql.dialects import dialect_of
from tools.sql.refusal import Refused
from tools.toolsets.explore.base import own_words, part
from tools.toolsets.explore.kinds import retyped

SECONDS = 20.0
"""How long the database may take to tell its columns."""

GIVING_UP = 5.0
"""Seconds, at most, to stop a query that takes too long."""


async def compared(found: Dataset, client: Superset, call: Call) -> dict[str, Any]:
    """What is missing, new and of another type in the database; or why nobody can tell."""
    told = await part(_compared(found, client, call), call, SECONDS + 2 * GIVING_UP)
    return {"state": "not_compared", "reason": told["problem"]} if "problem" in told else told


async def _compared(found: Dataset, client: Superset, call: Call) -> dict[str, Any]:
    try:
        async with asyncio.timeout(SECONDS):
            there = await _columns_there(found, client)
    except Refused:
        return _not("compare-template", call)
    except TimeoutError:
        return _not("compare-late", call, seconds=round(SECONDS))
    except Forbidden:
        # What a query gives is known only by running it.
        return _not("compare-no-right" if found.sql else "compare-no-table", call)
    except SupersetError as error:
        return {"state": "not_compared", "reason": _why(error, call)}
    if not there:
        return _not("compare-no-table", call)
    own = {one.name: one.type for one in found.columns if one.expression is None}
    return {
        "state": "compared",
        "missing": sorted(own.keys() - there.keys()),
        "new": sorted(there.keys() - own.keys()),
        "retyped": [
            {"name": name, "dataset": own[name], "table": there[name]}
            for name in sorted(own.keys() & there.keys())
            if retyped(own[name], there[name], by_kind=found.sql is not None)
        ],
    }


def _why(error: SupersetError, call: Call) -> str:
    words = own_words(error)
    if words is None:
        return explain(error, call.language)
    return text(call.language, "compare-failed", problem=words)


def _not(key: str, call: Call, **values: int) -> dict[str, Any]:
    return {"state": "not_compared", "reason": text(call.language, key, **values)}


async def _columns_there(found: Dataset, client: Superset) -> dict[str, str]:
    """Names and types of the columns that the table has, or that the query gives.

    Raises:
        Refused: the query is a template, or more than a query that reads: it is not run.
        TimeoutError: it took too long.
    """
    if found.sql is None:
        table = await client.table(found.database_id, found.name, found.schema, found.catalog)
        return {one.name: one.type for one in table.columns}
    query = await asyncio.to_thread(check, found.sql, dialect_of(found.backend))
    run = SqlRun(client, SqlQuery(found.database_id, query.text, found.schema, rows=1))
    try:
        return dict((await run.rows()).columns)
    except Unanswered as error:
        await _give_up(run)
        if error.timed_out:
            raise TimeoutError from error
        raise
    except asyncio.CancelledError:
        # Nobody waits for it any more; shielded, so that it is stopped all the same.
        await asyncio.shield(asyncio.ensure_future(_give_up(run)))
        raise


async def _give_up(run: SqlRun) -> None:
    try:
        async with asyncio.timeout(GIVING_UP):
            await run.give_up()
    except TimeoutError:
        return
