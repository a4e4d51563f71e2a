"""The main job, through the whole graph, on a real Superset."""

import json

import pytest
from langchain_core.messages import AIMessage

from tests.agent import answers, asks, cards
from tools.catalog import SUPERSET
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


@pytest.mark.parametrize(
    ("words", "place", "which"),
    [("Запусти обслуживание", "ss-dev", "USA"), ("Start maintenance", "development", "usa births")],
)
async def test_what_is_missing_is_asked_for_one_by_one(talk, dev, words, place, which):
    conversation = talk()
    state = await conversation.say(words)
    assert not cards(state)
    assert "ss-dev, ss-prod" in state["messages"][-1].text
    state = await conversation.say(place)
    assert not cards(state)
    assert answers(state["messages"])[-1].artifact["slot"] == "dashboards"
    state = await conversation.say(which)
    [card] = cards(state)
    assert card["environment"]["id"] == "ss-dev"
    await conversation.approve()
    assert len(banners((await dev.dashboard("usa")).layout)) == 1


async def test_several_matches_are_listed_and_the_answer_is_taken(talk, dev):
    conversation = talk()
    ui = {"envId": "ss-dev", "contextVersion": 1}
    state = await conversation.say("Запусти обслуживание на дашборде Отчёт HR", ui)
    assert not cards(state)
    listed = state["messages"][-1].text
    found = await dev.search_dashboards("Отчёт HR")
    assert found.total > 1
    chosen = found.items[1]
    assert f"({chosen.id})" in listed
    state = await conversation.say(str(chosen.id), ui)
    [card] = cards(state)
    assert chosen.title in card["shown"][0]


@pytest.mark.parametrize(
    ("words", "language"), [("расскажи анекдот", "ru"), ("tell me a joke", "en")]
)
async def test_what_is_not_understood_gets_three_examples_that_work_here(
    talk, usa, words, language
):
    state = await talk().say(words, usa)
    said = state["messages"][-1].text
    examples = [one.examples[language] for one in SUPERSET.named(state["offered"])]
    assert sum(example in said for example in examples) == 3


async def test_several_intents_run_in_their_order(talk, usa):
    state = await talk().say("Покажи окружения и найди дашборды USA", usa)
    assert [one.name for one in answers(state["messages"])] == [
        "list_environments",
        "search_dashboards",
    ]
