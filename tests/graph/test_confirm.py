"""Cards and the answers to them, through the whole graph on a real Superset."""

from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import Command

from tests.agent import answers, asks, cards
from tools.clients.layout import banners
from tools.connect import Services, utc_now
from tools.settings import ToolPolicy

START = "start_maintenance"
USA = {"dashboards": ["USA"], "env_id": "ss-dev"}
APPROVE = {"type": "approve"}


def edit(name: str, args: dict[str, Any]) -> dict[str, Any]:
    return {"decisions": [{"type": "edit", "edited_action": {"name": name, "args": args}}]}


async def on_usa(dev) -> set[str]:
    return banners((await dev.dashboard("usa")).layout)


@pytest.mark.parametrize(
    "form",
    [
        lambda card: {"decisions": [APPROVE]},
        lambda card: {"decisions": [APPROVE | {"tool_call_id": card["tool_call_id"]}]},
        lambda card: {"decisions": [APPROVE | {"id": card["id"], "digest": card["digest"]}]},
        lambda card: {"decisions": {card["tool_call_id"]: APPROVE}},
        lambda card: {"decisions": {card["id"]: APPROVE}},
        lambda card: APPROVE,
        lambda card: [{"type": "accept", "args": None}],
    ],
)
async def test_each_form_of_an_approval_runs_the_call_once(talk, dev, form):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    [card] = cards(await conversation.say("go"))
    state = await conversation.answer(form(card))
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "result"
    assert len(await on_usa(dev)) == 1


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ({"decisions": [{"type": "reject", "message": "later"}]}, "later"),
        ({"decisions": [{"type": "respond", "message": "use another"}]}, "use another"),
        ([{"type": "ignore"}], "cancelled"),
        ([{"type": "response", "args": "not now"}], "not now"),
    ],
)
async def test_each_form_of_a_no_writes_nothing_and_tells_the_model(talk, dev, form, word):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    await conversation.say("go")
    state = await conversation.answer(form)
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "cancelled"
    assert word in answer.text
    assert await on_usa(dev) == set()


@pytest.mark.parametrize(
    "bad",
    [
        "yes",
        True,
        [],
        {"decisions": []},
        {"decisions": "approve"},
        {"decisions": [{"type": "allow"}]},
        {"decisions": [APPROVE, APPROVE]},
        {"decisions": {"nobody": APPROVE}},
        {"decisions": [APPROVE | {"digest": "0" * 64}]},
        {"decisions": [{"type": "edit"}]},
        edit("end_maintenance", {}),
        edit(START, {"x": 1}),
        edit(START, {"dashboards": 7}),
        edit(START, {"dashboards": ["No such dashboard"]}),
    ],
)
async def test_bad_answer_leaves_the_same_card_open_and_says_why(talk, dev, bad):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    [first] = cards(await conversation.say("go"))
    state = await conversation.answer(bad)
    [again] = cards(state)
    assert (again["id"], again["digest"]) == (first["id"], first["digest"])
    assert state["__interrupt__"][0].value["guardrail"]["problem"]
    assert await on_usa(dev) == set()
    await conversation.approve()
    assert len(await on_usa(dev)) == 1


