"""Evaluations run here: nothing is uploaded, and what fails is not counted as an answer."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from evals import planner
from scripts.layout import ROOT
from tools.models import EmbeddedPlanner

ROW = {
    "id": "1",
    "inputs": {
        "text": "Find dashboards about sales in dev",
        "language": "en",
        "environments": [{"id": "ss-dev", "title": "Sandbox", "stage": "dev"}],
    },
    "outputs": {
        "calls": [{"name": "search_dashboards", "args": {"query": "sales", "env_id": "ss-dev"}}]
    },
}
TRACE = (
    "from langchain_core.language_models import FakeListChatModel as Model;"
    "Model(responses=['x']).invoke('y')"
)


@pytest.fixture
def collector() -> Iterator[tuple[str, list[str]]]:
    """A server that uploads would come to; gives its address and what was asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            asked.append(f"{self.command} {self.path}")
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - as http.server names them

        def log_message(self, *_: Any) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def run(folder: Path, address: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a program as somebody whose shell sends traces to a LangSmith."""
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_ENDPOINT": address,
        "LANGSMITH_API_KEY": "lsv2-canary",
    }
    command = (sys.executable, *command)
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_nothing_is_uploaded_even_where_traces_are_on(
    tmp_path: Path, collector: tuple[str, list[str]]
) -> None:
    address, asked = collector
    assert run(tmp_path, address, "-c", TRACE).returncode == 0
    assert asked, "traces of others come here: the check could not fail"
    asked.clear()
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW), encoding="utf-8")
    made = run(tmp_path, address, "-m", "evals.planner", "rows.jsonl")
    assert (made.returncode, made.stderr) == (0, "")
    assert "1.000" in made.stdout
    assert asked == []


async def test_a_model_that_fails_ends_the_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that no call is right for would pass with an answer of nothing."""

    def fails(*_: Any, **__: Any) -> Any:
        raise ConnectionError("429: too many requests")

    example = planner.Example("1", ROW["inputs"], {"calls": []})  # type: ignore[arg-type]
    assert not (await planner.score(example)).right
    monkeypatch.setattr(EmbeddedPlanner, "_agenerate", fails)
    monkeypatch.setattr(EmbeddedPlanner, "_astream", fails)
    with pytest.raises(ConnectionError, match="429"):
        await planner.score(example)


def test_no_examples_are_no_success(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    assert run(tmp_path, "http://127.0.0.1:9", "-m", "evals.planner", "empty.jsonl").returncode == 1
