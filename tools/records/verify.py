"""Is the audit whole? Follows the chain from its start to its head."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, select

from tools.records.canonical import parse
from tools.records.chain import GENESIS, exported, row_hash
from tools.records.engine import Database
from tools.records.schema import audit, audit_head

AuditProblem = Literal[
    "changed", "unreadable", "missing_before", "missing_start", "missing_end", "other_chain"
]
"""What is wrong at a row.

changed: it is not what was written, or stands in another place. unreadable: it holds what was
never written there. missing_before: rows before it were removed, or put in. missing_start: the
first rows were removed, and no checkpoint tells of it. missing_end: it is the last one, and later
ones were removed. other_chain: a row that was noted elsewhere is not in this chain.
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
    """

    rows: int
    head: Mark | None
    bad: BadRow | None


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
            cut = parse(row["detail"])
            self.cut = Mark(cut["through"], cut["hash"])
        return None

    def ends(self, head: Mark) -> BadRow | None:
        """Check the two ends."""
        told = {GENESIS} if self.cut is None else {GENESIS, self.cut.hash}
        if self.start is not None and self.start["prev_hash"] not in told:
            return BadRow(self.start["id"], "missing_start")
        if (self.last or Mark(0, GENESIS)) != head:
            return BadRow(head.id, "missing_end")
        if self.noted is not None and not self.noted_seen:
            return BadRow(self.noted.id, "other_chain")
        return None


def verify(database: Database, noted: Mark | None = None) -> Verdict:
    """Follow the chain.

    Args:
        database: Where the audit is.
        noted: A head that was seen earlier; it must still be in the chain.
    """
    walk = _Walk(noted)
    with database.read() as connection:
        for row in _rows(connection):
            if bad := walk.step(row):
                return Verdict(walk.rows, walk.last, bad)
        head = connection.execute(select(audit_head.c.last_id, audit_head.c.hash)).one_or_none()
    bad = walk.ends(Mark(*head)) if head is not None else BadRow(0, "missing_end")
    return Verdict(walk.rows, walk.last, bad)


def export(database: Database) -> Iterator[str]:
    """Every row with its hashes as a line of canonical JSON, in order."""
    with database.read() as connection:
        for row in _rows(connection):
            yield exported(row)


def _own_problem(row: Mapping[str, Any]) -> AuditProblem | None:
    try:
        return None if row_hash(row) == row["hash"] else "changed"
    except (TypeError, ValueError):
        return "unreadable"


def _rows(connection: Connection) -> Iterator[Mapping[str, Any]]:
    query = select(audit).order_by(audit.c.id).execution_options(yield_per=1000)
    names = tuple(audit.columns.keys())
    for row in connection.execute(query):
        yield dict(zip(names, row, strict=True))
