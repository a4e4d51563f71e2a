"""The steps of the ledger inside a transaction: each writes a row and its audit row, or neither."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, insert, select, update

from tools.records.audit import AuditKind, append_row
from tools.records.errors import ApprovalNotFoundError, WrongStateError
from tools.records.ledger import Approval, ApprovalRequest, ApprovalState
from tools.records.redact import redacted
from tools.records.schema import approvals

Facts = Mapping[str, Any]
NO_FACTS: Facts = MappingProxyType({})

KINDS: dict[ApprovalState, AuditKind] = {
    "asked": "asked",
    "approved": "decided",
    "rejected": "decided",
    "expired": "decided",
    "executing": "executing",
    "done": "outcome",
    "failed": "outcome",
    "unknown": "unknown",
    "handed_over": "outcome",
}
"""What the audit calls the step into a state."""

_COLUMNS = [approvals.c[field.name] for field in fields(Approval)]

# Made once: to put a statement together takes longer than to run it.
_ADD = insert(approvals).returning(*_COLUMNS)
_MOVE = (
    update(approvals)
    .where(approvals.c.id == bindparam("this"), approvals.c.state == bindparam("before"))
    .returning(*_COLUMNS)
)


def add(connection: Connection, request: ApprovalRequest, now: datetime) -> Approval:
    """Write a new row, `asked`."""
    values = {field.name: getattr(request, field.name) for field in fields(ApprovalRequest)}
    values |= {"id": uuid4().hex, "state": "asked", "asked_at": now}
    written = connection.execute(_ADD, values)
    row = _row(written.one())
    shown = {"arguments": redacted(row.arguments)}
    _note(connection, row, None, KINDS["asked"], now, shown)
    return row


def move(
    connection: Connection,
    row: Approval,
    state: ApprovalState,
    now: datetime,
    *,
    kind: AuditKind | None = None,
    facts: Facts = NO_FACTS,
    **changes: Any,
) -> Approval:
    """Bring a row into a state.

    Args:
        connection: A connection of `Database.write`.
        row: The row as it was read in this transaction.
        state: Where it goes.
        now: The time, with its zone.
        kind: What the audit calls it; None: as KINDS says.
        facts: What the audit tells beside it.
        changes: Other columns to write.

    Raises:
        WrongStateError: the row is no longer in the state it was read in.
    """
    values = {"this": row.id, "before": row.state, "state": state, **changes}
    written = connection.execute(_MOVE, values).one_or_none()
    if written is None:
        raise WrongStateError(row)
    moved = _row(written)
    _note(connection, moved, row.state, kind or KINDS[state], now, facts)
    return moved


def expire(connection: Connection, row: Approval, now: datetime) -> Approval:
    """Mark a row that was not used in time; who decided it before stays."""
    return move(connection, row, "expired", now, decided_at=row.decided_at or now)


def query(condition: ColumnElement[bool]) -> Select[Any]:
    """The query of the rows that fit a condition, oldest first; make it once, with `bindparam`."""
    return select(*_COLUMNS).where(condition).order_by(approvals.c.seq)


_ONE = query(approvals.c.id == bindparam("approval_id"))
_OF_CALL = query(
    (approvals.c.thread_id == bindparam("thread_id"))
    & (approvals.c.call_id == bindparam("call_id"))
)


def one(connection: Connection, approval_id: str) -> Approval | None:
    """The row with this id, or None."""
    return next(iter(chosen(connection, _ONE, approval_id=approval_id)), None)


def existing(connection: Connection, approval_id: str) -> Approval:
    """The row with this id.

    Raises:
        ApprovalNotFoundError: there is none.
    """
    row = one(connection, approval_id)
    if row is None:
        raise ApprovalNotFoundError
    return row


def of_call(connection: Connection, thread_id: str, call_id: str) -> list[Approval]:
    """Every row of a call, oldest first."""
    return chosen(connection, _OF_CALL, thread_id=thread_id, call_id=call_id)


def chosen(connection: Connection, wanted: Select[Any], **values: Any) -> list[Approval]:
    """The rows of a `query`, with these values in it."""
    return [_row(row) for row in connection.execute(wanted, values)]


def _row(row: Row[Any]) -> Approval:
    return Approval(**row._asdict())


def _note(
    connection: Connection,
    row: Approval,
    before: ApprovalState | None,
    kind: AuditKind,
    now: datetime,
    more: Facts = NO_FACTS,
) -> None:
    # The digest stands for the whole arguments: they may hold what an auditor must not read.
    facts = {
        "approval": row.id,
        "from": before,
        "to": row.state,
        "digest": row.digest,
        "policy": row.policy_version,
        "by": row.decided_by,
        # A person types it, and so anything.
        "reason": redacted(row.reason),
        **more,
    }
    append_row(
        connection,
        kind,
        user_id=row.user_id,
        thread_id=row.thread_id,
        call_id=row.call_id,
        tool=row.tool,
        env_id=row.env_id,
        detail={name: value for name, value in facts.items() if value is not None},
        now=now,
    )
