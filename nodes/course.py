"""What a call took, for the audit: seconds, second tries, the fault that ended it, characters."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tools.clients.http import SupersetError
from tools.clients.superset_retry import Tries, counting


@dataclass
class Course:
    """How a call went; what is not known is left out.

    Attributes:
        tries: What was sent again because of a passing fault.
        seconds: How long it ran.
        error: The kind of fault that ended it.
        characters: Length of its result as text, before it was shortened.
    """

    tries: Tries = field(default_factory=Tries)
    seconds: float = 0.0
    error: str | None = None
    characters: int | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch what runs inside; a fault goes through, and its kind is kept."""
        start = time.perf_counter()
        try:
            with counting() as self.tries:
                yield
        except BaseException as error:
            self.error = kind_of(error)
            raise
        finally:
            self.seconds = time.perf_counter() - start

    def facts(self) -> dict[str, Any]:
        """What the audit is told. `attempts`: the most that one request of the call took."""
        known = {
            "error": self.error,
            "characters": self.characters,
            "fault": next(iter(self.tries.faults), None),
            "again": self.tries.again or None,
            "helped": self.tries.helped if self.tries.again else None,
        }
        told = {name: value for name, value in known.items() if value is not None}
        return {
            "ms": round(self.seconds * 1000),
            "attempts": 2 if self.tries.again else 1,
        } | told


def kind_of(error: BaseException) -> str:
    """The kind of a fault: its words could hold what an auditor must not read."""
    if isinstance(error, SupersetError):
        return error.code
    return "timed_out" if isinstance(error, TimeoutError) else type(error).__name__
