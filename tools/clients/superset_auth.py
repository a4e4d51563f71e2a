"""Signing in to Superset, and staying signed in.

An account gets an access token of 15 minutes and a refresh token. A write needs a CSRF token as
well, which is bound to the session cookie that came with it (kept by the HTTP client).
"""

import asyncio
import base64
import json
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from tools.clients.http import (
    BadAnswer,
    Forbidden,
    LoginFailed,
    NotFound,
    Refused,
    SupersetError,
)
from tools.clients.superset_errors import error_of, json_of, of_read
from tools.clients.superset_logins import Account, ApiKey, Login, SessionCookie, secret_of
from tools.clients.wire import Request, Wire

EARLY = 60.0
"""Seconds before its end at which an access token is renewed, at most half of its life."""

LOCKOUT = 5.0
"""Seconds in which a refused login is not tried again: repeating it may lock the account."""


ME = "/api/v1/me/"
"""Tells who is signed in, and is never answered to the public."""

KNOWN = 30.0
"""Seconds for which a key or a cookie that was accepted counts as good."""


@dataclass(frozen=True)
class Ticket:
    """What a request must carry, and which sign-in it comes from."""

    headers: Mapping[str, str] = field(repr=False)
    generation: int


class Session:
    """The sign-in of one login, shared by concurrent requests."""

    def __init__(self, wire: Wire, login: Login) -> None:
        self._wire = wire
        self._login = login
        self._lock = asyncio.Lock()
        self._access: str | None = None
        self._refresh: str | None = None
        self._csrf: str | None = None
        self._renew_at = 0.0
        self._known_until = 0.0
        self._refused_at: float | None = None
        self._generation = 0
        self._seen: deque[str] = deque(maxlen=32)

    def secrets(self) -> tuple[str, ...]:
        """Every text that no error may show; the installation's host and port are among them."""
        host = urlsplit(self._wire.config.url).netloc
        return (secret_of(self._login), host, *self._seen)

    async def ticket(self, *, csrf: bool) -> Ticket:
        """What the next request must carry; signs in or renews first where that is due.

        Raises:
            Refused: the login is not accepted, or may not fetch a CSRF token.
            SupersetError: signing in did not work; the request itself was never sent.
        """
        async with self._lock:
            await self._sign_in()
            if csrf and self._csrf is None:
                self._csrf = await self._fetch_csrf()
            return Ticket(self._headers(csrf), self._generation)

    def reject(self, ticket: Ticket, error: SupersetError) -> bool:
        """Take note that Superset did not accept a ticket.

        Returns:
            Whether another ticket may be accepted: False for a key and for a user's session,
            which cannot be renewed here.
        """
        token = isinstance(error, LoginFailed)
        if token and not isinstance(self._login, Account):
            self._known_until = 0.0
            return False
        if ticket.generation == self._generation:
            self._generation += 1
            self._csrf = None
            if token:
                self._access = None
        return True

    def _headers(self, csrf: bool) -> dict[str, str]:
        headers = {}
        if self._access is not None:
            headers["Authorization"] = f"Bearer {self._access}"
        if csrf and self._csrf is not None:
            headers["X-CSRFToken"] = self._csrf
        return headers

    async def _sign_in(self) -> None:
        """Have a good access token, or the cookie in place."""
        match self._login:
            case SessionCookie(value, name):
                if self._generation == 0:
                    await self._wire.set_cookie(name, value)
                    self._generation = 1
                await self._check_known()
            case ApiKey(key):
                self._access = key
                await self._check_known()
            case Account() as account:
                if self._access is None or monotonic() >= self._renew_at:
                    await self._renew(account)

    async def _check_known(self) -> None:
        """See that Superset knows the key or the cookie.

        Where its role Public may read something, Superset answers such reads to anybody: whoever
        comes with a key or a cookie that is over would take the public's part for the whole.

        Raises:
            LoginFailed: it does not know it.
        """
        if monotonic() < self._known_until:
            return
        with suppress(Forbidden, NotFound):  # somebody who may not read about themselves
            await self._ask(Request("GET", ME), self._headers(csrf=False))
        self._known_until = monotonic() + KNOWN

    async def _renew(self, account: Account) -> None:
        """Get an access token: by the refresh token, else by the password."""
        if self._refresh is not None:
            try:
                await self._take(
                    "/api/v1/security/refresh", None, {"Authorization": f"Bearer {self._refresh}"}
                )
            except Refused:
                self._refresh = None
            else:
                return
        if self._refused_at is not None and monotonic() - self._refused_at < LOCKOUT:
            raise LoginFailed
        body = {
            "username": account.username,
            "password": account.password,
            "provider": account.provider,
            "refresh": True,
        }
        try:
            await self._take("/api/v1/security/login", body, {})
        except LoginFailed:
            self._refused_at = monotonic()
            raise

    async def _take(self, path: str, body: object, headers: Mapping[str, str]) -> None:
        """Keep the tokens that an address of the login gives."""
        answer = await self._ask(Request("POST", path, body=body, headers=headers))
        access = answer.get("access_token")
        if not isinstance(access, str):
            raise BadAnswer("the login gives no token")
        refresh = answer.get("refresh_token")
        self._access = self._keep(access)
        self._refresh = self._keep(refresh) if isinstance(refresh, str) else self._refresh
        life = _life(access)
        self._renew_at = monotonic() + life - min(EARLY, life / 2)

    async def _fetch_csrf(self) -> str:
        """A new CSRF token; its session cookie stays with the HTTP client."""
        request = Request("GET", "/api/v1/security/csrf_token/")
        try:
            answer = await self._ask(request, self._headers(csrf=False))
        except LoginFailed:
            if not isinstance(self._login, Account):
                raise
            self._access = None
            await self._sign_in()
            answer = await self._ask(request, self._headers(csrf=False))
        token = answer.get("result")
        if not isinstance(token, str):
            raise BadAnswer("there is no CSRF token in the answer")
        self._seen.extend(await self._wire.cookies())
        return self._keep(token)

    async def _ask(
        self, request: Request, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        answer = await self._wire.send(request, headers or {})
        if error := await error_of(answer, self.secrets()):
            raise of_read(error) if request.method == "GET" else error
        body = await json_of(answer)
        if not isinstance(body, dict):
            raise BadAnswer("its answer is no object", status=answer.status)
        return body

    def _keep(self, secret: str) -> str:
        self._seen.append(secret)
        return secret


def _life(token: str) -> float:
    """Seconds an access token lives, by its own claims: the clocks need not agree."""
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        return float(claims["exp"]) - float(claims["iat"])
    except (LookupError, TypeError, ValueError):
        return 900.0
