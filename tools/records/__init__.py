"""What must outlive a run: approvals, results, tasks, maintenance, and the audit of it all.

Everything here blocks: call it from a thread (`asyncio.to_thread`). It may be used from many
threads and many processes at once. All times carry their zone; there is no hidden clock.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType

from sqlalchemy.engine import URL

from tools.records.approvals import Approvals
from tools.records.audit import Audit, AuditFilter, AuditKind, AuditRow
from tools.records.canonical import CanonicalError, canonical, digest
from tools.records.engine import Database
from tools.records.errors import (
    AlreadyUsedError,
    ApprovalNotFoundError,
    ExpiredError,
    ItemCode,
    ItemError,
    LedgerCode,
    LedgerError,
    NoApprovalError,
    RecordsError,
    RowNotFoundError,
    TaskStateError,
    TicketCode,
    TicketError,
    UnknownOutcomeError,
    WrongDigestError,
    WrongPolicyError,
    WrongStateError,
    WrongUserError,
)
from tools.records.ledger import BEGUN, Approval, ApprovalRequest, ApprovalState, FinalState
from tools.records.maintenance import (
    Banner,
    BannerState,
    EventState,
    Maintenance,
    MaintenanceEvent,
    new_event_id,
)
from tools.records.migrate import check_current, upgrade
from tools.records.places import connect
from tools.records.results import Results, StoredResult
from tools.records.retention import cut, forget_approvals, forget_results
from tools.records.stats import Stats, stats
from tools.records.tasks import Task, TaskEnd, Tasks, TaskState
from tools.records.tickets import Ticket, TicketRequest, Tickets
from tools.records.verify import AuditProblem, BadRow, Mark, Verdict, export, verify
from tools.records.work import Item, ItemState, Work


@dataclass(frozen=True)
class Records:
    """The records of a deployment; `Records.open` makes one."""

    approvals: Approvals
    work: Work
    tickets: Tickets
    results: Results
    tasks: Tasks
    maintenance: Maintenance
    audit: Audit
    database: Database

    @classmethod
    def open(cls, url: str | URL) -> "Records":
        """Open the records, make them if there are none, and bring their schema up to date.

        Args:
            url: `sqlite:///relative/path` or `sqlite:////absolute/path` of the file: folders are
                made, and only the file's owner may read it. Or `postgresql://user@host/database`
                of a database that is there.

        Raises:
            RecordsError: the URL is wrong, the file or the server cannot be used, or a newer
                version wrote the records.
        """
        database = connect(url)
        try:
            upgrade(database)
        except BaseException:
            database.close()
            raise
        return cls._of(database)

    @classmethod
    def look(cls, url: str | URL) -> "Records":
        """Open records that are there to read them: nothing is made, migrated or written.

        Raises:
            RecordsError: there are none, they are of another version, or cannot be used.
        """
        database = connect(url, read_only=True)
        try:
            check_current(database)
        except BaseException:
            database.close()
            raise
        return cls._of(database)

    @classmethod
    def _of(cls, database: Database) -> "Records":
        return cls(
            Approvals(database),
            Work(database),
            Tickets(database),
            Results(database),
            Tasks(database),
            Maintenance(database),
            Audit(database),
            database,
        )

    def together(self) -> AbstractContextManager[None]:
        """Put several steps into one transaction; see `Database.together`."""
        return self.database.together()

    def verify(self, noted: Mark | None = None) -> Verdict:
        """Is the audit whole, and does it hold a head that was noted elsewhere?"""
        return verify(self.database, noted)

    def cut(self, keep: timedelta, now: datetime) -> int:
        """Cut off audit rows whose time is over; returns how many. See `retention.cut`."""
        return cut(self.database, keep, now)

    def forget_results(self, keep: timedelta, now: datetime) -> int:
        """Remove results whose time is over; returns how many."""
        return forget_results(self.database, keep, now)

    def forget_approvals(self, keep: timedelta, now: datetime) -> int:
        """Remove ended approvals whose time is over. See `retention.forget_approvals`."""
        return forget_approvals(self.database, keep, now)

    def stats(self, wanted: AuditFilter) -> Stats:
        """Sums over the audit rows that fit."""
        return stats(self.database, wanted)

    def export(self) -> Iterator[str]:
        """The audit as lines of JSON, with its hashes."""
        return export(self.database)

    def close(self) -> None:
        """Close every connection."""
        self.database.close()

    def __enter__(self) -> "Records":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


__all__ = [
    "BEGUN",
    "AlreadyUsedError",
    "Approval",
    "ApprovalNotFoundError",
    "ApprovalRequest",
    "ApprovalState",
    "Audit",
    "AuditFilter",
    "AuditKind",
    "AuditProblem",
    "AuditRow",
    "BadRow",
    "Banner",
    "BannerState",
    "CanonicalError",
    "EventState",
    "ExpiredError",
    "FinalState",
    "Item",
    "ItemCode",
    "ItemError",
    "ItemState",
    "LedgerCode",
    "LedgerError",
    "Maintenance",
    "MaintenanceEvent",
    "Mark",
    "NoApprovalError",
    "Records",
    "RecordsError",
    "RowNotFoundError",
    "Stats",
    "StoredResult",
    "Task",
    "TaskEnd",
    "TaskState",
    "TaskStateError",
    "Ticket",
    "TicketCode",
    "TicketError",
    "TicketRequest",
    "UnknownOutcomeError",
    "Verdict",
    "WrongDigestError",
    "WrongPolicyError",
    "WrongStateError",
    "WrongUserError",
    "canonical",
    "digest",
    "new_event_id",
]
