"""Faults that a real Superset can't be made to show: what is tried again, and what is said."""

import asyncio
import gzip
import logging
import time
import traceback
from typing import Any, get_args

import httpx
import pytest

from tests.superset.superset_stub import (
    COOKIE,
    CSRF,
    PASSWORD,
    URL,
    Handler,
    Reply,
    Stub,
    connected,
    token,
)
from tools.clients import http, superset_auth, superset_retry
from tools.clients.http import (
    BadAnswer,
    Busy,
    CsrfRefused,
    ErrorCode,
    Forbidden,
    Invalid,
    LoginFailed,
    NotFound,
    Redirected,
    Refused,
    ServerFault,
    SessionExpired,
    SupersetError,
    TooLarge,
    Unanswered,
    Unreachable,
)
from tools.clients.superset import Account, ApiKey, SessionCookie, Superset
from tools.clients.superset_errors import MAX_DETAIL, Complaint
from tools.messages import text

OK = httpx.Response(200, json={"done": True})
HTML = {"Content-Type": "text/html"}


def page(status: int) -> httpx.Response:
    return httpx.Response(status, text="<!doctype html><h1>Nope</h1>", headers=HTML)


def body(status: int, json: Any, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=json, headers=headers)


async def read(superset: Superset) -> Any:
    return await superset.request_json("GET", "/api/v1/thing")


async def write(superset: Superset) -> Any:
    return await superset.request_json(
        "PUT", "/api/v1/thing", body={"a": 1}, write=True, idempotency_key="key-1"
    )


TRANSIENT: list[Reply] = [
    page(502),
    page(503),
    page(504),
    body(503, {"message": "starting"}),
    page(500),
    body(500, ["a shape of nobody"]),
    httpx.Response(500),
    body(429, {"message": "slow down"}),
    httpx.ConnectError("refused"),
    httpx.ConnectTimeout("late"),
    httpx.ReadError("reset"),
    httpx.WriteError("broken pipe"),
    httpx.RemoteProtocolError("Server disconnected without sending a response."),
]


@pytest.mark.parametrize("fault", TRANSIENT, ids=repr)
async def test_a_read_is_tried_once_more(fault: Reply) -> None:
    stub = Stub([fault, OK])
    async with connected(stub) as superset:
        assert await read(superset) == {"done": True}
    assert len(stub.requests) == 2


@pytest.mark.parametrize("fault", TRANSIENT, ids=repr)
async def test_a_read_is_tried_no_third_time(fault: Reply) -> None:
    stub = Stub([fault, fault, OK])
    async with connected(stub) as superset:
        with pytest.raises(SupersetError):
            await read(superset)
    assert len(stub.requests) == 2


@pytest.mark.parametrize("fault", [*TRANSIENT, httpx.ReadTimeout("late")], ids=repr)
async def test_a_write_is_never_tried_again(fault: Reply) -> None:
    stub = Stub([fault, OK])
    async with connected(stub) as superset:
        with pytest.raises(SupersetError):
            await write(superset)
    assert len(stub.requests) == 1


FINAL: list[Reply] = [
    body(500, {"message": "Fatal error"}),
    body(500, {"errors": [{"message": "no such table", "error_type": "GENERIC_DB_ENGINE_ERROR"}]}),
    body(500, {"error": "broken"}),
    body(500, {"msg": "broken"}),
    body(500, {"message": {"field": ["bad"]}}),
    body(400, {"message": "no"}),
    body(404, {"message": "Not found"}),
    body(429, {}, **{"Retry-After": "60"}),
    httpx.ReadTimeout("late"),
    page(200),
]


@pytest.mark.parametrize("fault", FINAL, ids=repr)
async def test_a_final_answer_is_not_asked_for_again(fault: Reply) -> None:
    stub = Stub([fault, OK])
    async with connected(stub) as superset:
        with pytest.raises(SupersetError):
            await read(superset)
    assert len(stub.requests) == 1


