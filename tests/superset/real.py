"""Clients of the real installations of the tests, and what they sent."""

import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import jwt

from demo.supersets import Pair
from demo.supersets import Superset as Installation
from tools.clients.superset import (
    Account,
    ApiKey,
    Login,
    SessionCookie,
    Superset,
    SupersetConfig,
)
from tools.clients.superset_auth import Session

SECURITY = "/api/v1/security/"
KEYS, USERS, ROLES = (f"{SECURITY}{name}/" for name in ("api_keys", "users", "roles"))
RIGHTS = f"{SECURITY}permissions-resources/"


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


async def browser_cookie(installation: Installation, role: str = "operator") -> SessionCookie:
    """The cookie of a login by Superset's own page, as somebody's browser would hold it."""
    username, password = installation.accounts[role]
    headers = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"}
    async with httpx.AsyncClient(base_url=installation.url, headers=headers) as browser:
        page = await browser.get("/login/")
        # The token is in a hidden field or in the data of the page, whose quotes are escaped.
        found = re.search(r'csrf_token(?:&#34;:\s*&#34;|[^>]*?value=")([\w.-]+)', page.text)
        assert found is not None
        form = {"username": username, "password": password, "csrf_token": found[1]}
        answer = await browser.post("/login/", data=form)
        assert answer.status_code == 302
        (cookie,) = browser.cookies.jar
    assert cookie.value is not None
    return SessionCookie(cookie.value, cookie.name, "deployment")


async def make_key(installation: Installation, role: str = "operator") -> tuple[ApiKey, str]:
    """An API key of an account, and the uuid it is revoked by."""
    async with client(installation, role) as superset:
        made = await superset.request_json("POST", KEYS, body={"name": "test"}, write=True)
    return ApiKey(made["result"]["key"]), made["result"]["uuid"]


async def revoke_key(installation: Installation, uuid: str, role: str = "operator") -> None:
    """Take a key of an account back."""
    async with client(installation, role) as superset:
        await superset.request_json("DELETE", f"{KEYS}{uuid}", write=True)


async def deactivate(installation: Installation, role: str) -> None:
    """Lock an account, which ends its sessions."""
    async with client(installation, "admin") as superset:
        users = await superset.request_json("GET", USERS, query={"q": {"page_size": 100}})
        name = installation.accounts[role][0]
        [number] = [one["id"] for one in users["result"] if one["username"] == name]
        await superset.request_json("PUT", f"{USERS}{number}", body={"active": False}, write=True)


async def show_to_the_public(installation: Installation) -> None:
    """Let Superset's role Public read dashboards, as installations with open dashboards do."""
    wanted = {("can_read", "Dashboard"), ("all_datasource_access", "all_datasource_access")}
    async with client(installation, "admin") as superset:
        rights = [
            right["id"]
            for number in range(10)
            for right in (await superset.request_json("GET", RIGHTS, query=_page(number)))["result"]
            if (right["permission"]["name"], right["view_menu"]["name"]) in wanted
        ]
        assert len(rights) == len(wanted)
        roles = await superset.request_json("GET", ROLES, query=_page(0))
        [public] = [one["id"] for one in roles["result"] if one["name"] == "Public"]
        body = {"permission_view_menu_ids": rights}
        path = f"{ROLES}{public}/permissions"
        await superset.request_json("POST", path, body=body, write=True)


async def narrow_account(admin: Superset, dataset: str) -> Account:
    """An account that may run SQL, and read one dataset."""
    page_number, right = 0, None
    while right is None:
        query = {"q": {"page": page_number, "page_size": 100}}
        found = await admin.request_json("GET", RIGHTS, query=query)
        right = next(
            (
                one["id"]
                for one in found["result"]
                if one["permission"]["name"] == "datasource_access"
                and f"[{dataset}]" in one["view_menu"]["name"]
            ),
            None,
        )
        page_number += 1
    made = await admin.request_json("POST", ROLES, body={"name": "One"}, write=True)
    rights = {"permission_view_menu_ids": [right]}
    path = f"{ROLES}{made['id']}/permissions"
    await admin.request_json("POST", path, body=rights, write=True)
    listed = await admin.request_json("GET", ROLES, query={"q": {"page_size": 100}})
    roles = [one["id"] for one in listed["result"] if one["name"] in ("Gamma", "sql_lab", "One")]
    person = {
        "username": "narrow", "first_name": "N", "last_name": "N", "email": "n@example.org",
        "password": "narrow-1", "active": True, "roles": roles,
    }  # fmt: skip
    await admin.request_json("POST", USERS, body=person, write=True)
    return Account("narrow", "narrow-1")


def _page(number: int) -> dict[str, Any]:
    return {"q": {"page": number, "page_size": 100}}


def expired(pair: Pair, token: str) -> str:
    """The same token, signed by this very installation, but past its end."""
    claims = jwt.decode(token, options={"verify_signature": False})
    key = pair.base.installation("dev", Path()).secret.read_text(encoding="utf-8").strip()
    now = int(time.time())
    return jwt.encode(claims | {"iat": now - 900, "nbf": now - 900, "exp": now - 1}, key, "HS256")


def session(superset: Superset) -> Session:
    """The sign-in inside a client, to break it."""
    return superset._requests._session
