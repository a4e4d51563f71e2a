"""How times are taken: medians, and two contenders in turns, so that a busy machine hits both."""

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

Unit = Literal["us", "ms", "s", "ratio"]
"""Microseconds, milliseconds, seconds, or how many times the peer's time (less is better)."""

SCALE: dict[Unit, float] = {"us": 1e6, "ms": 1e3, "s": 1.0}

Work = Callable[[], object]


@dataclass(frozen=True)
class Figure:
    """One measured number; its key in the report ends with its unit, a ratio's with its peer."""

    key: str
    value: float
    unit: Unit
    what: str
    goal: float | None = None
    """Not more than this, where a number was promised; for the reader, nothing fails."""


def measure(work: Work, *, rounds: int = 200, calls: int = 1) -> float:
    """The median time of one call in seconds, of `rounds` rounds of `calls` calls."""
    with no_garbage():
        work()
        return statistics.median(_timed(work, calls) for _ in range(rounds))


def compare(
    work: Work, peer: Work, *, rounds: int = 200, calls: int = 1
) -> tuple[float, float, float]:
    """The median times of both in seconds, taken in turns, and the median of their ratios."""
    with no_garbage():
        work(), peer()
        pairs = [(_timed(work, calls), _timed(peer, calls)) for _ in range(rounds)]
    ours, theirs = zip(*pairs, strict=True)
    ratio = statistics.median(one / other for one, other in pairs)
    return statistics.median(ours), statistics.median(theirs), ratio


def figure(key: str, seconds: float, unit: Unit, what: str, goal: float | None = None) -> Figure:
    """A time as a figure in its unit."""
    return Figure(f"{key}_{unit}", seconds * SCALE[unit], unit, what, goal)


def _timed(work: Work, calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - start) / calls


@contextmanager
def no_garbage() -> Iterator[None]:
    """Collect before, and not while measuring."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