@pytest.mark.parametrize(("asked", "waited"), [("3", 3.0), ("0", 0.0), ("5", 5.0), (None, 1.0)])
async def test_retry_after_is_honoured(
    asked: str | None, waited: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(superset_retry, "sleep", sleep)
    busy = body(429, {}, **({"Retry-After": asked} if asked else {}))
    async with connected(Stub([busy, OK]), retry_pause=1.0) as superset:
        await read(superset)
    assert pauses == [waited]


@pytest.mark.parametrize(
    ("fault", "kind", "nothing_done"),
    [
        (httpx.ConnectError("refused"), Unreachable, True),
        (httpx.ConnectTimeout("late"), Unreachable, True),
        (httpx.PoolTimeout("full"), Unreachable, True),
        (httpx.ProxyError("407"), Unreachable, True),
        (httpx.ReadError("reset"), Unanswered, False),
        (httpx.WriteError("reset"), Unanswered, False),
        (httpx.ReadTimeout("late"), Unanswered, False),
        (httpx.WriteTimeout("late"), Unanswered, False),
        (httpx.RemoteProtocolError("half"), Unanswered, False),
        (page(502), ServerFault, False),
        (body(500, {"message": "Fatal error"}), ServerFault, False),
        (page(200), BadAnswer, False),
        (body(400, {"message": "no"}), Invalid, True),
        (body(422, {"message": {"slug": ["Must be unique"]}}), Invalid, True),
        (body(403, {"message": "Forbidden"}), Forbidden, True),
        (body(404, {"message": "Not found"}), NotFound, True),
        (body(405, {"message": "no"}), Refused, True),
        (body(429, {}), Busy, True),
        (httpx.Response(301, headers={"Location": "https://else.where/"}), Redirected, True),
    ],
    ids=repr,
)
async def test_what_a_failed_write_proves(
    fault: Reply, kind: type[SupersetError], nothing_done: bool
) -> None:
    async with connected(Stub([fault])) as superset:
        with pytest.raises(SupersetError) as caught:
            await write(superset)
    assert type(caught.value) is kind
    assert caught.value.nothing_done is nothing_done


@pytest.mark.parametrize(
    ("fault", "tries"),
    [(httpx.ReadTimeout("late"), 1), (httpx.ReadError("reset"), 2), (page(502), 2), (page(200), 1)],
    ids=repr,
)
async def test_a_sign_in_that_fails_before_a_write_leaves_no_doubt(
    fault: Reply, tries: int
) -> None:
    stub = Stub(signing_in=[fault] * tries)
    async with connected(stub) as superset:
        with pytest.raises(Unreachable) as caught:
            await write(superset)
    assert caught.value.nothing_done
    assert stub.requests == []
    assert stub.signing_in == []


@pytest.mark.parametrize(
    ("answer", "detail", "fields"),
    [
        ({"errors": [{"message": "m", "error_type": "E", "level": "error"}]}, "m", {}),
        ({"message": "m"}, "m", {}),
        ({"message": {"slug": ["Must be unique"]}}, "slug: Must be unique", {"slug"}),
        ({"message": {"a": {"0": ["x", "y"]}}}, "a: x, y", {"a"}),
        ({"message": ["x", "y"]}, "x; y", {}),
        ({"error": "m"}, "m", {}),
        ({"other": "m"}, "", {}),
    ],
)
async def test_the_shapes_of_errors(answer: Any, detail: str, fields: set[str]) -> None:
    async with connected(Stub([body(400, answer)])) as superset:
        with pytest.raises(Invalid) as caught:
            await read(superset)
    assert caught.value.detail == detail
    assert set(caught.value.fields) == set(fields)


def test_the_shape_of_the_token_layer() -> None:
    assert Complaint.read({"msg": "Token has expired"}) == Complaint(
        "Token has expired", token=True
    )
    assert not Complaint.read({"msg": 5}).known
    assert not Complaint.read([1]).known
    assert not Complaint.read({"errors": []}).known


async def test_the_type_of_a_server_fault_is_kept() -> None:
    answer = body(500, {"errors": [{"message": "no such table: x", "error_type": "SOME_ERROR"}]})
    async with connected(Stub([answer])) as superset:
        with pytest.raises(ServerFault, match="no such table: x") as caught:
            await read(superset)
    assert caught.value.error_type == "SOME_ERROR"
    assert not caught.value.transient


@pytest.mark.parametrize("content", [b"", b"{", b"<html>", b"\xff\xfe", b"[" * 100_000])
async def test_a_success_that_is_no_json(content: bytes) -> None:
    async with connected(Stub([httpx.Response(200, content=content)])) as superset:
        with pytest.raises(BadAnswer) as caught:
            await read(superset)
    assert caught.value.__context__ is None or "html" not in str(caught.value.__context__)


async def endless(taken: list[int]) -> Any:
    while True:
        taken.append(1_000_000)
        yield b"x" * 1_000_000


@pytest.mark.parametrize("packed", [False, True])
async def test_an_answer_above_the_bound_is_not_read_to_its_end(packed: bool) -> None:
    taken: list[int] = []
    if packed:
        bomb = gzip.compress(b" " * 12_000_000)
        answer = httpx.Response(200, stream=Chunks(bomb), headers={"Content-Encoding": "gzip"})
    else:
        answer = httpx.Response(200, content=endless(taken))
    async with connected(Stub([answer]), max_bytes=10_000_000) as superset:
        with pytest.raises(TooLarge):
            await read(superset)
    assert sum(taken) <= 12_000_000


class Chunks(httpx.AsyncByteStream):
    """A body that comes piece by piece."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    async def __aiter__(self) -> Any:
        for start in range(0, len(self.content), 1000):
            yield self.content[start : start + 1000]


async def test_an_announced_length_above_the_bound_is_not_read_at_all() -> None:
    taken: list[int] = []
    answer = httpx.Response(200, content=endless(taken), headers={"Content-Length": "99000000"})
    async with connected(Stub([answer])) as superset:
        with pytest.raises(TooLarge):
            await read(superset)
    assert taken == []


async def test_a_large_answer_below_the_bound_is_read_whole() -> None:
    rows = ["строка" * 10] * 100_000  # 12 MB
    async with connected(Stub([body(200, {"rows": rows})])) as superset:
        assert len((await read(superset))["rows"]) == 100_000


async def test_a_trickle_does_not_outlast_the_limit() -> None:
    async def trickle() -> Any:
        while True:
            await asyncio.sleep(0.02)
            yield b" "

    answer = httpx.Response(200, content=trickle())
    start = time.monotonic()
    async with connected(Stub([answer]), timeout=0.2) as superset:
        with pytest.raises(Unanswered, match=r"no answer within 0\.2 s") as caught:
            await read(superset)
    assert caught.value.timed_out
    assert time.monotonic() - start < 5


async def test_a_cancelled_call_is_cancelled() -> None:
    async def hang(_request: httpx.Request) -> Reply:
        await asyncio.sleep(60)
        return OK

    async with connected(Stub([hang])) as superset:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await write(superset)


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


async def test_what_every_request_carries() -> None:
    stub = Stub()
    async with connected(stub, url=URL + "/bi") as superset:
        await superset.request_json("GET", "/api/v1/x", query={"q": {"a": "ё&+%"}, "force": True})
        await superset.request_json("POST", "/api/v1/y", body={"b": 1})
        await write(superset)
    reading, posting, writing = stub.requests
    assert reading.url.path == "/bi/api/v1/x"
    assert dict(reading.url.params) == {
        "q": '{"a":"\\u0451\\u0026\\u002b\\u0025"}',
        "force": "true",
    }
    for request in stub.requests:
        assert request.headers["Accept"] == "application/json"
        assert request.headers["Referer"] == URL + "/bi/"
        assert request.headers["Authorization"].startswith("Bearer ")
    assert "X-CSRFToken" not in reading.headers
    assert "Idempotency-Key" not in posting.headers
    assert posting.headers["X-CSRFToken"] == f"{CSRF}-1"
    assert writing.headers["Idempotency-Key"] == "key-1"
    assert writing.headers["Cookie"] == f"session={COOKIE}"


async def test_lists_of_numbers_in_a_query_are_rison() -> None:
    stub = Stub()
    async with connected(stub) as superset:
        await superset.request_json("GET", "/x", query={"q": [1, 2]})
        with pytest.raises(ValueError, match="integers only"):
            await superset.request_json("GET", "/x", query={"q": ["a)"]})
    assert [request.url.params["q"] for request in stub.requests] == ["!(1,2)"]


CANARIES = ("canary", "superset.invalid", "secret-query")


def reflecting(status: int, shape: str) -> Handler:
    """A server that says back everything it was sent."""

    def reply(request: httpx.Request) -> Reply:
        told = (
            f"{request.url} {request.headers!r} {request.headers.get('Authorization')} {PASSWORD}"
        )
        words = {
            "errors": {"errors": [{"message": told, "error_type": told}]},
            "message": {"message": told},
            "fields": {"message": {told: [told]}},
            "error": {"error": told},
            "msg": {"msg": told},
        }[shape]
        return body(status, words)

    return reply


FAULTS: list[Reply | Handler] = [
    *TRANSIENT,
    *FINAL,
    *[
        reflecting(status, shape)
        for status in (400, 401, 403, 404, 409, 422, 500)
        for shape in ("errors", "message", "fields", "error", "msg")
    ],
    httpx.ConnectError(f"{URL} {PASSWORD}"),
    httpx.ReadTimeout(f"{URL} {PASSWORD}"),
    httpx.Response(302, headers={"Location": f"{URL}/x?canary=1"}),
    httpx.Response(200, text=f"<html>{PASSWORD}"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_no_secret_is_ever_shown(
    fault: Reply | Handler, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected(Stub([fault] * 4)) as superset:
        with pytest.raises(SupersetError) as caught:
            await superset.request_json(
                method, "/api/v1/x", query={"q": {"a": "secret-query"}}, write=method == "PUT"
            )
    error = caught.value
    shown = [
        str(error),
        repr(error),
        repr(vars(error)),
        "".join(traceback.format_exception(error)),
        caplog.text,
    ]
    for part in walk(error):
        shown += [str(part), repr(part), repr(vars(part))]
    for canary in CANARIES:
        assert not [words for words in shown if canary in words]
    assert len(str(error)) < MAX_DETAIL + 200


def walk(error: BaseException | None) -> list[BaseException]:
    """An error and everything that hangs on it."""
    found: list[BaseException] = []
    while error is not None:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


@pytest.mark.parametrize(
    "login", [Account("robot", PASSWORD), ApiKey("canary-key"), SessionCookie("canary-session")]
)
def test_logins_do_not_show_their_secret(login: Any) -> None:
    assert "canary" not in repr(login)


def errors() -> list[type[SupersetError]]:
    classes: list[type[SupersetError]] = [SupersetError]
    for known in classes:
        classes += known.__subclasses__()
    return classes


def test_each_error_has_its_own_code_and_words_in_both_languages() -> None:
    codes = [kind.code for kind in errors()]
    assert sorted(codes) == sorted(get_args(ErrorCode))
    for code in codes:
        assert text("ru", f"superset-{code}") != text("en", f"superset-{code}")
    assert all(kind.summary and kind.__name__ in (http.__doc__ or "") for kind in errors())
