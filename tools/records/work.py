"""Approved work of many objects: a row an object, so that none is done twice and none forgotten.

After a restart what was done is skipped, what was in flight is unknown, and the rest goes on. The
approval, which is the parent, closes last.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, insert, select, update

from tools.records import steps
from tools.records.audit import AuditKind, append_row
from tools.records.engine import Database
from tools.records.errors import ItemError, WrongStateError
from tools.records.ledger import Approval, FinalState
from tools.records.schema import work_items
from tools.records.tickets import Ticket, TicketRequest, issue

ItemState = Literal["waiting", "executing", "done", "failed", "unknown", "skipped"]
"""Where the work on one object stands.

waiting: nothing was sent. executing: the request is about to leave or has left. done, failed,
unknown: as of an approval. skipped: it was never begun, and never will be.
"""

_KINDS: dict[ItemState, AuditKind] = {
    "executing": "executing",
    "done": "outcome",
    "failed": "outcome",
    "unknown": "unknown",
    "skipped": "outcome",
}


@dataclass(frozen=True)
class Item:
    """The work on one object. Times are in UTC.

    Attributes:
        approval_id: The approval that it belongs to.
        key: Names the object for programs, such as its uuid; once in an approval.
        title: Names it for people.
        outcome: What is known of the end, None before it.
    """

    approval_id: str
    key: str
    title: str
    state: ItemState
    started_at: datetime | None
    finished_at: datetime | None
    outcome: dict[str, Any] | None


_COLUMNS = [work_items.c[field.name] for field in fields(Item)]


class Work:
    """Work that a task carries on for an approval."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def hand_over(
        self,
        approval_id: str,
        objects: Iterable[tuple[str, str]],
        *,
        task_id: int,
        expires_at: datetime,
        now: datetime,
    ) -> Ticket:
        """Give begun work to a task: executing becomes handed_over, and nothing is sent yet.

        Args:
            approval_id: The approval that `begin` gave away.
            objects: Key and title of each object, in the order of the work.
            task_id: The task.
            expires_at: Until when the work must have started.
            now: The time, with its zone.

        Returns:
            The ticket with which the `operation` graph may start.

        Raises:
            LedgerError: not_found, wrong_state.
            ItemError: twice, a key is named twice.
        """
        items = [{"approval_id": approval_id, "key": key, "title": title, "state": "waiting"}
                 for key, title in objects]  # fmt: skip
        if len({item["key"] for item in items}) < len(items):
            raise ItemError("twice")
        with self._database.write() as connection:
            row = steps.existing(connection, approval_id)
            if row.state != "executing":
                raise WrongStateError(row)
            outcome = {"task": task_id, "items": len(items)}
            steps.move(connection, row, "handed_over", now, outcome=outcome)
            if items:
                connection.execute(insert(work_items), items)
            return issue(connection, _request(row, task_id, expires_at), approval_id, now)

    def items(self, approval_id: str) -> list[Item]:
        """The objects of an approval, in the order of the work."""
        with self._database.read() as connection:
            return _items(connection, approval_id)

    def resume(self, approval_id: str, now: datetime) -> list[Item]:
        """Look at the work at the start of a run: what is in flight belongs to a run that is gone.

        Call it once a run, with the ticket taken, before the first `begin`.

        Returns:
            All objects; those that are still `waiting` are to be done.

        Raises:
            LedgerError: not_found, wrong_state (it was not handed over, or is closed).
        """
        with self._database.write() as connection:
            parent = _carried(connection, approval_id)
            for item in _items(connection, approval_id):
                if item.state == "executing":
                    _move(connection, parent, item, "unknown", now, finished_at=now)
            return _items(connection, approval_id)

    def begin(self, approval_id: str, key: str, now: datetime) -> Item:
        """Take one object: waiting becomes executing, once. Call it before the request is sent.

        Raises:
            LedgerError: not_found, wrong_state (it was not handed over, or is closed).
            ItemError: not_found, or already: somebody began or skipped it.
        """
        with self._database.write() as connection:
            parent = _carried(connection, approval_id)
            item = _item(connection, approval_id, key)
            if item.state != "waiting":
                raise ItemError("already")
            return _move(connection, parent, item, "executing", now, started_at=now)

    def finish(
        self,
        approval_id: str,
        key: str,
        state: FinalState,
        outcome: dict[str, Any] | None,
        now: datetime,
    ) -> Item:
        """Note how the work on one object ended; of an unknown end the truth may come later.

        Raises:
            LedgerError: not_found.
            ItemError: not_found, or wrong_state: it is not in flight.
        """
        with self._database.write() as connection:
            parent = steps.existing(connection, approval_id)
            item = _item(connection, approval_id, key)
            if item.state not in {"executing", "unknown"}:
                raise ItemError("wrong_state")
            return _move(connection, parent, item, state, now, finished_at=now, outcome=outcome)

    def close(self, approval_id: str, now: datetime) -> Approval:
        """End the work: what still waits is skipped, then the approval closes.

        It is done when all objects are; unknown where one is; else failed, and the outcome says
        how many of them are what.

        Raises:
            LedgerError: not_found, wrong_state (it was not handed over, or is closed).
            ItemError: wrong_state, an object is still in flight.
        """
        with self._database.write() as connection:
            parent = _carried(connection, approval_id)
            items = _items(connection, approval_id)
            if any(item.state == "executing" for item in items):
                raise ItemError("wrong_state")
            for item in items:
                if item.state == "waiting":
                    _move(connection, parent, item, "skipped", now, finished_at=now)
            counts = Counter(item.state for item in _items(connection, approval_id))
            outcome = (parent.outcome or {}) | {"states": dict(counts)}
            return steps.move(
                connection, parent, _end(counts), now, finished_at=now, outcome=outcome
            )


