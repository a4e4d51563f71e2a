"""Identity on the real server: who comes in, whose threads are seen, and what never leaks."""

import asyncio
import base64
import hmac
import json
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from langgraph_sdk.errors import NotFoundError, PermissionDeniedError

from tests.server.conftest import probe_server
from tests.server_process import Server
from tests.signing import SECRET, token

STUDIO = {"x-auth-scheme": "langsmith"}
START = {"assistant_id": "probe", "input": {}}


def http(server: Server, **headers: str) -> httpx.AsyncClient:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.AsyncClient(base_url=server.url, headers=sent, timeout=30)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer"}, 401),
        ({"authorization": "Bearer nonsense"}, 401),
        ({"authorization": f"Basic {token()}"}, 401),
        ({"x_api_key": "nonsense"}, 401),
        ({"authorization": f"Bearer {token()}"}, 200),
        ({"authorization": f"bearer {token()}"}, 200),
        ({"x_api_key": token()}, 200),
        ({"authorization": f"Bearer {token()}", "x_api_key": "other client's"}, 200),
        ({"authorization": "Bearer nonsense", "x_api_key": token()}, 401),
        # Agent Chat UI names a scheme; only Studio's is the server's own, and its user has no role.
        ({"x_api_key": token(), "x_auth_scheme": "langsmith-api-key"}, 200),
        ({"x_api_key": "nonsense", "x_auth_scheme": "langsmith-api-key"}, 401),
        ({"x_api_key": token(), "x_auth_scheme": "langsmith"}, 403),
        ({"authorization": f"Bearer {token(exp=int(time.time()) - 60)}"}, 401),
        ({"authorization": f"Bearer {jwt.encode({'sub': 'a'}, None, algorithm='none')}"}, 401),
        ({"authorization": f"Bearer {token(role='root')}"}, 403),
        ({"authorization": f"Bearer {token(role=None)}"}, 403),
    ],
)
async def test_who_comes_in(probe: Server, headers: dict[str, str], status: int):
    async with http(probe, **headers) as client:
        answer = await client.post("/threads/search", json={})

    assert answer.status_code == status
    assert status == 200 or answer.json()["detail"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/threads/{id}"),
        ("GET", "/threads/{id}/state"),
        ("GET", "/threads/{id}/runs"),
        ("POST", "/threads"),
        ("POST", "/runs/wait"),
        ("GET", "/assistants/{id}"),
        ("POST", "/assistants/search"),
        ("GET", "/store/items?namespace=a&key=b"),
        ("POST", "/runs/crons/search"),
        ("POST", "/threads/{id}/commands"),
        ("POST", "/threads/{id}/stream/events"),
        ("GET", "/no/such/route"),
    ],
)
async def test_nobody_gets_anything_without_a_token(probe: Server, method: str, path: str):
    async with http(probe) as client:
        answer = await client.request(
            method, path.format(id=uuid.uuid4()), json={} if method == "POST" else None
        )

    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("claims", "seen"),
    [
        ({"name": "Olga P."}, ["olga", "operator", "Olga P.", None]),
        ({"environments": ["dev"]}, ["olga", "operator", "olga", ["dev"]]),
        ({"environments": []}, ["olga", "operator", "olga", []]),
    ],
)
async def test_the_graph_sees_the_user_of_the_token(
    probe: Server, claims: dict[str, Any], seen: list[Any]
):
    async with probe.client(token(**claims)) as client:
        values = await client.runs.wait(None, "probe", input={})

    assert values["seen"]["user"] == seen


@pytest.mark.parametrize(
    "claim",
    [
        {"config": {"configurable": {"role": "admin", "langgraph_auth_user": {"role": "admin"}}}},
        {"config": {"configurable": {"langgraph_auth_user_id": "root"}}},
        {"metadata": {"role": "admin", "owner": "root", "langgraph_auth_user": "root"}},
        {"input": {"role": "admin", "user": "root"}},
    ],
)
async def test_no_client_claims_a_role(probe: Server, claim: dict[str, Any]):
    async with http(probe, x_api_key=token(role="viewer")) as client:
        answer = await client.post("/runs/wait", json=START | claim)

    assert answer.json()["seen"]["user"][:2] == ["olga", "viewer"]


