"""Faults that a real Superset can't be made to show: what is tried again, what it proves."""

import asyncio
import time
from typing import Any

import httpx
import pytest

from tests.superset.superset_stub import (
    FINAL,
    OK,
    TRANSIENT,
    Reply,
    Stub,
    body,
    connected,
    page,
    read,
    write,
)
from tools.clients import superset_retry
from tools.clients.http import (
    BadAnswer,
    Busy,
    Forbidden,
    Invalid,
    NotFound,
    Redirected,
    Refused,
    ServerFault,
    SupersetError,
    Unanswered,
    Unreachable,
)


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
