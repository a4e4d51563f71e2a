"""The main job with the JavaScript SDK, run by Node.js against the real server."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from demo.supersets import Pair
from scripts.layout import ROOT
from tests.server.deployment import forget_events, layout, on_usa, token_for
from tests.server_process import Server
from tools.clients.layout import layout_hash

HERE = Path(__file__).with_name("js")
PAGE = {
    "objectType": "dashboard",
    "objectId": "1",
    "envId": "ss-dev",
    "route": "/superset/dashboard/1/",
    "contextVersion": 1,
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with its packages, exactly those of the lock."""
    folder = tmp_path_factory.mktemp("js")
    for name in ("package.json", "package-lock.json", ".npmrc", "main_job.mjs"):
        shutil.copy(HERE / name, folder / name)
    subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True, timeout=240)
    return folder / "main_job.mjs"


@pytest.fixture
def node(program: Path, agent: Server) -> Callable[..., dict[str, Any]]:
    """Run a step of the program; gives what it printed."""
    env = {
        "SERVER_URL": agent.url,
        "SERVER_TOKEN": token_for(agent, "operator"),
        "JOB_CONTEXT": json.dumps({"ui": PAGE, "language": "en"}),
        "PATH": os.environ["PATH"],
    }

    def run(*arguments: str) -> dict[str, Any]:
        command = ["node", str(program), *arguments]
        made = subprocess.run(command, check=False, env=env, capture_output=True, timeout=120)
        assert made.returncode == 0, made.stderr.decode()
        seen: dict[str, Any] = json.loads(made.stdout)
        return seen

    return run


def test_the_main_job(node: Callable[..., dict[str, Any]], agent: Server, pair: Pair) -> None:
    forget_events(agent)
    before = layout_hash(layout(pair))
    seen = node("begin")
    (card,) = seen["asked"]["cards"]
    assert card["action_requests"][0]["name"] == "start_maintenance"
    assert card["guardrail"]["cards"][0]["environment"]["id"] == "ss-dev"
    assert set(seen["asked"]["kinds"]) >= {"custom", "metadata", "updates", "values"}
    assert "It did not run" in seen["rejected"]["answer"]
    assert seen["rejected"]["cards"] == []
    assert len(seen["again"]["cards"]) == 1
    assert "the banner is on USA Births Names" in seen["started"]["answer"]
    assert set(seen["started"]["kinds"]) >= {"messages", "metadata", "updates", "values"}
    assert seen["started"]["said"] == seen["started"]["answer"]
    assert len(on_usa(pair)) == 1

    seen = node("end", seen["thread"])
    assert len(seen["ending"]["cards"]) == 1
    assert seen["ended"]["cards"] == []
    assert "USA Births Names" in seen["ended"]["answer"]
    assert seen["history"] > 10
    assert layout_hash(layout(pair)) == before


def test_the_documented_program_runs(program: Path, agent: Server, pair: Pair) -> None:
    forget_events(agent)
    documented = re.search(
        r"```js\n(.*?)```", (ROOT / "docs" / "clients.md").read_text(), re.DOTALL
    )
    assert documented is not None
    given = {"apiUrl": agent.url, "token": token_for(agent, "operator"), "page": PAGE}
    text = f"Object.assign(globalThis, {json.dumps(given)});\n{documented[1]}"
    file = program.with_name("documented.mjs")
    file.write_text(text, encoding="utf-8")
    env = {"PATH": os.environ["PATH"]}
    subprocess.run(["node", file.name], check=True, cwd=file.parent, env=env, timeout=120)
    assert len(on_usa(pair)) == 1
