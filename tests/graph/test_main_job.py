"""The main job, through the whole graph, on a real Superset."""

import json

import pytest
from langchain_core.messages import AIMessage

from tests.agent import answers, asks, cards
from tools.clients.layout import banners, layout_hash

START, END = "start_maintenance", "end_maintenance"


@pytest.mark.parametrize(
    ("begin", "finish"),
    [
        ("Запусти обслуживание на дашборде USA", "Заверши обслуживание на дашборде USA"),
        ("Start maintenance on the USA dashboard", "End maintenance on the USA dashboard"),
        ("Запусти обслуживание", "Заверши обслуживание"),
        ("Start maintenance", "Finish the maintenance"),
    ],
)
async def test_banner_is_put_up_and_taken_down_exactly(talk, dev, usa, begin, finish):
    before = await dev.dashboard("usa")
    conversation = talk()
    state = await conversation.say(begin, usa)
    [card] = cards(state)
    assert card["tool"] == START
    assert card["environment"] == {"id": "ss-dev", "title": "Development"}
    assert any("USA Births Names" in line for line in card["shown"])
    assert banners((await dev.dashboard("usa")).layout) == set()

    state = await conversation.approve()
    assert not cards(state)
    [event] = banners((await dev.dashboard("usa")).layout)
    assert event in state["messages"][-1].text

    state = await conversation.say(finish, usa)
    [card] = cards(state)
    assert card["tool"] == END
    await conversation.approve()
    after = await dev.dashboard("usa")
    assert layout_hash(after.layout) == layout_hash(before.layout)
    assert after.metadata == before.metadata


async def test_rejected_card_writes_nothing(talk, dev, usa):
    conversation = talk()
    await conversation.say("Запусти обслуживание", usa)
    state = await conversation.answer({"decisions": [{"type": "reject", "message": "не сейчас"}]})
    assert "Операция отменена" in state["messages"][-1].text
    assert banners((await dev.dashboard("usa")).layout) == set()


async def test_viewer_is_not_offered_the_tool_and_a_forged_call_is_denied(talk, dev, usa):
    forged = asks((START, {"dashboards": ["USA"], "env_id": "ss-dev"}))
    conversation = talk(forged, AIMessage("It was refused."), role="viewer")
    state = await conversation.say("Start maintenance", usa)
    assert START not in conversation.model.offered
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    assert "operator" in answer.text
    assert answer.artifact["card"]["verdict"] == "deny"
    assert banners((await dev.dashboard("usa")).layout) == set()


async def test_search_answers_with_a_result(talk):
    conversation = talk(role="viewer")
    state = await conversation.say("Найди дашборды USA", {"envId": "ss-dev", "contextVersion": 1})
    [answer] = answers(state["messages"])
    assert json.loads(answer.text)["total"] == 1
    assert "USA Births Names" in state["messages"][-1].text
