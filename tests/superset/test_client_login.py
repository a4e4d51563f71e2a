"""Staying signed in at a real Superset, whatever happens to tokens and cookies."""

import asyncio
import logging
from typing import Any

import httpx
import pytest

from demo.supersets import Pair
from tests.superset.real import Recorder, client, expired, session
from tools.clients.http import Forbidden, LoginFailed
from tools.clients.superset import Account, Superset

LOGIN, REFRESH = "/security/login", "/security/refresh"
CSRF = "/security/csrf_token/"


async def write(superset: Superset) -> Any:
    """A write that changes nothing: the draft flag as it is."""
    usa = await superset.dashboard("usa")
    return await superset.request_json(
        "PUT", f"/api/v1/dashboard/{usa.id}", body={"published": True}, write=True
    )


@pytest.mark.parametrize("kind", ["expired", "garbage", "tampered"])
@pytest.mark.parametrize("doing", ["read", "write"])
async def test_a_token_that_is_not_accepted_is_refreshed(pair: Pair, kind: str, doing: str) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        await write(superset)
        good = session(superset)._access
        assert good is not None
        bad = {"expired": expired(pair, good), "garbage": "x", "tampered": good[:-6] + "AAAAAA"}
        session(superset)._access = bad[kind]
        recorder.requests.clear()
        await (superset.ping() if doing == "read" else write(superset))
        assert (recorder.sent(LOGIN), recorder.sent(REFRESH)) == (0, 1)
        assert session(superset)._access not in (good, bad[kind])


async def test_an_expired_token_is_what_superset_says_it_is(pair: Pair) -> None:
    async with client(pair.dev) as superset:
        await superset.ping()
        token = session(superset)._access
        assert token is not None
    headers = {"Authorization": f"Bearer {expired(pair, token)}", "Accept": "application/json"}
    async with httpx.AsyncClient(base_url=pair.dev.url, headers=headers) as http:
        answer = await http.get("/api/v1/dashboard/")
    assert (answer.status_code, answer.json()) == (401, {"msg": "Token has expired"})


async def test_a_token_near_its_end_is_refreshed_before(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        await superset.ping()
        session(superset)._renew_at = 0.0
        await superset.ping()
        await superset.ping()
    assert (recorder.sent(LOGIN), recorder.sent(REFRESH)) == (1, 1)


async def test_a_refresh_token_that_is_not_accepted_becomes_a_login(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        await superset.ping()
        session(superset)._access = session(superset)._refresh = "x"
        await superset.ping()
    assert (recorder.sent(LOGIN), recorder.sent(REFRESH)) == (2, 1)


@pytest.mark.parametrize("lost", ["token", "cookie", "both"])
async def test_a_lost_csrf_token_or_cookie_is_renewed_and_the_write_sent_once_more(
    pair: Pair, lost: str
) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        await write(superset)
        if lost in ("token", "both"):
            session(superset)._csrf = "x"
        if lost in ("cookie", "both"):
            (await superset._requests._wire.client()).cookies.clear()
        recorder.requests.clear()
        await write(superset)
    assert recorder.sent(CSRF) == 1
    assert sum(request.method == "PUT" for request in recorder.requests) == 2


async def test_a_delete_without_csrf_token_is_not_taken_for_done(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        made = await superset.request_json(
            "POST", "/api/v1/dashboard/", body={"dashboard_title": "to go"}, write=True
        )
        session(superset)._csrf = "x"
        path = f"/api/v1/dashboard/{made['id']}"
        await superset.request_json("DELETE", path, write=True)
        assert await superset.count("dashboard") == 262
    assert recorder.sent(path) == 2, "the first answer was a redirect to the login page"


async def test_concurrent_calls_share_one_sign_in(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        await asyncio.gather(*(write(superset) for _ in range(6)))
        session(superset)._access = "x"
        await asyncio.gather(*(superset.ping() for _ in range(6)))
    assert recorder.sent(LOGIN) == 1
    assert recorder.sent(REFRESH) == 1


async def test_no_log_has_a_secret_at_any_level(
    pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with client(pair.dev) as superset:
        await write(superset)
        secrets = session(superset).secrets()
    assert len(secrets) == 6, "password, address, two tokens, cookie, CSRF token"
    assert not [secret for secret in secrets if secret in caplog.text]


async def test_a_wrong_password_is_said(pair: Pair) -> None:
    login = Account(pair.dev.accounts["viewer"][0], "canary-password")
    async with client(pair.dev, login=login) as superset:
        with pytest.raises(LoginFailed) as caught:
            await superset.ping()
    assert "canary" not in str(caught.value)


async def test_an_account_of_another_installation_is_not_accepted(pair: Pair) -> None:
    async with client(pair.prod, login=Account(*pair.dev.accounts["operator"])) as superset:
        with pytest.raises(LoginFailed):
            await superset.ping()


async def test_a_role_without_the_right_is_forbidden_to_write(pair: Pair) -> None:
    async with client(pair.dev, "editor") as superset:
        with pytest.raises(Forbidden) as caught:
            await write(superset)
    assert caught.value.nothing_done
