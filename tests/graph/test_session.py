"""A run that waited longer than its user's token lives: nothing runs, and nothing is used up."""

import pytest
from langchain_core.messages import AIMessage

from tests.agent import answers, asks, cards
from tools.clients.layout import banners
from tools.connect import utc_now
from tools.context import User, identify

START = ("start_maintenance", {"dashboards": ["USA"], "env_id": "ss-dev"})
FIND = ("search_dashboards", {"query": "USA", "env_id": "ss-dev"})
MINUTE = 60.0


@pytest.mark.parametrize(
    ("language", "words"), [("en", "session has ended"), ("ru", "сессия истекла")]
)
async def test_an_approval_stays_good_when_the_token_ends_first(
    talk, services, dev, language, words
):
    conversation = talk(asks(START), AIMessage("ok"))
    [card] = cards(await conversation.say("go", language=language))
    conversation.until = utc_now().timestamp() - 1
    state = await conversation.approve()
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    assert words in answer.text
    assert banners((await dev.dashboard("usa")).layout) == set()
    row = await services.store(lambda records: records.approvals.get(card["id"]))
    assert (row.state, row.started_at) == ("approved", None)


@pytest.mark.parametrize(("left", "kind"), [(-1.0, "denied"), (MINUTE, "result")])
async def test_a_read_runs_while_the_token_lives(talk, left, kind):
    conversation = talk(asks(FIND), AIMessage("ok"))
    conversation.until = utc_now().timestamp() + left
    state = await conversation.say("go")
    assert [answer.artifact["kind"] for answer in answers(state["messages"])] == [kind]


@pytest.mark.parametrize("until", ["soon", [1], {}])
def test_an_end_that_is_no_number_lets_nobody_in(until):
    facts = {"identity": "olga", "role": "viewer"}
    assert identify(facts | {"until": until}) is None
    known = identify(facts | {"until": 5})
    assert known == User("olga", "viewer")
    assert known.until == 5
