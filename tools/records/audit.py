"""What happened, in order, only ever added to."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, insert, select

from tools.records.engine import Database
from tools.records.schema import audit

AuditKind = Literal[
    "received",
    "context_rejected",
    "offered",
    "denied",
    "asked",
    "decided",
    "executing",
    "executed",
    "outcome",
    "unknown",
]
"""What a row tells.

received: a user's message came. context_rejected: a page context was refused. offered: which tools
the model got. denied: a call was refused by the rules. asked: a card was shown. decided: a card was
approved, rejected, or ran out of time, and by whom. executing: a write is about to be sent.
executed: a call ran, with its attempts and duration. outcome: how an approved write ended, or that
it was proven unsent. unknown: nobody knows whether a write happened.
"""


@dataclass(frozen=True)
class AuditRow:
    """One thing that happened; `id` rises by one a row, `at` is in UTC."""

    id: int
    at: datetime
    kind: AuditKind
    user_id: str
    thread_id: str | None
    call_id: str | None
    tool: str | None
    env_id: str | None
    detail: dict[str, Any]


Rows = list[AuditRow]


def append_row(
    connection: Connection,
    kind: AuditKind,
    *,
    user_id: str,
    thread_id: str | None = None,
    call_id: str | None = None,
    tool: str | None = None,
    env_id: str | None = None,
    detail: dict[str, Any],
    now: datetime,
) -> AuditRow:
    """Add a row inside the caller's write transaction: the only code that writes this table.

    Args:
        connection: A connection of `Database.write`.
        kind: What happened.
        user_id: Who is behind it.
        thread_id: The conversation, if any.
        call_id: The tool call, if any.
        tool: The tool's name, if any.
        env_id: The environment, if any.
        detail: Facts as JSON, without secrets and without arguments in full.
        now: The time, with its zone.
    """
    values = {
        "at": now,
        "kind": kind,
        "user_id": user_id,
        "thread_id": thread_id,
        "call_id": call_id,
        "tool": tool,
        "env_id": env_id,
        "detail": detail,
    }
    written = connection.execute(insert(audit).values(values).returning(audit))
    return _row(written.one())


class Audit:
    """The audit rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(
        self,
        kind: AuditKind,
        *,
        user_id: str,
        thread_id: str | None = None,
        call_id: str | None = None,
        tool: str | None = None,
        env_id: str | None = None,
        detail: dict[str, Any],
        now: datetime,
    ) -> AuditRow:
        """Add a row in a transaction of its own; the arguments are those of `append_row`."""
        with self._database.write() as connection:
            return append_row(
                connection,
                kind,
                user_id=user_id,
                thread_id=thread_id,
                call_id=call_id,
                tool=tool,
                env_id=env_id,
                detail=detail,
                now=now,
            )

    def list(
        self,
        *,
        thread_id: str | None = None,
        user_id: str | None = None,
        kind: AuditKind | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> Rows:
        """Rows in the order they were written.

        Args:
            thread_id: Only this conversation's.
            user_id: Only this user's.
            kind: Only this kind.
            after: Only rows with a higher id; to page, give the last id you have.
            limit: At most so many.
        """
        query = select(audit).where(audit.c.id > after).order_by(audit.c.id).limit(limit)
        if thread_id is not None:
            query = query.where(audit.c.thread_id == thread_id)
        if user_id is not None:
            query = query.where(audit.c.user_id == user_id)
        if kind is not None:
            query = query.where(audit.c.kind == kind)
        with self._database.read() as connection:
            return [_row(row) for row in connection.execute(query)]


def _row(row: Row[Any]) -> AuditRow:
    return AuditRow(**row._asdict())
