"""What the demo's commands tell the person at the terminal."""

import time


def say(text: str = "") -> None:
    """Print a line at once, also when the output is a pipe."""
    print(text, flush=True)  # noqa: T201 - the one place that prints


class Progress:
    """Says lines with the seconds since the command began."""

    def __init__(self) -> None:
        """Begin to count."""
        self._began = time.monotonic()

    def __call__(self, line: str) -> None:
        """Say one step."""
        say(f"[{time.monotonic() - self._began:5.1f} s] {line}")
