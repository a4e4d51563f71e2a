"""A proxy before a real Superset that holds a request, or its answer, until a test lets go."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Literal, TypeVar
from urllib.parse import urlsplit

Held = Literal["read", "request", "answer"]
"""What is held: the reading of a dashboard, the write to it, or Superset's answer to the write."""

PATIENCE = 120.0
OPEN = Event()
OPEN.set()
HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "server", "date"}
"""Headers that belong to one connection, not to what is passed on."""


@dataclass
class Gate:
    """One thing that is held, the first time that it comes by.

    Attributes:
        held: What.
        reached: It came, and waits.
        opened: It may go on.
        passes: Whether Superset gets it then; False: it was lost on its way.
        over: Nothing more comes of it.
    """

    held: Held
    reached: Event = field(default_factory=Event)
    opened: Event = field(default_factory=Event)
    passes: bool = True
    over: Event = field(default_factory=Event)

    def wait(self) -> bool:
        """Be held; returns whether to go on."""
        self.reached.set()
        self.opened.wait(PATIENCE)
        return self.passes

    def let_go(self, *, passes: bool = True) -> None:
        """Send on what is held, or lose it."""
        self.passes = passes
        self.opened.set()


class Proxy:
    """What stands between the agent and one Superset.

    Attributes:
        url: Where it listens.
    """

    def __init__(self, url: str, target: str) -> None:
        self.url = url
        self.target = urlsplit(target).netloc
        self._gates: dict[str, Gate] = {}
        self._lock = Lock()

    def hold(self, dashboard: int, held: Held) -> Gate:
        """Hold the next such thing of a dashboard."""
        method = "GET" if held == "read" else "PUT"
        gate = Gate(held)
        with self._lock:
            self._gates[f"{method} /api/v1/dashboard/{dashboard}"] = gate
        return gate

    def gate(self, method: str, path: str) -> Gate | None:
        """What holds this request; each gate holds one."""
        with self._lock:
            return self._gates.pop(f"{method} {urlsplit(path).path}", None)

    def hear(self, sent: Message, answer: Message, content: bytes) -> None:
        """Be told the headers that came by, and the answer; for those who listen."""


P = TypeVar("P", bound=Proxy)


@contextmanager
def proxy_to(target: str, kind: type[P] = Proxy) -> Iterator[P]:  # type: ignore[assignment]
    """Serve on a free port of this machine until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    proxy = kind(f"http://127.0.0.1:{server.server_port}", target)
    server.proxy = proxy  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Passes on whatever comes, one request a connection."""

    def _pass(self) -> None:
        proxy: Proxy = self.server.proxy  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        gate = proxy.gate(self.command, self.path) or Gate("answer", opened=OPEN)
        if gate.held == "answer" or gate.wait():
            self._send_on(proxy, body, gate)
        gate.over.set()

    do_GET = do_POST = do_PUT = do_DELETE = _pass  # noqa: N815 - as http.server has them

    def _send_on(self, proxy: Proxy, body: bytes, gate: Gate) -> None:
        superset = http.client.HTTPConnection(proxy.target, timeout=PATIENCE)
        try:
            headers = {name: text for name, text in self.headers.items() if name.lower() not in HOP}
            superset.request(self.command, self.path, body or None, headers | _length(body))
            answer = superset.getresponse()
            content = answer.read()
            proxy.hear(self.headers, answer.headers, content)
        finally:
            superset.close()
        if gate.held == "answer":
            gate.wait()
        with suppress(OSError):  # who asked may be dead by now
            self._answer(answer, content)

    def _answer(self, answer: http.client.HTTPResponse, content: bytes) -> None:
        self.send_response(answer.status)
        for name, text in answer.getheaders():
            if name.lower() not in HOP:
                self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as http.server has it
        """Keep the output of the tests clean."""


def _length(body: bytes) -> dict[str, str]:
    return {"Content-Length": str(len(body))} if body else {}