async def test_the_token_is_kept_nowhere(probe: Server):
    bearer = token(f"canary-{uuid.uuid4()}", name="Canary")
    kept: list[Any] = []
    async with probe.client(bearer) as client:
        thread = await client.threads.create()
        thread_id = thread["thread_id"]
        await client.runs.wait(thread_id, "probe", input={"ask": True})
        [run] = await client.runs.list(thread_id)
        kept += [
            run,
            await client.threads.get(thread_id),
            await client.threads.get_state(thread_id),
        ]
        kept += await client.threads.get_history(thread_id)
        async for part in client.runs.stream(None, "probe", input={}, stream_mode=["debug"]):
            kept.append(part)
    await asyncio.to_thread(probe.restart)  # so that it writes what it keeps

    disk = await asyncio.to_thread(everything_in, probe.folder)
    for secret in (bearer, bearer.rsplit(".", 1)[1], SECRET):
        assert secret not in repr(kept)
        assert secret.encode() not in disk
    assert b"canary-" in disk


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


# Owners ---------------------------------------------------------------------------------------


async def test_the_owner_is_the_token_s_and_stays(probe: Server):
    user = f"owner-{uuid.uuid4()}"
    async with probe.client(token(user)) as client:
        made = await client.threads.create(metadata={"owner": "eve", "topic": "x"})
        changed = await client.threads.update(made["thread_id"], metadata={"owner": "eve"})
        await client.threads.copy(made["thread_id"])
        await client.runs.wait(
            made["thread_id"],
            "probe",
            input={},
            metadata={"owner": "eve"},
            config={"metadata": {"owner": "eve"}},
        )
        await client.runs.wait(
            None, "probe", input={}, metadata={"owner": "eve"}, on_completion="keep"
        )
        fresh = str(uuid.uuid4())
        await client.runs.wait(fresh, "probe", input={}, if_not_exists="create")
        threads = await client.threads.search(limit=100)
        [run] = await client.runs.list(made["thread_id"])

    assert made["metadata"] == {"owner": user, "topic": "x"}
    assert changed["metadata"]["owner"] == user
    assert run["metadata"]["owner"] == user
    assert {thread["metadata"]["owner"] for thread in threads} == {user}
    assert {made["thread_id"], fresh} < {thread["thread_id"] for thread in threads}
    # The first, its copy, the one of the stateless run, and the one that a run made.
    assert len(threads) == 4


async def test_everyone_has_a_store_of_their_own(probe: Server):
    olga = f"olga.p-{uuid.uuid4()}@example.org"
    async with probe.client(token(olga)) as client:
        await client.store.put_item(["notes"], "k", {"v": 1})
        mine = await client.store.get_item(["notes"], "k")
        again = await client.store.get_item(mine["namespace"], "k")
        listed = await client.store.list_namespaces()

    assert mine["value"] == again["value"] == {"v": 1}
    assert listed["namespaces"] == [mine["namespace"]]


async def test_schedules_are_refused_with_words(probe: Server):
    async with probe.client(token("alice", "admin")) as client:
        thread = await client.threads.create()
        with pytest.raises(PermissionDeniedError, match="without anybody's role"):
            await client.crons.create("probe", schedule="* * * * *", input={})
        with pytest.raises(PermissionDeniedError, match="without anybody's role"):
            await client.crons.create_for_thread(
                thread["thread_id"], "probe", schedule="* * * * *", input={}
            )
        assert await client.crons.search() == []


