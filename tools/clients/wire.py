"""One request over the network: bounded in time and size, its failures translated."""

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx

from tools.clients.http import SupersetError, TooLarge, Unanswered, Unreachable

KEEPALIVE = 1.5
"""Seconds an idle connection is kept. Gunicorn closes it after 2 s: a write that meets the closing
would have an unknown outcome for nothing."""

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
)


@dataclass(frozen=True)
class SupersetConfig:
    """Where an installation is and how long we wait for it.

    Attributes:
        url: Its address, with the path it lives under, if any.
        verify: Whether TLS certificates are checked, or the file of the authorities to trust.
        connect_timeout: Seconds for a connection.
        timeout: Seconds for one request, from the first byte sent to the last received.
        max_connections: Connections at once.
        max_bytes: Longest answer that is read, unpacked.
        retry_pause: Seconds before a read is tried again.
    """

    url: str
    verify: bool | str = True
    connect_timeout: float = 5.0
    timeout: float = 30.0
    max_connections: int = 10
    max_bytes: int = 20_000_000
    retry_pause: float = 1.0


@dataclass(frozen=True)
class Request:
    """One request to the API."""

    method: str
    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    """JSON; None: no body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    """Seconds; None: the installation's."""


@dataclass(frozen=True)
class Answer:
    """An answer, read to its end."""

    status: int
    headers: httpx.Headers = field(repr=False)
    content: bytes = field(repr=False)

    async def json(self) -> Any:
        """The body as JSON; large ones are parsed beside the event loop.

        Raises:
            ValueError: it is none.
        """
        try:
            if len(self.content) < 200_000:
                return json.loads(self.content)
            return await asyncio.to_thread(json.loads, self.content)
        except RecursionError:
            raise ValueError("the JSON is nested too deeply") from None


class Wire:
    """The connections to one installation. Cookies are kept; redirects are not followed."""

    def __init__(
        self, config: SupersetConfig, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.config = config
        self._transport = transport
        self._client: httpx.AsyncClient | None = None
        self._opening = asyncio.Lock()

    async def send(self, request: Request, headers: Mapping[str, str]) -> Answer:
        """Send a request once.

        Raises:
            Unreachable: no connection.
            Unanswered: no answer, or half of one.
            TooLarge: the answer is longer than the bound.
        """
        client = await self.client()
        limit = request.timeout or self.config.timeout
        failure: SupersetError
        # The new error is raised outside `except`: the old one holds the request with its headers.
        try:
            async with asyncio.timeout(limit):
                return await self._exchange(client, request, headers)
        except _NEVER_SENT:
            failure = Unreachable()
        except (TimeoutError, httpx.TimeoutException):
            failure = Unanswered(f"no answer within {limit:g} s", timed_out=True)
        except httpx.DecodingError:
            failure = Unanswered("the answer is damaged")
        except httpx.HTTPError:
            failure = Unanswered("the connection broke")
        raise failure

    async def client(self) -> httpx.AsyncClient:
        """The HTTP client, made at the first use: reading certificates takes a thread."""
        async with self._opening:
            if self._client is None:
                context = await asyncio.to_thread(_tls, self.config)
                self._client = self._make(context)
            return self._client

    async def set_cookie(self, name: str, value: str) -> None:
        """Keep a cookie as if the installation had set it, so that it can renew it."""
        host = urlsplit(self.config.url).hostname or ""
        # http.cookiejar gives names without a dot this ending.
        domain = host if "." in host or ":" in host else f"{host}.local"
        (await self.client()).cookies.set(name, value, domain=domain)

    async def cookies(self) -> list[str]:
        """The values of all cookies: secrets."""
        return [cookie.value or "" for cookie in (await self.client()).cookies.jar]

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def _exchange(
        self, client: httpx.AsyncClient, request: Request, headers: Mapping[str, str]
    ) -> Answer:
        body = None if request.body is None else json.dumps(request.body).encode()
        sent = dict(request.headers) | dict(headers)
        if body is not None:
            sent["Content-Type"] = "application/json"
        async with client.stream(
            request.method, request.path, params=request.parameters, content=body, headers=sent
        ) as response:
            return Answer(response.status_code, response.headers, await self._read(response))

    async def _read(self, response: httpx.Response) -> bytes:
        bound = self.config.max_bytes
        if int(response.headers.get("Content-Length") or 0) > bound:
            raise TooLarge(f"more than {bound} bytes", status=response.status_code)
        content = bytearray()
        async for chunk in response.aiter_bytes():
            content += chunk
            if len(content) > bound:
                raise TooLarge(f"more than {bound} bytes", status=response.status_code)
        return bytes(content)

    def _make(self, context: ssl.SSLContext | bool) -> httpx.AsyncClient:
        config = self.config
        return httpx.AsyncClient(
            base_url=config.url,
            verify=context,
            transport=self._transport,
            # A proxy of the environment is for the world, not for this machine.
            trust_env=urlsplit(config.url).hostname not in LOOPBACK,
            headers={"Accept": "application/json", "Referer": config.url.rstrip("/") + "/"},
            # Waiting for a free connection is no fault of the server: the tool's limit ends it.
            timeout=httpx.Timeout(config.timeout, connect=config.connect_timeout, pool=None),
            limits=httpx.Limits(max_connections=config.max_connections, keepalive_expiry=KEEPALIVE),
            follow_redirects=False,
        )


def _tls(config: SupersetConfig) -> ssl.SSLContext | bool:
    """What checks the certificates; plain HTTP needs nothing read."""
    if config.verify is False or config.url.startswith("http:"):
        return False
    if config.verify is True:
        return httpx.create_ssl_context()
    return ssl.create_default_context(cafile=str(config.verify))
