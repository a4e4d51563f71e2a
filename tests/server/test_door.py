"""The door on the real server: every route that can start or store a run, and no other way in."""

import asyncio
import json
import uuid
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.server.known_routes import HIDDEN_ROUTES, META_ROUTES, PAGE_ROUTES
from tests.server_process import Server
from tests.signing import token
from tools.records import AuditRow, Records

BAD = {"ui": {"objectType": "dashboard", "objectId": "10'"}}
BAD_FIELD = ["context", "ui", "objectId"]
COMMAND = {"id": 1, "method": "run.start"}
START = {"assistant_id": "probe", "input": {}}

RUN_ROUTES: dict[tuple[str, str], tuple[Any, list[Any]]] = {
    ("POST", "/runs"): (START | {"context": BAD}, BAD_FIELD),
    ("POST", "/runs/wait"): (START | {"context": BAD}, BAD_FIELD),
    ("POST", "/runs/stream"): (START | {"context": BAD}, BAD_FIELD),
    ("POST", "/runs/batch"): ([START, START | {"context": BAD}], [1, *BAD_FIELD]),
    ("POST", "/runs/crons"): (START | {"schedule": "* * * * *", "context": BAD}, BAD_FIELD),
    ("PATCH", "/runs/crons/{cron_id}"): ({"context": BAD}, BAD_FIELD),
    ("POST", "/threads/{thread_id}/runs"): (START | {"context": BAD}, BAD_FIELD),
    ("POST", "/threads/{thread_id}/runs/wait"): (START | {"context": BAD}, BAD_FIELD),
    ("POST", "/threads/{thread_id}/runs/stream"): (START | {"context": BAD}, BAD_FIELD),
    ("POST", "/threads/{thread_id}/runs/crons"): (
        START | {"schedule": "* * * * *", "context": BAD},
        BAD_FIELD,
    ),
    ("POST", "/threads/{thread_id}/commands"): (
        COMMAND | {"params": START | {"context": BAD}},
        ["params", *BAD_FIELD],
    ),
    ("POST", "/assistants"): ({"graph_id": "probe", "context": BAD}, BAD_FIELD),
    ("PATCH", "/assistants/{assistant_id}"): ({"context": BAD}, BAD_FIELD),
}
"""Every route that can start or store a run, a request with a bad context, and the bad field."""

OTHER_ROUTES = {
    # They read, or they change what holds no context; the door reads their bodies nevertheless.
    ("POST", "/assistants/search"),
    ("POST", "/assistants/count"),
    ("POST", "/assistants/{assistant_id}/latest"),
    ("POST", "/assistants/{assistant_id}/versions"),
    ("DELETE", "/assistants/{assistant_id}"),
    ("POST", "/runs/cancel"),
    ("POST", "/runs/crons/search"),
    ("POST", "/runs/crons/count"),
    ("DELETE", "/runs/crons/{cron_id}"),
    ("POST", "/threads"),
    ("POST", "/threads/search"),
    ("POST", "/threads/count"),
    ("POST", "/threads/prune"),
    ("PATCH", "/threads/{thread_id}"),
    ("DELETE", "/threads/{thread_id}"),
    ("POST", "/threads/{thread_id}/copy"),
    ("POST", "/threads/{thread_id}/history"),
    ("POST", "/threads/{thread_id}/state"),
    ("POST", "/threads/{thread_id}/state/checkpoint"),
    ("POST", "/threads/{thread_id}/stream/events"),
    ("POST", "/threads/{thread_id}/runs/{run_id}/cancel"),
    ("DELETE", "/threads/{thread_id}/runs/{run_id}"),
    # They start nothing.
    ("PUT", "/store/items"),
    ("DELETE", "/store/items"),
    ("POST", "/store/items/search"),
    ("POST", "/store/namespaces"),
    # It notes a second person's decision in the ledger, and starts nothing.
    ("POST", "/agent/approvals"),
    # They do not exist for clients.
    ("POST", "/internal/truncate"),
    ("POST", "/deploy"),
}
SOCKETS = {("WEBSOCKET", "/threads/{thread_id}/stream/events")}


