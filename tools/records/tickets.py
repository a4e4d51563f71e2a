"""Tickets: what permits the `operation` graph to start, once.

A background run is started by a client's request as every run is, so the run itself proves nothing.
What runs is what its ticket says, never what its input says.
"""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from tools.records.audit import append_row
from tools.records.engine import Database
from tools.records.errors import TicketError
from tools.records.schema import tickets


@dataclass(frozen=True, kw_only=True)
class TicketRequest:
    """Work that may start in the background.

    Attributes:
        thread_id: The conversation.
        call_id: The tool call that starts it: a call gets one ticket.
        tool: The tool.
        env_id: The environment it acts on; None where it acts on none.
        user_id: Who asked for it: the only one whose run may take it.
        role: The role of that user at this moment.
        language: In which language it reports.
        arguments: What runs.
        targets: The objects the arguments mean.
        task_id: The task that tells how far it is.
        expires_at: From this moment on it cannot be taken for the first time.
    """

    thread_id: str
    call_id: str
    tool: str
    env_id: str | None
    user_id: str
    role: str
    language: str
    arguments: dict[str, Any]
    targets: dict[str, Any]
    task_id: int
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class Ticket(TicketRequest):
    """A ticket with what became of it. Times are in UTC.

    Attributes:
        id: 32 hexadecimal digits.
        approval_id: The approval whose work was handed over; None: a read, which needs none.
        taken_by: The run that took it; None: nobody yet.
    """

    id: str
    approval_id: str | None
    issued_at: datetime
    taken_at: datetime | None
    taken_by: str | None


_COLUMNS = [tickets.c[field.name] for field in fields(Ticket)]


class Tickets:
    """The tickets; those of writes are issued by `Work.hand_over`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def issue(self, request: TicketRequest, now: datetime) -> Ticket:
        """Permit a read to run in the background; the same call gets the same ticket again.

        Raises:
            CanonicalError: the arguments or targets have no canonical JSON.
            TicketError: wrong_user, the call's ticket is another user's.
        """
        with self._database.write() as connection:
            this = (tickets.c.thread_id == request.thread_id) & (
                tickets.c.call_id == request.call_id
            )
            found = connection.execute(select(*_COLUMNS).where(this)).one_or_none()
            if found is None:
                return issue(connection, request, None, now)
            ticket = _ticket(found)
        if ticket.user_id != request.user_id:
            raise TicketError("wrong_user")
        return ticket

    def get(self, ticket_id: str) -> Ticket | None:
        """The ticket with this id, or None."""
        with self._database.read() as connection:
            return _one(connection, ticket_id)

    def take(self, ticket_id: str, *, user_id: str, run: str, now: datetime) -> Ticket:
        """Use a ticket up for a run. The same run, when the server tries it again, has it still.

        Args:
            ticket_id: The ticket.
            user_id: The authenticated user, now.
            run: Id of the run, as the server has it.
            now: The time, with its zone.

        Raises:
            TicketError: not_found, wrong_user, expired, or already: another run took it.
        """
        with self._database.write() as connection:
            ticket = _one(connection, ticket_id)
            if ticket is None:
                raise TicketError("not_found")
            if ticket.user_id != user_id:
                raise TicketError("wrong_user")
            if ticket.taken_by is not None:
                if ticket.taken_by != run:
                    raise TicketError("already")
                return ticket
            if now >= ticket.expires_at:
                raise TicketError("expired")
            step = update(tickets).where(tickets.c.id == ticket_id).returning(*_COLUMNS)
            taken = _ticket(connection.execute(step, {"taken_at": now, "taken_by": run}).one())
            _note(connection, taken, "taken", now)
            return taken


def issue(
    connection: Connection, request: TicketRequest, approval_id: str | None, now: datetime
) -> Ticket:
    """Write a new ticket, and its audit row, inside the caller's transaction."""
    values = {field.name: getattr(request, field.name) for field in fields(TicketRequest)}
    values |= {"id": uuid4().hex, "approval_id": approval_id, "issued_at": now}
    written = connection.execute(insert(tickets).values(values).returning(*_COLUMNS))
    ticket = _ticket(written.one())
    _note(connection, ticket, "issued", now)
    return ticket


def _note(connection: Connection, ticket: Ticket, state: str, now: datetime) -> None:
    facts = {"ticket": ticket.id, "to": state, "task": ticket.task_id}
    more = {"approval": ticket.approval_id, "run": ticket.taken_by}
    append_row(
        connection,
        "executing",
        user_id=ticket.user_id,
        thread_id=ticket.thread_id,
        call_id=ticket.call_id,
        tool=ticket.tool,
        env_id=ticket.env_id,
        detail=facts | {name: value for name, value in more.items() if value is not None},
        now=now,
    )


def _one(connection: Connection, ticket_id: str) -> Ticket | None:
    query = select(*_COLUMNS).where(tickets.c.id == ticket_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else _ticket(row)


def _ticket(row: Row[Any]) -> Ticket:
    return Ticket(**row._asdict())
