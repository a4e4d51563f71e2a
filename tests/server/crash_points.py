"""The points around a write at which the server is killed, and what must be true afterwards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from tests.server.crash_proxy import Held
from tools.records import Approval

Kind = Literal["asked", "approved", "executing", "in flight", "answered", "done"]
"""Where a write stands when the server dies.

asked: the card waits. approved: the person said yes, the step that runs it has not begun.
executing: the ledger says that the request is about to leave. in flight: the request has left.
answered: Superset did it, and its answer is on its way. done: the ledger knows.
"""

KINDS: tuple[Kind, ...] = get_args(Kind)

Way = Literal["card", "continued", "re-run", "ended"]
"""How a thread goes on after the restart.

card: it shows the card, which the user answers. continued: the user continues it. re-run: the
server runs the interrupted run again. ended: it needs nothing.
"""

HELD: dict[Kind, Held] = {"executing": "read", "in flight": "request", "answered": "answer"}
"""What the proxy holds to keep a write at such a point."""

AMBIGUOUS = frozenset(HELD)
"""Kinds of which nobody can tell afterwards, from here, whether the write happened."""


@dataclass(frozen=True)
class Point:
    """One kill of one write.

    Attributes:
        kind: Where the write stands.
        stored: Whether the server had stored its own state since the answer. If so it runs the
            interrupted run again after the restart; else the thread shows the card once more.
        late: Of what is in flight: Superset gets it after the thread went on; else it is lost.
    """

    kind: Kind
    stored: bool
    late: bool = False

    @property
    def writes(self) -> int:
        """How many writes Superset has seen when all is over."""
        lost = self.kind == "executing" or (self.kind == "in flight" and not self.late)
        return 0 if lost else 1

    @property
    def way(self) -> Way:
        """How its thread goes on after the restart."""
        if not self.stored or self.kind == "asked":
            return "card"
        ways: dict[Kind, Way] = {"approved": "continued", "done": "ended"}
        return ways.get(self.kind, "re-run")

    @property
    def state(self) -> str:
        """How the ledger tells the end."""
        return "unknown" if self.kind in AMBIGUOUS else "done"


@dataclass(frozen=True)
class Outcome:
    """What became of a write after the restart, when everybody had tried again.

    Attributes:
        point: Where it was killed.
        way: How its thread went on.
        writes: How many times Superset's own log has the dashboard written.
        banners: How many maintenance events stand on it.
        row: The ledger's row.
        kinds: Of the tool messages that answer the call, which kind each is.
        said: The last words in the thread.
    """

    point: Point
    way: Way
    writes: int
    banners: int
    row: Approval
    kinds: tuple[str, ...]
    said: str


def plan(rounds: int) -> list[list[Point]]:
    """What is killed at once, a round each; every round has all kinds.

    One round of ten has the kinds that differ by what the server had stored both ways.
    """
    both = [Point(kind, stored) for kind in KINDS[1:3] + KINDS[4:5] for stored in (True, False)]
    flights = [Point("in flight", stored=True, late=True), Point("in flight", stored=False)]
    others = [Point("in flight", stored=False, late=True), Point("in flight", stored=True)]
    return [
        [
            Point("asked", stored=True),
            *both,
            *(others if number % 2 else flights),
            Point("done", stored=bool(number % 2)),
        ]
        for number in range(rounds)
    ]


SHORT = [
    Point("asked", stored=True),
    Point("approved", stored=True),
    Point("executing", stored=True),
    Point("in flight", stored=True, late=True),
    Point("answered", stored=False),
    Point("done", stored=False),
]
"""One of each kind."""


def table(outcomes: Sequence[Outcome]) -> str:
    """The outcomes as a table: a line for each kind of point and how it came out."""
    lines = Counter(
        (KINDS.index(one.point.kind), one.way, one.writes, one.row.state) for one in outcomes
    )
    head = f"{'killed at':<11}{'goes on by':<12}{'kills':>6}{'writes each':>13}  ledger"
    rows = [
        f"{KINDS[kind]:<11}{way:<12}{count:>6}{writes:>13}  {state}"
        for (kind, way, writes, state), count in sorted(lines.items())
    ]
    total = f"{len(outcomes)} kills, {doubles(outcomes)} doubles"
    return "\n".join(["", head, *rows, total])


def doubles(outcomes: Sequence[Outcome]) -> int:
    """How many writes came a second time."""
    return sum(max(one.writes - 1, one.banners - 1, 0) for one in outcomes)