def test_every_route_is_known_and_stands_behind_the_door(routes: Any):
    found = {(method, path) for methods, path, _, _ in routes for method in methods}
    changing = {(method, path) for method, path in found if method not in ("GET", "HEAD")}

    assert changing == set(RUN_ROUTES) | OTHER_ROUTES | SOCKETS
    assert [path for _, path, guarded, _ in routes if not guarded] == []
    assert not any("mcp" in path or "a2a" in path or "agent-card" in path for _, path in found)


def test_nothing_but_the_page_is_open_to_who_is_not_signed_in(routes: Any):
    public = {path for _, path, _, signed_in in routes if not signed_in}
    methods = {method for names, path, _, _ in routes if path in PAGE_ROUTES for method in names}

    assert public - HIDDEN_ROUTES == META_ROUTES | PAGE_ROUTES
    assert methods == {"GET", "HEAD"}


@pytest.mark.parametrize("bearer", [None, "no token", "the page asks for none"])
async def test_the_page_needs_no_token_and_opens_nothing_else(probe: Server, bearer: str | None):
    async with client(probe, bearer) as http:
        for path in PAGE_ROUTES - {"/agent/"}:
            answer = await http.get(path)
            assert (answer.status_code, len(answer.content) > 0) == (200, True), path
            assert "default-src 'none'" in answer.headers["content-security-policy"]
        others = [
            *(("GET", f"/agent/{name}") for name in ("x", "page.py", "..%2fthreads", "modules/")),
            *(("GET", path) for path in ("/agents", "/agent/../threads/search", "/agent//threads")),
            *((method, "/agent") for method in ("POST", "PUT", "PATCH", "DELETE")),
        ]
        for method, path in others:
            assert (await http.request(method, path)).status_code == 401, (method, path)


async def new_thread(http: httpx.AsyncClient) -> str:
    answer = await http.post("/threads", json={})
    assert answer.status_code == 200, answer.text
    thread_id: str = answer.json()["thread_id"]
    return thread_id


def client(server: Server, bearer: str | None) -> httpx.AsyncClient:
    headers = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
    return httpx.AsyncClient(base_url=server.url, headers=headers, timeout=30)


def place(path: str, thread_id: str) -> str:
    return path.format(thread_id=thread_id, cron_id=uuid.uuid4(), assistant_id=uuid.uuid4())


@pytest.mark.parametrize("route", RUN_ROUTES, ids=" ".join)
async def test_a_bad_context_is_422_and_makes_no_run(probe: Server, route: tuple[str, str]):
    body, loc = RUN_ROUTES[route]
    user = f"door-{uuid.uuid4()}"
    async with client(probe, token(user, "admin")) as http:
        thread_id = await new_thread(http)
        path = place(route[1], thread_id)

        answer = await http.request(route[0], path, json=body)
        threads = (await http.post("/threads/search", json={})).json()
        runs = (await http.get(f"/threads/{thread_id}/runs")).json()

    assert answer.status_code == 422, answer.text
    assert [problem["loc"] for problem in answer.json()["detail"]] == [["body", *loc]]
    assert [thread["thread_id"] for thread in threads] == [thread_id]
    assert runs == []
    [row] = await asyncio.to_thread(audit, probe, user)
    assert row.kind == "context_rejected"
    assert row.detail["route"] == f"{route[0]} {path}"
    assert row.detail["problems"][0]["loc"] == ".".join(map(str, loc))
    assert row.thread_id == (thread_id if "{thread_id}" in route[1] else None)


@pytest.mark.parametrize("route", RUN_ROUTES, ids=" ".join)
async def test_who_is_not_signed_in_learns_nothing_of_contexts(
    probe: Server, route: tuple[str, str]
):
    async with client(probe, None) as http:
        answer = await http.request(
            route[0], place(route[1], str(uuid.uuid4())), json=RUN_ROUTES[route][0]
        )

    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({"context": {"role": "admin"}}, ["context", "role"]),
        ({"context": {"ui": {"envId": "nowhere"}}}, ["context", "ui", "envId"]),
        (
            {"config": {"configurable": {"ui": {"objectId": "x"}}}},
            ["config", "configurable", "ui", "objectId"],
        ),
        (
            {"config": {"configurable": {"language": "de", "other": 1}}},
            ["config", "configurable", "language"],
        ),
    ],
)
async def test_context_and_configurable_are_both_judged(
    probe: Server, body: dict[str, Any], loc: list[str]
):
    async with client(probe, token()) as http:
        answer = await http.post("/runs/wait", json=START | body)

    assert answer.status_code == 422
    assert [problem["loc"] for problem in answer.json()["detail"]] == [["body", *loc]]


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({}, {"ui": None, "language": None}),
        ({"context": {"language": "ru"}}, {"ui": None, "language": "ru"}),
        ({"config": {"configurable": {"language": "en", "x": 1}}}, {"ui": None, "language": "en"}),
    ],
)
async def test_sound_contexts_reach_the_graph(
    probe: Server, given: dict[str, Any], seen: dict[str, Any]
):
    async with client(probe, token()) as http:
        answer = await http.post("/runs/wait", json=START | given)

    assert answer.json()["seen"]["context"] == seen


