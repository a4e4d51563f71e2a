"""The owner's side of a kept child process."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from demo.errors import DemoError

_KEEPER = Path(__file__).with_name("keeper.py")
_TAIL = 12


class Child:
    """A program that dies with its owner (see keeper.py) and writes its output to a log file."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        *,
        cwd: Path,
        env: Mapping[str, str],
        pass_fds: Sequence[int] = (),
        grace: float = 8.0,
    ) -> None:
        """Start the program; its output is appended to `log`."""
        self.name = name
        self.log = log
        self._grace = grace
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            self._start_of_log = output.tell()
            self._keeper = subprocess.Popen(  # noqa: S603 - our own keeper, an argument list
                [sys.executable, str(_KEEPER), str(grace), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                cwd=cwd,
                env=dict(env),
                pass_fds=tuple(pass_fds),
                # A Ctrl-C at the terminal is the owner's to handle, in its own order.
                start_new_session=True,
            )
        line = self._keeper.stdout.readline() if self._keeper.stdout else b""
        if not line.strip():
            self.stop()
            raise DemoError(self.epitaph("could not be started"))
        self.pid = int(line)

    def alive(self) -> bool:
        """Tell whether the program still runs."""
        return self._keeper.poll() is None

    def wait(self) -> int:
        """Return the program's exit status when it has ended."""
        return self._keeper.wait()

    def begin_stop(self) -> None:
        """Ask the program to end, without waiting for it."""
        stdin = self._keeper.stdin
        if stdin and not stdin.closed:
            stdin.close()

    def stop(self) -> None:
        """End the program, gently first; returns when it and its children are gone."""
        keeper = self._keeper
        self.begin_stop()
        try:
            keeper.wait(self._grace + 5)
        except subprocess.TimeoutExpired:
            kill_group(self.pid)
            keeper.kill()
            keeper.wait()
        if keeper.stdout:
            keeper.stdout.close()

    def log_tail(self) -> str:
        """Return the last lines that this start of the program wrote."""
        with self.log.open("rb") as stream:
            stream.seek(self._start_of_log)
            lines = stream.read().decode("utf-8", "replace").splitlines()
        return "\n".join(lines[-_TAIL:])

    def epitaph(self, what: str) -> str:
        """Return a message that says what happened and ends with the log's last lines."""
        return f"{self.name} {what}. Last lines of {self.log}:\n{self.log_tail()}"


def kill_group(group: int) -> None:
    """Kill the process group of a child, if it is still there."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
