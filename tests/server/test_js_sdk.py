"""The main job with the JavaScript SDK, run by Node.js against the real server."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from demo.supersets import Pair
from tests.server.deployment import forget_events, token_for
from tests.server_process import Server

HERE = Path(__file__).with_name("js")
STREAMED = {"custom", "messages", "metadata", "updates", "values"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with its packages, exactly those of the lock."""
    folder = tmp_path_factory.mktemp("js")
    for name in ("package.json", "package-lock.json", ".npmrc", "main_job.mjs"):
        shutil.copy(HERE / name, folder / name)
    subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True, timeout=240)
    return folder / "main_job.mjs"


def test_the_main_job(program: Path, agent: Server, pair: Pair) -> None:
    forget_events(agent)
    page = {
        "objectType": "dashboard",
        "objectId": "1",
        "envId": "ss-dev",
        "route": "/superset/dashboard/1/",
        "contextVersion": 1,
    }
    env = {
        "SERVER_URL": agent.url,
        "SERVER_TOKEN": token_for(agent, "operator"),
        "JOB_CONTEXT": json.dumps({"ui": page, "language": "en"}),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }
    made = subprocess.run(
        ["node", program.name],
        check=False,
        cwd=program.parent,
        env=env,
        capture_output=True,
        timeout=120,
    )
    assert made.returncode == 0, made.stderr.decode()
    seen = json.loads(made.stdout)
    (card,) = seen["asked"]["cards"]
    assert card["action_requests"][0]["name"] == "start_maintenance"
    assert card["guardrail"]["cards"][0]["environment"]["id"] == "ss-dev"
    assert set(seen["asked"]["kinds"]) >= {"custom", "updates", "values"}
    assert "It did not run" in seen["rejected"]["answer"]
    assert seen["rejected"]["cards"] == []
    assert len(seen["again"]["cards"]) == len(seen["ending"]["cards"]) == 1
    assert "the banner is on USA Births Names" in seen["started"]["answer"]
    assert set(seen["started"]["kinds"]) >= STREAMED - {"custom"}
    assert seen["started"]["said"] == seen["started"]["answer"]
    assert seen["ended"]["cards"] == []
    assert "USA Births Names" in seen["ended"]["answer"]
    assert seen["history"] > 10
