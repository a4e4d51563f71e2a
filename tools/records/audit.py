"""What happened, in order, only ever added to, and chained so that a change shows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, RowMapping, Select, insert, select, update

from tools.records.canonical import canonical, clean, parse, plain
from tools.records.chain import row_hash, stamp
from tools.records.engine import Database
from tools.records.schema import audit, audit_head

AuditKind = Literal[
    "received",
    "context_rejected",
    "offered",
    "denied",
    "asked",
    "decided",
    "executing",
    "executed",
    "shortened",
    "outcome",
    "unknown",
    "checkpoint",
]
"""What a row tells.

received: a user's message came. context_rejected: a page context was refused. offered: which tools
the model got. denied: a call was refused by the rules. asked: a card was shown. decided: a card was
approved, rejected, or ran out of time, and by whom. executing: a write is about to be sent, or work
in the background may start or starts. executed: a read ran, with its attempts and duration.
shortened: what of a long result the model read. outcome: how an approved call ended, with its
attempts and duration, that its work was handed over, or that it was proven unsent.
unknown: nobody knows whether a write happened. checkpoint: the rows up to one of them were cut,
their time was over.
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

_HEAD = select(audit_head.c.last_id, audit_head.c.hash)
_ADD = insert(audit)
_MOVE = update(audit_head)


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
    """Add a row inside the caller's write transaction: the only code that adds to this table.

    Args:
        connection: A connection of `Database.write`: with two writers at once the chain would
            fork, which the database refuses.
        kind: What happened.
        user_id: Who is behind it.
        thread_id: The conversation, if any.
        call_id: The tool call, if any.
        tool: The tool's name, if any.
        env_id: The environment, if any.
        detail: Facts as JSON, without secrets; arguments only as `redacted` leaves them.
        now: The time, with its zone.
    """
    head = connection.execute(_HEAD).one()
    row: dict[str, Any] = {
        "id": head.last_id + 1,
        "at": stamp(now),
        "kind": kind,
        "user_id": clean(user_id),
        "thread_id": _cleaned(thread_id),
        "call_id": _cleaned(call_id),
        "tool": _cleaned(tool),
        "env_id": _cleaned(env_id),
        "detail": canonical(plain(detail)),
        "prev_hash": head.hash,
    }
    row["hash"] = row_hash(row)
    connection.execute(_ADD, row)
    connection.execute(_MOVE, {"last_id": row["id"], "hash": row["hash"]})
    return _row(row)


@dataclass(frozen=True, kw_only=True)
class AuditFilter:
    """Which rows are wanted; None leaves a question open.

    Attributes:
        since: Not before this time.
        until: Before this time.
        after: Only rows with a higher id; to page, give the last id you have.
    """

    since: datetime | None = None
    until: datetime | None = None
    user_id: str | None = None
    thread_id: str | None = None
    tool: str | None = None
    env_id: str | None = None
    kind: AuditKind | None = None
    after: int = 0

    def applied(self) -> Select[Any]:
        """The query of these rows, in no order."""
        query = select(audit).where(audit.c.id > self.after)
        if self.since is not None:
            query = query.where(audit.c.at >= stamp(self.since))
        if self.until is not None:
            query = query.where(audit.c.at < stamp(self.until))
        for name in ("user_id", "thread_id", "tool", "env_id", "kind"):
            if (value := getattr(self, name)) is not None:
                query = query.where(audit.c[name] == value)
        return query


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

    def list(self, *, limit: int = 100, **wanted: Any) -> Rows:
        """The first rows that fit, in the order they were written.

        Args:
            limit: At most so many.
            wanted: As `AuditFilter` has them.
        """
        query = AuditFilter(**wanted).applied().order_by(audit.c.id).limit(limit)
        with self._database.read() as connection:
            return [_row(row) for row in connection.execute(query).mappings()]

    def latest(self, wanted: AuditFilter, limit: int) -> Rows:
        """The newest rows that fit, in the order they were written."""
        query = wanted.applied().order_by(audit.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return [_row(row) for row in connection.execute(query).mappings()][::-1]


def _cleaned(words: str | None) -> str | None:
    return None if words is None else clean(words)


def _row(row: RowMapping | dict[str, Any]) -> AuditRow:
    return AuditRow(
        id=row["id"],
        at=datetime.fromisoformat(row["at"]),
        kind=row["kind"],
        user_id=row["user_id"],
        thread_id=row["thread_id"],
        call_id=row["call_id"],
        tool=row["tool"],
        env_id=row["env_id"],
        detail=parse(row["detail"]),
    )
