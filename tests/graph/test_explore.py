"""Databases, schemas and tables of real Supersets, through the whole graph."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from demo.supersets import Pair
from tests.agent import Conversation, answers, asks
from tests.graph.exploring import TOOL, Explore, change, found, names, told_message
from tests.superset.real import Recorder
from tools.catalog import SUPERSET
from tools.connect import Services
from tools.context import Language
from tools.models.answers import told
from tools.settings import Settings


async def test_databases_are_listed_when_nothing_is_named(
    explore: Explore, services: Services
) -> None:
    result = await found(explore, services)
    assert names(result) == ["Analytics", "Sandbox"]
    assert [item["allow_dml"] for item in result["items"]] == [False, True]


async def test_schemas_tables_and_views(explore: Explore, services: Services) -> None:
    schemas = await found(explore, services, listing="schemas", database="analytics")
    assert schemas["items"] == [{"name": "main", "default": True}]
    tables = await found(explore, services, listing="tables", database="Analytics")
    kinds = {item["name"]: item["kind"] for item in tables["items"]}
    assert tables["schema"] == "main"
    assert kinds["sales_by_region"] == "view"
    assert kinds["продажи"] == "table"


async def test_more_tables_than_a_page_are_all_reachable(
    pair: Pair, explore: Explore, services: Services
) -> None:
    """Row 7 of the reports: never more than 20."""
    await change(pair, *(f"CREATE TABLE wide_{number:03} (id INTEGER)" for number in range(130)))
    seen: list[str] = []
    for offset in (0, 100, 200):
        page = await found(
            explore, services, listing="tables", database="Analytics", limit=100, offset=offset
        )
        assert page["total"] == 137
        seen += names(page)
    assert len(seen) == len(set(seen)) == 137
    assert seen == sorted(seen)


async def test_a_question_names_the_databases_when_none_is_named(explore: Explore) -> None:
    message = await explore(listing="tables")
    assert message.artifact["kind"] == "question"
    assert message.artifact["slot"] == "database"
    assert "Analytics, Sandbox" in message.text


async def test_a_table_with_its_keys(explore: Explore, services: Services) -> None:
    result = await found(explore, services, database="Analytics", table="SALES_ORDERS")
    types = {item["name"]: item["type"] for item in result["items"]}
    assert types["amount"] == "NUMERIC(12, 2)"
    assert result["indexes"] == [
        {"name": "sales_orders_by_date", "columns": ["order_date"], "unique": False}
    ]
    assert result["foreign_keys"][0]["refers_to"] == "main.customers (id)"
    assert "FROM main.sales_orders" in result["select_star"]


ODD = ["таблица с пробелом", "a.b", "100% done", "a/b?c#d", 'say "hi"', "o'neil", "+[x],!(y)"]


@pytest.mark.parametrize("name", ODD)
async def test_odd_names_are_read_as_they_are(
    pair: Pair, explore: Explore, services: Services, name: str
) -> None:
    """Rows 14 and 15 of the reports: names that vanish, and addresses that are quoted wrongly."""
    quoted = name.replace('"', '""')
    await change(pair, f'CREATE TABLE "{quoted}" ("имя колонки" TEXT, "c.d" INTEGER)')
    result = await found(explore, services, database="Analytics", table=name)
    assert result["table"] == name
    assert names(result) == ["имя колонки", "c.d"]
    text = told(told_message(result), TOOL, "ru", SUPERSET.definitions)
    assert "имя колонки" in text


async def test_schema_and_table_may_be_joined_by_a_dot(
    explore: Explore, services: Services
) -> None:
    result = await found(explore, services, database="Analytics", table="main.customers")
    assert (result["schema"], result["table"]) == ("main", "customers")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["no table “sales\\_order”", "may not see it", "Similar: sales\\_orders"]),
        ("ru", ["не видна", "Похожие: sales\\_orders"]),
    ],
)
async def test_a_table_that_is_not_there_is_asked_for_with_similar_names(
    talk: Callable[..., Conversation], language: str, words: list[str]
) -> None:
    arguments = {"env_id": "ss-dev", "database": "Analytics", "table": "sales_order"}
    conversation = talk(asks((TOOL, arguments)), AIMessage("."), role="viewer")
    (message,) = answers((await conversation.say("Look", language=language))["messages"])
    assert message.artifact["kind"] == "question"
    assert message.artifact["slot"] == "table"
    assert all(part in message.text for part in words), message.text


@pytest.mark.parametrize(
    ("arguments", "slot"),
    [
        ({"listing": "tables", "database": "nope"}, "database"),
        ({"listing": "tables", "database": "Analytics", "schema_name": "nope"}, "schema_name"),
        ({"dataset": "nope"}, "dataset"),
        ({"listing": "tables", "database": "a"}, "database"),
    ],
)
async def test_what_is_not_there_or_not_clear_is_asked_for(
    explore: Explore, arguments: dict[str, str], slot: str
) -> None:
    message = await explore(**arguments)
    assert message.artifact["kind"] == "question"
    assert message.artifact["slot"] == slot


async def test_nothing_but_reads_is_sent(
    settings: Settings, talk: Callable[..., Conversation]
) -> None:
    recorder = Recorder()
    services = Services(settings, transport=recorder)
    calls = [
        {"listing": "tables", "database": "Analytics"},
        {"database": "Analytics", "table": "customers"},
        {"dataset": "customers"},
        {"dataset": "energy_daily"},
    ]
    steps = [asks(*((TOOL, {"env_id": "ss-dev"} | call) for call in calls)), AIMessage(".")]
    conversation = replace(talk(*steps, role="analyst"), services=services)
    messages = answers((await conversation.say("Look"))["messages"])
    await services.aclose()
    assert [message.artifact["kind"] for message in messages] == ["result"] * 4
    posts = {r.url.path for r in recorder.requests if r.method != "GET"}
    assert posts <= {"/api/v1/security/login", "/api/v1/sqllab/execute/"}


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("limit", [10**6, 4000, 1500])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"listing": "datasets"}, "Доли регионов"),
        ({"listing": "tables", "database": "Analytics"}, "birth"),
        ({"database": "Analytics", "table": "sales_orders"}, "customer"),
        ({"dataset": "sales_orders"}, "sales"),
    ],
)
async def test_the_answers_are_prose_and_tables(
    explore: Explore,
    services: Services,
    language: Any,
    limit: int,
    arguments: dict[str, str],
    words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = await found(explore, services, **arguments)
    text = told(told_message(result, limit), TOOL, language, SUPERSET.definitions)
    assert "does not fit" not in caplog.text
    assert words in text
    assert "|" in text
    assert "{" not in text.replace("{}", "")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["| sales\\_by\\_region | view |", "| sales\\_orders | table |"]),
        ("ru", ["| sales\\_by\\_region | представление |", "| sales\\_orders | таблица |"]),
    ],
)
async def test_kinds_are_called_what_people_call_them(
    explore: Explore, services: Services, language: Language, words: list[str]
) -> None:
    result = await found(explore, services, listing="tables", database="Analytics")
    text = told(told_message(result), TOOL, language, SUPERSET.definitions)
    assert all(line in text for line in words), text


@pytest.mark.parametrize(
    ("comment", "heads"),
    [(None, "| Name | Type |"), ("in roubles", "| Name | Type | Comment |")],
)
async def test_a_column_of_nothing_is_left_out(
    explore: Explore, services: Services, comment: str | None, heads: str
) -> None:
    """SQLite has no comments; Superset tells those of other databases."""
    result = await found(explore, services, database="Analytics", table="sales_orders")
    if comment:
        result["items"][5]["comment"] = comment
    assert heads in told(told_message(result), TOOL, "en", SUPERSET.definitions).splitlines()


async def test_moments_are_told_in_utc(explore: Explore, services: Services) -> None:
    result = await found(explore, services, listing="datasets")
    moments = {item["changed_on"] for item in result["items"]}
    assert all(datetime.fromisoformat(moment).utcoffset() == timedelta(0) for moment in moments)
    text = told(told_message(result), TOOL, "en", SUPERSET.definitions)
    assert all(f"| {moment[:10]} {moment[11:16]} UTC |" in text for moment in moments)
