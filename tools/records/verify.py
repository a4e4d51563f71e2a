"""Is the audit whole? Follows the chain from its start to its head."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, select

from tools.records.canonical import parse
from tools.records.chain import GENESIS, exported, row_hash
from tools.records.engine import Database
from tools.records.schema import audit, audit_head

AuditProblem = Literal[
    "changed",
    "unreadable",
    "missing_before",
    "missing_start",
    "missing_end",
    "other_chain",
    "cut_off",
]
"""What is wrong at a row.

changed: it is not what was written, or stands in another place. unreadable: it holds what was
never written there. missing_before: rows before it were removed, or put in. missing_start: the
first rows were removed, and no checkpoint tells of it. missing_end: it is the last one, and later
ones were removed. other_chain: a row that was noted elsewhere is not in this chain. cut_off: that
row was cut with those whose time was over: nothing tells any more whether it was in this chain.
"""


@dataclass(frozen=True)
class Mark:
    """A row and its hash: noted elsewhere, it proves all rows up to it."""

    id: int
    hash: str


@dataclass(frozen=True)
class BadRow:
    """The first row at which the audit is not whole."""

    id: int
    problem: AuditProblem


@dataclass(frozen=True)
class Verdict:
    """What was found.

    Attributes:
        rows: How many rows are proven.
        head: The last proven row; None: there is none.
        bad: Where the proof ends; None: all of it is whole.
        cut: The last row that was cut off because its time was over; None: none was.
    """

    rows: int
    head: Mark | None
    bad: BadRow | None
    cut: Mark | None = None


@dataclass
class _Walk:
    """What is known on the way along the chain."""

    noted: Mark | None
    start: Mapping[str, Any] | None = None
    last: Mark | None = None
    rows: int = 0
    cut: Mark | None = None
    noted_seen: bool = False

    def step(self, row: Mapping[str, Any]) -> BadRow | None:
        """Check one row against the one before; None: it is whole."""
        if self.start is None:
            self.start = row
        elif self.last is not None and row["prev_hash"] != self.last.hash:
            # A row that is itself what it was lost its neighbour; else it is the one that changed.
            return BadRow(row["id"], _own_problem(row) or "missing_before")
        if problem := _own_problem(row):
            return BadRow(row["id"], problem)
        self.last = Mark(row["id"], row["hash"])
        self.rows += 1
        self.noted_seen = self.noted_seen or self.last == self.noted
        if row["kind"] == "checkpoint":
            self.cut = _told(row)
            return BadRow(row["id"], "unreadable") if self.cut is None else None
        return None

    def ends(self, head: Mark) -> BadRow | None:
        """Check the two ends."""
        told = {GENESIS} if self.cut is None else {GENESIS, self.cut.hash}
        if self.start is not None and self.start["prev_hash"] not in told:
            return BadRow(self.start["id"], "missing_start")
        if (self.last or Mark(0, GENESIS)) != head:
            return BadRow(head.id, "missing_end")
        if self.noted is not None and not self.noted_seen and self.noted != self.cut:
            gone = self.cut is not None and self.noted.id < self.cut.id
            return BadRow(self.noted.id, "cut_off" if gone else "other_chain")
        return None


def verify(database: Database, noted: Mark | None = None) -> Verdict:
    """Follow the chain.

    Args:
        database: Where the audit is.
        noted: A head that was seen earlier; it must still be in the chain.
    """
    walk = _Walk(noted)
    with database.read() as connection:
        with closing(_rows(connection)) as rows:
            for row in rows:
                if bad := walk.step(row):
                    return Verdict(walk.rows, walk.last, bad, walk.cut)
        head = connection.execute(select(audit_head.c.last_id, audit_head.c.hash)).one_or_none()
    bad = walk.ends(Mark(*head)) if head is not None else BadRow(0, "missing_end")
    return Verdict(walk.rows, walk.last, bad, walk.cut)


def export(database: Database) -> Iterator[str]:
    """Every row with its hashes as a line of canonical JSON, in order."""
    with database.read() as connection, closing(_rows(connection)) as rows:
        for row in rows:
            yield exported(row)


def _told(checkpoint: Mapping[str, Any]) -> Mark | None:
    """What a checkpoint says of the last row that was cut; None: it is none of ours."""
    try:
        cut = parse(checkpoint["detail"])
        return Mark(cut["through"], cut["hash"])
    except (ValueError, TypeError, KeyError):
        return None


def _own_problem(row: Mapping[str, Any]) -> AuditProblem | None:
    try:
        return None if row_hash(row) == row["hash"] else "changed"
    except (TypeError, ValueError):
        return "unreadable"


def _rows(connection: Connection) -> Generator[Mapping[str, Any], None, None]:
    """All rows in order; close it before the connection, which a server's cursor is part of."""
    query = select(audit).order_by(audit.c.id).execution_options(yield_per=1000)
    names = tuple(audit.columns.keys())
    with connection.execute(query) as found:
        for row in found:
            yield dict(zip(names, row, strict=True))
