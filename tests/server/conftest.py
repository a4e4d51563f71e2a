"""Real LangGraph servers with the product's auth and door around a graph that reports."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from demo.supersets import Pair
from tests.server.chat_clients import Client
from tests.server.deployment import agent_server, forget_events
from tests.server.known_routes import Listed, list_routes
from tests.server_process import Server
from tests.signing import SECRET

PROBE = {"probe": f"{Path(__file__).with_name('probe_graph.py')}:graph"}
SETTINGS = """
[records]
url = "sqlite:///records.db"

[limits]
request_bytes = 200_000

[environments.dev]
title = "Development"
stage = "dev"
url = "http://127.0.0.1:9"
"""


def probe_server(folder: Path, **env: str) -> Server:
    """A server of the reporting graph; it is not started."""
    settings = folder / "settings.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    known = {"PILOTHOUSE_CONFIG": str(settings), "PILOTHOUSE_JWT_SECRET": SECRET}
    return Server(folder, known | env, PROBE)


@pytest.fixture(scope="session")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that most tests share: each test makes threads of its own."""
    with probe_server(tmp_path_factory.mktemp("probe")) as server:
        yield server


@pytest.fixture(scope="session")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[Listed]:
    """Every route that the server has."""
    return list_routes(tmp_path_factory.mktemp("routes"))


@pytest.fixture(scope="session")
def agent(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The product itself on real Supersets; each test makes threads of its own."""
    with agent_server(supersets, tmp_path_factory.mktemp("product")) as server:
        yield server


@pytest.fixture
def client(agent: Server, pair: Pair) -> Iterator[Callable[..., Client]]:
    """Open chat clients on the product and on freshly seeded installations."""
    forget_events(agent)
    with ExitStack() as opened:

        def make(kind: type[Client], role: str = "operator", *args: Any) -> Client:
            made = kind(agent, role, *args)
            opened.callback(made.http.close)
            return made

        yield make
