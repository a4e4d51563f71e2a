"""Runs one program and ends it, with all its children, when the owner goes away.

Started by path as a program of its own (`python keeper.py GRACE COMMAND...`) with a pipe as its
standard input: the system closes the pipe when the owner dies, however it dies. The first line
on standard output is the program's process id.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def main(grace: float, command: list[str]) -> int:
    """Run `command` until it ends or the owner's pipe closes; return its exit status."""
    # stdin belongs to the owner's pipe; the files of the program's log are inherited as stderr.
    child = subprocess.Popen(  # noqa: S603 - the command is the owner's own
        command,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        stderr=sys.stderr,
        start_new_session=True,
        close_fds=False,
        # No thread of this program has been started yet.
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
    )
    sys.stdout.write(f"{child.pid}\n")
    sys.stdout.flush()
    ending = threading.Event()

    def end(*_: object) -> None:
        if not ending.is_set():
            ending.set()
            threading.Thread(target=_end, args=(child, grace), daemon=True).start()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    threading.Thread(target=_watch_owner, args=(end,), daemon=True).start()
    status = child.wait()
    _signal_group(child.pid, signal.SIGKILL)
    return status if status >= 0 else 128 - status


def _die_with_parent() -> None:
    # For the case that this keeper itself is killed; it has one thread at the time of the fork.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _watch_owner(end: Callable[[], None]) -> None:
    while os.read(0, 1024):
        pass
    end()


def _end(child: "subprocess.Popen[bytes]", grace: float) -> None:
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(grace)
        return
    _signal_group(child.pid, signal.SIGKILL)


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