async def test_assistants_are_read_by_all_and_made_by_admins(probe: Server):
    async with probe.client(token("vera", "viewer")) as client:
        [builtin] = await client.assistants.search(metadata={"created_by": "system"})
        assert (await client.assistants.get(builtin["assistant_id"]))["graph_id"] == "probe"
        with pytest.raises(PermissionDeniedError, match="role admin"):
            await client.assistants.create("probe", name="mine")
    async with probe.client(token("anna", "admin")) as client:
        made = await client.assistants.create(
            "probe", metadata={"owner": "eve"}, context={"language": "ru"}
        )
        # Nobody changes what everybody uses.
        with pytest.raises(NotFoundError):
            await client.assistants.update(
                builtin["assistant_id"], graph_id="probe", context={"language": "ru"}
            )
        with pytest.raises(NotFoundError):
            await client.assistants.delete(builtin["assistant_id"])
    async with probe.client(token("vera", "viewer")) as client:
        values = await client.runs.wait(None, made["assistant_id"], input={})
    async with probe.client(token("anna", "admin")) as client:
        await client.assistants.delete(made["assistant_id"])

    assert made["metadata"]["owner"] == "anna"
    assert values["seen"]["user"][:2] == ["vera", "viewer"]
    assert values["seen"]["context"]["language"] == "ru"


# Studio ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/threads", {}),
        ("POST", "/threads/search", {}),
        ("GET", "/threads/{id}", None),
        ("GET", "/threads/{id}/state", None),
        ("POST", "/threads/{id}/commands", {"id": 1, "method": "run.start", "params": START}),
        ("POST", "/runs/wait", START),
        ("POST", "/runs/stream", START),
        ("POST", "/assistants/search", {}),
        ("PUT", "/store/items", {"namespace": ["a"], "key": "k", "value": {}}),
        ("POST", "/runs/crons/search", {}),
        ("GET", "/no/such/route", None),
    ],
)
async def test_studio_gets_nothing_by_default(probe: Server, method: str, path: str, body: Any):
    async with http(probe, **{"x-auth-scheme": "langsmith"}) as client:
        answer = await client.request(method, path.format(id=uuid.uuid4()), json=body)

    assert answer.status_code == 403
    assert "Access denied" in answer.json()["detail"]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with probe_server(tmp_path_factory.mktemp("studio"), STUDIO_ROLE="viewer") as server:
        yield server


async def test_studio_has_the_role_it_is_given_and_no_more(studio: Server):
    async with studio.client(token("alice")) as client:
        hidden = await client.threads.create()

    async with http(studio, **STUDIO) as client:
        run = await client.post("/runs/wait", json=START)
        threads = await client.post("/threads/search", json={})
        other = await client.get(f"/threads/{hidden['thread_id']}")
        assistant = await client.post("/assistants", json={"graph_id": "probe"})

    assert run.json()["seen"]["user"][:2] == ["langgraph-studio-user", "viewer"]
    assert threads.json() == []
    assert (other.status_code, assistant.status_code) == (404, 403)


# Broken deployments ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("env", "complaint"),
    [
        ({"PILOTHOUSE_JWT_SECRET": ""}, "PILOTHOUSE_JWT_SECRET must be set"),
        ({"PILOTHOUSE_JWT_SECRET": "short", "STUDIO_ROLE": "admin"}, "at least 32 bytes"),
    ],
)
def test_without_a_secret_nobody_comes_in(tmp_path: Path, env: dict[str, str], complaint: str):
    with probe_server(tmp_path, **env) as server:
        signed = httpx.post(f"{server.url}/threads/search", json={}, headers={"x-api-key": token()})
        forged = forge({"sub": "a", "role": "admin", "exp": time.time() + 60}, env)
        guessed = httpx.post(f"{server.url}/threads/search", json={}, headers={"x-api-key": forged})
        by_studio = httpx.post(f"{server.url}/threads/search", json={}, headers=STUDIO)
        log = server.log

    assert (signed.status_code, guessed.status_code, by_studio.status_code) == (401, 401, 403)
    assert "log" in signed.json()["detail"]
    assert complaint in log


def forge(claims: dict[str, Any], env: dict[str, str]) -> str:
    """A token signed with a key that the library refuses to sign with."""
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    text = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    signature = hmac.digest(env["PILOTHOUSE_JWT_SECRET"].encode(), text, "sha256")
    return (text + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()
