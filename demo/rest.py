"""A small Superset REST client of the standard library, for seeding and for probes."""

import http.client
import json
from typing import Any
from urllib.parse import urlencode, urlsplit


class RestError(Exception):
    """Superset answered with an error status, or not at all (status 0)."""

    def __init__(self, method: str, path: str, status: int, text: str) -> None:
        """Keep the status for the caller; the text is cut to what a log line can take."""
        super().__init__(f"{method} {path} -> {status}: {text[:600]}")
        self.status = status


class Rest:
    """One account's session; may be used by several threads after `login`."""

    def __init__(self, url: str, timeout: float = 120.0) -> None:
        """Remember the installation's address; nothing is sent yet."""
        parts = urlsplit(url)
        self._host = parts.hostname or ""
        self._port = parts.port or 80
        self._timeout = timeout
        self._headers = {"Accept": "application/json"}

    def login(self, username: str, password: str) -> "Rest":
        """Log in, fetch the CSRF token and keep its cookie; return this client."""
        body = {"username": username, "password": password, "provider": "db", "refresh": False}
        token = self.call("POST", "/api/v1/security/login", body)["access_token"]
        self._headers["Authorization"] = f"Bearer {token}"
        answer, cookie = self._send("GET", "/api/v1/security/csrf_token/", None)
        self._headers["X-CSRFToken"] = answer["result"]
        # The token is only good together with the session it was issued in.
        self._headers["Cookie"] = cookie.split(";", 1)[0]
        return self

    def call(self, method: str, path: str, body: object = None, query: object = None) -> Any:
        """Send one request and return the decoded answer; raise RestError otherwise."""
        if query is not None:
            path = f"{path}?{urlencode({'q': json.dumps(query)})}"
        return self._send(method, path, body)[0]

    def _send(self, method: str, path: str, body: object) -> tuple[Any, str]:
        payload, headers = None, self._headers
        if body is not None:
            # Only with a body: some reads answer 400 when JSON is announced and missing.
            payload = json.dumps(body).encode()
            headers = {**headers, "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        try:
            connection.request(method, path, payload, headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            raise RestError(method, path, 0, repr(error)) from error
        finally:
            connection.close()
        # A redirect means "not logged in": it must not be followed, it would look like success.
        if not 200 <= answer.status < 300:
            raise RestError(method, path, answer.status, text)
        try:
            return json.loads(text or "null"), answer.headers.get("Set-Cookie", "")
        except ValueError as error:
            raise RestError(method, path, answer.status, text) from error