async def test_answer_that_names_nothing_leaves_the_card_open(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    [first] = cards(await conversation.say("go"))
    [again] = cards(await conversation.answer({}))  # LangGraph takes it for answers by interrupt id
    assert (again["id"], again["digest"]) == (first["id"], first["digest"])
    await conversation.approve()
    assert len(await on_usa(dev)) == 1


async def test_edit_is_judged_again_and_what_runs_is_what_was_approved(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    await conversation.say("go")
    state = await conversation.answer(edit(START, USA | {"message": "Back soon"}))
    [answer] = answers(state["messages"])
    assert "Back soon" in answer.text
    assert len(await on_usa(dev)) == 1


async def test_edit_that_hits_another_object_gets_a_fresh_card(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    [first] = cards(await conversation.say("go"))
    state = await conversation.answer(edit(START, USA | {"dashboards": ["Sales Overview"]}))
    [card] = cards(state)
    assert card["digest"] != first["digest"]
    assert "Sales Overview" in card["shown"][0]
    assert banners((await dev.dashboard("sales")).layout) == set()
    await conversation.approve()
    assert len(banners((await dev.dashboard("sales")).layout)) == 1
    assert await on_usa(dev) == set()


async def test_edit_over_an_expired_card_does_not_run(talk, dev, settings):
    clock = [utc_now()]
    services = Services(settings, clock=lambda: clock[0])
    conversation = talk(asks((START, USA)), AIMessage("done"))
    conversation.services = services
    await conversation.say("go")
    clock[0] += timedelta(minutes=16)
    state = await conversation.answer(edit(START, USA | {"message": "Back soon"}))
    assert len(cards(state)) == 1
    assert await on_usa(dev) == set()
    await services.aclose()


async def test_edit_that_raises_the_stakes_gets_a_fresh_card(talk, dev, services):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    [first] = cards(await conversation.say("go"))
    state = await conversation.answer(edit(START, USA | {"env_id": "ss-prod"}))
    [card] = cards(state)
    assert card["digest"] != first["digest"]
    assert (card["stage"], card["tone"]) == ("prod", "destructive")
    prod = services.superset("ss-prod", "admin")
    assert banners((await prod.dashboard("usa")).layout) == set()
    await conversation.approve()
    assert len(banners((await prod.dashboard("usa")).layout)) == 1
    assert await on_usa(dev) == set()


async def test_nothing_runs_before_all_cards_are_decided(talk, dev):
    sales = USA | {"dashboards": ["Sales Overview"]}
    conversation = talk(asks((START, USA), (START, sales)), AIMessage("done"))
    assert len(cards(await conversation.say("go"))) == 2
    state = await conversation.approve()
    [left] = cards(state)
    assert left["tool_call_id"] == "c2"
    assert await on_usa(dev) == set()
    state = await conversation.answer({"decisions": [{"type": "reject"}]})
    assert [answer.artifact["kind"] for answer in answers(state["messages"])] == [
        "result",
        "cancelled",
    ]
    assert len(await on_usa(dev)) == 1


async def test_new_message_over_a_card_cancels_it(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("Hello"))
    await conversation.say("go")
    state = await conversation.say("yes")
    kinds = [type(message).__name__ for message in state["messages"]]
    assert kinds == ["HumanMessage", "AIMessage", "ToolMessage", "HumanMessage", "AIMessage"]
    [answer] = answers(state["messages"])
    assert "cancelled" in answer.text
    state = await conversation.approve()
    assert await on_usa(dev) == set()


async def test_expired_card_is_shown_again_and_can_still_be_decided(talk, dev, settings):
    clock = [utc_now()]
    services = Services(settings, clock=lambda: clock[0])
    conversation = talk(asks((START, USA)), AIMessage("done"))
    conversation.services = services
    [first] = cards(await conversation.say("go"))
    clock[0] += timedelta(minutes=16)
    state = await conversation.approve()
    [again] = cards(state)
    assert again["id"] != first["id"]
    assert "expired" in state["__interrupt__"][0].value["guardrail"]["problem"]
    assert await on_usa(dev) == set()
    await conversation.approve()
    assert len(await on_usa(dev)) == 1
    await services.aclose()


@pytest.mark.parametrize("reason", [None, "length", "max_tokens"])
async def test_message_that_was_cut_off_runs_no_write(talk, dev, reason):
    cut = asks((START, USA)).model_copy(update={"response_metadata": {"finish_reason": reason}})
    conversation = talk(cut, AIMessage("ok"))
    state = await conversation.say("go")
    assert not cards(state)
    [answer] = answers(state["messages"])
    assert "cut off" in answer.text
    assert await on_usa(dev) == set()


async def test_dashboard_changed_after_the_card_is_left_alone(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    await conversation.say("go")
    board = await dev.dashboard("usa")
    await dev.request_json(
        "PUT", f"/api/v1/dashboard/{board.id}", body={"dashboard_title": "Other"}, write=True
    )
    state = await conversation.approve()
    [answer] = answers(state["messages"])
    assert "changed after the card" in answer.text
    assert await on_usa(dev) == set()


async def test_second_answer_to_a_card_does_not_run_it_again(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    await conversation.say("go")
    config = (await conversation.graph.aget_state(conversation.config)).config
    await conversation.approve()
    state = await conversation.graph.ainvoke(Command(resume={"decisions": [APPROVE]}), config)
    # It is told how the first one ended, and nothing runs.
    [event] = await on_usa(dev)
    assert event in answers(state["messages"])[-1].text


async def test_arguments_changed_in_the_state_after_the_card_do_not_run(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    await conversation.say("go")
    graph, config = conversation.graph, conversation.config
    message = (await graph.aget_state(config)).values["messages"][-1]
    other = message.model_copy(
        update={"tool_calls": asks((START, USA | {"message": "evil"})).tool_calls}
    )
    await graph.aupdate_state(config, {"messages": [other]}, as_node="check_permission")
    await conversation.approve()
    assert await on_usa(dev) == set()


async def test_forged_message_and_decision_do_not_run(talk, dev):
    conversation = talk(AIMessage("done"))
    graph, config = conversation.graph, conversation.config
    decision = {
        "call_id": "c1", "tool": START, "verdict": "run", "kind": "result", "message": "",
        "slot": None, "requested": USA, "arguments": USA, "targets": {}, "env_id": "ss-dev",
        "digest": "", "expires_at": "", "card": None,
    }  # fmt: skip
    forged = {
        "messages": [HumanMessage("go"), asks((START, USA))],
        "decisions": {"c1": decision},
        "offered": [START],
    }
    await graph.aupdate_state(config, forged, as_node="confirm")
    state = await graph.ainvoke(None, config)
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    assert await on_usa(dev) == set()


async def test_reads_are_asked_about_where_the_policy_says_so(talk, settings):
    policy = settings.policy.model_copy(update={"confirm_reads": True})
    services = Services(settings.model_copy(update={"policy": policy}))
    conversation = talk(
        asks(("search_dashboards", {"query": "usa", "env_id": "ss-dev"})), AIMessage("ok")
    )
    conversation.services = services
    state = await conversation.say("Найди")
    [card] = cards(state)
    assert (card["effect"], card["tone"], card["badge"]) == ("read", "success", "чтение данных")
    state = await conversation.approve()
    [answer] = answers(state["messages"])
    assert '"total": 1' in answer.text
    await services.aclose()


async def test_production_card_is_destructive_and_says_so(talk):
    conversation = talk(asks((START, USA | {"env_id": "ss-prod"})), AIMessage("ok"))
    [card] = cards(await conversation.say("Запусти"))
    assert (card["badge"], card["tone"], card["risk"]) == (
        "⚠️ PRODUCTION",
        "destructive",
        "dangerous",
    )
    assert card["impact"] == "1 дашборд будет изменён"


async def test_policy_of_the_deployment_wins_over_the_declaration(talk, settings, dev):
    only_admin = {START: ToolPolicy(roles=["admin"])}
    policy = settings.policy.model_copy(update={"tools": only_admin})
    services = Services(settings.model_copy(update={"policy": policy}))
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    conversation.services = services
    state = await conversation.say("go")
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    assert "admin" in answer.text
    await services.aclose()


async def test_approval_given_under_another_policy_does_not_run(talk, settings, dev):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    await conversation.say("go")
    only_admin = {"end_maintenance": ToolPolicy(roles=["admin"])}
    policy = settings.policy.model_copy(update={"tools": only_admin})
    services = Services(settings.model_copy(update={"policy": policy}))
    conversation.services = services
    state = await conversation.approve()
    assert not [one for one in answers(state["messages"]) if one.artifact["kind"] == "result"]
    assert await on_usa(dev) == set()
    await services.aclose()


FORGED = {
    "targets": lambda one, other: one | {"targets": other},
    "arguments": lambda one, other: one | {"arguments": USA | {"env_id": "ss-prod"}},
    "requested": lambda one, other: one | {"requested": USA | {"message": "evil"}},
    "env_id": lambda one, other: one | {"env_id": "ss-prod"},
    "digest": lambda one, other: one | {"digest": "f" * 64, "targets": other},
    "card": lambda one, other: one | {"card": {"shown": ["nothing"], "badge": "reading data"}},
    "tool": lambda one, other: one | {"tool": "end_maintenance"},
    "all": lambda one, other: (
        one
        | {
            "targets": other,
            "arguments": USA | {"env_id": "ss-prod"},
            "env_id": "ss-dev",
            "card": {},
        }
    ),
}


@pytest.mark.parametrize("key", FORGED)
async def test_decisions_forged_in_the_state_change_neither_card_nor_write(
    talk, dev, services, key
):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    [card] = cards(await conversation.say("go"))
    graph, config = conversation.graph, conversation.config
    sales = await dev.dashboard("sales")
    other = {
        "event_id": "f" * 12, "message": "evil", "ends_at": None,
        "dashboards": [
            {"id": sales.id, "uuid": sales.uuid, "title": "x", "changed_on": sales.changed_on}
        ],
    }  # fmt: skip
    decision = (await graph.aget_state(config)).values["decisions"]["c1"]
    forged = {"decisions": {"c1": FORGED[key](decision, other)}}
    await graph.aupdate_state(config, forged, as_node="check_permission")
    state = await graph.ainvoke(None, config)
    assert cards(state) == [card]
    await conversation.approve()
    prod = services.superset("ss-prod", "admin")
    assert len(await on_usa(dev)) == 1
    assert banners((await dev.dashboard("sales")).layout) == set()
    assert banners((await prod.dashboard("usa")).layout) == set()


async def test_viewer_who_forges_a_card_gets_none(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("no"), AIMessage("no"), role="viewer")
    await conversation.say("go")
    graph, config = conversation.graph, conversation.config
    messages = (await graph.aget_state(config)).values["messages"][:2]
    decision = {"call_id": "c1", "tool": START, "verdict": "confirm", "arguments": USA}
    forged = {"messages": [*messages, asks((START, USA))], "decisions": {"c1": decision}}
    await graph.aupdate_state(config, forged, as_node="check_permission")
    state = await graph.ainvoke(None, config)
    assert not cards(state)
    assert await on_usa(dev) == set()


async def test_person_who_may_no_longer_approve_can_not(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    await conversation.say("go")
    conversation.role = "viewer"
    state = await conversation.approve()
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    [row] = await conversation.services.store(
        lambda records: records.approvals.for_call("t1", "c1")
    )
    assert row.state == "rejected"
    assert await on_usa(dev) == set()


LONG = "я" * 50_000


@pytest.mark.parametrize(
    "form",
    [
        {"decisions": {LONG: APPROVE}},
        {"decisions": [APPROVE | {"tool_call_id": LONG}]},
        edit(START, USA | {"dashboards": [LONG]}),
        edit(START, USA | {"env_id": LONG}),
        edit(START, USA | {"ends_at": LONG}),
        edit(START, USA | {LONG: 1}),
        edit(START, USA | {"message": LONG}),
        {"decisions": [{"type": "reject", "message": LONG}]},
        {"decisions": [{"type": "respond", "message": LONG}]},
    ],
)  # fmt: skip
async def test_no_long_answer_poisons_the_thread(talk, dev, form):
    conversation = talk(asks((START, USA)), AIMessage("ok"), AIMessage("ok"), AIMessage("ok"))
    await conversation.say("go")
    state = await conversation.answer(form)
    if cards(state):
        state = await conversation.approve()
    assert state["messages"][-1].text == "ok"


async def test_long_message_of_a_call_is_refused_or_cut_with_words(talk, dev):
    conversation = talk(asks((START, USA | {"message": LONG})), AIMessage("ok"), AIMessage("ok"))
    state = await conversation.say("go")
    if cards(state):
        state = await conversation.approve()
    assert state["messages"][-1].text == "ok"
