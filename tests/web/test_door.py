"""The door as ASGI middleware, around an app that reports what reached it."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from tools.context import Role
from web.door import Door, DoorPolicy, Rejection

THREAD = "0f3ad5a2-25fe-4d0a-8a4c-2b6a6d1f0001"
LIMIT = 100_000
USER = {"identity": "olga", "role": "operator", "environments": None}
UI = {"objectType": "dashboard", "objectId": "10", "envId": "dev", "route": "/dashboards/10"}


@dataclass
class World:
    """A door, the app behind it, and what the app and the audit got."""

    reached: list[Any] = field(default_factory=list)
    audited: list[Rejection] = field(default_factory=list)
    broken_audit: bool = False
    user: Any = field(default_factory=lambda: dict(USER))
    studio_role: Role | None = None

    async def resolve(self, thread_id: str, user_id: str) -> None:
        raise AssertionError("nothing was resolved")

    async def audit(self, rejection: Rejection) -> None:
        if self.broken_audit:
            raise OSError("disk full")
        self.audited.append(rejection)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Authenticate as the server does, then go through the door."""
        if self.user is not None:
            scope["user"] = self.user
        await self.door(scope, receive, send)

    def __post_init__(self) -> None:
        policy = DoorPolicy(
            {"dev": 1, "prod": 1}, self.studio_role, LIMIT, self.audit, self.resolve
        )
        inner = Starlette(
            routes=[
                WebSocketRoute("/threads/{id}/stream/events", self.socket),
                Route("/{path:path}", self.http, methods=["GET", "POST", "PATCH", "PUT", "DELETE"]),
            ]
        )
        self.door = Door(inner, policy)

    async def http(self, request: Request) -> JSONResponse:
        self.reached.append(await request.body())
        return JSONResponse({"reached": request.url.path})

    async def socket(self, websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            while True:
                frame = await websocket.receive_text()
                self.reached.append(frame)
                await websocket.send_json({"type": "success"})
        except WebSocketDisconnect:
            return

    def client(self, address: str = "127.0.0.1") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://server")


@pytest.fixture
def world() -> World:
    return World()


RUN_ROUTES = [
    ("POST", "/runs"),
    ("POST", "/runs/wait"),
    ("POST", "/runs/stream"),
    ("POST", "/runs/crons"),
    ("PATCH", "/runs/crons/1"),
    ("POST", f"/threads/{THREAD}/runs"),
    ("POST", f"/threads/{THREAD}/runs/wait"),
    ("POST", f"/threads/{THREAD}/runs/stream"),
    ("POST", f"/threads/{THREAD}/runs/crons"),
    ("POST", "/assistants"),
    ("PATCH", "/assistants/1"),
    ("POST", "/threads"),
]


@pytest.mark.parametrize(("method", "path"), RUN_ROUTES)
async def test_a_bad_context_is_422_and_names_the_field(world: World, method: str, path: str):
    async with world.client() as client:
        answer = await client.request(
            method, path, json={"context": {"ui": UI | {"objectId": "x'"}}, "input": {}}
        )

    assert answer.status_code == 422
    [problem] = answer.json()["detail"]
    assert problem["loc"] == ["body", "context", "ui", "objectId"]
    assert set(problem) == {"loc", "msg", "type"}
    assert world.reached == []
    [rejection] = world.audited
    assert rejection.user_id == "olga"
    assert rejection.thread_id == (THREAD if THREAD in path else None)
    assert rejection.route == f"{method} {path}"


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({"context": {"role": "admin"}}, ["context", "role"]),
        ({"context": {"ui": {"role": "admin"}}}, ["context", "ui", "role"]),
        ({"context": {"ui": UI | {"objectType": "invalid"}}}, ["context", "ui", "objectType"]),
        ({"context": {"ui": UI | {"objectId": 10}}}, ["context", "ui", "objectId"]),
        ({"context": {"ui": UI | {"objectName": "x" * 257}}}, ["context", "ui", "objectName"]),
        ({"context": {"ui": UI | {"envId": "nowhere"}}}, ["context", "ui", "envId"]),
        ({"context": {"ui": UI | {"route": "//evil"}}}, ["context", "ui", "route"]),
        ({"context": {"ui": UI | {"contextVersion": 2}}}, ["context", "ui", "contextVersion"]),
        ({"context": {"language": "de"}}, ["context", "language"]),
        ({"context": "ru"}, ["context"]),
        ({"context": []}, ["context"]),
        (
            {"config": {"configurable": {"ui": {"x": 1}}}},
            ["config", "configurable", "ui", "x"],
        ),
        (
            {"config": {"configurable": {"language": "de", "thread_id": "t"}}},
            ["config", "configurable", "language"],
        ),
        ({"checkpoint": {"ui": {"x": 1}}}, ["checkpoint", "ui", "x"]),
        (
            {"id": 1, "method": "run.start", "params": {"context": {"role": "admin"}}},
            ["params", "context", "role"],
        ),
        (
            {"params": {"config": {"configurable": {"language": 1}}}},
            ["params", "config", "configurable", "language"],
        ),
        ([{"input": {}}, {"context": {"role": "admin"}}], [1, "context", "role"]),
    ],
)
async def test_each_place_of_a_context_is_judged(world: World, body: Any, loc: list[Any]):
    async with world.client() as client:
        answer = await client.post(f"/threads/{THREAD}/commands", json=body)

    assert answer.status_code == 422
    assert [problem["loc"] for problem in answer.json()["detail"]] == [["body", *loc]]


