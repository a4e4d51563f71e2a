"""Sign-ins that are refused, lost or raced for."""

import asyncio

import httpx
import pytest

from tests.superset.superset_stub import (
    COOKIE,
    CSRF,
    OK,
    URL,
    Handler,
    Reply,
    Stub,
    body,
    connected,
    page,
    read,
    token,
    write,
)
from tools.clients import superset_auth
from tools.clients.http import CsrfRefused, LoginFailed, SessionExpired, SupersetError
from tools.clients.superset import ApiKey, SessionCookie


@pytest.mark.parametrize("location", ["/login/", "/login/?next=x", URL + "/sub/login/"])
async def test_a_way_to_the_login_page_renews_the_csrf_token(location: str) -> None:
    stub = Stub([httpx.Response(302, headers={"Location": location}), OK])
    async with connected(stub) as superset:
        assert await write(superset) == {"done": True}
    assert [request.headers["X-CSRFToken"] for request in stub.requests] == [
        f"{CSRF}-1",
        f"{CSRF}-2",
    ]
    assert (stub.logins, stub.csrfs) == (1, 2)


@pytest.mark.parametrize(
    "message",
    [
        "400 Bad Request: The CSRF token is missing.",
        "400 Bad Request: The CSRF session token is missing.",
        "400 Bad Request: The CSRF token has expired.",
        "400 Bad Request: The referrer does not match the host.",
    ],
)
async def test_a_csrf_refusal_is_answered_once(message: str) -> None:
    refusal = body(400, {"errors": [{"message": message, "error_type": "GENERIC_BACKEND_ERROR"}]})
    stub = Stub([refusal, OK])
    async with connected(stub) as superset:
        assert await write(superset) == {"done": True}
    stub = Stub([refusal, refusal, OK])
    async with connected(stub) as superset:
        with pytest.raises(CsrfRefused) as caught:
            await write(superset)
    assert caught.value.nothing_done
    assert len(stub.requests) == 2


@pytest.mark.parametrize(
    "refusal",
    [
        body(401, {"msg": "Token has expired"}),
        body(401, {"message": "Not authorized"}),
        body(422, {"msg": "Not enough segments"}),
        body(422, {"msg": "Signature verification failed"}),
    ],
    ids=repr,
)
async def test_a_refused_token_is_renewed_once_for_writes_too(refusal: httpx.Response) -> None:
    stub = Stub([refusal, OK])
    async with connected(stub) as superset:
        assert await write(superset) == {"done": True}
    assert (stub.logins, stub.refreshes, stub.csrfs) == (1, 1, 2)
    stub = Stub([refusal, refusal, OK])
    async with connected(stub) as superset:
        with pytest.raises(LoginFailed):
            await write(superset)
    assert len(stub.requests) == 2


async def test_a_refresh_that_fails_becomes_a_login() -> None:
    stub = Stub([body(401, {"msg": "Token has expired"}), OK])
    async with connected(stub) as superset:
        await read(superset)
        stub.replies = [body(401, {"msg": "Token has expired"}), OK]
        stub.signing_in = [body(422, {"msg": "Signature verification failed"})]
        assert await read(superset) == {"done": True}
    assert (stub.logins, stub.refreshes) == (2, 1)


async def test_a_token_is_renewed_before_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 5000.0
    monkeypatch.setattr(superset_auth, "monotonic", lambda: now)
    stub = Stub()
    async with connected(stub) as superset:
        await read(superset)
        now += 839
        await read(superset)
        assert stub.refreshes == 0
        now += 2  # a minute before its end
        await read(superset)
    assert (stub.logins, stub.refreshes) == (1, 1)
    assert stub.requests[-1].headers["Authorization"] == f"Bearer {token('r1')}"


def only_for(name: str) -> Handler:
    """A server that has forgotten every token but one, and takes its time to say so."""

    async def reply(request: httpx.Request) -> Reply:
        await asyncio.sleep(0.001)
        good = request.headers["Authorization"] == f"Bearer {token(name)}"
        return OK if good else body(401, {"msg": "Token has expired"})

    return reply


async def test_concurrent_calls_share_one_sign_in() -> None:
    stub = Stub()
    async with connected(stub) as superset:
        await asyncio.gather(*(write(superset) for _ in range(20)))
        assert (stub.logins, stub.csrfs) == (1, 1)
        stub.replies = [only_for("r1")] * 40
        await asyncio.gather(*(write(superset) for _ in range(20)))
    assert (stub.logins, stub.refreshes, stub.csrfs) == (1, 1, 2)
    assert len(stub.requests) == 60


@pytest.mark.parametrize("fault", [httpx.ConnectError("no"), httpx.ReadError("no"), page(502)])
async def test_a_read_signs_in_twice_at_most(fault: Reply) -> None:
    stub = Stub(signing_in=[fault])
    async with connected(stub) as superset:
        await read(superset)
    stub = Stub(signing_in=[fault] * 3)
    async with connected(stub) as superset:
        with pytest.raises(SupersetError):
            await read(superset)
    assert len(stub.signing_in) == 1


async def test_a_refused_password_is_not_repeated_at_once() -> None:
    stub = Stub(signing_in=[body(401, {"message": "Not authorized"})])
    async with connected(stub) as superset:
        results = await asyncio.gather(*(read(superset) for _ in range(5)), return_exceptions=True)
    assert [type(result) for result in results] == [LoginFailed] * 5
    assert (stub.logins, stub.requests) == (0, [])


async def test_a_key_is_not_renewed() -> None:
    stub = Stub([body(401, {"message": "Not authorized"}), OK])
    async with connected(stub, ApiKey("canary-key")) as superset:
        with pytest.raises(LoginFailed):
            await read(superset)
        assert await write(superset) == {"done": True}
    assert stub.requests[0].headers["Authorization"] == "Bearer canary-key"
    assert stub.requests[1].headers["X-CSRFToken"] == f"{CSRF}-1"
    assert stub.logins == 0


async def test_a_users_session_that_is_over_is_said_and_not_retried() -> None:
    stub = Stub([body(401, {"msg": "Missing Authorization Header"}), OK])
    async with connected(stub, SessionCookie("canary-session")) as superset:
        with pytest.raises(SessionExpired) as caught:
            await read(superset)
        assert str(caught.value) == "The session expired; reload the page"
        assert caught.value.nothing_done
        await write(superset)
    assert len(stub.requests) == 2
    assert stub.requests[0].headers["Cookie"] == "session=canary-session"
    assert stub.requests[1].headers["Cookie"] == f"session={COOKIE}", (
        "the renewed session replaces it"
    )
    assert "Authorization" not in stub.requests[0].headers
