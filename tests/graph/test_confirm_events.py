"""What is told on the custom stream and kept with the messages: cards, denials, withdrawals."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import Command

from tests.agent import answers, asks, cards
from tools.clients.layout import banners
from tools.records import AuditRow

START = "start_maintenance"
USA = {"dashboards": ["USA"], "env_id": "ss-dev"}
APPROVE = Command(resume={"decisions": [{"type": "approve"}]})


async def messages(conversation: Any) -> list[Any]:
    state = await conversation.graph.aget_state(conversation.config)
    return list(state.values["messages"])


async def denials(conversation: Any) -> list[AuditRow]:
    rows = await conversation.services.store(lambda records: records.audit.list())
    return [row for row in rows if row.kind == "denied"]


async def test_a_card_is_told_by_id_and_digest_each_time_it_is_shown(talk):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    events = await conversation.events("go")
    state = await conversation.graph.aget_state(conversation.config)
    [card] = state.interrupts[0].value["guardrail"]["cards"]
    told = {"type": "confirm_required", "id": card["id"], "digest": card["digest"]}
    assert events == [told]
    again = await conversation.events(Command(resume={"decisions": []}))
    assert {one["digest"] for one in again} == {card["digest"]}


async def test_a_denial_is_told_kept_with_the_message_and_on_record(talk):
    conversation = talk(asks((START, USA)), AIMessage("no"), role="viewer")
    [event] = await conversation.events("go")
    assert (event["type"], event["card"]["verdict"]) == ("permission_denied", "deny")
    assert event["card"]["required_roles"] == ["operator", "admin"]
    [answer] = answers(await messages(conversation))
    assert answer.artifact["card"] == event["card"]
    assert answer.text == event["card"]["reason"]
    assert len(await denials(conversation)) == 1


async def test_a_right_lost_before_the_answer_is_told_the_same_way(talk):
    conversation = talk(asks((START, USA)), AIMessage("no"))
    await conversation.say("go")
    conversation.role = "viewer"
    events = await conversation.events(APPROVE)
    [event] = [one for one in events if one["type"] == "permission_denied"]
    [answer] = answers(await messages(conversation))
    assert answer.artifact["card"] == event["card"]
    assert len(await denials(conversation)) == 1


@pytest.mark.parametrize("tool", [START, "search_dashboards"])
async def test_a_call_that_was_never_judged_is_denied_where_it_would_run(talk, dev, tool):
    conversation = talk(AIMessage("no"), role="viewer", environments=frozenset({"ss-prod"}))
    graph, config = conversation.graph, conversation.config
    arguments = USA if tool == START else {"env_id": "ss-dev"}
    decision = {"call_id": "c1", "tool": tool, "verdict": "run", "arguments": arguments}
    forged = {
        "messages": [HumanMessage("go"), asks((tool, arguments))],
        "decisions": {"c1": decision},
    }
    await graph.aupdate_state(config, forged, as_node="confirm")
    [event] = await conversation.events(None)
    assert event["type"] == "permission_denied"
    [answer] = answers(await messages(conversation))
    assert (answer.artifact["kind"], answer.artifact["card"]) == ("denied", event["card"])
    assert len(await denials(conversation)) == 1
    assert banners((await dev.dashboard("usa")).layout) == set()


@pytest.mark.parametrize(
    ("language", "words"), [("ru", "Операция отменена"), ("en", "Operation cancelled")]
)
async def test_a_new_message_over_a_card_says_that_it_was_withdrawn(talk, language, words):
    conversation = talk(asks((START, USA)), AIMessage("ok"), AIMessage("ok"))
    [card] = cards(await conversation.say("go"))
    [event] = await conversation.events("yes", language)
    assert event == {
        "type": "operation_cancelled",
        "message": words,
        "ids": [card["id"]],
        "tool_call_ids": ["c1"],
    }
    [answer] = answers(await messages(conversation))
    assert words in answer.text
    assert await conversation.events("and now?", language) == []


GUEST = {"role": "viewer", "roles": {"ss-dev": "operator"}}


@pytest.mark.parametrize("env_id", ["ss-dev", "ss-prod"])
async def test_both_layers_follow_the_role_of_the_environment(talk, env_id, dev):
    may = env_id == "ss-dev"
    conversation = talk(asks((START, USA | {"env_id": env_id})), AIMessage("ok"), **GUEST)
    state = await conversation.say("go", ui={"envId": env_id, "route": "/x", "contextVersion": 1})
    assert (START in conversation.model.offered) == may
    assert len(cards(state)) == may
    if not may:
        [answer] = answers(state["messages"])
        assert answer.artifact["card"]["environment"]["id"] == "ss-prod"
        return
    conversation.roles = {}
    state = await conversation.approve()
    assert [one.artifact["kind"] for one in answers(state["messages"])] == ["denied"]
    assert banners((await dev.dashboard("usa")).layout) == set()


async def test_the_account_is_that_of_the_role_of_the_environment(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("ok"), **GUEST)
    await conversation.say("go")
    await conversation.approve()
    assert len(banners((await dev.dashboard("usa")).layout)) == 1  # a viewer's account may not
    [row] = await conversation.services.store(
        lambda records: records.approvals.for_call("t1", "c1")
    )
    assert row.role == "operator"
