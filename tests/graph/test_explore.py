"""Databases, tables and datasets of real Supersets, through the whole graph."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from demo.supersets import Pair
from tests.agent import Conversation, answers, asks
from tests.superset.real import Recorder
from tools.catalog import SUPERSET
from tools.clients.superset import Superset
from tools.connect import Services
from tools.models.answers import told
from tools.results import shorten
from tools.settings import Settings

TOOL = "superset_explore_database"
DATASET = {"objectType": "dataset", "envId": "ss-dev", "route": "/x", "contextVersion": 1}
Look = Callable[..., Any]


@pytest.fixture
def look(talk: Callable[..., Conversation]) -> Look:
    """Call the tool through the graph; gives its message."""

    async def call(role: Any = "viewer", ui: Any = None, **arguments: Any) -> ToolMessage:
        given = {"env_id": "ss-dev"} if ui is None else {}
        conversation = talk(asks((TOOL, given | arguments)), AIMessage("."), role=role)
        (message,) = answers((await conversation.say("Look", ui))["messages"])
        return message

    return call


async def found(look: Look, services: Services, **arguments: Any) -> dict[str, Any]:
    """The whole result of a call, however long it was."""
    message = await look(**arguments)
    assert message.artifact["kind"] == "result", message.text
    result_id = message.artifact.get("result_id")
    if result_id is None:
        return dict(json.loads(message.text))
    kept = await services.store(lambda records: records.results.read(result_id, "olga"))
    assert kept is not None
    return dict(json.loads(kept.content))


async def change(pair: Pair, *statements: str) -> None:
    """Change the tables behind the dev installation."""

    def run() -> None:
        path = pair.folder / "dev" / "analytics.db"
        with closing(sqlite3.connect(path)) as database, database:
            for statement in statements:
                database.execute(statement)

    await asyncio.to_thread(run)


def names(result: dict[str, Any]) -> list[str]:
    return [item["name"] for item in result["items"]]


async def test_databases_are_listed_when_nothing_is_named(look: Look, services: Services) -> None:
    result = await found(look, services)
    assert names(result) == ["Analytics", "Sandbox"]
    assert [item["allow_dml"] for item in result["items"]] == [False, True]


async def test_schemas_tables_and_views(look: Look, services: Services) -> None:
    schemas = await found(look, services, listing="schemas", database="analytics")
    assert schemas["items"] == [{"name": "main", "default": True}]
    tables = await found(look, services, listing="tables", database="Analytics")
    kinds = {item["name"]: item["kind"] for item in tables["items"]}
    assert tables["schema"] == "main"
    assert kinds["sales_by_region"] == "view"
    assert kinds["продажи"] == "table"


async def test_more_tables_than_a_page_are_all_reachable(
    pair: Pair, look: Look, services: Services
) -> None:
    """Row 7 of the reports: never more than 20."""
    await change(pair, *(f"CREATE TABLE wide_{number:03} (id INTEGER)" for number in range(130)))
    seen: list[str] = []
    for offset in (0, 100, 200):
        page = await found(
            look, services, listing="tables", database="Analytics", limit=100, offset=offset
        )
        assert page["total"] == 137
        seen += names(page)
    assert len(seen) == len(set(seen)) == 137
    assert seen == sorted(seen)


async def test_a_question_names_the_databases_when_none_is_named(look: Look) -> None:
    message = await look(listing="tables")
    assert message.artifact["kind"] == "question"
    assert message.artifact["slot"] == "database"
    assert "Analytics, Sandbox" in message.text


async def test_a_table_with_its_keys(look: Look, services: Services) -> None:
    result = await found(look, services, database="Analytics", table="SALES_ORDERS")
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
    pair: Pair, look: Look, services: Services, name: str
) -> None:
    """Rows 14 and 15 of the reports: names that vanish, and addresses that are quoted wrongly."""
    quoted = name.replace('"', '""')
    await change(pair, f'CREATE TABLE "{quoted}" ("имя колонки" TEXT, "c.d" INTEGER)')
    result = await found(look, services, database="Analytics", table=name)
    assert result["table"] == name
    assert names(result) == ["имя колонки", "c.d"]
    text = told(_message(result), TOOL, "ru", SUPERSET.definitions)
    assert "имя колонки" in text


async def test_schema_and_table_may_be_joined_by_a_dot(look: Look, services: Services) -> None:
    result = await found(look, services, database="Analytics", table="main.customers")
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
    look: Look, arguments: dict[str, str], slot: str
) -> None:
    message = await look(**arguments)
    assert message.artifact["kind"] == "question"
    assert message.artifact["slot"] == slot


async def test_a_dataset_that_fits_its_table(look: Look, services: Services) -> None:
    result = await found(look, services, dataset="customers")
    assert result["kind"] == "physical"
    assert result["comparison"] == {"state": "compared", "missing": [], "new": [], "retyped": []}
    assert result["charts"]["all"] > 0
    assert result["review"]["documentation"] == {"state": "not_set_up"}
    assert result["review"]["columns"] == len(result["items"])


async def test_planted_differences_are_found(pair: Pair, look: Look, services: Services) -> None:
    await change(
        pair,
        "DROP VIEW sales_by_region",
        "ALTER TABLE customers ADD COLUMN planted_new TEXT",
        "ALTER TABLE customers RENAME COLUMN segment TO planted_renamed",
        "ALTER TABLE customers DROP COLUMN region",
        "ALTER TABLE customers ADD COLUMN region INTEGER",
    )
    compared = (await found(look, services, dataset="customers"))["comparison"]
    assert compared["missing"] == ["segment"]
    assert compared["new"] == ["planted_new", "planted_renamed"]
    assert compared["retyped"] == [{"name": "region", "dataset": "TEXT", "table": "INTEGER"}]


async def test_a_query_is_compared_by_what_it_gives(look: Look, services: Services) -> None:
    result = await found(look, services, role="analyst", dataset="energy_daily")
    assert result["kind"] == "virtual"
    assert result["comparison"] == {"state": "compared", "missing": [], "new": [], "retyped": []}


async def test_what_cannot_be_compared_says_why(pair: Pair, look: Look, services: Services) -> None:
    result = await found(look, services, role="viewer", dataset="energy_daily")
    assert result["comparison"]["state"] == "not_compared"
    assert result["comparison"]["reason"]
    assert result["charts"]["all"] > 0
    await change(pair, "DROP TABLE customers")
    result = await found(look, services, dataset="customers")
    assert result["comparison"]["state"] == "not_compared"
    assert "no such table" in result["comparison"]["reason"]


async def test_the_dataset_is_found_in_the_other_environment(
    look: Look, services: Services
) -> None:
    result = await found(look, services, dataset="customers")
    here, there = result["environments"]
    assert here["environment"] == "ss-dev"
    assert (there["environment"], there["state"], there["by"]) == ("ss-prod", "there", "uuid")
    assert (there["missing"], there["new"]) == ([], [])
    prod = await services.superset("ss-prod", "viewer").dataset(there["id"])
    assert prod.uuid == result["uuid"]
    assert prod.id != result["id"]


async def test_an_environment_that_is_down_does_not_harm_the_answer(
    look: Look, settings: Settings, talk: Callable[..., Conversation]
) -> None:
    away = settings.environments["ss-prod"].model_copy(update={"url": "http://127.0.0.1:9"})
    both = settings.environments | {"ss-prod": away}
    services = Services(settings.model_copy(update={"environments": both}))
    conversation = talk(
        asks((TOOL, {"env_id": "ss-dev", "dataset": "customers"})), AIMessage("."), role="viewer"
    )
    conversation = replace(conversation, services=services)
    (message,) = answers((await conversation.say("Look"))["messages"])
    await services.aclose()
    result = json.loads(message.text)
    assert result["environments"]["items" if isinstance(result["environments"], dict) else 1]
    assert "not_read" in json.dumps(result["environments"])
    assert result["comparison"]["state"] == "compared"


async def test_titles_that_the_account_may_not_see_are_withheld(
    look: Look, services: Services, dev: Superset
) -> None:
    result = await found(look, services, role="viewer", dataset="sales_orders")
    boards = result["dashboards"]
    own = services.superset("ss-dev", "viewer")
    allowed = {row["id"] async for row in own.rows("dashboard", ["id"])}
    everything = {row["id"] async for row in dev.rows("dashboard", ["id"])}
    assert {item["id"] for item in boards["visible"]} <= allowed < everything
    assert boards["all"] >= len(boards["visible"]) > 100


async def test_the_page_gives_the_dataset(look: Look, services: Services, dev: Superset) -> None:
    (customers,) = await dev.datasets("customers")
    page = DATASET | {"objectId": str(customers.id)}
    result = await found(look, services, ui=page)
    assert result["uuid"] == customers.uuid
    listed = await found(look, services, ui=page, listing="databases")
    assert names(listed) == ["Analytics", "Sandbox"]


async def test_the_page_of_one_environment_means_the_same_dataset_in_another(
    look: Look, services: Services, dev: Superset
) -> None:
    """Row 19 of the reports: what was meant for one installation went to another."""
    (customers,) = await dev.datasets("customers")
    page = DATASET | {"objectId": str(customers.id)}
    result = await found(look, services, ui=page, env_id="ss-prod")
    assert result["environment"] == "ss-prod"
    assert result["uuid"] == customers.uuid
    assert result["id"] != customers.id


async def test_a_dataset_that_is_only_here_is_asked_for_there(
    look: Look, services: Services, dev: Superset
) -> None:
    body = {"database": 1, "schema": "main", "table_name": "empty_table"}
    made = await dev.request_json("POST", "/api/v1/dataset/", body=body, write=True)
    message = await look(ui=DATASET | {"objectId": str(made["id"])}, env_id="ss-prod")
    assert message.artifact["kind"] == "question"
    assert "empty\\_table" in message.text


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


def _message(result: dict[str, Any], limit: int = 10**6) -> ToolMessage:
    content = shorten(json.dumps(result, ensure_ascii=False), limit, "r1")
    return ToolMessage(content, tool_call_id="c", name=TOOL, artifact={"kind": "result"})


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
    look: Look,
    services: Services,
    language: Any,
    limit: int,
    arguments: dict[str, str],
    words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = await found(look, services, **arguments)
    text = told(_message(result, limit), TOOL, language, SUPERSET.definitions)
    assert "does not fit" not in caplog.text
    assert words in text
    assert "|" in text
    assert "{" not in text.replace("{}", "")
