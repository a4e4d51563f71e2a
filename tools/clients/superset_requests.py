"""Requests to Superset's API with everything that makes them last: sign-in, renewal, retry."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx

from tools.clients.http import CsrfRefused, LoginFailed, before_write
from tools.clients.superset_auth import Session, Ticket
from tools.clients.superset_errors import error_of, json_of, of_read
from tools.clients.superset_logins import Account, Login, SessionCookie, refused
from tools.clients.superset_retry import read_twice
from tools.clients.wire import Answer, Request, SupersetConfig, Wire

TicketFor = Callable[[Request], Awaitable[Ticket]]

_WITHOUT_CSRF = frozenset({"GET", "HEAD"})


class Requests:
    """Signed-in requests to one installation, for one login, on one event loop."""

    def __init__(
        self,
        config: SupersetConfig,
        login: Login,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._wire = Wire(config, transport)
        self._login = login
        self._session = Session(self._wire, login)

    async def json(self, request: Request, *, write: bool) -> Any:
        """Send a request and read JSON. See `Superset.request_json`."""
        if write:
            return await json_of(await self._signed_in(request, self._ticket_before_write))

        async def attempt() -> Any:
            return await json_of(await self._signed_in(request, self._ticket))

        return await read_twice(attempt, self._wire.config.retry_pause)

    async def public(self, request: Request) -> bool:
        """Whether a read is answered to somebody who is not signed in."""
        return (await self._wire.send(request, {})).status == 200

    @property
    def by_password(self) -> bool:
        """Whether the login is an account with a password, whose requests carry access tokens."""
        return isinstance(self._login, Account)

    @property
    def by_cookie(self) -> bool:
        """Whether the login is a browser session."""
        return isinstance(self._login, SessionCookie)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    async def _signed_in(self, request: Request, ticket_for: TicketFor) -> Answer:
        """Send; where the sign-in is not accepted, renew it and send once more.

        That holds for writes too: the refusal proves that nothing was done.
        """
        try:
            return await self._tried(request, ticket_for)
        except LoginFailed as error:
            failure = refused(self._login, error)
        raise failure

    async def _tried(self, request: Request, ticket_for: TicketFor) -> Answer:
        ticket = await ticket_for(request)
        try:
            return await self._once(request, ticket)
        except (LoginFailed, CsrfRefused) as error:
            if not self._session.reject(ticket, error):
                raise
        return await self._once(request, await ticket_for(request))

    async def _ticket(self, request: Request) -> Ticket:
        return await self._session.ticket(csrf=request.method not in _WITHOUT_CSRF)

    async def _ticket_before_write(self, request: Request) -> Ticket:
        """Signing in is harmless to do twice, and whatever happens in it, nothing was written."""
        with before_write("signing in"):
            return await read_twice(lambda: self._ticket(request), self._wire.config.retry_pause)

    async def _once(self, request: Request, ticket: Ticket) -> Answer:
        answer = await self._wire.send(request, ticket.headers)
        error = await error_of(answer, self._session.secrets())
        if error is None:
            return answer
        raise of_read(error) if request.method in _WITHOUT_CSRF else error


def parameters(query: Mapping[str, Any] | None) -> dict[str, str]:
    """URL parameters of plain values; `q` becomes what Superset reads it back from.

    Superset decodes a JSON `q` twice: a `&` in it is 400 and a `+` a space (seen on 6.1.0), so
    these and `%` are written as JSON escapes. It reads a list as rison first, and `[1]` is a
    rison word.

    Raises:
        ValueError: a list in `q` with anything but integers.
    """
    return {name: _parameter(value) for name, value in (query or {}).items()}


def _parameter(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        if not all(type(item) is int for item in value):
            raise ValueError("a list in a query may have integers only")
        return f"!({','.join(map(str, value))})"
    text = json.dumps(value, separators=(",", ":"))
    for char in "%&+":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
