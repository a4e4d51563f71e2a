"""No secret anywhere: not told by a route, not in a log, not on the disk, not to the model."""

import base64
import gzip
import json
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest

from demo.supersets import Pair
from tests.openai_stub import Stub, openai_stub
from tests.server import canary_superset
from tests.server.canaries import holds, unpacked
from tests.server.canary_job import Job, secret_headers
from tests.server.canary_routes import Routes
from tests.server.canary_superset import Witness, echo
from tests.server.crash_proxy import proxy_to
from tests.server.deployment import agent_server
from tests.server.person import PEERS
from tests.server_process import Server

ENVIRONMENT = """
[environments.{name}]
title = "{name}"
stage = "dev"
url = "{url}"
[[environments.{name}.credentials]]
roles = ["admin"]
{login}
"""
LOGINS = {
    "ss-key": 'api_key_env = "CANARY_KEY"',
    "ss-cookie": 'session_cookie_env = "CANARY_COOKIE"',
    "ss-wrong": 'username = "robot"\npassword_env = "CANARY_WRONG"',
    "ss-echo": f'username = "{canary_superset.GUEST}"\npassword_env = "CANARY_ECHO"',
}
GIVEN = ("CANARY_KEY", "CANARY_COOKIE", "CANARY_WRONG", "CANARY_ECHO", "CANARY_MODEL")
TOKENS = ("the user's token", "the same as x-api-key", "a refused token")
HEARD = ("access", "csrf", "session")
SECRETS = [*TOKENS, *HEARD, *GIVEN, "signing key", "passwords", "echoed tokens", "headers"]
GIVEN_FILES = {".env", "pilothouse.toml", "langgraph.json"}
"""What the operator wrote."""


@dataclass
class Found:
    """What is left after the job.

    Attributes:
        kept: What was told or kept, by place.
        secrets: The secrets, by name.
        job: The user.
        stub: The model.
    """

    kept: dict[str, bytes]
    secrets: dict[str, set[str]]
    job: Job
    stub: Stub

    def places(self, secret: str) -> set[str]:
        return {place for place, content in self.kept.items() if holds(content, secret)}


