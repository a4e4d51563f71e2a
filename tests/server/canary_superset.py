"""Supersets for canaries: a proxy that notes every secret, and one that says back what it hears."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import Message
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.server.crash_proxy import Proxy
from tests.superset.superset_stub import token

ACCESS, REFRESH, CSRF, SESSION = token("canary-echo"), "echo-refresh-1", "echo-csrf-2", "echo-ses-3"
GUEST = "echo"
"""The one user name that is let in by the Superset that says back what it hears."""


class Witness(Proxy):
    """Notes what passes between the agent and a real Superset and must stay between them."""

    def __init__(self, url: str, target: str) -> None:
        super().__init__(url, target)
        self.heard: dict[str, set[str]] = {"access": set(), "csrf": set(), "session": set()}

    def hear(self, sent: Message, answer: Message, content: bytes) -> None:
        self._note("access", sent.get("Authorization", "").removeprefix("Bearer "))
        self._note("csrf", sent.get("X-CSRFToken", ""))
        for header in [sent.get("Cookie", ""), *answer.get_all("Set-Cookie", [])]:
            for cookie in SimpleCookie(header).values():
                self._note("session", cookie.value)
        with suppress(ValueError, AttributeError):  # not every answer is an object
            body = json.loads(content)
            for name in ("access_token", "refresh_token"):
                self._note("access", body.get(name) or "")

    def _note(self, kind: str, secret: str) -> None:
        if secret:
            self.heard[kind].add(secret)


@contextmanager
def echo() -> Iterator[str]:
    """A Superset that answers with an error that holds everything it was sent; gives its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Echo(BaseHTTPRequestHandler):
    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        status, content = self._content(body)
        told = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Set-Cookie", f"session={SESSION}; Path=/")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - as http.server has them

    def _content(self, body: str) -> tuple[int, Any]:
        if self.path.endswith("/login") and json.loads(body)["username"] == GUEST:
            return 200, {"access_token": ACCESS, "refresh_token": REFRESH}
        if self.path.endswith("/csrf_token/"):
            return 200, {"result": CSRF}
        if self.path.endswith("/me/"):
            return 200, {"result": {"username": GUEST}}
        heard = f"{self.path} {dict(self.headers)} {self.headers.get('Authorization')} {body}"
        return 401 if self.path.endswith("/login") else 400, {"message": heard}

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as http.server has it
        """Keep the output of the tests clean."""
