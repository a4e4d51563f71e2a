"""What a person reads of rows, of a layout, and of a query that failed or took too long."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest
from langchain_core.tools import ToolException

from tools.clients.http import (
    BadAnswer,
    Forbidden,
    Invalid,
    ServerFault,
    SupersetError,
    TooLarge,
    Unanswered,
)
from tools.clients.superset import DatabaseSummary
from tools.clients.superset_sql import Ending, SqlRows
from tools.connect import Call
from tools.context import Language
from tools.messages import LANGUAGES, text
from tools.messages.markdown import fenced
from tools.results import shorten
from tools.sql.layout import Problem
from tools.sql.refusal import Reason, Refused
from tools.toolsets.sql.answers import answer_execute, answer_format
from tools.toolsets.sql.base import Place
from tools.toolsets.sql.execute import within
from tools.toolsets.sql.faults import explained, refusal

PLACE = Place(DatabaseSummary(1, "u", "Sales_[x](http://a.b)", "sqlite", True, False), None)


def call(language: Language = "en", seconds: float = 30.0) -> Call:
    limits = SimpleNamespace(tool_timeout=seconds)
    return cast(Call, SimpleNamespace(language=language, settings=SimpleNamespace(limits=limits)))


def result(rows: list[list[Any]], names: list[str], **more: Any) -> dict[str, Any]:
    return {
        "environment": "ss-dev",
        "database": "A",
        "schema": None,
        "sql": "SELECT 1",
        "columns": [{"name": name, "type": "INT"} for name in names],
        "total": len(rows),
        "limit": 100,
        "limited": False,
        "items": rows,
    } | more


def test_rows_are_a_table_and_nothing_in_them_does_anything():
    rows = [[1, None], [0.5, "a|b\n![x](http://e.vil/)"], [True, ""]]
    answer = answer_execute(result(rows, ["n", "<b>"]), "en")
    lines = answer.splitlines()
    assert lines[:7] == [
        "3 rows (ss-dev, database “A”).",
        "",
        "| n (INT) | \\<b\\> (INT) |",
        "| --- | --- |",
        "| 1 | NULL |",
        "| 0.5 | a\\|b !\\[x\\](http\\://e.vil/) |",
        "| true |  |",
    ]
    assert answer.endswith("What was sent:\n\n```sql\nSELECT 1\n```")


def test_plural_forms_bounds_and_no_rows():
    one, few, many = ([[n] for n in range(count)] for count in (1, 3, 11))
    assert "1 строка (" in answer_execute(result(one, ["a"]), "ru")
    assert "3 строки (" in answer_execute(result(few, ["a"]), "ru")
    assert "11 строк (" in answer_execute(result(many, ["a"]), "ru")
    empty = answer_execute(result([], ["a"]), "ru")
    assert "0 строк (" in empty
    assert "|" not in empty
    answer = answer_execute(result(one, ["a"], limited=True, limit=1, asked=0), "en")
    assert "There are more rows: only the first 1 were read." in answer
    assert "0 rows were asked for; 1 to 1000 can be read at a time." in answer


@pytest.mark.parametrize("limit", [4000, 1500, 600])
def test_shortened_result_is_told_all_the_same(limit: int):
    rows = [[n, "text " * 20, n * 2] for n in range(100)]
    whole = json.dumps(result(rows, ["id", "words", "twice"]), ensure_ascii=False)
    payload = json.loads(shorten(whole, limit, "r1"))
    for language in LANGUAGES:
        answer = answer_execute(payload, language)
        assert "100 " in answer.splitlines()[0]
        assert text(language, "sql-ran") in answer


def test_wide_result_that_lost_columns_says_so():
    columns = {"total": 9, "shown": 2, "items": [{"name": n, "type": ""} for n in "ab"]}
    rows = {"total": 5, "shown": 1, "items": [{"total": 9, "shown": 1, "items": [7]}]}
    payload = result([], []) | {"columns": columns, "items": rows, "total": 5}
    answer = answer_execute(payload, "en")
    assert "| a |\n| --- |\n| 7 |" in answer
    assert "8 more columns are not shown." in answer
    assert "Only 1 row is shown here." in answer


@pytest.mark.parametrize("sql", ["SELECT 1", "SELECT '```'", "SELECT `````a`````", "```\n# x"])
def test_nothing_in_a_query_ends_its_block(sql: str):
    lines = fenced(sql, "sql").splitlines()
    fence = lines[-1]
    assert set(fence) == {"`"}
    assert lines[0] == f"{fence}sql"
    assert fence not in sql


def test_layouts():
    done = {"sql": "SELECT\n  1", "changed": True, "by": "local", "reason": None, "dialect": None}
    assert answer_format(done, "en") == "```sql\nSELECT\n  1\n```"
    assert "Уже отформатировано." in answer_format(done | {"changed": False}, "ru")
    left = done | {"changed": False, "by": "none", "reason": "Left as it is: so."}
    assert answer_format(left, "en").endswith("Left as it is: so.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words_in_which_what_was_found_is_harmless(language: Language):
    for reason in get_args(Reason):
        said = str(refusal(Refused(reason, "<b>[x](y)"), call(language)))
        assert "<b>" not in said.replace("\\<b\\>", "")
    for problem in get_args(Problem):
        assert text(language, f"sql-left-{problem}")
    for ending in get_args(Ending):
        assert "7" in text(language, f"sql-late-{ending}", seconds=7)


def fault(kind: str, words: str = "words_", **more: Any) -> ServerFault:
    return ServerFault(words, status=500, error_type=kind, **more)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (fault("GENERIC_DB_ENGINE_ERROR"), "did not run the query: words\\_"),
        (
            fault("GENERIC_DB_ENGINE_ERROR", "x (Background on this error at: [address])"),
            "query: x",
        ),
        (fault("COLUMN_DOES_NOT_EXIST_ERROR"), "did not run the query: words\\_"),
        (fault(""), "did not run the query: words\\_"),
        (fault("", ""), "did not run the query: \\-"),
        (fault("TABLE_SECURITY_ACCESS_ERROR"), "may not read what the query names: words\\_"),
        (fault("DML_NOT_ALLOWED_ERROR"), "takes this for a change of data"),
        (fault("SQLLAB_TIMEOUT_ERROR"), "own time for a query ran out"),
        (fault("GENERIC_BACKEND_ERROR"), "does not find the database"),
        (Forbidden(), "may not run SQL"),
        (Invalid("near 'from'"), "did not run the query: near 'from'"),
    ],
)
def test_an_error_is_told_in_a_frame(error: SupersetError, said: str):
    told = explained(error, PLACE, call())
    assert isinstance(told, ToolException)
    assert said in str(told)
    assert "[x](http://" not in str(told)


@pytest.mark.parametrize(
    "error",
    [BadAnswer("no rows"), TooLarge(), Unanswered("broke"), fault("", "gone", transient=True)],
)
def test_an_error_that_says_nothing_of_the_query_stays_itself(error: SupersetError):
    assert explained(error, PLACE, call()) is error


class Endless:
    """A query that never ends."""

    def __init__(self, ending: Ending = "stopped", pause: float = 0.0) -> None:
        self.ending, self.pause, self.given_up = ending, pause, 0

    async def rows(self) -> SqlRows:
        await asyncio.sleep(60)
        raise AssertionError

    async def give_up(self) -> Ending:
        await asyncio.sleep(self.pause)
        self.given_up += 1
        return self.ending


def now() -> float:
    return asyncio.get_running_loop().time()


@pytest.mark.parametrize("ending", ["stopped", "running", "finished", "unknown"])
async def test_what_became_of_a_late_query_is_told(ending: Ending):
    with pytest.raises(ToolException) as caught:
        await within(cast(Any, Endless(ending)), now(), call(seconds=0.2))
    assert str(caught.value) == text("en", f"sql-late-{ending}", seconds=0)


async def test_giving_up_is_bounded_by_the_call_s_time():
    started = now()
    with pytest.raises(ToolException, match="is not known"):
        await within(cast(Any, Endless(pause=60)), started, call(seconds=0.4))
    assert now() - started < 0.4


async def test_query_is_given_up_when_its_caller_goes_away():
    query = Endless()
    task = asyncio.create_task(within(cast(Any, query), now(), call()))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert query.given_up == 1


async def test_timeout_of_the_connection_is_a_late_query_too():
    class Late(Endless):
        async def rows(self) -> SqlRows:
            raise Unanswered("no answer", timed_out=True)

    with pytest.raises(ToolException, match="stopped"):
        await within(cast(Any, Late()), now(), call())
