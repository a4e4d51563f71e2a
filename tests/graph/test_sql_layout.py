"""SQL laid out through the whole graph: by Superset, without it, or left alone."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, ToolMessage

from tests.agent import Conversation, answers, asks
from tests.doubles import ScriptedChatModel
from tests.superset.real import Recorder
from tools.connect import Services

RUN, FORMAT = "superset_execute_sql", "superset_format_sql"
Ask = Callable[..., Any]


@pytest.fixture
def ask(talk: Callable[..., Conversation]) -> Ask:
    """Call a tool through the graph; gives its message."""

    async def call(tool: str = FORMAT, role: Any = "analyst", **given: Any) -> ToolMessage:
        conversation = talk(asks((tool, given)), AIMessage("."), role=role)
        [message] = answers((await conversation.say("Go", None, "en"))["messages"])
        return message

    return call


async def test_a_layout_in_the_user_s_words(talk):
    conversation = talk(role="viewer")
    state = await conversation.say("Отформатируй SQL `select a,b from t where a>1`", None, "ru")
    assert "```sql\nSELECT\n  a,\n  b\nFROM t\nWHERE\n  a > 1\n```" in state["messages"][-1].text


async def test_formatting(ask: Ask):
    for given, by in (
        ({"sql": "select a,b from t"}, "local"),
        ({"sql": "select a,b from t", "env_id": "ss-dev"}, "superset"),
        ({"sql": "select a,b from t", "env_id": "ss-dev", "database": "Analytics"}, "superset"),
        ({"sql": "select a,b from t where c = {{ x }}", "env_id": "ss-dev"}, "local"),
        ({"sql": "select a,b from t where c = :x", "env_id": "ss-dev"}, "local"),
    ):
        for role in ("viewer", "admin"):
            found = json.loads((await ask(role=role, **given)).text)
            assert (found["by"], found["changed"]) == (by, True), given
            assert found["sql"].startswith("SELECT\n  a,\n  b\nFROM t")
    assert "{{ x }}" in json.loads((await ask(sql="select {{ x }}")).text)["sql"]
    found = json.loads((await ask(sql="select 1", env_id="ss-dev", database="1")).text)
    assert found["dialect"] == "sqlite"


async def test_text_that_is_better_left_alone_comes_back_as_it_was_and_is_not_sent(
    services: Services,
):
    recorder = Recorder()
    own = Services(services.settings, transport=recorder)
    for number, sql in enumerate(
        ("selec frm", "what is this", "select a {% if b %}, c{% endif %} from t")
    ):
        call = (FORMAT, {"sql": sql, "env_id": "ss-dev"})
        model = ScriptedChatModel(steps=[asks(call), AIMessage(".")])
        conversation = Conversation(own, model, role="viewer", thread=f"t{number}")
        [answer] = answers((await conversation.say("Go", None, "en"))["messages"])
        found = json.loads(answer.text)
        assert (found["sql"], found["changed"], found["by"]) == (sql, False, "none")
        assert found["reason"].startswith("Left as it is: ")
    assert recorder.sent("/sqllab/format_sql/") == 0
    await own.aclose()


async def test_formatting_runs_nothing(ask: Ask):
    found = json.loads(
        (await ask(sql="delete from notes", env_id="ss-dev", database="Sandbox")).text
    )
    assert found["sql"] == "DELETE FROM notes"
    sql = {"sql": "select count(*) from notes", "env_id": "ss-dev", "database": "Sandbox"}
    message = await ask(RUN, **sql)
    assert json.loads(message.text)["items"] == [[1]]


class Without(Recorder):
    """An installation whose formatter answers something else."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__()
        self.answer = answer

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/format_sql/"):
            return self.answer
        return await super().handle_async_request(request)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (httpx.Response(403, json={"message": "Forbidden"}), "no right to its formatter"),
        (httpx.Response(422, json={"message": "Unable to parse"}), "did not do it"),
        (httpx.Response(200, json={"result": "SELECT b FROM t"}), "written something else"),
        (httpx.Response(200, json={"result": "SELECT a /* lost */"}), "written something else"),
    ],
)
async def test_what_superset_does_not_lay_out_well_is_laid_out_without_it(
    services: Services, answer: httpx.Response, reason: str
):
    own = Services(services.settings, transport=Without(answer))
    call = (FORMAT, {"sql": "select a from t -- note", "env_id": "ss-dev"})
    model = ScriptedChatModel(steps=[asks(call), AIMessage(".")])
    state = await Conversation(own, model, role="viewer").say("Go", None, "en")
    found = json.loads(answers(state["messages"])[0].text)
    assert found["by"] == "local"
    assert found["sql"] == "SELECT\n  a\nFROM t /* note */"
    assert reason in found["reason"]
    await own.aclose()


async def test_a_database_needs_an_environment(ask: Ask):
    message = await ask(sql="select 1", database="Analytics")
    assert (message.artifact["kind"], message.artifact["slot"]) == ("question", "env_id")
    assert "ss-dev" in message.text
