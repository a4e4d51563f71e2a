"""What the audit adds up to: how calls ended, what second tries were good for, what got shorter.

Numbers are of the rows that fit; rows that are older than these facts, or were cut off, add
nothing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import RowMapping, or_

from tools.records.audit import AuditFilter
from tools.records.canonical import parse
from tools.records.engine import Database
from tools.records.schema import audit

REMEMBERED = 10_000
"""Results that may still be told to be shorter."""

KINDS = ("executed", "shortened", "outcome", "unknown", "denied", "decided")


@dataclass
class Stats:
    """Sums.

    Attributes:
        outcomes: How many calls ended as done, failed, unknown or denied, and how many cards as
            rejected or expired; what did not happen is missing.
        errors: How many calls failed with which kind of fault.
        faults: How many calls met which kind of passing fault first.
        met: Calls with a read that was sent again because of one.
        saved: Those of them that ended well: without the second try they would not have.
        again: Reads that were sent again.
        helped: Those of them that were answered then.
        results: Calls with a result of known length.
        raw: Characters of these results.
        sent: Characters of them that a model reads.
        ms: Milliseconds that calls took.
        timed: Calls of known duration.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    met: int = 0
    saved: int = 0
    again: int = 0
    helped: int = 0
    results: int = 0
    raw: int = 0
    sent: int = 0
    ms: int = 0
    timed: int = 0

    def ended(self, end: str, facts: Mapping[str, Any]) -> None:
        """Add a call."""
        self.outcomes[end] += 1
        if "ms" in facts:
            self.ms, self.timed = self.ms + facts["ms"], self.timed + 1
        if "error" in facts:
            self.errors[facts["error"]] += 1
        if again := facts.get("again", 0):
            self.met += 1
            self.saved += end == "done"
            self.again += again
            self.helped += facts.get("helped", 0)
            self.faults[facts.get("fault", "?")] += 1
        if "characters" in facts:
            self.results += 1
            self.raw += facts["characters"]
            self.sent += facts["characters"]


@dataclass
class _Sum:
    """The sums, and the long results of which no row has told yet how they were shortened."""

    stats: Stats = field(default_factory=Stats)
    whole: dict[tuple[Any, Any], int] = field(default_factory=dict)

    def add(self, row: RowMapping) -> None:
        """Add a row; rows come in their order.

        Raises:
            ValueError: it holds what was never written there.
        """
        try:
            self._add(row["kind"], (row["thread_id"], row["call_id"]), parse(row["detail"]))
        except (AttributeError, KeyError, TypeError):
            raise ValueError("A row of the audit is not what was written") from None

    def _add(self, kind: str, call: tuple[Any, Any], facts: Mapping[str, Any]) -> None:
        if kind == "shortened":
            self._shortened(call, facts)
        elif (end := _end(kind, facts)) is not None:
            if facts.get("from") == "unknown":  # it was counted as that
                self.stats.outcomes["unknown"] -= 1
            self.stats.ended(end, facts)
            if "characters" in facts:
                self._remember(call, facts["characters"])

    def _remember(self, call: tuple[Any, Any], characters: int) -> None:
        # The row about shortening follows soon or never: not all calls need be remembered.
        self.whole[call] = characters
        if len(self.whole) > REMEMBERED:
            del self.whole[next(iter(self.whole))]

    def _shortened(self, call: tuple[Any, Any], facts: Mapping[str, Any]) -> None:
        # Once a call: the step that shortens may be replayed.
        counted = self.whole.pop(call, None)
        if counted is None:
            return
        # A long result of an approved call was not counted to its end.
        self.stats.raw += (facts.get("characters") or counted) - counted
        self.stats.sent += facts["sent"] - counted


def stats(database: Database, wanted: AuditFilter) -> Stats:
    """Add up the rows that fit."""
    columns = (audit.c.kind, audit.c.thread_id, audit.c.call_id, audit.c.detail)
    fits = replace(wanted, env_id=None).applied().where(audit.c.kind.in_(KINDS))
    if wanted.env_id is not None:
        # What is told of shortening belongs to a call, whose own row names the environment.
        fits = fits.where(or_(audit.c.env_id == wanted.env_id, audit.c.kind == "shortened"))
    total = _Sum()
    with database.read() as connection:
        query = fits.with_only_columns(*columns).order_by(audit.c.id)
        with connection.execute(query.execution_options(yield_per=1000)) as found:
            for row in found.mappings():
                total.add(row)
    total.stats.outcomes = +total.stats.outcomes
    return total.stats


def _end(kind: str, facts: Mapping[str, Any]) -> str | None:
    """How a row says that a call, or its card, ended; None: it says something else."""
    if "item" in facts:  # the work on one object of many
        return None
    if kind == "executed":
        return str(facts["outcome"])
    if kind == "denied":
        # With an approval it is a person who was refused to decide, not a call.
        return None if "approval" in facts else "denied"
    if kind == "decided" and facts.get("reason") == "superseded":
        return None
    end = facts.get("to")
    return str(end) if end in _ENDS else None


_ENDS = {"done", "failed", "unknown", "rejected", "expired"}
