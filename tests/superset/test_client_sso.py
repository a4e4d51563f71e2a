"""Where passwords do not log in: API keys and session cookies, on a real Superset 6.1.

Rows 4 (a CSRF token goes with every write), 6 (/me/) and 25 (single sign-on) of the reports.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from demo.supersets import Pair
from tests.superset.real import (
    KEYS,
    Recorder,
    browser_cookie,
    client,
    deactivate,
    make_key,
    revoke_key,
    show_to_the_public,
)
from tests.superset.superset_stub import Stub, body, connected, read, write
from tools.clients import superset_auth
from tools.clients.http import CookieRefused, Forbidden, KeyRefused, LoginFailed, SessionExpired
from tools.clients.superset import Account, ApiKey, Login, SessionCookie, Superset
from tools.clients.superset_logins import made_at

LOGIN, CSRF, ME = "/security/login", "/security/csrf_token/", "/api/v1/me/"
WAYS = ["key", "cookie"]


async def sign_in(pair: Pair, way: str, role: str = "operator") -> tuple[Login, str]:
    """A key or a cookie of an account, and what takes a key back."""
    if way == "key":
        return await make_key(pair.dev, role)
    return await browser_cookie(pair.dev, role), ""


async def renamed(superset: Superset, title: str) -> str:
    """Write a dashboard's title, and read it back."""
    usa = await superset.dashboard("usa")
    path = f"/api/v1/dashboard/{usa.id}"
    await superset.request_json("PUT", path, body={"dashboard_title": title}, write=True)
    return (await superset.dashboard("usa")).title


@pytest.mark.parametrize("way", WAYS)
async def test_reads_all_pages_and_writes_without_any_password(pair: Pair, way: str) -> None:
    login, _ = await sign_in(pair, way)
    recorder = Recorder()
    async with client(pair.dev, login=login, recorder=recorder) as superset:
        rows = [row async for row in superset.rows("dashboard", ["id"])]
        assert len({row["id"] for row in rows}) == 262
        assert await superset.whoami() == pair.dev.accounts["operator"][0]
        assert await renamed(superset, f"by {way}") == f"by {way}"
        assert await renamed(superset, f"again {way}") == f"again {way}"
    assert (recorder.sent(LOGIN), recorder.sent(CSRF)) == (0, 1)
    writes = [request for request in recorder.requests if request.method == "PUT"]
    assert len(writes) == 2
    for request in writes:
        assert request.headers["X-CSRFToken"]
        assert request.headers["Referer"] == f"{pair.dev.url}/"
        assert "Cookie" in request.headers, "the CSRF token is bound to the session"
        assert ("Authorization" in request.headers) == (way == "key")


@pytest.mark.parametrize("way", WAYS)
async def test_lost_csrf_token_is_fetched_again(pair: Pair, way: str) -> None:
    login, _ = await sign_in(pair, way)
    async with client(pair.dev, login=login) as superset:
        await renamed(superset, "one")
        superset._requests._session._csrf = "x"
        assert await renamed(superset, "two") == "two"


@pytest.mark.parametrize("way", WAYS)
async def test_rights_are_those_of_the_account(pair: Pair, way: str) -> None:
    login, _ = await sign_in(pair, way, "viewer")
    async with client(pair.dev, login=login) as superset:
        assert await superset.count("dashboard") == 261
        with pytest.raises(Forbidden) as caught:
            await renamed(superset, "no")
    assert caught.value.nothing_done


async def test_revoked_key_is_refused_and_nothing_is_done(pair: Pair) -> None:
    login, uuid = await make_key(pair.dev)
    recorder = Recorder()
    async with client(pair.dev, login=login, recorder=recorder) as superset:
        before = await superset.dashboard("usa")
        await revoke_key(pair.dev, uuid)
        recorder.requests.clear()
        path = f"/api/v1/dashboard/{before.id}"
        with pytest.raises(KeyRefused) as caught:
            await superset.request_json("PUT", path, body={"dashboard_title": "x"}, write=True)
        with pytest.raises(KeyRefused):
            await superset.ping()
    assert caught.value.nothing_done
    assert len(recorder.requests) <= 3, "nothing is repeated: nobody can renew it here"
    assert login.key not in str(caught.value)
    async with client(pair.dev) as superset:
        assert await superset.dashboard("usa") == before


async def test_key_is_made_in_a_browser_as_the_documentation_says(pair: Pair) -> None:
    told = {"name": "pilothouse", "expires_on": "2127-12-31T00:00:00"}
    async with client(pair.dev, login=await browser_cookie(pair.dev, "viewer")) as superset:
        made = await superset.request_json("POST", KEYS, body=told, write=True)
    async with client(pair.dev, login=ApiKey(made["result"]["key"])) as superset:
        assert await superset.whoami() == pair.dev.accounts["viewer"][0]


async def test_key_past_its_end_is_refused(pair: Pair) -> None:
    end = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    async with client(pair.dev) as superset:
        told = {"name": "old", "expires_on": end}
        made = await superset.request_json("POST", KEYS, body=told, write=True)
    async with client(pair.dev, login=ApiKey(made["result"]["key"])) as superset:
        with pytest.raises(KeyRefused):
            await superset.ping()


