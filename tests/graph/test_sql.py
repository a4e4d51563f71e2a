"""SQL through the whole graph, on real Supersets: who may, what runs, what is told."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from demo.supersets import Pair
from tests.agent import Conversation, answers, asks, planner
from tests.doubles import ScriptedChatModel
from tests.superset.real import Recorder
from tools.clients.superset import Superset
from tools.connect import Services

RUN, FORMAT = "superset_execute_sql", "superset_format_sql"
DATASET = {"objectType": "dataset", "envId": "ss-dev", "route": "/x", "contextVersion": 1}
Ask = Callable[..., Any]


@pytest.fixture
def ask(talk: Callable[..., Conversation]) -> Ask:
    """Call a tool through the graph; gives its message."""

    async def call(
        tool: str = RUN, role: Any = "analyst", ui: Any = None, language: Any = "en", **given: Any
    ) -> ToolMessage:
        named = {"env_id": "ss-dev"} if ui is None and tool == RUN else {}
        conversation = talk(asks((tool, named | given)), AIMessage("."), role=role)
        [message] = answers((await conversation.say("Go", ui, language))["messages"])
        return message

    return call


async def rows(ask: Ask, sql: str, **given: Any) -> dict[str, Any]:
    message = await ask(sql=sql, **({"database": "Analytics"} | given))
    assert message.artifact["kind"] == "result", message.text
    return dict(json.loads(message.text))


@pytest.mark.parametrize(
    ("words", "language", "said"),
    [
        ("Выполни запрос `select count(*) as n from sales_orders` в базе Analytics", "ru",
         "1 строка (ss-dev, база «Analytics»)."),
        ("Run the query `select count(*) as n from sales_orders` in the database Analytics", "en",
         "1 row (ss-dev, database “Analytics”)."),
    ],
)  # fmt: skip
async def test_a_query_in_the_user_s_words_is_answered_with_a_table(talk, words, language, said):
    page = {"envId": "ss-dev", "route": "/x", "contextVersion": 1}
    conversation = talk(role="analyst")
    state = await conversation.say(words, page, language)
    answer = state["messages"][-1].text
    assert said in answer
    assert "| n (INT) |\n| --- |\n| 4000 |" in answer
    assert "```sql\nselect count(*) as n from sales_orders\nLIMIT 101\n```" in answer


async def test_a_viewer_is_not_offered_queries_and_a_forged_call_is_denied(services: Services):
    recorder = Recorder()
    own = Services(services.settings, transport=recorder)
    step = asks((RUN, {"env_id": "ss-dev", "database": "Analytics", "sql": "select 1"}))
    model = ScriptedChatModel(steps=[step, AIMessage(".")])
    conversation = Conversation(own, model, role="viewer")
    state = await conversation.say("Go")
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    assert RUN not in model.offered
    assert FORMAT in model.offered
    assert recorder.requests == []
    await own.aclose()


async def test_rows_and_what_is_told_of_them(ask: Ask):
    found = await rows(ask, "select id, product from sales_orders order by id", limit=2)
    assert found == {
        "environment": "ss-dev",
        "database": "Analytics",
        "schema": None,
        "sql": "select id, product from sales_orders order by id\nLIMIT 3",
        "columns": [{"name": "id", "type": "INT"}, {"name": "product", "type": "STRING"}],
        "total": 2,
        "limit": 2,
        "limited": True,
        "items": [[1, "Widget"], [2, "Насос"]],
    }


@pytest.mark.parametrize(
    ("sql", "limit", "total", "limited"),
    [
        ("select 1 as a", 1, 1, False),
        ("select 1 as a union all select 2", 2, 2, False),
        ("select 1 as a union all select 2", 1, 1, True),
        ("select id from sales_orders limit 7", 100, 7, False),
        ("select id from sales_orders limit 7", 5, 5, True),
        ("select id from sales_orders limit 7", 7, 7, False),
        ("select id from sales_orders limit 0", 5, 0, False),
        ("select * from empty_table", 5, 0, False),
    ],
)
async def test_more_rows_are_told_only_where_there_are_more(ask: Ask, sql, limit, total, limited):
    found = await rows(ask, sql, limit=limit)
    assert (found["total"], len(found["items"]), found["limited"]) == (total, total, limited)


@pytest.mark.parametrize(("asked", "limit"), [(5000, 1000), (0, 1), (-3, 1)])
async def test_a_limit_is_kept_in_bounds_and_said(ask: Ask, asked: int, limit: int):
    found = await rows(ask, "select 1 as a", limit=asked)
    assert (found["limit"], found["asked"]) == (limit, asked)


async def test_numbers_null_dates_and_two_columns_of_one_name(ask: Ask):
    found = await rows(
        ask, "select 1 as a, '' as a, null as n, 9007199254740993 as big, date('2025-01-02') as d"
    )
    assert [one["name"] for one in found["columns"]] == ["a", "a__1", "n", "big", "d"]
    assert found["items"] == [[1, "", None, 9007199254740993, "2025-01-02"]]


REFUSED = (
    ("delete from notes", "begins with DELETE", "начинается с DELETE"),
    ("select 1; delete from notes", "DELETE begins another", "с DELETE начинается ещё одна"),
    ("pragma table_info(notes)", "begins with PRAGMA", "начинается с PRAGMA"),
    ("attach ':memory:' as x", "begins with ATTACH", "начинается с ATTACH"),
    ("explain select 1", "begins with EXPLAIN", "начинается с EXPLAIN"),
    ("select load_extension('x')", "runs programs", "запускает программы"),
    ("select '{{ 1 }}'", "template", "шаблон"),
    ("select 1 where 1 = :p", "parameter", "параметр"),
    ("-- nothing", "no statement", "нет команды"),
)


@pytest.mark.parametrize(("sql", "en", "ru"), REFUSED)
async def test_what_does_more_than_read_is_refused_before_it_is_sent(
    services: Services, sql: str, en: str, ru: str
):
    recorder = Recorder()
    own = Services(services.settings, transport=recorder)
    call = (RUN, {"env_id": "ss-dev", "database": "Sandbox", "sql": sql})
    for language, words in (("en", en), ("ru", ru)):
        model = ScriptedChatModel(steps=[asks(call), AIMessage(".")])
        conversation = Conversation(own, model, role="analyst", thread=language)
        [answer] = answers((await conversation.say("Go", None, language))["messages"])
        assert answer.artifact["kind"] == "error"
        assert words in answer.text
        assert {"en": "nothing was sent", "ru": "ничего не отправлено"}[language] in answer.text
    assert recorder.sent("/sqllab/execute/") == 0
    await own.aclose()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select * from nope", "no such table: nope"),
        ("select nope from customers", '"nope"'),
        ("select no_such(1)", "no such function"),
    ],
)
async def test_mistakes_are_told_in_the_database_s_words(ask: Ask, sql: str, said: str):
    for language, frame in (("en", "did not run the query"), ("ru", "не выполнила запрос")):
        message = await ask(database="Analytics", sql=sql, language=language)
        assert message.artifact["kind"] == "error"
        assert frame in message.text
        assert said in message.text.replace("\\", "")


async def test_without_a_database_the_user_is_asked_unless_there_is_only_one(
    ask: Ask, dev: Superset
):
    message = await ask(sql="select 1 as a")
    assert message.artifact["kind"] == "question"
    assert message.artifact["slot"] == "database"
    assert "Analytics" in message.text
    assert "Sandbox" in message.text
    assert (await ask(sql="select 1", database="nope")).artifact["kind"] == "question"
    [sandbox] = await dev.databases("Sandbox")
    await dev.request_json("DELETE", f"/api/v1/database/{sandbox.id}", write=True)
    message = await ask(sql="select 1 as a")
    assert json.loads(message.text)["database"] == "Analytics"


async def test_dataset_gives_the_database_and_its_page_does(ask: Ask, dev: Superset):
    found = json.loads((await ask(sql="select 1 as a", dataset="customers")).text)
    assert (found["database"], found["schema"]) == ("Analytics", "main")
    [customers] = await dev.datasets("customers")
    page = DATASET | {"objectId": str(customers.id)}
    found = json.loads((await ask(sql="select 1 as a", ui=page)).text)
    assert (found["environment"], found["database"]) == ("ss-dev", "Analytics")
    # What the words name is stronger than the page.
    found = json.loads((await ask(sql="select 1 as a", database="Sandbox", ui=page)).text)
    assert found["database"] == "Sandbox"
    # Numbers of datasets differ between the installations: the page's is found by its uuid.
    message = await ask(sql="select count(*) as n from sales_orders", ui=page, env_id="ss-prod")
    assert json.loads(message.text)["items"] == [[8000]]


async def test_database_that_is_closed_to_sql_lab_is_not_asked(ask: Ask, dev: Superset):
    [sandbox] = await dev.databases("Sandbox")
    path, change = f"/api/v1/database/{sandbox.id}", {"expose_in_sqllab": False}
    await dev.request_json("PUT", path, body=change, write=True)
    message = await ask(sql="select 1", database="Sandbox")
    assert message.artifact["kind"] == "error"
    assert "not open to SQL Lab" in message.text


async def test_account_without_the_right_is_told_so(ask: Ask, dev: Superset, pair: Pair):
    query = {"q": {"filters": [{"col": "username", "opr": "eq", "value": "pilothouse_analyst"}]}}
    found = await dev.request_json("GET", "/api/v1/security/users/", query=query)
    [person] = found["result"]
    left = [role["id"] for role in person["roles"] if role["name"] != "sql_lab"]
    path = f"/api/v1/security/users/{person['id']}"
    await dev.request_json("PUT", path, body={"roles": left}, write=True)
    for language, said in (("en", "may not run SQL"), ("ru", "нельзя выполнять SQL")):
        message = await ask(sql="select 1", database="Analytics", language=language)
        assert said in message.text


async def test_two_environments_and_two_roles_at_once_get_their_own_data(services: Services):
    """Report rows 19 and 22: no call runs with another one's client or account."""
    sql = "select count(*) as n from sales_orders"

    async def count(env_id: str, role: Any, number: int) -> tuple[str, str, int]:
        call = (RUN, {"env_id": env_id, "database": "Analytics", "sql": sql})
        model = ScriptedChatModel(steps=[asks(call), AIMessage(".")])
        conversation = Conversation(services, model, role=role, thread=f"{env_id}{role}{number}")
        [answer] = answers((await conversation.say("Go"))["messages"])
        found = json.loads(answer.text)
        return env_id, found["environment"], found["items"][0][0]

    cases = [(env, role) for env in ("ss-dev", "ss-prod") for role in ("analyst", "operator")] * 3
    found = await asyncio.gather(*(count(*case, n) for n, case in enumerate(cases)))
    assert set(found) == {("ss-dev", "ss-dev", 4000), ("ss-prod", "ss-prod", 8000)}


async def test_long_result_is_shortened_and_still_answered_with_a_table(services: Services):
    words = "Run the query `select * from sales_orders` in the database Analytics of ss-dev"
    conversation = Conversation(services, planner(services.settings), role="analyst")
    state = await conversation.say(words, None, "en")
    [message] = answers(state["messages"])
    assert "result_id" in message.artifact
    answer = state["messages"][-1].text
    assert "100 rows" in answer
    assert "| id (INT) | customer\\_id (INT) |" in answer
    assert "There are more rows: only the first 100 were read." in answer
    assert "rows are shown here" in answer
