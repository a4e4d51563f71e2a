"""What the demo's commands tell the person at the terminal."""

import os
import sys
import time


def say(text: str = "") -> None:
    """Print a line at once, also when the output is a pipe."""
    try:
        print(text, flush=True)  # noqa: T201 - the one place that prints
    except BrokenPipeError:
        # `make demo | head`: nobody listens any more, which is no reason to fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Progress:
    """Says lines with the seconds since the command began."""

    def __init__(self) -> None:
        """Begin to count."""
        self._began = time.monotonic()

    def __call__(self, line: str) -> None:
        """Say one step."""
        say(f"[{time.monotonic() - self._began:5.1f} s] {line}")
