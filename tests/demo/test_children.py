"""A child of the demo ends when it is told to, and when its owner dies in whatever way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from demo import pidfile
from demo.agent_server import launch_server, owns_port, wait_server
from demo.children import Child
from demo.errors import DemoError
from demo.ports import take

ROOT = Path(pidfile.__file__).parent.parent
STUBBORN = (
    "import signal, subprocess, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    "print('inner', inner.pid, flush=True)\n"
    "time.sleep(60)"
)


def start(folder: Path, code: str, grace: float = 5.0, fds: tuple[int, ...] = ()) -> Child:
    command = [sys.executable, "-c", code]
    log = folder / "log"
    return Child("It", command, log, cwd=folder, env=dict(os.environ), pass_fds=fds, grace=grace)


def wait_until(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def inner_of(log: Path) -> int:
    wait_until(lambda: log.exists() and "inner" in log.read_text())
    return int(log.read_text().split()[1])


def test_a_child_runs_until_it_is_stopped(tmp_path: Path) -> None:
    child = start(tmp_path, "import time; time.sleep(60)")
    assert child.alive()
    assert pidfile.identity(child.pid)
    child.stop()
    assert not child.alive()
    assert pidfile.identity(child.pid) is None
    child.stop()


def test_a_child_that_ignores_the_signal_is_killed_with_its_children(tmp_path: Path) -> None:
    child = start(tmp_path, STUBBORN, grace=0.3)
    inner = inner_of(tmp_path / "log")
    child.stop()
    wait_until(lambda: pidfile.identity(inner) is None)
    assert pidfile.identity(child.pid) is None


def test_what_a_dead_child_leaves_behind_is_killed(tmp_path: Path) -> None:
    child = start(tmp_path, STUBBORN)
    inner = inner_of(tmp_path / "log")
    os.kill(child.pid, signal.SIGKILL)
    wait_until(lambda: not child.alive())
    wait_until(lambda: pidfile.identity(inner) is None)
    child.stop()


def test_an_ended_child_is_noticed_and_its_last_lines_are_told(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("of an earlier start\n")
    child = start(tmp_path, "print('first'); import sys; sys.exit('bad luck')")
    wait_until(lambda: not child.alive())
    text = child.epitaph("ended")
    assert text.startswith("It ended. Last lines of ")
    assert text.endswith("bad luck")
    assert "earlier start" not in text
    child.stop()


def test_a_program_that_is_not_there_is_an_error_with_the_log(tmp_path: Path) -> None:
    with pytest.raises(DemoError, match=r"(?s)It could not be started.*/no/such/program"):
        Child("It", ["/no/such/program"], tmp_path / "log", cwd=tmp_path, env={})


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_dies_with_its_owner(tmp_path: Path, how: signal.Signals) -> None:
    code = (
        "import os, sys, time; from pathlib import Path; from demo.children import Child\n"
        f"child = Child('It', [sys.executable, '-c', {STUBBORN!r}], Path(sys.argv[1]) / 'log',"
        " cwd=Path(sys.argv[1]), env=dict(os.environ), grace=0.3)\n"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT
    ) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        inner = inner_of(tmp_path / "log")
        owner.send_signal(how)
    wait_until(lambda: pidfile.identity(pid) is None)
    wait_until(lambda: pidfile.identity(inner) is None)


def test_the_owner_of_a_port_is_known(tmp_path: Path) -> None:
    with take(0) as listening:
        port, number = listening.getsockname()[1], listening.fileno()
        child = start(tmp_path, "import time; time.sleep(60)", fds=(number,))
    wait_until(lambda: owns_port(child.pid, port))
    assert not owns_port(child.pid, port + 1)
    assert not owns_port(os.getpgid(0), port)
    child.stop()


def _checkout(folder: Path, server: str) -> Path:
    command = folder / ".venv" / "bin" / "langgraph"
    command.parent.mkdir(parents=True)
    command.write_text(f"#!{sys.executable}\n{server}\n")
    command.chmod(0o755)
    return folder


def test_the_server_does_not_start_on_a_taken_port(tmp_path: Path) -> None:
    with take(0) as stranger:
        port = stranger.getsockname()[1]
        with pytest.raises(DemoError, match=f"Port {port} .* is taken"):
            launch_server(_checkout(tmp_path, ""), port, tmp_path / "log")


def test_a_server_that_ends_while_starting_is_told_with_its_log(tmp_path: Path) -> None:
    with take(0) as free:
        port = free.getsockname()[1]
    child = launch_server(_checkout(tmp_path, "raise SystemExit('no graph')"), port, tmp_path / "l")
    with pytest.raises(DemoError, match=r"(?s)LangGraph server ended while starting.*no graph"):
        wait_server(child, port)
    child.stop()


def test_the_answer_of_a_stranger_on_the_port_is_not_taken_for_the_server(tmp_path: Path) -> None:
    with take(0) as free:
        port = free.getsockname()[1]
    child = launch_server(_checkout(tmp_path, "import time; time.sleep(60)"), port, tmp_path / "l")
    answer = (
        "import http.server, sys\n"
        "class H(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self): self.send_response(200); self.end_headers()\n"
        "http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", answer, str(port)], stderr=subprocess.DEVNULL
    ) as stranger:
        with pytest.raises(DemoError, match=f"lost port {port} to another program"):
            wait_server(child, port)
        stranger.kill()
    child.stop()
