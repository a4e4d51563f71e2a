"""Answers of every shape and size: what is said of them."""

import gzip
from typing import Any

import httpx
import pytest

from tests.superset.superset_stub import (
    COOKIE,
    CSRF,
    URL,
    Stub,
    body,
    connected,
    read,
    write,
)
from tools.clients.http import BadAnswer, Invalid, ServerFault, TooLarge
from tools.clients.superset_errors import Complaint


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
