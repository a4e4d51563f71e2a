"""The ledger: who was asked about which action, what they said, and what became of it.

A write runs only after `begin` gave its approval away, and `begin` gives each one away once.
Each step checks the state it comes from and writes its audit row in the same transaction.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam

from tools.records import rules, steps
from tools.records.engine import Database
from tools.records.errors import LedgerError, WrongStateError
from tools.records.ledger import OPEN, Approval, ApprovalRequest, Claim, FinalState
from tools.records.schema import approvals
from tools.records.steps import NO_FACTS, Facts

_ASKED = approvals.c.state == "asked"
_OPEN = steps.query(_ASKED & (approvals.c.thread_id == bindparam("thread_id")))
_UNUSED = steps.query(
    approvals.c.state.in_(sorted(OPEN)) & (approvals.c.thread_id == bindparam("thread_id"))
)
_FOR_PEERS = steps.query(_ASKED & (approvals.c.expires_at > bindparam("now")))
_LOST = steps.query(
    (approvals.c.state == "executing") & (approvals.c.started_at < bindparam("before"))
)
_DUE = steps.query(
    approvals.c.state.in_(sorted(OPEN)) & (approvals.c.expires_at <= bindparam("now"))
)


class Approvals:
    """The approvals. Every method that changes one raises a LedgerError where it refuses."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ask(self, request: ApprovalRequest, now: datetime) -> Approval:
        """Put an action before a person; asking again gives the same row.

        An unused, unexpired row of the same thread, call and digest is returned as it is: `asked`,
        or `approved` if a person has answered meanwhile. A row of the same call with another
        digest is rejected as "superseded": what runs is what was approved last. A row of another
        user is returned as it is; only that user can answer it.

        Raises:
            CanonicalError: the arguments, targets or card have no canonical JSON.
        """
        with self._database.write() as connection:
            return rules.ask(connection, request, now)

    def get(self, approval_id: str) -> Approval | None:
        """The approval with this id, or None."""
        with self._database.read() as connection:
            return steps.one(connection, approval_id)

    def for_call(self, thread_id: str, call_id: str) -> list[Approval]:
        """Every approval of a call, oldest first."""
        with self._database.read() as connection:
            return steps.of_call(connection, thread_id, call_id)

    def open(self, thread_id: str) -> list[Approval]:
        """The rows of a conversation that are `asked`, oldest first, overdue ones too."""
        with self._database.read() as connection:
            return steps.chosen(connection, _OPEN, thread_id=thread_id)

    def for_peers(self, now: datetime) -> list[Approval]:
        """The rows of all conversations that wait for a second person's yes now, oldest first."""
        with self._database.read() as connection:
            return [row for row in steps.chosen(connection, _FOR_PEERS, now=now) if row.peer]

    def approve(self, approval_id: str, digest: str, by: str, now: datetime) -> Approval:
        """Note a person's yes to exactly the action with this digest.

        Raises:
            LedgerError: not_found, wrong_user (only the asker may, or, of a `peer` row,
                only another), wrong_digest, wrong_state, or
                expired, which is also noted.
        """
        with self._database.write() as connection:
            outcome = rules.approve(connection, approval_id, digest, by, now)
        return _settled(outcome)

    def reject(self, approval_id: str, by: str, reason: str, now: datetime) -> Approval:
        """Note a no, anybody's, also to what was approved and not begun.

        `reason` is for the model and the audit.

        Raises:
            LedgerError: not_found, wrong_state.
        """
        with self._database.write() as connection:
            row = steps.existing(connection, approval_id)
            if row.state not in OPEN:
                raise WrongStateError(row)
            return steps.move(
                connection, row, "rejected", now, decided_at=now, decided_by=by, reason=reason
            )

    def withdraw(self, thread_id: str, by: str, reason: str, now: datetime) -> None:
        """Note a no to all of a conversation that is open, or was approved and not begun."""
        with self._database.write() as connection:
            for row in steps.chosen(connection, _UNUSED, thread_id=thread_id):
                steps.move(
                    connection, row, "rejected", now, decided_at=now, decided_by=by, reason=reason
                )

    def begin(
        self,
        thread_id: str,
        call_id: str,
        *,
        tool: str,
        requested: dict[str, Any],
        user_id: str,
        policy_version: str,
        now: datetime,
    ) -> Approval:
        """Give away the approval of a call, once: approved becomes executing.

        Call it before the request is sent, and send only if it returns. What runs is the
        `arguments` and `targets` of what it returns.

        Args:
            thread_id: The conversation.
            call_id: The tool call.
            tool: The tool about to run.
            requested: The arguments in the model's message, now.
            user_id: The authenticated user, now.
            policy_version: The rules in force, now.
            now: The time, with its zone.

        Raises:
            LedgerError: none, wrong_user, wrong_digest (another tool or other arguments),
                wrong_policy, wrong_state, expired, already (it was run; `error.approval` says how
                it ended), unknown (it was begun and nobody knows how it ended; a row found
                `executing` is marked so).
        """
        claim = Claim(
            thread_id=thread_id,
            call_id=call_id,
            tool=tool,
            requested=requested,
            user_id=user_id,
            policy_version=policy_version,
        )
        with self._database.write() as connection:
            outcome = rules.begin(connection, claim, now)
        return _settled(outcome)

    def finish(
        self,
        approval_id: str,
        state: FinalState,
        outcome: dict[str, Any] | None,
        now: datetime,
        facts: Facts = NO_FACTS,
    ) -> Approval:
        """Note how a begun call ended.

        Also from `unknown`: the one who sent the request may learn the end after a second attempt
        has found it under way. `facts` are for the audit only: what the call took.

        Raises:
            LedgerError: not_found, wrong_state.
        """
        with self._database.write() as connection:
            row = steps.existing(connection, approval_id)
            if row.state not in {"executing", "unknown"}:
                raise WrongStateError(row)
            return steps.move(
                connection, row, state, now, facts=facts, finished_at=now, outcome=outcome
            )

    def release(self, approval_id: str, now: datetime) -> Approval:
        """Take a begun call back, proven unsent: executing becomes approved again.

        Raises:
            LedgerError: not_found, wrong_state.
        """
        with self._database.write() as connection:
            row = steps.existing(connection, approval_id)
            if row.state != "executing":
                raise WrongStateError(row)
            return steps.move(connection, row, "approved", now, kind="outcome", started_at=None)

    def give_up(self, before: datetime, now: datetime) -> int:
        """Mark calls unknown that were begun before a time and never ended; returns how many.

        Their process is gone: no tool may take that long. Nobody can tell what they did.
        """
        with self._database.write() as connection:
            rows = steps.chosen(connection, _LOST, before=before)
            return len([steps.move(connection, row, "unknown", now) for row in rows])

    def expire_due(self, now: datetime) -> int:
        """Mark what was not used in time; returns how many."""
        with self._database.write() as connection:
            rows = steps.chosen(connection, _DUE, now=now)
            return len([steps.expire(connection, row, now) for row in rows])


def _settled(outcome: rules.Outcome) -> Approval:
    # Raised after the transaction, so that what it noted (expired, unknown) stays.
    if isinstance(outcome, LedgerError):
        raise outcome
    return outcome