async def test_an_oversized_context_is_refused(world: World):
    context = {"ui": UI | {"route": "/" + "ж" * 511, "objectName": "ж" * 256}}
    assert len(json.dumps(context, ensure_ascii=False).encode()) < 4096
    fat = orjson.dumps({"context": context}).replace(b'{"ui"', b"{" + b" " * 5000 + b'"ui"')

    async with world.client() as client:
        # Blanks are no payload; 2,000 emoji in a name are too many characters anyway.
        assert (await client.post("/runs", content=fat)).status_code == 200
        answer = await client.post("/runs", json={"context": {"ui": {"objectName": "😀" * 2000}}})

    assert answer.status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"context": None},
        {"context": {}},
        {"context": {"ui": UI, "language": "ru"}},
        {"context": {"ui": None, "language": None}},
        {"config": {"configurable": {"thread_id": "t", "checkpoint_ns": "", "role": "admin"}}},
        {"config": {"configurable": {"ui": UI, "language": "en"}}},
        {"config": {"configurable": None}},
        {"config": None},
        {"config": []},
        {"input": {"context": {"role": "admin"}}},
        [],
        [None, 1, "x"],
        "text",
        None,
    ],
)
async def test_other_bodies_reach_the_server_byte_for_byte(world: World, body: Any):
    raw = orjson.dumps(body, option=orjson.OPT_INDENT_2)

    async with world.client() as client:
        answer = await client.post("/runs", content=raw, headers={"content-type": "text/plain"})

    assert answer.status_code == 200
    assert world.reached == [raw]
    assert world.audited == []


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b'{"context": NaN}',
        b"\xff\xfe{\x00}\x00",
        '{"context": {"language": "de"}}'.encode("utf-16"),
        b'{"context":' * 2000,
        b'{"a": "\\ud800"}',
    ],
)
async def test_what_the_server_could_read_otherwise_is_refused(world: World, raw: bytes):
    async with world.client() as client:
        answer = await client.post("/runs/stream", content=raw)

    assert answer.status_code == 422
    assert answer.json()["detail"][0]["type"] == "json_invalid"
    assert world.reached == []


async def test_the_last_of_two_equal_keys_counts_as_it_does_in_the_server(world: World):
    async with world.client() as client:
        answer = await client.post("/runs", content=b'{"context": null, "context": {"role": 1}}')

    assert answer.status_code == 422


@pytest.mark.parametrize("depth", [200, 900])
async def test_deep_contexts_are_refused(world: World, depth: int):
    raw = b'{"context": ' + b'{"ui": ' * depth + b"1" + b"}" * (depth + 1)

    async with world.client() as client:
        answer = await client.post("/runs", content=raw)

    assert answer.status_code == 422


async def test_a_flood_of_problems_is_answered_shortly(world: World):
    async with world.client() as client:
        answer = await client.post("/runs", json={"context": {f"k{n}": n for n in range(5000)}})

    assert answer.status_code == 422
    assert len(answer.json()["detail"]) == 50
    assert len(world.audited[0].problems) == 50


async def pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1000):
        yield b" " * 1000


@pytest.mark.parametrize("path", ["/runs", "/store/items", "/agent/upload"])
async def test_long_bodies_are_413_whether_announced_or_not(world: World, path: str):
    async with world.client() as client:
        announced = await client.post(path, content=b" " * (LIMIT + 1))
        chunked = await client.post(path, content=pieces(LIMIT + 1000))
        fitting = await client.post("/store/items", content=pieces(LIMIT))

    assert (announced.status_code, chunked.status_code) == (413, 413)
    assert fitting.status_code == 200
    assert [len(body) for body in world.reached] == [LIMIT]


async def test_a_body_in_pieces_is_put_together_again(world: World):
    async def split() -> AsyncIterator[bytes]:
        yield b'{"context": {"lang'
        yield b'uage": "ru"}}'

    async with world.client() as client:
        answer = await client.post("/runs", content=split())

    assert answer.status_code == 200
    assert world.reached == [b'{"context": {"language": "ru"}}']


async def test_compressed_bodies_are_refused(world: World):
    async with world.client() as client:
        answer = await client.post(
            "/runs", content=b"\x1f\x8b", headers={"content-encoding": "gzip"}
        )

    assert answer.status_code == 415
    assert world.reached == []


