"""What must outlive a run: approvals, results, tasks, maintenance, and the audit of it all.

Everything here blocks: call it from a thread (`asyncio.to_thread`). It may be used from many
threads and many processes at once. All times carry their zone; there is no hidden clock.
"""

from dataclasses import dataclass
from types import TracebackType

from tools.records.approvals import Approvals
from tools.records.audit import Audit, AuditKind, AuditRow
from tools.records.canonical import CanonicalError, canonical, digest
from tools.records.engine import Database, connect
from tools.records.errors import (
    AlreadyUsedError,
    ApprovalNotFoundError,
    ExpiredError,
    LedgerCode,
    LedgerError,
    NoApprovalError,
    RecordsError,
    RowNotFoundError,
    TaskStateError,
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
from tools.records.migrate import upgrade
from tools.records.results import Results, StoredResult
from tools.records.tasks import Task, TaskEnd, Tasks, TaskState


@dataclass(frozen=True)
class Records:
    """The records of a deployment; `Records.open` makes one."""

    approvals: Approvals
    results: Results
    tasks: Tasks
    maintenance: Maintenance
    audit: Audit
    database: Database

    @classmethod
    def open(cls, url: str) -> "Records":
        """Open the records, make them if there are none, and bring their schema up to date.

        Args:
            url: `sqlite:///relative/path` or `sqlite:////absolute/path` of the file; folders are
                made, and only the file's owner may read it.

        Raises:
            RecordsError: the URL is wrong, the file cannot be used, or a newer version wrote it.
        """
        database = connect(url)
        try:
            upgrade(database)
        except BaseException:
            database.close()
            raise
        return cls(
            Approvals(database),
            Results(database),
            Tasks(database),
            Maintenance(database),
            Audit(database),
            database,
        )

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
    "AuditKind",
    "AuditRow",
    "Banner",
    "BannerState",
    "CanonicalError",
    "EventState",
    "ExpiredError",
    "FinalState",
    "LedgerCode",
    "LedgerError",
    "Maintenance",
    "MaintenanceEvent",
    "NoApprovalError",
    "Records",
    "RecordsError",
    "RowNotFoundError",
    "StoredResult",
    "Task",
    "TaskEnd",
    "TaskState",
    "TaskStateError",
    "UnknownOutcomeError",
    "WrongDigestError",
    "WrongPolicyError",
    "WrongStateError",
    "WrongUserError",
    "canonical",
    "digest",
    "new_event_id",
]
