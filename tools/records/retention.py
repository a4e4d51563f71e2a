"""Audit rows whose time is over are cut off, and a row of the chain tells of it."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, select

from tools.records.audit import append_row
from tools.records.chain import stamp
from tools.records.engine import Database
from tools.records.schema import audit

SLACK = timedelta(days=1)
"""Nothing is cut before the oldest row is over by so much: else every turn would cut a few rows."""

WHO = "retention"


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
