"""The one second try that reading gets."""

from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from tools.clients.http import Busy, ServerFault, SupersetError, Unanswered, Unreachable

T = TypeVar("T")

MAX_RETRY_AFTER = 5.0
"""Seconds we wait at most because Superset asks for it."""


@dataclass
class Tries:
    """What became of the reads that met a passing fault.

    Attributes:
        again: How many were sent once more.
        helped: How many of those were answered then.
        faults: The kinds of fault, in the order they came.
    """

    again: int = 0
    helped: int = 0
    faults: list[str] = field(default_factory=list)


_WATCHED: ContextVar[Tries | None] = ContextVar("tries", default=None)


@contextmanager
def counting() -> Iterator[Tries]:
    """Count the second tries of everything that runs inside, in its tasks and threads too."""
    tries = Tries()
    token = _WATCHED.set(tries)
    try:
        yield tries
    finally:
        _WATCHED.reset(token)


def pause_before_retry(error: SupersetError, usual: float) -> float | None:
    """Seconds to wait before the same read is tried again, None if that is pointless.

    A timeout is final: another wait as long would outlast whoever asked.
    """
    match error:
        case Busy(retry_after=None):
            return usual
        case Busy(retry_after=float(seconds)):
            return seconds if seconds <= MAX_RETRY_AFTER else None
        case Unreachable() | Unanswered(timed_out=False) | ServerFault(transient=True):
            return usual
    return None


async def read_twice(attempt: Callable[[], Awaitable[T]], usual: float) -> T:
    """Run a read; after a passing fault run it once more.

    Args:
        attempt: The read. It must be harmless to run twice.
        usual: Seconds of the pause where Superset does not name its own.
    """
    try:
        return await attempt()
    except SupersetError as error:
        pause = pause_before_retry(error, usual)
        if pause is None:
            raise
        tries = _WATCHED.get() or Tries()
        tries.faults.append(error.code)
    await sleep(pause)
    tries.again += 1
    answer = await attempt()
    tries.helped += 1
    return answer
