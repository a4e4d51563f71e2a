"""Clients of the real installations of the tests, and what they sent."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from demo.supersets import Superset as Installation
from tools.clients.superset import Account, Login, Superset, SupersetConfig
from tools.clients.superset_auth import Session


class Recorder(httpx.AsyncHTTPTransport):
    """A transport that remembers its requests."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return await super().handle_async_request(request)

    def sent(self, ending: str) -> int:
        """How many requests went to addresses with this ending."""
        return sum(request.url.path.endswith(ending) for request in self.requests)

    def queries(self) -> list[dict[str, Any]]:
        """The `q` of every request that has one."""
        return [
            json.loads(request.url.params["q"])
            for request in self.requests
            if "q" in request.url.params
        ]


@asynccontextmanager
async def client(
    installation: Installation,
    role: str = "operator",
    *,
    login: Login | None = None,
    recorder: Recorder | None = None,
) -> AsyncIterator[Superset]:
    """A client as one of our roles, or with another login."""
    superset = Superset(
        SupersetConfig(installation.url, retry_pause=0.1),
        login or Account(*installation.accounts[role]),
        transport=recorder,
    )
    try:
        yield superset
    finally:
        await superset.aclose()


def session(superset: Superset) -> Session:
    """The sign-in inside a client, to break it."""
    return superset._requests._session
