"""When an approval may be given and used: the checks of the ledger, in their order.

An error is returned, not raised, where the transaction has noted something that must stay.
"""

from datetime import datetime

from sqlalchemy import Connection

from tools.records.canonical import CanonicalError, canonical
from tools.records.errors import (
    AlreadyUsedError,
    ExpiredError,
    LedgerError,
    NoApprovalError,
    UnknownOutcomeError,
    WrongDigestError,
    WrongPolicyError,
    WrongStateError,
    WrongUserError,
)
from tools.records.ledger import BEGUN, OPEN, Approval, ApprovalRequest, Claim
from tools.records.steps import add, existing, expire, move, of_call

Outcome = Approval | LedgerError
"""The row after the step, or why there was none."""


def ask(connection: Connection, request: ApprovalRequest, now: datetime) -> Approval:
    """Find the card of an action or make it; cards of the same call that differ are closed."""
    rows = of_call(connection, request.thread_id, request.call_id)
    waiting = [row for row in rows if row.state in OPEN]
    kept = next((row for row in reversed(waiting) if _stays(row, request, now)), None)
    for row in waiting:
        if row is kept:
            continue
        if row.late(now):
            expire(connection, row, now)
        else:
            move(connection, row, "rejected", now, decided_at=now, reason="superseded")
    return kept or add(connection, request, now)


def approve(
    connection: Connection, approval_id: str, digest: str, by: str, now: datetime
) -> Outcome:
    """Check a person's yes, then note it."""
    row = existing(connection, approval_id)
    if row.peer == (row.user_id == by):
        return WrongUserError(row)
    if row.digest != digest:
        return WrongDigestError(row)
    if row.state == "expired":
        return ExpiredError(row)
    if row.state != "asked":
        return WrongStateError(row)
    if row.late(now):
        return ExpiredError(expire(connection, row, now))
    return move(connection, row, "approved", now, decided_at=now, decided_by=by)


def begin(connection: Connection, claim: Claim, now: datetime) -> Outcome:
    """Check a claim against the rows of its call, then use the approval up."""
    rows = of_call(connection, claim.thread_id, claim.call_id)
    if not rows:
        return NoApprovalError()
    # A begun one counts before all others: a call whose card was asked again still runs once.
    row = next((row for row in rows if row.state in BEGUN), rows[-1])
    if row.user_id != claim.user_id:
        return WrongUserError(row)
    if row.tool != claim.tool or not _same(row, claim):
        # Whatever became of that row: it is not the end of this call, and must not be told as it.
        return WrongDigestError(row)
    if row.state == "executing":
        return UnknownOutcomeError(move(connection, row, "unknown", now))
    if row.state in BEGUN:
        return UnknownOutcomeError(row) if row.state == "unknown" else AlreadyUsedError(row)
    return _use(connection, row, claim, now)


def _stays(row: Approval, request: ApprovalRequest, now: datetime) -> bool:
    # Another user's card stays too: only its asker may replace it, and nobody else can approve it.
    same = row.digest == request.digest or row.user_id != request.user_id
    return same and not row.late(now)


def _use(connection: Connection, row: Approval, claim: Claim, now: datetime) -> Outcome:
    if row.state == "expired":
        return ExpiredError(row)
    if row.state in OPEN and row.late(now):
        return ExpiredError(expire(connection, row, now))
    if row.state != "approved":
        return WrongStateError(row)
    if row.peer and row.decided_by == row.user_id:
        return WrongUserError(row)
    if row.policy_version != claim.policy_version:
        return WrongPolicyError(row)
    return move(connection, row, "executing", now, started_at=now)


def _same(row: Approval, claim: Claim) -> bool:
    try:
        return canonical(row.requested) == canonical(dict(claim.requested))
    except CanonicalError:  # nothing that was asked looks like this
        return False
