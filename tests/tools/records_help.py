"""Not a test: makes approvals for the tests of the records, and one of them in a given state."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from tools.records import Approval, ApprovalRequest, ApprovalState, Records, Ticket, digest

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
EXPIRY = NOW + timedelta(minutes=15)
ARGUMENTS: dict[str, Any] = {"dashboard": "USA", "hours": 7, "tags": ["a", "b"]}


def request(**changes: Any) -> ApprovalRequest:
    """What start_maintenance would ask."""
    asked = ApprovalRequest(
        thread_id="thread",
        call_id="call",
        tool="start_maintenance",
        env_id="dev",
        user_id="alice",
        role="operator",
        language="ru",
        user_text="Запусти обслуживание на дашборде USA",
        requested=ARGUMENTS,
        arguments={**ARGUMENTS, "message": "Работы"},
        targets={"dashboard": {"id": 1}},
        digest=digest(ARGUMENTS),
        policy_version="1",
        card={"risk": "guarded"},
        expires_at=EXPIRY,
    )
    return replace(asked, **changes)


def begin(records: Records, **changes: Any) -> Approval:
    """Claim the call of `request`."""
    claim: dict[str, Any] = {
        "thread_id": "thread",
        "call_id": "call",
        "tool": "start_maintenance",
        "requested": ARGUMENTS,
        "user_id": "alice",
        "policy_version": "1",
        "now": NOW,
        **changes,
    }
    return records.approvals.begin(claim.pop("thread_id"), claim.pop("call_id"), **claim)


def approved(records: Records, **changes: Any) -> Approval:
    """A row that its asker has approved."""
    row = records.approvals.ask(request(**changes), NOW)
    return records.approvals.approve(row.id, row.digest, row.user_id, NOW)


def hand_over(records: Records, row: Approval, *keys: str) -> Ticket:
    """Give begun work on some objects to task 7."""
    objects = [(key, f"Dashboard {key}") for key in keys]
    return records.work.hand_over(row.id, objects, task_id=7, expires_at=EXPIRY, now=NOW)


def in_state(records: Records, state: ApprovalState) -> Approval:
    """A row of the call, brought into a state by the steps that lead there."""
    ledger = records.approvals
    row = ledger.ask(request(), NOW)
    if state == "rejected":
        return ledger.reject(row.id, "alice", "no", NOW)
    if state == "expired":
        ledger.expire_due(EXPIRY)
    elif state != "asked":
        ledger.approve(row.id, row.digest, "alice", NOW)
        if state != "approved":
            begin(records)
            if state == "handed_over":
                hand_over(records, row)
            elif state != "executing":
                ledger.finish(row.id, state, {}, NOW)
    found = ledger.get(row.id)
    assert found is not None
    assert found.state == state
    return found


Sabotage = Literal["audit", "insert", "update"]
"""A new audit row, a new approval, a change of an approval."""

_WHEN: dict[Sabotage, str] = {
    "audit": "BEFORE INSERT ON audit",
    "insert": "AFTER INSERT ON approvals",
    "update": "AFTER UPDATE ON approvals",
}
_TRIGGERS = {
    "sqlite": (
        "CREATE TRIGGER sabotage {when} BEGIN SELECT RAISE(ABORT, 'no'); END",
        "DROP TRIGGER sabotage",
    ),
    "postgresql": (
        "CREATE FUNCTION sabotage() RETURNS trigger LANGUAGE plpgsql "
        "AS 'BEGIN RAISE EXCEPTION ''no''; END'; "
        "CREATE TRIGGER sabotage {when} FOR EACH ROW EXECUTE FUNCTION sabotage()",
        "DROP FUNCTION sabotage CASCADE",
    ),
}


@contextmanager
def sabotaged(records: Records, where: Sabotage) -> Iterator[None]:
    """Make the database refuse one kind of write."""
    with records.database.write() as connection:
        make, drop = _TRIGGERS[connection.dialect.name]
        connection.exec_driver_sql(make.format(when=_WHEN[where]))
    try:
        yield
    finally:
        with records.database.write() as connection:
            connection.exec_driver_sql(drop)
