"""SQL Lab of a real Superset: rows as they are, errors, queries that take too long, layout."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from demo.supersets import Pair
from tests.superset.real import client, narrow_account
from tests.superset.superset_stub import Stub, body, connected, page
from tools.clients.http import BadAnswer, Forbidden, Invalid, ServerFault, Unanswered
from tools.clients.superset import Superset
from tools.clients.superset_sql import SqlQuery, SqlRows, SqlRun, format_sql, rows_of
from tools.sql.check import check
from tools.sql.refusal import Refused

SLOW = """WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM c WHERE x < 12000000)
SELECT count(*) AS n FROM c"""


@pytest.fixture
async def dev(pair: Pair) -> AsyncIterator[Superset]:
    async with client(pair.dev, "analyst") as superset:
        yield superset


async def number(superset: Superset, name: str) -> int:
    [database] = await superset.databases(name)
    return database.id


async def run(superset: Superset, sql: str, rows: int = 100, name: str = "Analytics") -> SqlRows:
    return await SqlRun(superset, SqlQuery(await number(superset, name), sql, None, rows)).rows()


async def test_values_are_as_the_database_has_them(dev: Superset):
    found = await run(
        dev,
        "SELECT 1 AS a, 2 AS a, NULL AS n, 9007199254740993 AS big, -9223372036854775807 AS low,"
        " 0.1 AS f, '' AS e, '2025-01-01' AS d, '1234567890123456789' AS digits, 'я|`\n' AS t",
    )
    assert [name for name, _ in found.columns] == [
        "a", "a__1", "n", "big", "low", "f", "e", "d", "digits", "t",
    ]  # fmt: skip
    assert found.rows == [
        [1, 2, None, 9007199254740993, -9223372036854775807, 0.1, "", "2025-01-01",
         "1234567890123456789", "я|`\n"],
    ]  # fmt: skip
    assert dict(found.columns)["big"] == "INT"


async def test_whole_numbers_stay_exact_beside_null(dev: Superset):
    found = await run(dev, "SELECT 9007199254740993 AS x UNION ALL SELECT NULL UNION ALL SELECT 7")
    assert found.rows == [[9007199254740993], [None], [7]]


async def test_no_rows_have_columns_all_the_same(dev: Superset):
    found = await run(dev, "SELECT * FROM empty_table")
    assert (found.columns, found.rows) == ((("id", ""), ("note", "")), [])


async def test_no_more_rows_come_than_are_asked_for(dev: Superset):
    assert len((await run(dev, "SELECT * FROM sales_orders", 3)).rows) == 3
    assert len((await run(dev, "SELECT * FROM sales_orders LIMIT 7", 100)).rows) == 7


HARM = (
    ("Sandbox", "INSERT INTO notes (note) VALUES ('x')", 2),
    ("Sandbox", "SELECT 1; DELETE FROM notes", 0),
    ("Sandbox", "DELETE FROM notes", 0),
    ("Sandbox", "UPDATE notes SET id = 9 WHERE id = 1; SELECT 1", 1),
)
"""Where, what passes without the check, and how many notes there are then."""


@pytest.mark.parametrize(("name", "sql", "left"), HARM)
async def test_superset_alone_lets_harm_through_that_the_check_refuses(
    dev: Superset, name: str, sql: str, left: int
):
    with pytest.raises(Refused):
        check(sql, "sqlite")
    await run(dev, sql, name=name)
    assert (await run(dev, "SELECT count(*) FROM notes", name=name)).rows == [[left]]


@pytest.mark.parametrize(
    "sql",
    [
        "PRAGMA table_info(sales_orders)",
        "ATTACH ':memory:' AS other",
        "EXPLAIN SELECT 1",
        "SELECT 1; SELECT 2",
        "PRAGMA query_only = 0",
    ],
)
async def test_superset_alone_runs_what_is_no_query_where_nothing_may_be_changed(
    dev: Superset, sql: str
):
    with pytest.raises(Refused):
        check(sql, "sqlite")
    assert isinstance(await run(dev, sql), SqlRows)


async def test_mistakes_are_told_in_the_database_s_words_and_not_tried_again(dev: Superset):
    for sql, words, kind in (
        ("SELECT * FROM nope", "no such table: nope", "GENERIC_DB_ENGINE_ERROR"),
        ("SELECT nope FROM sales_orders", "nope", "COLUMN_DOES_NOT_EXIST_ERROR"),
        ("DELETE FROM sales_orders", "DML", "DML_NOT_ALLOWED_ERROR"),
    ):
        attempt = SqlRun(dev, SqlQuery(await number(dev, "Analytics"), sql, None, 5))
        with pytest.raises(ServerFault) as caught:
            await attempt.rows()
        assert (caught.value.error_type, caught.value.transient) == (kind, False)
        assert words in caught.value.detail
        assert len(attempt.sent) == 1
    with pytest.raises(Invalid, match="parsing"):
        await run(dev, "SELECT 1 FROM")
    with pytest.raises(ServerFault) as caught:
        await SqlRun(dev, SqlQuery(999, "SELECT 1", None, 5)).rows()
    assert caught.value.error_type == "GENERIC_BACKEND_ERROR"


async def test_an_account_without_the_right_is_refused(pair: Pair):
    async with client(pair.dev, "viewer") as viewer:
        with pytest.raises(Forbidden):
            await SqlRun(viewer, SqlQuery(1, "SELECT 1", None, 5)).rows()
        assert await format_sql(viewer, "select 1", None) == "SELECT\n  1"


async def test_slow_query_that_sqlite_can_t_stop_is_told_as_running(dev: Superset):
    attempt = SqlRun(dev, SqlQuery(await number(dev, "Analytics"), SLOW, None, 5))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.7):
            await attempt.rows()
    async with asyncio.timeout(20):
        assert await attempt.give_up() == "running"
        while await attempt.give_up() == "running":  # noqa: ASYNC110 - it ends by itself
            await asyncio.sleep(0.3)
    assert await attempt.give_up() == "finished"


async def test_query_that_never_reached_superset_is_unknown(dev: Superset):
    attempt = SqlRun(dev, SqlQuery(1, "SELECT 1", None, 5), sent=["0123456789"])
    assert await attempt.give_up() == "unknown"


ROWS = body(200, {"data": [{"a": 1}], "columns": [{"column_name": "a", "type": "INT"}]})
COLD = body(400, {"errors": [{"message": "'NoneType' object has no attribute 'push'"}]})


async def test_each_attempt_has_a_name_of_its_own():
    for first in (page(502), httpx.ReadError("reset"), COLD):
        stub = Stub([first, ROWS])
        async with connected(stub) as superset:
            attempt = SqlRun(superset, SqlQuery(1, "SELECT 1", "main", 5))
            assert (await attempt.rows()).rows == [[1]]
        bodies = [json.loads(request.content) for request in stub.requests]
        names = [item.pop("client_id") for item in bodies]
        assert names == attempt.sent
        assert len(set(names)) == 2
        assert all(len(name) <= 11 for name in names)
        assert bodies[0] == bodies[1] == {
            "database_id": 1, "sql": "SELECT 1", "schema": "main", "queryLimit": 5,
            "runAsync": False,
        }  # fmt: skip


async def test_an_unanswered_query_is_not_sent_again():
    stub = Stub([httpx.ReadTimeout("late"), ROWS])
    async with connected(stub) as superset:
        with pytest.raises(Unanswered):
            await SqlRun(superset, SqlQuery(1, "SELECT 1", None, 5)).rows()
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    ("replies", "ending"),
    [
        ([{"state": "running"}, 200], "stopped"),
        ([{"state": "running"}, 404], "unknown"),
        ([{"state": "running"}, 422, {"state": "running"}], "running"),
        ([{"state": "running"}, 422, {"state": "success"}], "finished"),
        ([{"state": "failed"}], "finished"),
        ([{"state": "stopped"}], "stopped"),
        ([500], "unknown"),
        ([{"state": "something new"}], "unknown"),
    ],
)
async def test_what_became_of_a_query(replies: list[object], ending: str):
    made = [
        body(200, {"result": [{"id": "n1"} | reply]})
        if isinstance(reply, dict)
        else body(int(str(reply)), {"message": "no"})
        for reply in replies
    ]
    stub = Stub(list(made))
    async with connected(stub) as superset:
        attempt = SqlRun(superset, SqlQuery(1, "SELECT 1", None, 5), sent=["n1"])
        assert await attempt.give_up() == ending
    assert len(stub.requests) == len(replies)


def test_an_answer_without_rows_is_no_answer():
    for answer in ({"query": {"state": "running"}}, {"status": "stopped"}, [], None):
        with pytest.raises(BadAnswer):
            rows_of(answer)


async def test_two_installations_and_two_accounts_at_once_get_their_own_data(pair: Pair):
    """Report rows 19 and 22: a call never runs with another call's client."""
    sql = "SELECT count(*) AS n FROM sales_orders"
    async with (
        client(pair.dev, "analyst") as dev,
        client(pair.prod, "analyst") as prod,
        client(pair.dev, "admin") as admin,
    ):
        found = await asyncio.gather(*(run(one, sql) for one in (dev, prod, admin) * 4))
        assert [item.rows[0][0] for item in found] == [4000, 8000, 4000] * 4
        assert await admin.count("dashboard") > await dev.count("dashboard")


