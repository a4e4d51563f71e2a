"""What is over goes: results, ended approvals, and audit rows, which a row of the chain names."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, delete, exists, func, select
from sqlalchemy.sql.selectable import NamedFromClause

from tools.records.audit import append_row
from tools.records.chain import stamp
from tools.records.columns import Moment
from tools.records.engine import Database
from tools.records.schema import approvals, audit, results, tickets, work_items

SLACK = timedelta(days=1)
"""Nothing is cut before the oldest row is over by so much: else every turn would cut a few rows."""

WHO = "retention"

ENDED = ("rejected", "expired", "done", "failed", "unknown")
"""The states of an approval after which nothing of it can run."""


def cut(database: Database, keep: timedelta, now: datetime) -> int:
    """Cut off the oldest rows, and write a checkpoint that names the last of them, or do neither.

    Rows are cut from the start only, up to the first that is to stay: the chain has no holes, also
    where a clock was set back.

    Args:
        database: Where the audit is.
        keep: How long a row stays at least; it stays up to a day longer.
        now: The time, with its zone.

    Returns:
        How many rows were cut.
    """
    if not _due(database, now - keep - SLACK):
        return 0
    with database.write() as connection:
        last = _last_over(connection, now - keep)
        if last is None:  # another process was faster
            return 0
        through, hash_ = last
        gone = connection.execute(delete(audit).where(audit.c.id <= through)).rowcount
        told = {"through": through, "hash": hash_, "rows": gone}
        append_row(connection, "checkpoint", user_id=WHO, detail=told, now=now)
    return gone


def forget_results(database: Database, keep: timedelta, now: datetime) -> int:
    """Remove results that were kept so long; returns how many."""
    with database.write() as connection:
        return connection.execute(_OLD_RESULTS, {"before": now - keep}).rowcount


def forget_approvals(database: Database, keep: timedelta, now: datetime) -> int:
    """Remove approvals that ended so long ago, with their objects and tickets; returns how many.

    A call's rows go together: while one of them is open, or newer, the others still tell whether
    the call was begun. One whose end is not known stays as long as the audit tells of its call.
    """
    before = {"before": now - keep}
    with database.write() as connection:
        connection.execute(_OLD_ITEMS, before)
        connection.execute(_OLD_TICKETS, before)
        return connection.execute(_OLD_APPROVALS, before).rowcount


def _over(rows: NamedFromClause) -> ColumnElement[bool]:
    """Whether an approval ended before a time, and could not be used since then."""
    ended, before = rows.c.finished_at, bindparam("before", type_=Moment())
    return (
        rows.c.state.in_(ENDED)
        & (rows.c.expires_at < before)
        & (ended.is_(None) | (ended < before))
    )


def _ids() -> Select[Any]:
    """The ids of the approvals that go."""
    row, other = approvals.alias(), approvals.alias()
    same = (other.c.thread_id == row.c.thread_id) & (other.c.call_id == row.c.call_id)
    told = (audit.c.thread_id == row.c.thread_id) & (audit.c.call_id == row.c.call_id)
    return select(row.c.id).where(
        _over(row),
        ~exists().where(same, ~_over(other)),
        (row.c.state != "unknown") | ~exists().where(told),
    )


_OLD_RESULTS = delete(results).where(results.c.kept_at < bindparam("before"))
_OLD_ITEMS = delete(work_items).where(work_items.c.approval_id.in_(_ids()))
_OLD_TICKETS = delete(tickets).where(tickets.c.approval_id.in_(_ids()))
_OLD_APPROVALS = delete(approvals).where(approvals.c.id.in_(_ids()))


def _due(database: Database, before: datetime) -> bool:
    oldest = select(audit.c.at).order_by(audit.c.id).limit(1)
    with database.read() as connection:
        at = connection.execute(oldest).scalar_one_or_none()
    return at is not None and at < stamp(before)


def _last_over(connection: Connection, before: datetime) -> tuple[int, str] | None:
    """Id and hash of the last row in front of the first that is to stay."""
    stays = select(func.min(audit.c.id)).where(audit.c.at >= stamp(before))
    first = connection.execute(stays).scalar_one()
    rows = select(audit.c.id, audit.c.hash).order_by(audit.c.id.desc()).limit(1)
    if first is not None:
        rows = rows.where(audit.c.id < first)
    found = connection.execute(rows).one_or_none()
    return None if found is None else (found.id, found.hash)
