"""SQL Lab: run a query, find out what became of one, lay a text out."""

import re
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from tools.clients.http import BadAnswer, Invalid, NotFound, SupersetError
from tools.clients.superset import Superset
from tools.clients.superset_retry import read_twice

EXECUTE = "/api/v1/sqllab/execute/"
RECENT_MS = 600_000
"""How far back a query is looked for: the clocks of two machines are hardly further apart."""

Ending = Literal["stopped", "running", "finished", "unknown"]
"""What became of a query that was given up.

stopped: Superset stopped it. running: it runs on, Superset can't stop it. finished: it ended by
itself. unknown: Superset does not say, or never got it.
"""

_STATES: dict[str, Ending] = {
    "pending": "running",
    "running": "running",
    "stopped": "stopped",
    "success": "finished",
    "failed": "finished",
    "timed_out": "finished",
}
_WHOLE = re.compile(r"-?[0-9]{16,}")


@dataclass(frozen=True)
class SqlQuery:
    """What is run, and where; a text that only reads, as its caller made sure.

    Attributes:
        database_id: The database.
        sql: The text.
        schema: The schema of names without one; None: the database's default.
        rows: How many rows Superset is to bring, from 1.
    """

    database_id: int
    sql: str
    schema: str | None
    rows: int


@dataclass(frozen=True)
class SqlRows:
    """What a query brought.

    Attributes:
        columns: Name and type of each column; the type may be empty. Superset gives columns of
            one name numbers: `a`, `a__1`.
        rows: A list of values a row, JSON types, in the order of the columns; whole numbers are
            exact.
    """

    columns: tuple[tuple[str, str], ...]
    rows: list[list[Any]]


@dataclass
class SqlRun:
    """One query on one installation: run it, and when that takes too long, give it up."""

    client: Superset
    query: SqlQuery
    sent: list[str] = field(default_factory=list)
    """How Superset knows the attempts."""

    async def rows(self) -> SqlRows:
        """Run the query; after a passing fault once more.

        Superset keeps one query a name, so that a second attempt has its own.

        Raises:
            ServerFault: the database's own error, with its words; or Superset failed.
            Invalid: Superset does not understand the SQL.
            SupersetError: any other.
        """
        return await read_twice(self._warm, self.client.config.retry_pause)

    async def _warm(self) -> SqlRows:
        """Superset refuses the first queries of its life where they come at the same moment."""
        try:
            return await self._once()
        except Invalid as error:
            if error.status != 400 or "object has no attribute" not in error.detail:
                raise
        return await self._once()

    async def _once(self) -> SqlRows:
        self.sent.append(secrets.token_hex(5))
        body = {
            "database_id": self.query.database_id,
            "sql": self.query.sql,
            "schema": self.query.schema,
            "queryLimit": self.query.rows,
            "runAsync": False,
            "client_id": self.sent[-1],
        }
        # Sent as a write only so that nothing sends it again under the same name.
        return rows_of(await self.client.request_json("POST", EXECUTE, body=body, write=True))

    async def give_up(self) -> Ending:
        """Stop what still runs of it, and say what became of it; bound its time outside."""
        endings = [await self._end(name) for name in self.sent]
        return next(
            (one for one in ("running", "stopped", "finished") if one in endings), "unknown"
        )

    async def _end(self, name: str) -> Ending:
        try:
            state = await self._state(name)
            if state != "running":
                return state
            body = {"client_id": name}
            await self.client.request_json("POST", "/api/v1/query/stop", body=body, write=True)
        except NotFound:
            return "unknown"
        except Invalid:
            # "Could not cancel query": the driver can't, as SQLite's.
            return await self._state(name)
        except SupersetError:
            return "unknown"
        return "stopped"

    async def _state(self, name: str) -> Ending:
        since = int(time.time() * 1000) - RECENT_MS
        answer = await self.client.request_json(
            "GET", "/api/v1/query/updated_since", query={"q": {"last_updated_ms": since}}
        )
        found = [row for row in answer.get("result", ()) if row.get("id") == name]
        return _STATES.get(str(found[0].get("state")), "unknown") if found else "unknown"


async def format_sql(client: Superset, sql: str, database_id: int | None) -> str:
    """A text as Superset lays it out: by its parser, which may write things in another way.

    Args:
        client: The installation.
        sql: Without Jinja: Superset writes something else for it.
        database_id: The database whose dialect it is in; None: no dialect.

    Raises:
        Invalid: Superset does not understand it.
        Forbidden: the account has no right to it.
    """
    body = {"sql": sql} | ({} if database_id is None else {"database_id": database_id})
    answer = await client.request_json("POST", "/api/v1/sqllab/format_sql/", body=body)
    if not isinstance(answer, dict) or not isinstance(answer.get("result"), str):
        raise BadAnswer("its answer is no text")
    return str(answer["result"])


def rows_of(answer: Any) -> SqlRows:
    """The rows in an answer of SQL Lab.

    Raises:
        BadAnswer: there are none: the query was stopped, or runs on without us.
    """
    match answer:
        case {"data": list() as data, "columns": list() as listed}:
            columns = tuple(
                (str(one.get("column_name") or one["name"]), str(one.get("type") or ""))
                for one in listed
            )
        case _:
            raise BadAnswer("its answer has no rows")
    return SqlRows(
        columns, [[_exact(row.get(name), kind) for name, kind in columns] for row in data]
    )


def _exact(value: Any, kind: str) -> Any:
    """A value; Superset writes whole numbers that JavaScript can't hold as texts."""
    if kind == "INT" and isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    return value