@pytest.fixture(scope="module")
def found(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """The job done on a server of its own, and everything that it left."""
    supersets.reset()
    folder = tmp_path_factory.mktemp("canary")
    given = {name: f"{name.lower()}-{uuid4().hex}" for name in GIVEN}
    with openai_stub([]) as stub, echo() as url, proxy_to(supersets.dev.url, Witness) as witness:
        more = f'[model]\nbase_url = "{stub.base_url}"\napi_key_env = "CANARY_MODEL"\n{PEERS}'
        more += "".join(
            ENVIRONMENT.format(name=name, url=url, login=login) for name, login in LOGINS.items()
        )
        server = agent_server(supersets, folder, more, PILOTHOUSE_MODEL="openai:stub", **given)
        settings = folder / "pilothouse.toml"
        told = settings.read_text(encoding="utf-8").replace(supersets.dev.url, witness.url)
        settings.write_text(told, encoding="utf-8")
        with server, closing(Job(server, stub)) as job:
            job.work()
            Routes(job).everything()
            running = on_disk(folder)
        kept = job.told | {f"running {name}": content for name, content in running.items()}
        kept |= audits(server) | records(folder) | on_disk(folder)
        kept["model"] = json.dumps([stub.requests, [hidden(one) for one in stub.headers]]).encode()
        found = {place: unpacked(content) for place, content in kept.items()}
        yield Found(found, secrets_of(job, witness, supersets, given), job, stub)


def hidden(headers: dict[str, str]) -> dict[str, str]:
    """What the model's provider got, but for the key, which is the provider's own."""
    return {name: value for name, value in headers.items() if name != "authorization"}


def secrets_of(
    job: Job, witness: Witness, pair: Pair, given: dict[str, str]
) -> dict[str, set[str]]:
    tokens = dict(zip(TOKENS, (job.bearer, job.key, job.outsider), strict=True))
    accounts = [*pair.dev.accounts.values(), *pair.prod.accounts.values()]
    echoed = vars(canary_superset)
    return {
        **{name: {token, token.rsplit(".", 1)[1]} for name, token in tokens.items()},
        **witness.heard,
        **{name: {value} for name, value in given.items()},
        "signing key": {job.server.env["PILOTHOUSE_JWT_SECRET"]},
        "passwords": {password for _, password in accounts},
        "echoed tokens": {echoed[name] for name in ("ACCESS", "REFRESH", "CSRF", "SESSION")},
        "headers": set(secret_headers()),
    }


def on_disk(folder: Path) -> dict[str, bytes]:
    """Each file that the server wrote."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in files
        if path.name not in GIVEN_FILES
    }


def records(folder: Path) -> dict[str, bytes]:
    """The records row by row: a long text lies on several pages of the file."""
    with closing(sqlite3.connect(folder / "records.db")) as database:
        return {"records": "\n".join(database.iterdump()).encode()}


def audits(server: Server) -> dict[str, bytes]:
    """The audit as its command shows it."""
    actions = {"export": [], "list": ["--limit", "1000"], "stats": []}
    return {
        f"audit {action}": subprocess.run(
            [Path(sys.executable).with_name("pilothouse"), "audit", action, *options],
            cwd=server.folder,
            env=server._environment(),
            capture_output=True,
            check=True,
        ).stdout
        for action, options in actions.items()
    }


@pytest.mark.parametrize("name", SECRETS)
def test_no_secret_is_told_or_kept(found: Found, name: str) -> None:
    assert found.secrets[name]
    assert {place for secret in found.secrets[name] for place in found.places(secret)} == set()


HIDING = {"server.log", "running server.log", "audit export", "audit list", "audit stats"}
HIDING |= {"refused context", "refused token"}


def test_what_is_typed_by_mistake_reaches_neither_the_log_nor_the_audit(found: Found) -> None:
    places = found.places(found.job.typed)

    assert places & HIDING == set()
    # It was typed: what the user said is the user's to read.
    assert {"GET /threads/{thread_id}/state", "card", "records", "model"} <= places


CONTROLLED = {
    *(f"stream {name}" for name in ("values", "updates", "debug", "custom", "messages")),
    *(f"stream {name}" for name in ("events", "tasks", "checkpoints")),
    *(f"GET /threads/{{thread_id}}{part}" for part in ("", "/state", "/history", "/runs")),
    *(f"GET /threads/{{thread_id}}/runs/{{run_id}}{part}" for part in ("", "/join", "/stream")),
    "GET /threads/{thread_id}/state/{checkpoint_id}",
    "POST /threads/{thread_id}/state/checkpoint",
    "POST /threads/{thread_id}/history",
    "POST /threads/{thread_id}/stream/events",
    "WEBSOCKET socket",
    *("POST /threads/search", "POST /assistants/search", "POST /store/items/search"),
    "GET /store/items",
    "GET /assistants/{assistant_id}",
    *("GET /agent/approvals of a peer", "card", "error", "model"),
    *("audit export", "audit list", "records", "records.db", "running records.db-wal"),
    *("server.log", ".langgraph_api/.langgraph_checkpoint.3.pckl"),
}


def test_the_search_finds_what_stands_where_nothing_forbids_it(found: Found) -> None:
    """The control: without it a search that reads the wrong things would find no secret either."""
    assert CONTROLLED - found.places(found.job.mark) == set()


def test_every_secret_was_in_use(found: Found) -> None:
    [*keys] = {one["authorization"] for one in found.stub.headers}
    assert keys == [f"Bearer {found.job.model_key}"]
    assert all(found.secrets[name] for name in SECRETS)
    # The Superset that says back what it hears did so.
    assert b"[secret]" in found.kept["error"]


SECRET = 'a "secret"/ü+1'


@pytest.mark.parametrize(
    "content",
    [
        SECRET.encode(),
        json.dumps({"a": SECRET}).encode(),
        json.dumps({"a": SECRET}, ensure_ascii=False).encode(),
        quote(SECRET, safe="").encode(),
        SECRET.encode().hex().encode(),
        *(base64.b64encode(b"x" * shift + SECRET.encode() + b"yz") for shift in range(4)),
        base64.urlsafe_b64encode(b"x" + SECRET.encode()),
        b"head" + gzip.compress(SECRET.encode(), mtime=0) + b"tail",
        b"x\x9c" + zlib.compress(json.dumps(SECRET).encode()),
    ],
)
def test_the_search_knows_every_form(content: bytes) -> None:
    assert holds(unpacked(b"before " + content + b" after"), SECRET)
    assert not holds(unpacked(content), SECRET.replace("secret", "sekret"))
