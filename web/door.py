"""What is refused before a run exists: plain ASGI middleware around every route of the server.

Bad page contexts are 422, bodies are bounded, development routes do not exist, and an
authenticated user without a role of ours gets nowhere. With `middleware_order: auth_first` the
server has authenticated a request before it comes here.
"""

import asyncio
import ipaddress
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tools.context import ROLES, ContextProblem, Language, Role, check_request, identify
from tools.messages import text
from tools.wall import broken_by_state, broken_by_thread
from web.bodies import ClientGone, Refused, read_body, replay
from web.resolving import Resolve, resolving, state_of

log = logging.getLogger(__name__)

GUARDED = ("/assistants", "/threads", "/runs")
"""Routes under these start or store runs: each body that is sent to them is judged."""

HIDDEN = ("/internal", "/deploy")
"""Routes of the development server that ask nobody who they are."""

LOCAL = ("/metrics",)
"""Routes for monitors on the same machine."""

WALLED = re.compile(r"/threads(?:/[^/]+/state)?/?")
"""Routes whose bodies can write a state without a run."""

READING = ("GET", "HEAD", "OPTIONS")
SHOWN = 50
"""How many problems an answer lists."""

INLINE_BYTES = 65_536
"""Larger bodies are judged in a thread, so that other requests go on meanwhile."""


@dataclass(frozen=True)
class Rejection:
    """A refused context, as the audit keeps it: which fields, never their values."""

    user_id: str
    """Empty where the server did not say who it was."""

    thread_id: str | None
    route: str
    problems: tuple[ContextProblem, ...]


@dataclass(frozen=True)
class DoorPolicy:
    """What the door of a deployment holds to.

    Attributes:
        environments: The environments a context may name, by id.
        studio_role: The role of LangGraph Studio's user, or None.
        request_bytes: The longest body.
        audit: Keeps a rejection; its failure is logged and opens nothing.
        resolve: Withdraws the cards of a thread whose end a client has written.
        language: The language of refusals.
    """

    environments: Mapping[str, Any]
    studio_role: Role | None
    request_bytes: int
    audit: Callable[[Rejection], Awaitable[None]]
    resolve: Resolve
    language: Language = "en"


class Door:
    """The middleware."""

    def __init__(self, app: ASGIApp, policy: DoorPolicy) -> None:
        self.app = app
        self.policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or let it through."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._admit(scope)
            if scope["method"] not in READING:
                receive, send = await self._judged(scope, receive, send)
        except Refused as refused:
            answer = JSONResponse({"detail": refused.detail}, refused.status)
            await answer(scope, receive, send)
            return
        except ClientGone:
            return
        await self.app(scope, receive, send)

    def _admit(self, scope: Scope) -> None:
        """Refuse routes and users that have no place here."""
        path = path_of(scope)
        if _under(path, HIDDEN) or (_under(path, LOCAL) and not _is_local(scope)):
            raise Refused(404, "Not Found")
        if "user" in scope and identify(scope["user"], self.policy.studio_role) is None:
            raise Refused(403, f"Access denied: it needs one of the roles {', '.join(ROLES)}")

    async def _judged(self, scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
        """Read and judge a body; what comes back gives it to the server once more."""
        body = await read_body(scope, receive, self.policy.request_bytes)
        if body and _under(path_of(scope), GUARDED):
            if len(body) > INLINE_BYTES:
                problems = await asyncio.to_thread(self._problems, body)
            else:
                problems = self._problems(body)
            if problems:
                await self.record(scope, problems)
                raise Refused(422, told(problems))
            if WALLED.fullmatch(path_of(scope)):
                send = self._walled(scope, orjson.loads(body), send)
        return replay(body, receive), send

    def _walled(self, scope: Scope, body: Any, send: Send) -> Send:
        """Refuse writes to states and given pasts; the rules for runs are the server's hooks."""
        user = identify(scope.get("user"), self.policy.studio_role)
        is_state = path_of(scope).rstrip("/").endswith("/state")
        broken = broken_by_state(body) if is_state else broken_by_thread(body)
        if broken and (user is None or user.role != "admin"):
            log.warning("%s: refused for %s", broken, user.id if user else "nobody")
            raise Refused(403, text(self.policy.language, broken))
        thread = state_of(path_of(scope))
        if thread is None or user is None or broken:
            return send
        return resolving(send, self.policy.resolve, thread, user.id)

    def _problems(self, body: bytes) -> list[ContextProblem]:
        """What is wrong with the contexts in a body, read by the parser that the server has."""
        try:
            return check_request(orjson.loads(body), self.policy.environments)
        except orjson.JSONDecodeError as error:
            raise Refused(
                422, [{"loc": ["body"], "msg": f"Invalid JSON: {error}", "type": "json_invalid"}]
            ) from None

    async def record(self, scope: Scope, problems: list[ContextProblem]) -> None:
        """Keep a rejection in the audit."""
        user = identify(scope.get("user"), self.policy.studio_role)
        path = path_of(scope)
        thread = re.match(r"/threads/([0-9a-fA-F-]{36})(?:/|$)", path)
        rejection = Rejection(
            user_id=user.id if user is not None else "",
            thread_id=thread.group(1) if thread else None,
            route=f"{scope.get('method', 'WEBSOCKET')} {path[:200]}",
            problems=tuple(problems[:SHOWN]),
        )
        try:
            await self.policy.audit(rejection)
        except Exception:
            log.exception("a rejected context is missing in the audit")

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a socket through whose frames are judged one by one."""
        try:
            self._admit(scope)
        except Refused:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return

        async def judged() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                frame = await self._frame_error(scope, message)
                if frame is None:
                    return message
                await send({"type": "websocket.send", "text": orjson.dumps(frame).decode()})

        await self.app(scope, judged, send)

    async def _frame_error(self, scope: Scope, message: Message) -> dict[str, Any] | None:
        """The error frame that answers a command with a bad context, or None."""
        text = message.get("text")
        raw = message.get("bytes") or b"" if text is None else text.encode("utf-8", "replace")
        if len(raw) > self.policy.request_bytes:
            return _error_frame(None, "too_large", "The frame is too long", [])
        try:
            command = orjson.loads(raw)
        except orjson.JSONDecodeError:
            return None  # the server has the same parser and says so
        problems = check_request(command, self.policy.environments)
        if not problems:
            return None
        await self.record(scope, problems)
        number = command.get("id") if isinstance(command, dict) else None
        return _error_frame(number, "invalid_context", "The context is not valid", told(problems))


def told(problems: list[ContextProblem]) -> list[dict[str, Any]]:
    """Problems as FastAPI tells them: where in the body, what, and of which kind."""
    return [
        {"loc": ["body", *problem.loc], "msg": problem.msg, "type": problem.type}
        for problem in problems[:SHOWN]
    ]


def path_of(scope: Scope) -> str:
    """The path within the server, without the prefix it is mounted at."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return path.removeprefix(root) if path.startswith(f"{root}/") else path


def _under(path: str, prefixes: tuple[str, ...]) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in prefixes)


def _is_local(scope: Scope) -> bool:
    """Whether a request comes from this machine itself, and not through a proxy on it."""
    client = scope.get("client")
    forwarded = {name for name, _ in scope["headers"]} & {b"forwarded", b"x-forwarded-for", b"via"}
    if not client or forwarded:
        return False
    try:
        return ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


def _error_frame(number: Any, code: str, text: str, detail: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "error", "id": number, "error": code, "message": text, "detail": detail}