async def test_superset_s_layout(dev: Superset):
    database = await number(dev, "Analytics")
    assert await format_sql(dev, "select a,b from t", database) == "SELECT\n  a,\n  b\nFROM t"
    # Why texts with templates, and nonsense, are not sent.
    assert "STRUCT" in await format_sql(dev, "select {{ x }}", database)
    assert await format_sql(dev, "selec frm", database) == "selec AS frm"
    with pytest.raises(Invalid):
        await format_sql(dev, "'", database)


async def test_layout_of_a_missing_database_is_that_of_none(dev: Superset):
    assert await format_sql(dev, "select 1", 999) == "SELECT\n  1"


async def test_an_account_reads_only_the_tables_it_may(pair: Pair):
    async with client(pair.dev, "admin") as admin:
        account = await narrow_account(admin, "customers")
        database = await number(admin, "Analytics")
    async with client(pair.dev, login=account) as narrow:
        sql = "SELECT count(*) FROM {}"
        query = SqlQuery(database, sql.format("customers"), "main", 5)
        assert (await SqlRun(narrow, query).rows()).rows == [[300]]
        query = SqlQuery(database, sql.format("sales_orders"), "main", 5)
        with pytest.raises(ServerFault) as caught:
            await SqlRun(narrow, query).rows()
    assert caught.value.error_type == "TABLE_SECURITY_ACCESS_ERROR"
    assert "sales_orders" in caught.value.detail