async def test_nothing_is_made_of_half_a_body(world: World):
    messages: list[Message] = [
        {"type": "http.request", "body": b'{"context"', "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/runs", "headers": [], "user": USER}
    await world.door(scope, receive, send)

    assert (world.reached, sent) == ([], [])


async def test_other_routes_may_say_context_as_they_like(world: World):
    async with world.client() as client:
        answer = await client.put("/store/items", json={"context": {"role": "admin"}})

    assert answer.status_code == 200


async def test_large_bodies_are_judged_too(world: World):
    body = {"input": "x" * 80_000, "context": {"role": "admin"}}

    async with world.client() as client:
        answer = await client.post("/runs", json=body)

    assert answer.status_code == 422


async def test_a_broken_audit_opens_nothing(world: World, caplog: pytest.LogCaptureFixture):
    world.broken_audit = True

    async with world.client() as client:
        answer = await client.post("/runs", json={"context": {"role": "admin"}})

    assert answer.status_code == 422
    assert world.reached == []
    assert "missing in the audit" in caplog.text


async def test_the_audit_gets_no_values(world: World):
    async with world.client() as client:
        await client.post("/runs", json={"context": {"ui": {"objectId": "s3cret"}, "language": 7}})

    assert "s3cret" not in repr(world.audited)


# Routes and users that have no place ----------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/internal/debug/thread/1", "/internal", "/internal/truncate", "/deploy", "/deploy/stream"],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_development_routes_do_not_exist(world: World, path: str, method: str):
    world.user = None

    async with world.client() as client:
        answer = await client.request(method, path)

    assert answer.status_code == 404
    assert world.reached == []


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("10.0.0.7", {}, 404),
        ("127.0.0.1", {"x-forwarded-for": "10.0.0.7"}, 404),
        ("127.0.0.1", {"forwarded": "for=10.0.0.7"}, 404),
        ("somebody", {}, 404),
    ],
)
async def test_metrics_are_for_this_machine(
    world: World, address: str, headers: dict[str, str], status: int
):
    world.user = None

    async with world.client(address) as client:
        answer = await client.get("/metrics", headers=headers)
        other = await client.get("/metricsx", headers=headers)

    assert answer.status_code == status
    assert other.status_code == 200


@pytest.mark.parametrize(
    "user",
    [
        {"identity": "x", "role": "root"},
        {"identity": "", "role": "admin"},
        {"role": "admin"},
        {"identity": "langgraph-studio-user", "kind": "StudioUser"},
        object(),
    ],
)
async def test_an_authenticated_user_without_a_role_gets_nowhere(world: World, user: Any):
    world.user = user

    async with world.client() as client:
        answer = await client.get("/threads/1")

    assert answer.status_code == 403
    assert world.reached == []


async def test_studio_comes_in_with_the_role_it_is_given():
    world = World(
        user={"identity": "langgraph-studio-user", "kind": "StudioUser"}, studio_role="viewer"
    )

    async with world.client() as client:
        assert (await client.get("/threads/1")).status_code == 200


async def test_the_prefix_of_a_mount_hides_nothing(world: World):
    async def mounted(scope: Scope, receive: Receive, send: Send) -> None:
        await world.app({**scope, "root_path": "/api"}, receive, send)

    transport = httpx.ASGITransport(mounted)
    async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
        bad = await client.post("/api/runs", json={"context": {"role": "admin"}})
        hidden = await client.get("/api/internal/truncate")

    assert (bad.status_code, hidden.status_code) == (422, 404)


async def test_lifespan_passes(world: World):
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    await Door(app, world.door.policy)({"type": "lifespan"}, None, None)  # type: ignore[arg-type]

    assert seen == ["lifespan"]


# The stream socket ----------------------------------------------------------------------------


@pytest.fixture
def socket_client(world: World) -> Iterator[TestClient]:
    with TestClient(world.app) as client:
        yield client


def test_a_frame_with_a_bad_context_is_answered_and_goes_no_further(
    world: World, socket_client: TestClient
):
    bad = {"id": 7, "method": "run.start", "params": {"context": {"role": "admin"}}}
    good = {"id": 8, "method": "run.start", "params": {"context": {"language": "ru"}}}

    with socket_client.websocket_connect(f"/threads/{THREAD}/stream/events") as socket:
        socket.send_json(bad)
        error = socket.receive_json()
        socket.send_json(bad, mode="binary")
        binary = socket.receive_json()
        socket.send_text("no json")
        socket.receive_json()
        socket.send_json(good)
        assert socket.receive_json() == {"type": "success"}

    assert (error["type"], error["error"], error["id"]) == ("error", "invalid_context", 7)
    assert error["detail"][0]["loc"] == ["body", "params", "context", "role"]
    assert binary["error"] == "invalid_context"
    assert world.reached == ["no json", json.dumps(good, separators=(",", ":"))]
    assert [(kept.user_id, kept.thread_id) for kept in world.audited] == [("olga", THREAD)] * 2


def test_a_long_frame_is_refused(world: World, socket_client: TestClient):
    with socket_client.websocket_connect(f"/threads/{THREAD}/stream/events") as socket:
        socket.send_text("x" * (LIMIT + 1))
        assert socket.receive_json()["error"] == "too_large"

    assert world.reached == []


def test_a_socket_of_a_user_without_a_role_never_opens(world: World, socket_client: TestClient):
    world.user = {"identity": "x", "role": "root"}

    with (
        pytest.raises(WebSocketDisconnect),
        socket_client.websocket_connect(f"/threads/{THREAD}/stream/events"),
    ):
        pass

    assert world.reached == []
