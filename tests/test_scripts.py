"""The Makefile's helpers say what is missing in one clear sentence, and how long parts take."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scripts.layout import ROOT

BASICS = ("sh", "awk", "cat", "cksum", "dirname", "env", "git", "id", "sed", "date")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a script of a bare checkout on a machine that has only `BASICS` and what is added."""
    programs, checkout = tmp_path / "bin", tmp_path / "checkout"
    programs.mkdir()
    for name in BASICS:
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    shutil.copytree(ROOT / "scripts", checkout / "scripts")
    for name in ("requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, checkout)

    def start(script: str, **programs_added: str) -> subprocess.CompletedProcess[str]:
        for name, body in programs_added.items():
            path = programs / name.replace("_", ".")
            path.unlink(missing_ok=True)
            if body:
                path.write_text(f"#!/bin/sh\n{body}\n")
                path.chmod(0o755)
        return subprocess.run(
            [str(programs / "sh"), f"scripts/{script}"],
            cwd=checkout,
            env={"PATH": str(programs)},
            capture_output=True,
            text=True,
            check=False,
        )

    return start


def test_setup_names_missing_system_packages(run: Run) -> None:
    result = run("setup.sh", git="")
    assert result.returncode == 1
    assert result.stderr.strip().endswith(
        "please install these system packages, then run it again: git"
    )
    assert result.stdout == ""


def test_setup_as_root_installs_them(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "apt.log"
    apt = {"apt-get": f'echo "$@" >> {log}'}
    result = run("setup.sh", git="", id="echo 0", **apt)
    assert "setup: installing git" in result.stdout
    assert log.read_text().splitlines()[-1].split()[-1] == "git"


def test_setup_needs_no_browser(run: Run) -> None:
    result = run("setup.sh", chromium="", node="")
    assert "chromium" not in result.stdout + result.stderr


def test_the_tests_name_all_tools_that_are_missing(run: Run) -> None:
    result = run("test_tools.sh")
    assert result.returncode == 1
    assert result.stderr.strip().endswith(
        "please install these system packages, then run it again: "
        "chromium chromium-driver nodejs npm postgresql"
    )
    assert result.stdout == ""


def test_the_tests_install_their_missing_tools_as_root(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "apt.log"
    apt = {"apt-get": f'echo "$@" >> {log}'}
    result = run("test_tools.sh", node="true", npm="true", postgres="true", id="echo 0", **apt)
    assert result.returncode == 0
    assert "test tools: installing chromium chromium-driver" in result.stdout
    update, install = log.read_text().splitlines()
    assert update.split()[0] == "update"
    assert install.split()[-2:] == ["chromium", "chromium-driver"]


def test_the_tests_say_when_a_tool_can_not_be_installed(run: Run) -> None:
    apt = {"apt-get": "echo no such package >&2; exit 100"}
    result = run("test_tools.sh", id="echo 0", **apt)
    assert result.returncode != 0
    assert "no such package" in result.stderr


@pytest.mark.parametrize("browser", ["chromium", "chromium-browser", "google-chrome"])
def test_the_tests_are_quiet_where_their_tools_are(run: Run, browser: str) -> None:
    names = (browser, "chromedriver", "node", "npm", "postgres")
    tools = dict.fromkeys(names, "true")
    result = run("test_tools.sh", **tools)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_setup_without_python_says_what_it_needs(run: Run) -> None:
    result = run("setup.sh")
    assert result.returncode == 1
    assert "needs Python 3.11 or newer with its venv module" in result.stderr


def test_setup_does_not_take_an_old_python(run: Run) -> None:
    result = run("setup.sh", python3="exit 1", python="exit 1")
    assert "needs Python 3.11 or newer" in result.stderr


def test_setup_takes_uv_where_there_is_no_python(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "uv.log"
    run("setup.sh", uv=f'echo "$@" >> {log}')
    assert "venv" in log.read_text()
    assert ">=3.11" in log.read_text()


def test_setup_fetches_uv_by_its_hashes(run: Run, tmp_path: Path) -> None:
    python = tmp_path / "checkout" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\n")  # an environment whose pip does nothing
    python.chmod(0o755)
    run("setup.sh")
    entry = (tmp_path / "checkout" / ".venv" / "uv.txt").read_text()
    lines = entry.strip().splitlines()
    assert lines[0].startswith("uv==")
    assert len(lines) > 5
    assert all("--hash=sha256:" in line for line in lines[1:])
    assert not lines[-1].endswith("\\")


def test_setup_is_quiet_when_up_to_date(run: Run, tmp_path: Path) -> None:
    bin_folder = tmp_path / "checkout" / ".venv" / "bin"
    bin_folder.mkdir(parents=True)
    version = next(
        line.split("==")[1].split()[0]
        for line in (ROOT / "requirements.lock").read_text().splitlines()
        if line.startswith("uv==")
    )
    log = tmp_path / "uv.log"
    for name, body in {
        "python": "",
        "uv": f'[ "$1" = --version ] && echo "uv {version}"; echo "$@" >> {log}',
    }.items():
        (bin_folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (bin_folder / name).chmod(0o755)
    assert run("setup.sh").returncode == 0
    installs = log.read_text().count("pip install")
    assert installs == 2  # the lock, and the project itself
    assert "--require-hashes" in log.read_text()
    assert run("setup.sh").stdout == ""
    assert log.read_text().count("pip install") == installs
    lock = tmp_path / "checkout" / "requirements.lock"
    lock.write_text(lock.read_text() + "# changed\n")
    run("setup.sh")
    assert log.read_text().count("pip install") == 2 * installs


def test_serve_without_settings_says_how_to_get_them(run: Run) -> None:
    result = run("serve.sh")
    assert result.returncode == 1
    assert "there is no pilothouse.toml" in result.stderr
    assert "make demo" in result.stderr


@pytest.fixture
def serve(run: Run, tmp_path: Path) -> Callable[[int], subprocess.CompletedProcess[str]]:
    """Run serve.sh where the check of the settings ends with a status and the server is played."""
    checkout = tmp_path / "checkout"
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    (checkout / "pilothouse.toml").touch()

    def start(status: int) -> subprocess.CompletedProcess[str]:
        for name, body in {
            "pilothouse": f"exit {status}",
            "python": "echo 2031",
            "langgraph": 'echo "started: $@"',
        }.items():
            (programs / name).write_text(f"#!/bin/sh\n{body}\n")
            (programs / name).chmod(0o755)
        return run("serve.sh")

    return start


@pytest.mark.parametrize("status", [0, 1])
def test_serve_starts_on_the_chosen_port(status: int, serve: Any) -> None:
    result = serve(status)
    assert result.returncode == 0
    page, started = result.stdout.splitlines()
    assert page == "serve: the page is http://127.0.0.1:2031/agent"
    assert started.startswith("started: dev ")
    assert "--port 2031 " in started
    assert ("starting all the same" in result.stderr) is bool(status)


def test_serve_does_not_start_what_lets_nobody_in(serve: Any) -> None:
    result = serve(2)
    assert result.returncode == 2
    assert "serve: not started" in result.stderr
    assert "started:" not in result.stdout


def choose_port(wanted: str) -> subprocess.CompletedProcess[str]:
    """Run scripts/free_port.py."""
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "free_port.py"), "127.0.0.1", wanted],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_taken_port_is_replaced_in_one_clear_line() -> None:
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        taken = stranger.getsockname()[1]
        result = choose_port(str(taken))
    assert result.returncode == 0
    port = int(result.stdout)
    assert taken < port
    assert result.stderr == (
        f"serve: port {taken} is taken, the server's address is http://127.0.0.1:{port}\n"
    )
    free = choose_port(str(taken))
    assert free.stdout == f"{taken}\n"
    assert free.stderr == f"serve: the server's address is http://127.0.0.1:{taken}\n"


@pytest.mark.parametrize("wanted", ["", "abc", "0", "70000", "-1"])
def test_what_is_no_port_is_told(wanted: str) -> None:
    result = choose_port(wanted)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "is no port" in result.stderr


@pytest.mark.parametrize(("command", "status"), [("true", 0), ("false", 1)])
def test_a_step_says_how_long_it_took_and_passes_its_status_on(command: str, status: int) -> None:
    result = subprocess.run(
        ["sh", str(ROOT / "scripts" / "step.sh"), "a part", command],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == status
    assert "== a part: " in result.stdout + result.stderr
    assert ("FAILED" in result.stderr) is bool(status)
