"""The commands `up`, `down` and `status`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from demo import disk, pidfile
from demo.agent_server import command_of
from demo.cache import ensure_base
from demo.children import kill_group
from demo.errors import DemoError
from demo.live import Live
from demo.locks import exclusive
from demo.places import state_folder
from demo.say import Progress, say
from demo.settings_files import check_own
from demo.sheet import print_sheet
from demo.supervisor import STAY, pid_path

_PATIENCE = 400.0
_END = 90.0


def up(checkout: Path, *, fresh: bool = False) -> int:
    """Start the demo, return when everything is ready, and print how to use it."""
    progress = Progress()
    folder = state_folder(checkout)
    with exclusive(folder / "up.lock", lambda: progress("Waiting for another `up`")):
        if _already_runs(checkout):
            if fresh:
                message = (
                    "The demo runs, and --fresh begins anew: stop it first with `make demo-stop`,"
                    " then start it again with --fresh."
                )
                raise DemoError(message)
            say("The demo already runs.")
            print_sheet(checkout, Live.load(folder))
            return 0
        if pid_path(checkout).exists():
            progress("The pid file of an earlier demo is stale: its process is gone")
            pid_path(checkout).unlink()
        command_of(checkout)
        check_own(checkout)
        disk.require_free(folder, disk.STATE_MB, "the demo's live files")
        ensure_base(progress)
        _supervise(checkout, progress, fresh=fresh)
    print_sheet(checkout, Live.load(folder))
    return 0


def _already_runs(checkout: Path) -> bool:
    deadline = time.monotonic() + _END
    while pidfile.read(pid_path(checkout)) is not None:
        phase = Live.load(state_folder(checkout)).phase
        if phase == "ready":
            return True
        if time.monotonic() > deadline:
            message = f"A demo of this checkout is {phase} and does not get further: stop it first."
            raise DemoError(message)
        # The rest of an `up` or a `down` that was interrupted: it ends by itself.
        time.sleep(0.2)
    return False


def _supervise(checkout: Path, progress: Progress, *, fresh: bool) -> None:
    folder = state_folder(checkout)
    Live().save(folder)
    command = [sys.executable, "-m", "demo", "supervise", *(["--fresh"] if fresh else [])]
    log_path = folder / "supervisor.log"
    with log_path.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - ourselves
            command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=checkout,
            start_new_session=True,
        )
    try:
        _follow(process, folder, progress)
        if process.stdin:
            process.stdin.write(STAY)
            process.stdin.close()
    except BaseException:
        # Also on Ctrl-C: nothing may stay behind.
        _end(process.pid, process, folder)
        raise


def _follow(process: "subprocess.Popen[bytes]", folder: Path, progress: Progress) -> None:
    shown, deadline = 0, time.monotonic() + _PATIENCE
    while True:
        ended = process.poll() is not None
        live = Live.load(folder)
        for line in live.lines[shown:]:
            progress(line)
        shown = len(live.lines)
        if live.phase == "ready" and not ended:
            return
        if ended:
            message = live.error or f"The supervisor ended; see {folder / 'supervisor.log'}."
            # Its last line was the error itself.
            raise DemoError("The demo did not start." if live.error in live.lines else message)
        if time.monotonic() > deadline:
            message = f"The demo was not ready after {_PATIENCE:.0f} s."
            raise DemoError(message)
        time.sleep(0.2)


def down(checkout: Path) -> int:
    """Stop the demo; return when all its processes are gone."""
    folder = state_folder(checkout)
    pid = pidfile.read(pid_path(checkout))
    if pid is None:
        pid_path(checkout).unlink(missing_ok=True)
        say("The demo does not run.")
        return 0
    progress = Progress()
    progress("Stopping the demo")
    _end(pid, None, folder)
    pid_path(checkout).unlink(missing_ok=True)
    progress("Everything has ended")
    return 0


def _end(pid: int, process: "subprocess.Popen[bytes] | None", folder: Path) -> None:
    known = pidfile.identity(pid)
    services = Live.load(folder).services
    groups = {state.pid: pidfile.identity(state.pid) for state in services.values()}

    def gone() -> bool:
        if process is not None and process.poll() is not None:
            return True
        return known is None or pidfile.identity(pid) != known

    if not gone():
        os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + _END
    while not gone():
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            # Its children end by themselves then, see keeper.py; those that hang are killed.
            time.sleep(10)
            break
        time.sleep(0.1)
    for group, mark in groups.items():
        if mark is not None and pidfile.identity(group) == mark:
            kill_group(group)


def status(checkout: Path) -> int:
    """Say what runs; return 0 only when everything does."""
    folder = state_folder(checkout)
    pid = pidfile.read(pid_path(checkout))
    if pid is None:
        live = Live.load(folder)
        say("The demo does not run.")
        if live.phase == "failed":
            say(f"Its last start failed: {live.error}")
        return 1
    live = Live.load(folder)
    say(f"The demo is {live.phase} (supervisor {pid}, files in {folder}).")
    for name, state in live.services.items():
        word = "runs" if state.running else "has ended and was not restarted any more"
        again = f", restarted {state.restarts} times" if state.restarts else ""
        say(f"  {name:17} {state.url:24} {word} (pid {state.pid}{again})")
    good = live.phase == "ready" and all(state.running for state in live.services.values())
    return 0 if good else 1
