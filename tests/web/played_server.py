"""The page with a played API behind it, for faults that a real server can't be made to show."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tools.settings import parse_settings
from web.app import make_app

THREAD = "01a22f41-734f-734c-accf-49664ceab2bb"
RUN = "01a22f41-7367-713e-ba49-e4d8fa499f00"
TOKEN = "a-good-token"
PREFIX = "/some/prefix"
SETTINGS = {"environments": {"dev": {"title": "Dev", "stage": "dev", "url": "http://127.0.0.1"}}}

Event = tuple[str, Any]
Answer = Callable[[Request], Awaitable[Response]]


@dataclass
class Play:
    """What the API answers next, and what it was asked.

    Attributes:
        runs: The answers to the next starts of a run.
        joins: The answers to who comes back to a run.
        state: What is kept of the conversation.
        active: Whether a run goes on.
        approvals: What waits for a second person.
        asked: Method, path and body of each request; `Last-Event-ID` where it was sent.
    """

    runs: list[Answer] = field(default_factory=list)
    joins: list[Answer] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    active: bool = False
    approvals: dict[str, Any] = field(
        default_factory=lambda: {"four_eyes": False, "cards": [], "mine": {}}
    )
    asked: list[tuple[str, str, Any]] = field(default_factory=list)

    def reset(self) -> None:
        """Forget all of it."""
        self.__init__()  # type: ignore[misc]

    def keeps(self, *messages: dict[str, Any], cards: Any = None, **more: Any) -> None:
        """Say what is kept of the conversation from now on."""
        interrupts = [{"id": "i", "value": {"guardrail": cards}}] if cards else []
        kept = {"values": {"messages": list(messages)}, "next": [], "interrupts": interrupts}
        self.state = kept | more

    def sent(self, end: str = "/runs/stream") -> list[Any]:
        """The bodies that were sent to a route."""
        return [
            body for method, path, body in self.asked if method == "POST" and path.endswith(end)
        ]


def events(*told: Event, broken: bool = False, pause: float = 0, hold: float = 0) -> Answer:
    """An answer that streams events; a broken one ends without an end.

    Args:
        told: The events.
        broken: Whether the connection is lost after them.
        pause: Seconds before them.
        hold: Seconds that the stream stays open after them.
    """

    async def lines() -> AsyncIterator[str]:
        await asyncio.sleep(pause)
        for number, (name, data) in enumerate(told):
            yield f"event: {name}\r\ndata: {json.dumps(data)}\r\nid: 7-{number}\r\n\r\n"
        await asyncio.sleep(hold)
        if broken:
            await asyncio.sleep(0.3)  # a browser throws away what comes with the end
            raise ConnectionError("played")

    async def answer(_: Request) -> Response:
        return StreamingResponse(lines(), media_type="text/event-stream")

    return answer


def status(code: int, detail: Any = "played") -> Answer:
    """An answer that refuses."""

    async def answer(_: Request) -> Response:
        return JSONResponse({"detail": detail}, code)

    return answer


def _routes(play: Play) -> list[Route]:
    async def asked(request: Request) -> Response:
        body = await request.body()
        since = request.headers.get("last-event-id")
        play.asked.append((request.method, request.url.path, json.loads(body) if body else since))
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return JSONResponse({"detail": "The token is not valid here"}, 401)
        return await _answer(play, request)

    paths = ["/threads", "/threads/{rest:path}", "/assistants/search", "/agent/approvals"]
    return [Route(path, asked, methods=["GET", "POST"]) for path in paths]


async def _answer(play: Play, request: Request) -> Response:
    match request.method, request.url.path.split("/")[1:]:
        case "POST", ["threads"]:
            return JSONResponse({"thread_id": THREAD})
        case "GET", ["agent", "approvals"]:
            return JSONResponse(play.approvals)
        case "GET", ["threads", _, "state"]:
            return JSONResponse(play.state)
        case "GET", ["threads", _, "runs"]:
            return JSONResponse([{"run_id": RUN, "status": "running"}] if play.active else [])
        case "POST", ["threads", _, "runs", "stream"]:
            return await play.runs.pop(0)(request)
        case "GET", ["threads", _, "runs", _, "stream"]:
            return await play.joins.pop(0)(request)
    return JSONResponse([])


def _behind_a_proxy(app: ASGIApp) -> ASGIApp:
    """The app, also under a prefix that is taken away, as a proxy does."""

    async def proxied(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(f"{PREFIX}/"):
            scope = {**scope, "path": scope["path"].removeprefix(PREFIX)}
        await app(scope, receive, send)

    return proxied


@contextmanager
def played() -> Iterator[tuple[str, Play]]:
    """Serve the page and the played API; gives the address and the play."""
    play = Play()
    play.keeps()
    app = make_app(parse_settings(SETTINGS))
    app.router.routes[:0] = _routes(play)  # before the app's own desk, which wants real tokens
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(
            uvicorn.Config(_behind_a_proxy(app), log_level="critical", lifespan="off")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", play
        finally:
            server.should_exit = True
            thread.join(10)
