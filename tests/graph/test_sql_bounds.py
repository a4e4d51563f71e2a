"""Rows and time of SQL are bounded, whatever Superset does."""

import asyncio
import json

import httpx
import pytest
from langchain_core.messages import AIMessage

from tests.agent import Conversation, answers, asks
from tests.doubles import ScriptedChatModel
from tests.superset.real import Recorder
from tools.connect import Services
from tools.settings import Settings

RUN, FORMAT = "superset_execute_sql", "superset_format_sql"
SLOW = """WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM c WHERE x < 40000000)
SELECT count(*) AS n FROM c"""
"""Takes SQLite more than five seconds."""


class Ignoring(Recorder):
    """An installation that ignores every limit (report row 1: seen where Flask is too new)."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/sqllab/execute/"):
            return await super().handle_async_request(request)
        self.requests.append(request)
        column = {"column_name": "id", "name": "id", "type": "INT"}
        data = [{"id": number} for number in range(4000)]
        return httpx.Response(200, json={"data": data, "columns": [column]})


@pytest.mark.parametrize(
    ("sql", "limit", "total", "asked"),
    [("select id from t limit 7", 100, 7, 7), ("select id from t", 20, 20, 21)],
)
async def test_rows_are_cut_where_superset_ignores_the_limit(
    services: Services, sql: str, limit: int, total: int, asked: int
):
    transport = Ignoring()
    own = Services(services.settings, transport=transport)
    call = (RUN, {"env_id": "ss-dev", "database": "Analytics", "sql": sql, "limit": limit})
    model = ScriptedChatModel(steps=[asks(call), AIMessage(".")])
    state = await Conversation(own, model, role="analyst").say("Go")
    found = json.loads(answers(state["messages"])[0].text)
    assert (found["total"], len(found["items"]), found["limited"]) == (total, total, total == 20)
    [sent] = [one for one in transport.requests if one.url.path.endswith("/execute/")]
    assert json.loads(sent.content)["queryLimit"] == asked
    await own.aclose()


@pytest.fixture
def hurried(settings: Settings) -> Settings:
    """A deployment whose calls have four seconds."""
    limits = settings.limits.model_copy(update={"tool_timeout": 4.0})
    return settings.model_copy(update={"limits": limits})


async def test_slow_query_is_given_up_in_time_and_the_conversation_goes_on(hurried: Settings):
    own = Services(hurried)
    call = (
        RUN,
        {"env_id": "ss-dev", "database": "Analytics", "sql": SLOW},
    )
    steps = [asks(call), AIMessage("late"), asks((FORMAT, {"sql": "select 1"})), AIMessage("ok")]
    conversation = Conversation(own, ScriptedChatModel(steps=steps), role="analyst")
    started = asyncio.get_running_loop().time()
    state = await conversation.say("Go", None, "en")
    assert asyncio.get_running_loop().time() - started < 6
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "error"
    assert "still runs" in answer.text
    assert "no way to stop it" in answer.text
    state = await conversation.say("And now?", None, "en")
    assert state["messages"][-1].text == "ok"
    await own.aclose()
