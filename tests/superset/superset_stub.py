"""A stub of Superset's login and API for faults that a real one can't be made to show."""

import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from tools.clients.superset import Account, Login, Superset, SupersetConfig

PASSWORD, COOKIE, CSRF = "canary-password-1", "canary-cookie-2", "canary-csrf-3"
URL = "http://superset.invalid"

ME = {"result": {"username": "robot"}}

Reply = httpx.Response | Exception
Handler = Callable[[httpx.Request], Awaitable[Reply] | Reply]


def token(name: str, life: int = 900) -> str:
    """An access token that lives some seconds; its signature is its name."""
    claims = base64.urlsafe_b64encode(json.dumps({"iat": 1000, "exp": 1000 + life}).encode())
    return f"header.{claims.decode().rstrip('=')}.canary-token-{name}"


@dataclass
class Stub:
    """Answers the sign-in; every other request gets the next reply of the list, then 200 {}."""

    replies: list[Reply | Handler] = field(default_factory=list)
    life: int = 900
    requests: list[httpx.Request] = field(default_factory=list)
    logins: int = 0
    refreshes: int = 0
    csrfs: int = 0
    signing_in: list[Reply] = field(default_factory=list)
    """Replies to the sign-in before it works."""
    known: list[Reply] = field(default_factory=list)
    """Replies to the question who is signed in, before it is answered."""
    asked: int = 0

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if "/api/v1/security/" in path:
            if self.signing_in:
                return give(self.signing_in.pop(0))
            return self.sign_in(path)
        if path.endswith("/api/v1/me/"):
            self.asked += 1
            return give(self.known.pop(0) if self.known else httpx.Response(200, json=ME))
        self.requests.append(request)
        reply: Any = self.replies.pop(0) if self.replies else httpx.Response(200, json={})
        if callable(reply):
            reply = reply(request)
            if not isinstance(reply, httpx.Response | Exception):
                reply = await reply
        return give(reply)

    def sign_in(self, path: str) -> httpx.Response:
        if path.endswith("/login"):
            self.logins += 1
            name = f"{self.logins}"
            body = {"access_token": token(name, self.life), "refresh_token": "canary-refresh-4"}
            return httpx.Response(200, json=body)
        if path.endswith("/refresh"):
            self.refreshes += 1
            return httpx.Response(
                200, json={"access_token": token(f"r{self.refreshes}", self.life)}
            )
        self.csrfs += 1
        headers = {"Set-Cookie": f"session={COOKIE}; Path=/"}
        return httpx.Response(200, json={"result": f"{CSRF}-{self.csrfs}"}, headers=headers)


def give(reply: Reply) -> httpx.Response:
    if isinstance(reply, Exception):
        raise reply
    return reply


@asynccontextmanager
async def connected(
    stub: Stub, login: Login | None = None, **config: Any
) -> AsyncIterator[Superset]:
    """A client of the stub that pauses for a moment only."""
    settings = replace(SupersetConfig(URL, retry_pause=0.001), **config)
    superset = Superset(
        settings, login or Account("robot", PASSWORD), transport=httpx.MockTransport(stub)
    )
    try:
        yield superset
    finally:
        await superset.aclose()


OK = httpx.Response(200, json={"done": True})
HTML = {"Content-Type": "text/html"}


def page(status: int) -> httpx.Response:
    return httpx.Response(status, text="<!doctype html><h1>Nope</h1>", headers=HTML)


def body(status: int, json: Any, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=json, headers=headers)


async def read(superset: Superset) -> Any:
    return await superset.request_json("GET", "/api/v1/thing")


async def write(superset: Superset) -> Any:
    return await superset.request_json(
        "PUT", "/api/v1/thing", body={"a": 1}, write=True, idempotency_key="key-1"
    )


TRANSIENT: list[Reply] = [
    page(502),
    page(503),
    page(504),
    body(503, {"message": "starting"}),
    page(500),
    body(500, ["a shape of nobody"]),
    httpx.Response(500),
    body(429, {"message": "slow down"}),
    httpx.ConnectError("refused"),
    httpx.ConnectTimeout("late"),
    httpx.ReadError("reset"),
    httpx.WriteError("broken pipe"),
    httpx.RemoteProtocolError("Server disconnected without sending a response."),
]


FINAL: list[Reply] = [
    body(500, {"message": "Fatal error"}),
    body(500, {"errors": [{"message": "no such table", "error_type": "GENERIC_DB_ENGINE_ERROR"}]}),
    body(500, {"error": "broken"}),
    body(500, {"msg": "broken"}),
    body(500, {"message": {"field": ["bad"]}}),
    body(400, {"message": "no"}),
    body(404, {"message": "Not found"}),
    body(429, {}, **{"Retry-After": "60"}),
    httpx.ReadTimeout("late"),
    page(200),
]
