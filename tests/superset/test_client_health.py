"""Answers that a healthy Superset never gives when databases and charts are asked."""

import json
from typing import Any

import httpx
import pytest

from tests.superset.superset_stub import Stub, body, connected, page
from tools.clients.http import NotFound, ServerFault, SupersetError
from tools.clients.superset import DatabaseSummary
from tools.clients.superset_health import Check, check_chart, check_database, placed_charts


def database(backend: str = "postgresql", sql_lab: bool = True) -> DatabaseSummary:
    return DatabaseSummary(7, "u", "DWH", backend, sql_lab, allow_dml=False)


def sql_error(message: str, error_type: str = "GENERIC_DB_ENGINE_ERROR") -> httpx.Response:
    return body(500, {"errors": [{"message": message, "error_type": error_type}]})


SCHEMAS = body(200, {"result": ["public"]})
PUSH = body(400, {"errors": [{"message": "'NoneType' object has no attribute 'push'"}]})


@pytest.mark.parametrize(
    ("replies", "found"),
    [
        ([body(200, {"data": [{"1": 1}]})], Check("works")),
        (
            [sql_error("could not connect to server")],
            Check("broken", "could not connect to server"),
        ),
        ([PUSH, body(200, {"data": [{"1": 1}]})], Check("works")),
        ([PUSH, PUSH, SCHEMAS], Check("works", way="refused")),
        (
            [sql_error("no", "DATABASE_SECURITY_ACCESS_ERROR"), SCHEMAS],
            Check("works", way="no_right"),
        ),
        ([body(403, {"message": "Forbidden"}), SCHEMAS], Check("works", way="no_right")),
        (
            [body(403, {"message": "Forbidden"}), body(500, {"message": "no connection"})],
            Check("broken", "no connection", "no_right"),
        ),
    ],
)
async def test_what_an_answer_says_of_a_database(replies: list[Any], found: Check) -> None:
    stub = Stub(list(replies))
    async with connected(stub) as superset:
        assert await check_database(superset, database()) == found
    assert stub.replies == []


@pytest.mark.parametrize(
    ("replies", "error"),
    [
        ([page(502), page(502)], ServerFault),
        ([body(403, {}), body(404, {"message": "Not found"})], NotFound),
        ([body(403, {}), page(502), page(502)], ServerFault),
        ([httpx.ReadTimeout("late")], SupersetError),
    ],
)
async def test_database_that_tells_nothing_is_not_called_broken(
    replies: list[Any], error: type[SupersetError]
) -> None:
    async with connected(Stub(list(replies))) as superset:
        with pytest.raises(error):
            await check_database(superset, database())


@pytest.mark.parametrize(
    ("backend", "sql"),
    [
        ("postgresql", "SELECT 1"),
        ("oracle", "SELECT 1 FROM dual"),
        ("sqlite", "SELECT count(*) AS tables FROM sqlite_master"),
    ],
)
async def test_each_dialect_gets_a_query_it_understands(backend: str, sql: str) -> None:
    stub = Stub([body(200, {"data": [{"n": 3}]})])
    async with connected(stub) as superset:
        assert (await check_database(superset, database(backend))).state == "works"
    [request] = stub.requests
    sent = json.loads(request.content)
    assert (sent["sql"], sent["queryLimit"], len(sent["client_id"])) == (sql, 1, 10)


@pytest.mark.parametrize(
    ("replies", "found"),
    [
        ([body(200, {"result": [{"data": [], "error": None}]})], Check("works")),
        ([body(200, {"result": [{"error": "boom"}, {"error": None}]})], Check("broken", "boom")),
        ([body(202, {"job_id": "1"})], Check("running")),
        ([httpx.Response(200, content=b"[" + b"1," * 400 + b"1]")], Check("works")),
        (
            [body(400, {"message": "Нет запроса"}), body(200, {"result": {"query_context": None}})],
            Check("no_query"),
        ),
        (
            [
                body(400, {"message": "Error: no such column: x (Background on this error at: u)"}),
                body(200, {"result": {"query_context": "{}"}}),
            ],
            Check("broken", "Error: no such column: x"),
        ),
        (
            [body(400, {"message": "no"}), body(404, {"message": "Not found"})],
            Check("broken", "no"),
        ),
        (
            [body(404, {"message": "Not found"}), body(200, {"result": {"id": 3}})],
            Check("no_dataset"),
        ),
        ([body(500, {"message": "Fatal error"})], Check("broken", "Fatal error")),
    ],
)
async def test_what_an_answer_says_of_a_chart(replies: list[Any], found: Check) -> None:
    async with connected(Stub(list(replies)), max_bytes=500) as superset:
        assert await check_chart(superset, 3) == found


@pytest.mark.parametrize(
    "reply",
    [
        page(502),
        page(200),
        body(403, {"message": "Forbidden"}),
        body(404, {"message": "Not found"}),
    ],
)
async def test_chart_that_tells_nothing_is_not_called_broken(reply: httpx.Response) -> None:
    async with connected(Stub([reply, reply])) as superset:
        with pytest.raises(SupersetError):
            await check_chart(superset, 3)


def test_charts_with_a_place_are_found_in_broken_layouts_too() -> None:
    layout: dict[str, Any] = {
        "DASHBOARD_VERSION_KEY": "v2",
        "CHART-1": {"type": "CHART", "meta": {"chartId": 4}},
        "CHART-2": {"type": "CHART", "meta": {"chartId": "5"}},
        "CHART-3": {"type": "CHART"},
        "ROW-1": {"type": "ROW", "meta": {"chartId": 6}},
    }
    assert placed_charts(layout) == {4}