async def test_long_bodies_are_413(probe: Server):
    async def pieces() -> Any:
        for _ in range(300):
            yield b" " * 1000

    async with client(probe, token()) as http:
        announced = await http.post("/runs/wait", content=b" " * 300_000)
        chunked = await http.post("/runs/wait", content=pieces())
        elsewhere = await http.put("/store/items", content=b" " * 300_000)

    assert [answer.status_code for answer in (announced, chunked, elsewhere)] == [413] * 3


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/internal/debug/thread/1"),
        ("POST", "/internal/truncate"),
        ("GET", "/deploy"),
        ("POST", "/deploy"),
        ("GET", "/deploy/1/stream"),
    ],
)
@pytest.mark.parametrize("bearer", [None, "admin"])
async def test_development_routes_do_not_exist(
    probe: Server, method: str, path: str, bearer: str | None
):
    async with client(probe, bearer and token(role=bearer)) as http:
        answer = await http.request(method, path)

    assert answer.status_code == 404
    assert answer.json() == {"detail": "Not Found"}


@pytest.mark.parametrize("path", ["/mcp", "/a2a/probe", "/.well-known/agent-card.json"])
async def test_other_protocols_are_off(probe: Server, path: str):
    async with client(probe, token(role="admin")) as http:
        answer = await http.post(path, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})

    assert answer.status_code in (404, 405)


async def test_metrics_are_for_this_machine(probe: Server):
    async with client(probe, None) as http:
        assert (await http.get("/metrics")).status_code == 200
        distant = await http.get("/metrics", headers={"x-forwarded-for": "198.51.100.7"})

    assert distant.status_code == 404


async def test_the_stream_socket_answers_a_bad_context_and_starts_no_run(probe: Server):
    user = f"socket-{uuid.uuid4()}"
    bearer = token(user)
    async with client(probe, bearer) as http:
        thread_id = await new_thread(http)
        url = f"{probe.url.replace('http', 'ws')}/threads/{thread_id}/stream/events"
        async with connect(url, additional_headers={"Authorization": f"Bearer {bearer}"}) as socket:
            await socket.send(json.dumps(COMMAND | {"params": START | {"context": BAD}}))
            refused = json.loads(await socket.recv())
            runs = (await http.get(f"/threads/{thread_id}/runs")).json()
            await socket.send(json.dumps(COMMAND | {"id": 2, "params": START}))
            started = json.loads(await socket.recv())

    assert (refused["type"], refused["error"], refused["id"]) == ("error", "invalid_context", 1)
    assert refused["detail"][0]["loc"] == ["body", "params", *BAD_FIELD]
    assert runs == []
    assert (started["type"], started["id"]) == ("success", 2)
    [row] = await asyncio.to_thread(audit, probe, user)
    assert (row.kind, row.thread_id) == ("context_rejected", thread_id)


@pytest.mark.parametrize("headers", [{}, {"x-auth-scheme": "langsmith"}])
async def test_the_stream_socket_opens_for_nobody_else(probe: Server, headers: dict[str, str]):
    url = f"{probe.url.replace('http', 'ws')}/threads/{uuid.uuid4()}/stream/events"

    with pytest.raises(InvalidStatus):
        async with connect(url, additional_headers=headers):
            pass


def audit(server: Server, user: str) -> list[AuditRow]:
    """The audit rows that the server's process wrote about a user."""
    records = Records.open(f"sqlite:///{server.folder / 'records.db'}")
    try:
        return records.audit.list(user_id=user)
    finally:
        records.close()
