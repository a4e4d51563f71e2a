"""A small HTTP server that speaks OpenAI's chat completions and answers from a script."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One scripted answer.

    Attributes:
        content: Its text.
        calls: Tool calls as (id, name, arguments as JSON text); anything else is sent as it is.
        finish_reason: None: the stream ends without one.
        status: HTTP status; not 200: `error` is sent instead of an answer.
        error: The message of the error.
        piece: Characters of text or of arguments in one event of a stream.
    """

    content: str = ""
    calls: tuple[tuple[str | None, str, str], ...] = ()
    finish_reason: str | None = "stop"
    status: int = 200
    error: str = "scripted error"
    piece: int = 5


@dataclass
class Stub:
    """A running server.

    Attributes:
        base_url: What a client takes as base URL.
        requests: The JSON bodies so far.
        headers: The headers of each request, names in lower case.
    """

    base_url: str
    replies: list[Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def answer(self, body: dict[str, Any]) -> Reply:
        """The next reply of the script; a 500 after its end."""
        self.requests.append(body)
        turn = len(self.requests) - 1
        if turn < len(self.replies):
            return self.replies[turn]
        return Reply(status=500, error=f"the script has {len(self.replies)} replies")


@contextmanager
def openai_stub(replies: Sequence[Reply]) -> Iterator[Stub]:
    """Serve `replies` on a free port of this machine until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    stub = Stub(f"http://127.0.0.1:{server.server_port}/v1", list(replies))
    server.stub = stub  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    """POST /v1/chat/completions, streamed or whole."""

    def do_POST(self) -> None:
        stub: Stub = self.server.stub  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        stub.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.path != "/v1/chat/completions":
            self._send(404, "application/json", _json({"error": {"message": self.path}}))
            return
        reply = stub.answer(body)
        if reply.status != 200:
            error = {"error": {"message": reply.error, "type": "scripted"}}
            self._send(reply.status, "application/json", _json(error))
        elif body.get("stream"):
            events = [_event(chunk) for chunk in _chunks(reply, body["model"])]
            self._send(200, "text/event-stream", b"".join([*events, b"data: [DONE]\n\n"]))
        else:
            self._send(200, "application/json", _json(_whole(reply, body["model"])))

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as http.server has it
        """Keep the output of the tests clean."""


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _event(value: Any) -> bytes:
    return b"data: " + _json(value) + b"\n\n"


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-stub", "object": kind, "created": 0, "model": model}


def _whole(reply: Reply, model: str) -> dict[str, Any]:
    """The body of an answer that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.content or None}
    if reply.calls:
        message["tool_calls"] = [_call(*call) for call in reply.calls]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {**_head(model, "chat.completion"), "choices": [choice], "usage": usage}


def _chunks(reply: Reply, model: str) -> Iterator[dict[str, Any]]:
    """The events of a streamed answer, as the real service cuts them."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": part} for part in _pieces(reply.content, reply.piece)]
    for index, (call_id, name, arguments) in enumerate(reply.calls):
        deltas.append({"tool_calls": [{"index": index, **_call(call_id, name, "")}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": part}}]}
            for part in _pieces(arguments, reply.piece)
        ]
    head = _head(model, "chat.completion.chunk")
    for delta in deltas:
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    if reply.finish_reason is not None:
        last = {"index": 0, "delta": {}, "finish_reason": reply.finish_reason}
        yield {**head, "choices": [last]}


def _call(call_id: str | None, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
