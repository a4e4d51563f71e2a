"""Runs that were under way when the server went down neither block the queue nor are lost."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server_process import Server
from tests.signing import SECRET, token

SETTINGS = """
language = "en"

[records]
url = "sqlite:///records.db"

[environments.dev]
title = "Development"
stage = "dev"
url = "http://127.0.0.1:{port}"

[[environments.dev.credentials]]
roles = ["viewer"]
username = "reader"
password_env = "PASSWORD"
"""
FIND = {"messages": [{"role": "user", "content": "Find dashboards about sales in dev"}]}
HELP = {"messages": [{"role": "user", "content": "What can you do?"}]}
WORKERS = 10  # of the server; see server_process.py
PATIENCE = 60.0


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """An installation that takes connections and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        yield listening


@pytest.fixture
def server(silent: socket.socket, tmp_path: Path) -> Iterator[Server]:
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS.format(port=silent.getsockname()[1]), encoding="utf-8")
    known = {"PILOTHOUSE_CONFIG": str(settings), "PILOTHOUSE_JWT_SECRET": SECRET, "PASSWORD": "x"}
    with Server(tmp_path, known) as server:
        yield server


async def statuses(client: Any, threads: list[str]) -> list[str]:
    found = await asyncio.gather(*(client.runs.list(thread) for thread in threads))
    return [run["status"] for runs in found for run in runs]


async def until(client: Any, threads: list[str], wanted: dict[str, int]) -> None:
    """Wait until that many of the threads' runs have each status."""
    async with asyncio.timeout(PATIENCE):
        while True:
            seen = await statuses(client, threads)
            if {status: seen.count(status) for status in seen} == wanted:
                return
            await asyncio.sleep(0.1)


async def test_what_was_accepted_is_answered_after_a_restart_and_blocks_nothing(
    server: Server, silent: socket.socket
) -> None:
    """All workers hang at an installation and more runs wait; then the server is restarted."""
    async with server.client(token("vera", "viewer")) as client:
        made = [(await client.threads.create())["thread_id"] for _ in range(WORKERS + 2)]
        for thread in made:
            await client.runs.create(thread, "superset", input=FIND)
        await until(client, made, {"running": WORKERS, "pending": 2})

    await asyncio.to_thread(server.stop)
    silent.close()  # from now on it refuses: nothing hangs any more
    await asyncio.to_thread(server.start)

    async with server.client(token("vera", "viewer")) as client:
        await until(client, made, {"success": len(made)})
        states = await asyncio.gather(*(client.threads.get_state(thread) for thread in made))
        for state in states:
            kinds = [message["type"] for message in state["values"]["messages"]]
            assert kinds == ["human", "ai", "tool", "ai"]
            assert "cannot be reached" in state["values"]["messages"][-1]["content"]
            assert state["next"] == []
        for thread in (*made[:1], *made[-1:], None):
            answer = await client.runs.wait(thread, "superset", input=HELP)
            assert "Find dashboards" in answer["messages"][-1]["content"]