def _end(counts: Counter[ItemState]) -> FinalState:
    if counts["unknown"]:
        return "unknown"
    return "failed" if counts["failed"] or counts["skipped"] else "done"


def _request(row: Approval, task_id: int, expires_at: datetime) -> TicketRequest:
    return TicketRequest(
        thread_id=row.thread_id,
        call_id=row.call_id,
        tool=row.tool,
        env_id=row.env_id,
        user_id=row.user_id,
        role=row.role,
        language=row.language,
        arguments=row.arguments,
        targets=row.targets,
        task_id=task_id,
        expires_at=expires_at,
    )


def _carried(connection: Connection, approval_id: str) -> Approval:
    row = steps.existing(connection, approval_id)
    if row.state != "handed_over":
        raise WrongStateError(row)
    return row


def _items(connection: Connection, approval_id: str) -> list[Item]:
    query = select(*_COLUMNS).where(work_items.c.approval_id == approval_id)
    return [_made(row) for row in connection.execute(query.order_by(work_items.c.seq))]


def _item(connection: Connection, approval_id: str, key: str) -> Item:
    this = (work_items.c.approval_id == approval_id) & (work_items.c.key == key)
    row = connection.execute(select(*_COLUMNS).where(this)).one_or_none()
    if row is None:
        raise ItemError("not_found")
    return _made(row)


def _move(
    connection: Connection,
    parent: Approval,
    item: Item,
    state: ItemState,
    now: datetime,
    **changes: Any,
) -> Item:
    """Bring an object's work into a state, with its audit row."""
    this = (work_items.c.approval_id == item.approval_id) & (work_items.c.key == item.key)
    step = update(work_items).where(this).values(state=state, **changes).returning(*_COLUMNS)
    moved = _made(connection.execute(step).one())
    append_row(
        connection,
        _KINDS[state],
        user_id=parent.user_id,
        thread_id=parent.thread_id,
        call_id=parent.call_id,
        tool=parent.tool,
        env_id=parent.env_id,
        detail={"approval": parent.id, "item": item.key, "from": item.state, "to": state},
        now=now,
    )
    return moved


def _made(row: Row[Any]) -> Item:
    return Item(**row._asdict())