async def test_session_that_ends_midway_stops_reads_and_writes(pair: Pair) -> None:
    login = await browser_cookie(pair.dev, "editor")
    async with client(pair.dev, login=login) as superset:
        energy = await superset.dashboard("energy")
        await deactivate(pair.dev, "editor")
        path = f"/api/v1/dashboard/{energy.id}"
        with pytest.raises(CookieRefused) as caught:
            await superset.request_json("PUT", path, body={"published": True}, write=True)
        with pytest.raises(CookieRefused):
            await superset.ping()
    assert caught.value.nothing_done
    async with client(pair.dev) as superset:
        assert (await superset.dashboard("energy")).changed_on == energy.changed_on


@pytest.mark.parametrize("owner", ["user", "deployment"])
async def test_who_can_renew_a_session_is_said(pair: Pair, owner: Any) -> None:
    good = await browser_cookie(pair.dev)
    async with client(pair.dev, login=replace(good, value="x", owner=owner)) as superset:
        with pytest.raises(SessionExpired if owner == "user" else CookieRefused):
            await superset.ping()


async def test_cookie_tells_when_it_was_made(pair: Pair) -> None:
    cookie = await browser_cookie(pair.dev)
    made = made_at(cookie.value)
    assert made is not None
    assert abs(datetime.now(UTC) - made) < timedelta(minutes=1)


@pytest.mark.parametrize("value", ["", "x", "a.b", "a.bcdefg", "a.!!!!!!.c", "a.bcdefgh.c"])
def test_other_cookies_do_not_tell(value: str) -> None:
    assert made_at(value) is None


async def test_key_or_cookie_that_is_over_never_reads_as_the_public(pair: Pair) -> None:
    good = await browser_cookie(pair.dev)
    await show_to_the_public(pair.dev)
    async with httpx.AsyncClient(base_url=pair.dev.url, cookies={good.name: "x"}) as http:
        answer = await http.get("/api/v1/dashboard/", params={"q": '{"columns":["id"]}'})
    assert (answer.status_code, answer.json()["count"]) == (200, 247), "the trap is there"
    for login in (replace(good, value="x"), ApiKey("sst_x")):
        async with client(pair.dev, login=login) as superset:
            with pytest.raises(LoginFailed):
                await superset.count("dashboard")


async def test_public_dashboards_hide_the_others_from_tokens_and_keys_and_we_can_tell(
    pair: Pair,
) -> None:
    key, _ = await make_key(pair.dev)
    logins: list[Login] = [Account(*pair.dev.accounts["operator"]), key]
    cookie = await browser_cookie(pair.dev)
    async with client(pair.dev) as superset:
        assert not await superset.reads_as_public()
    await show_to_the_public(pair.dev)
    for login in logins:
        async with client(pair.dev, login=login) as superset:
            assert await superset.reads_as_public()
            assert await superset.count("dashboard") == 247
    async with client(pair.dev, login=cookie) as superset:
        assert not await superset.reads_as_public()
        assert await superset.count("dashboard") == 262


async def test_me_takes_an_access_token_here(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, "viewer", recorder=recorder) as superset:
        assert await superset.whoami() == pair.dev.accounts["viewer"][0]
    assert recorder.sent(ME) == 1


async def test_before_6_1_me_is_not_asked_with_a_token_which_it_would_refuse() -> None:
    """/me/ says "Not authorized" with a JWT (apache/superset#25876)."""
    refusal = body(401, {"message": "Not authorized"})
    stub = Stub([body(404, {"message": "Not found"})], known=[refusal])
    async with connected(stub) as superset:
        assert await superset.whoami() is None
        assert await read(superset) == {}
    assert (stub.asked, stub.logins, stub.refreshes) == (0, 1, 0), "no login for nothing"
    async with connected(stub := Stub(), SessionCookie("x")) as superset:
        assert await superset.whoami() == "robot"


@pytest.mark.parametrize("login", [ApiKey("canary"), SessionCookie("canary")])
async def test_who_may_not_read_about_themselves_is_let_in(login: Login) -> None:
    stub = Stub(known=[body(403, {"message": "Forbidden"})])
    async with connected(stub, login) as superset:
        await read(superset)
        await write(superset)
    assert stub.asked == 1


async def test_key_and_cookie_are_checked_again_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 5000.0
    monkeypatch.setattr(superset_auth, "monotonic", lambda: now)
    stub = Stub()
    async with connected(stub, ApiKey("canary")) as superset:
        await read(superset)
        await read(superset)
        assert stub.asked == 1
        now += superset_auth.KNOWN
        stub.known = [httpx.Response(302, headers={"Location": "/login/?next=x"})]
        with pytest.raises(KeyRefused):
            await read(superset)
        await read(superset)
    assert (stub.asked, len(stub.requests)) == (3, 3)


async def test_csrf_token_fetched_while_the_session_ends_is_told_as_the_session() -> None:
    refusal = body(401, {"msg": "Missing Authorization Header"})
    stub = Stub(signing_in=[refusal])
    async with connected(stub, SessionCookie("canary", owner="deployment")) as superset:
        with pytest.raises(CookieRefused) as caught:
            await write(superset)
    assert caught.value.nothing_done
    assert stub.requests == []
