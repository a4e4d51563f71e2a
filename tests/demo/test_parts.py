"""The pure parts of the demo: ports, disk, locks, pid files, tools of the build, state."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo import disk, pidfile, tooling
from demo.errors import DemoError
from demo.live import Live, ServiceState
from demo.locks import exclusive
from demo.places import cache_folder
from demo.ports import is_free, next_free, take


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        yield stranger.getsockname()[1]


def test_the_usual_port_is_used_when_it_is_free() -> None:
    assert next_free(8088, free=lambda port: True) == 8088


def test_a_taken_or_reserved_port_is_passed_over() -> None:
    assert next_free(8088, avoid={8089}, free=lambda port: port != 8088) == 8090


def test_no_free_port_is_said() -> None:
    with pytest.raises(DemoError, match="No free port between 8088 and"):
        next_free(8088, free=lambda port: False)


def test_a_strangers_port_is_noticed(taken: int) -> None:
    assert not is_free(taken)
    assert next_free(taken) != taken
    with pytest.raises(DemoError, match=f"Port {taken} .* is taken"):
        take(taken)


def test_a_taken_port_is_listening_at_once() -> None:
    with take(0) as ours:
        port = ours.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
        assert not is_free(port)
    assert is_free(port)


def test_missing_disk_is_said_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil._ntuple_diskusage(10**10, 10**10, 1500 * 2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    wanted = tmp_path / "not" / "there"
    disk.require_free(wanted, 1500, "it")
    with pytest.raises(DemoError, match=r"Not enough disk space for Superset: 2000 MB .* 1500 MB"):
        disk.require_free(wanted, disk.ENVIRONMENT_MB, "Superset")


def test_the_cache_follows_the_users_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/pilothouse")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_folder() == Path("/home/me/.cache/pilothouse")


def test_a_lock_makes_the_second_wait_and_says_so(tmp_path: Path) -> None:
    waiting, inside, order = threading.Event(), threading.Event(), []

    def second() -> None:
        with exclusive(tmp_path / "lock", waiting.set):
            order.append("second")
            inside.set()

    with exclusive(tmp_path / "lock"):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(10)
        order.append("first")
    assert inside.wait(10)
    thread.join()
    assert order == ["first", "second"]


def test_a_lock_is_freed_by_the_death_of_its_holder(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from demo.locks import exclusive\n"
        "with exclusive(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    root = Path(pidfile.__file__).parent.parent
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "lock")], stdout=subprocess.PIPE, cwd=root
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        holder.kill()
    with exclusive(tmp_path / "lock", lambda: pytest.fail("the lock is still held")):
        pass


def test_a_pid_file_knows_its_process(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    assert pidfile.read(path) is None
    pidfile.write(path, os.getpid())
    assert pidfile.read(path) == os.getpid()


def test_a_pid_file_of_a_dead_process_is_stale(tmp_path: Path) -> None:
    path = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        pidfile.write(path, process.pid)
        assert pidfile.read(path) == process.pid
        process.kill()
        # Not collected yet: the number still exists, but nothing runs behind it.
        deadline = time.monotonic() + 10
        while pidfile.read(path) is not None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    assert pidfile.read(path) is None


def test_a_pid_that_a_stranger_got_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pid"
    with monkeypatch.context() as patch:
        patch.setattr(pidfile, "identity", lambda pid: "started before the reboot")
        pidfile.write(path, os.getpid())
    assert pidfile.read(path) is None


@pytest.mark.parametrize("content", ["", "123", "null", '{"pid": 1}', '{"pid": "x"}', "{"])
def test_a_damaged_pid_file_is_stale(tmp_path: Path, content: str) -> None:
    (tmp_path / "pid").write_text(content)
    assert pidfile.read(tmp_path / "pid") is None


def test_the_state_file_is_read_back_and_damage_means_no_state(tmp_path: Path) -> None:
    live = Live("ready", ["a line"], "", {"server": ServiceState("http://x", 12, 1)})
    live.save(tmp_path)
    assert Live.load(tmp_path) == live
    (tmp_path / "state.json").write_text('{"services": 1}')
    assert Live.load(tmp_path) == Live()
    assert Live.load(tmp_path / "nowhere") == Live()


def _script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_python_of_another_version_and_dead_shims_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", _script(tmp_path / "old", "echo 3.13 cpython /old"))
    _script(tmp_path / "python3.11", "echo no such version >&2; exit 127")
    _script(tmp_path / "python3.12", "echo 3.12 cpython /the/one")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tooling.find_python(tmp_path / "uv") == Path("/the/one")


def test_uv_is_asked_for_a_python_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", _script(tmp_path / "old", "echo 3.14 cpython /old"))
    found = _script(tmp_path / "found", "echo 3.11 cpython /by/uv")
    uv = _script(tmp_path / "uv", f"test $4 = 3.11 && echo {found}")
    monkeypatch.setenv("PATH", "/nowhere")
    assert tooling.find_python(Path(uv)) == Path("/by/uv")


def test_no_python_for_superset_is_one_clear_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", _script(tmp_path / "old", "echo 3.11 pypy /old"))
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(DemoError, match=r"runs on Python 3\.11 or 3\.12, and neither was found"):
        tooling.find_python(tmp_path / "uv")


def test_uv_on_the_path_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uv = _script(tmp_path / "uv", "echo uv 1.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tooling.find_uv(pytest.fail) == Path(uv)


def test_a_failed_command_shows_the_end_of_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tooling, "cache_folder", lambda: tmp_path)
    command = _script(tmp_path / "fails", "seq 100; exit 3")
    with pytest.raises(DemoError, match=r"(?s)Installing failed \(status 3\):\n89\n.*100$"):
        tooling.run([command], "Installing")
