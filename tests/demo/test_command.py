"""`python -m demo`: up, twice, a dead child, down; and nothing left when it fails."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from demo import pidfile
from demo.places import CHECKOUT

GRAPH = """
from langgraph.graph import END, START, MessagesState, StateGraph

def answer(state: MessagesState) -> dict:
    return {"messages": [{"role": "assistant", "content": "heard"}]}

builder = StateGraph(MessagesState)
builder.add_node("answer", answer)
builder.add_edge(START, "answer")
builder.add_edge("answer", END)
graph = builder.compile()
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Path]:
    """A checkout with the demo and a small graph; whatever runs of it is stopped afterwards."""
    folder = tmp_path / "checkout"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(CHECKOUT / "demo", folder / "demo", ignore=ignored)
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "graph.py").write_text(GRAPH)
    config = {"dependencies": ["."], "graphs": {"superset": "./graph.py:graph"}, "env": ".env"}
    (folder / "langgraph.json").write_text(json.dumps(config))
    (folder / "pyproject.toml").write_text('[project]\nname = "trial"\nversion = "0"\n')
    yield folder
    demo(folder, "down")
    assert leftovers(folder) == []


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "demo", *words]


def demo(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*words), cwd=folder, capture_output=True, text=True, check=False, timeout=240
    )


def leftovers(folder: Path) -> list[str]:
    """Command lines of processes that belong to a checkout or work in it."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            here = str((entry / "cwd").readlink())
            if line and (str(folder) in line or here.startswith(str(folder))):
                found.append(f"{entry.name} {line}")
    return found


def wait_until_empty(folder: Path, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while leftovers(folder):
        assert time.monotonic() < deadline, leftovers(folder)
        time.sleep(0.1)


def services(folder: Path) -> dict[str, dict[str, object]]:
    state = json.loads((folder / ".pilothouse" / "demo" / "state.json").read_text())
    return state["services"]


def test_a_day_of_the_demo(checkout: Path) -> None:
    up = demo(checkout, "up")
    assert up.returncode == 0, up.stdout + up.stderr
    assert "https://smith.langchain.com/studio/?baseUrl=http://127.0.0.1:" in up.stdout
    assert re.search(r"Page +http://127\.0\.0\.1:[0-9]+/agent$", up.stdout, re.MULTILINE)
    tokens = [line.split()[-1] for line in up.stdout.splitlines() if " eyJ" in line]
    assert len(set(tokens)) == 5
    for words in (
        ".venv/bin/python -m demo.main_job --lang en",
        ".venv/bin/python -m demo.main_job --lang ru",
        "Studio's user has the role viewer: STUDIO_ROLE in .env",
    ):
        assert words in up.stdout
    again = demo(checkout, "up")
    assert again.returncode == 0
    assert "The demo already runs." in again.stdout
    assert "studio/?baseUrl=" in again.stdout
    fresh = demo(checkout, "up", "--fresh")
    assert fresh.returncode == 1
    assert "stop it first with `make demo-stop`" in fresh.stdout
    assert "eyJ" not in fresh.stdout
    before = services(checkout)
    os.kill(int(str(before["Superset prod"]["pid"])), signal.SIGKILL)
    deadline = time.monotonic() + 60
    while services(checkout)["Superset prod"]["restarts"] != 1:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    told = demo(checkout, "status")
    assert told.returncode == 0, told.stdout
    assert "restarted 1 times" in told.stdout
    assert services(checkout)["Superset dev"]["pid"] == before["Superset dev"]["pid"]
    down = demo(checkout, "down")
    assert down.returncode == 0
    assert leftovers(checkout) == []
    assert demo(checkout, "status").returncode == 1
    assert "does not run" in demo(checkout, "down").stdout


def test_a_killed_supervisor_leaves_nothing_and_the_next_start_works(checkout: Path) -> None:
    assert demo(checkout, "up").returncode == 0
    path = checkout / ".pilothouse" / "demo" / "supervisor.pid"
    pid = pidfile.read(path)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until_empty(checkout)
    again = demo(checkout, "up")
    assert again.returncode == 0
    assert "pid file of an earlier demo is stale" in again.stdout


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_start_leaves_nothing(checkout: Path, how: signal.Signals) -> None:
    with subprocess.Popen(
        command("up"), cwd=checkout, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as up:
        assert up.stdout is not None
        while "Starting Superset prod" not in up.stdout.readline():
            assert up.poll() is None
        os.killpg(up.pid, how)
        rest = up.stdout.read()
    if how == signal.SIGINT:
        assert "interrupted; nothing was left running" in rest
        assert leftovers(checkout) == []
    wait_until_empty(checkout)


def test_a_server_that_does_not_start_stops_everything(checkout: Path) -> None:
    (checkout / "graph.py").write_text("raise RuntimeError('the graph is broken')")
    up = demo(checkout, "up")
    assert up.returncode == 1
    assert "the graph is broken" in up.stdout
    assert "Traceback" not in up.stderr
    assert leftovers(checkout) == []
    assert "Its last start failed" in demo(checkout, "status").stdout


def test_a_persons_own_settings_stop_the_start(checkout: Path) -> None:
    (checkout / ".env").write_text("OPENAI_API_KEY=mine\n")
    up = demo(checkout, "up")
    assert up.returncode == 1
    assert "was not generated by the demo" in up.stdout
    assert (checkout / ".env").read_text() == "OPENAI_API_KEY=mine\n"


def test_without_setup_it_says_what_to_do(checkout: Path) -> None:
    (checkout / ".venv").unlink()
    up = demo(checkout, "up")
    assert up.returncode == 1
    assert "run `make setup`" in up.stdout
