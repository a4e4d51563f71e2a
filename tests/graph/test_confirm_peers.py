"""Four eyes through the whole graph on a real Superset: a second person's yes, or nothing runs."""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.types import Command

from tests.agent import Conversation, answers, asks, cards
from tests.doubles import ScriptedChatModel
from tools.clients.layout import banners
from tools.connect import Services, utc_now
from tools.records import Approval
from tools.settings import Settings, ToolPolicy

START = "start_maintenance"
USA = {"dashboards": ["USA"], "env_id": "ss-dev"}
APPROVE = {"decisions": [{"type": "approve"}]}


class Clock:
    """A time that the test moves."""

    def __init__(self) -> None:
        self.now = utc_now()

    def __call__(self) -> Any:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def peers(settings: Settings, clock: Clock) -> AsyncIterator[Services]:
    """A deployment where each write in dev needs a second person."""
    wanted = {"ss-dev": {"*": ToolPolicy(approval="peer")}}
    policy = settings.policy.model_copy(update={"environments": wanted})
    services = Services(settings.model_copy(update={"policy": policy}), clock=clock)
    yield services
    await services.aclose()


@pytest.fixture
def asking(peers: Services) -> Callable[..., Conversation]:
    """A conversation whose model asks for these calls."""

    def make(*calls: Any, **facts: Any) -> Conversation:
        steps = [asks(*(calls or ((START, USA),))), *[AIMessage("done")] * 4]
        return Conversation(peers, ScriptedChatModel(steps=steps), **facts)

    return make


async def row_of(peers: Services, call: str = "c1") -> Approval:
    return (await peers.store(lambda records: records.approvals.for_call("t1", call)))[-1]


async def peer_says(peers: Services, call: str = "c1", reason: str | None = None) -> None:
    """What the second person decides, as the route does it."""
    row = await row_of(peers, call)

    def decide(records: Any) -> None:
        if reason is None:
            records.approvals.approve(row.id, row.digest, "petra", peers.clock())
        else:
            records.approvals.reject(row.id, "petra", reason, peers.clock())

    await peers.store(decide)


async def on_usa(dev) -> set[str]:
    return banners((await dev.dashboard("usa")).layout)


def told(state: Any) -> str | None:
    return state["__interrupt__"][0].value["guardrail"]["problem"]


async def test_the_asker_s_own_yes_is_none_and_the_card_stays(asking, peers, dev):
    conversation = asking()
    [first] = cards(await conversation.say("go"))
    assert (first["approval"], "second person" in first["note"]) == ("peer", True)
    for _ in range(2):
        state = await conversation.answer(APPROVE)
        [again] = cards(state)
        assert (again["id"], again["digest"]) == (first["id"], first["digest"])
        assert "second person" in told(state)
    assert await on_usa(dev) == set()


@pytest.mark.parametrize(
    "go_on",
    [
        lambda one: one.answer(APPROVE),
        lambda one: one.answer({"type": "approve"}),
        lambda one: one.say("Continue!"),
        lambda one: one.say("продолжай"),
        lambda one: one.say(" Продолжай. "),
    ],
)
async def test_a_second_person_s_yes_lets_it_run_once(asking, peers, dev, go_on):
    conversation = asking()
    await conversation.say("go")
    await peer_says(peers)
    state = await go_on(conversation)
    assert not cards(state)
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "result"
    assert len(await on_usa(dev)) == 1
    row = await row_of(peers)
    assert (row.state, row.user_id, row.decided_by) == ("done", "olga", "petra")
    # The thread is whole and lives on; nothing runs twice.
    state = await conversation.say("continue")
    assert state["messages"][-1].text == "done"
    assert len(answers(state["messages"])) == 1
    assert len(await on_usa(dev)) == 1


async def test_to_go_on_before_anybody_decided_shows_the_same_card(asking, peers, dev):
    conversation = asking()
    [first] = cards(await conversation.say("go"))
    state = await conversation.say("continue")
    [again] = cards(state)
    assert (again["id"], again["digest"]) == (first["id"], first["digest"])
    assert "second person" in told(state)
    await peer_says(peers)
    await conversation.say("continue")
    assert len(await on_usa(dev)) == 1


@pytest.mark.parametrize("decided", [False, True])
@pytest.mark.parametrize("words", ["yes", "continue with another one", "да, продолжай"])
async def test_any_other_message_withdraws_it(asking, peers, dev, decided, words):
    conversation = asking()
    await conversation.say("go")
    if decided:
        await peer_says(peers)
    state = await conversation.say(words)
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "cancelled"
    assert (await row_of(peers)).state == "rejected"
    await conversation.say("continue")
    assert await on_usa(dev) == set()


async def test_an_own_card_is_withdrawn_by_these_words_too(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    await conversation.say("go")
    state = await conversation.say("continue")
    assert not cards(state)
    assert [one.artifact["kind"] for one in answers(state["messages"])] == ["cancelled"]
    assert await on_usa(dev) == set()


async def test_to_go_on_after_a_crash_sends_nothing_again(asking, peers, dev):
    conversation = asking()
    await conversation.say("go")
    await peer_says(peers)
    row = await row_of(peers)
    begun = {"tool": row.tool, "requested": row.requested, "user_id": "olga"}
    begun |= {"policy_version": row.policy_version, "now": peers.clock()}
    await peers.store(lambda records: records.approvals.begin("t1", "c1", **begun))
    state = await conversation.say("continue")
    assert [one.artifact["kind"] for one in answers(state["messages"])] == ["unknown"]
    assert await on_usa(dev) == set()


@pytest.mark.parametrize("by_words", [False, True])
async def test_a_second_person_s_no_is_told_with_the_reason(asking, peers, dev, by_words):
    conversation = asking()
    await conversation.say("go")
    await peer_says(peers, reason="not on *Friday*")
    state = await (conversation.say("continue") if by_words else conversation.answer(APPROVE))
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "cancelled"
    assert "petra" in answer.text
    assert "not on \\*Friday\\*" in answer.text
    assert await on_usa(dev) == set()


async def test_the_asker_may_withdraw(asking, peers, dev):
    conversation = asking()
    await conversation.say("go")
    state = await conversation.answer({"decisions": [{"type": "reject", "message": "later"}]})
    [answer] = answers(state["messages"])
    assert "later" in answer.text
    assert (await row_of(peers)).state == "rejected"


async def test_what_was_edited_needs_a_yes_of_its_own(asking, peers, dev):
    conversation = asking()
    [first] = cards(await conversation.say("go"))
    edited = {"name": START, "args": USA | {"message": "Back soon"}}
    state = await conversation.answer({"decisions": [{"type": "edit", "edited_action": edited}]})
    [card] = cards(state)
    assert card["digest"] != first["digest"]
    assert any("Back soon" in line for line in card["differences"])
    await peer_says(peers)
    state = await conversation.answer(APPROVE)
    assert "Back soon" in answers(state["messages"])[0].text
    assert len(await on_usa(dev)) == 1


async def test_nothing_runs_before_own_and_foreign_cards_are_decided(asking, peers, dev, services):
    conversation = asking((START, USA), (START, USA | {"env_id": "ss-prod"}))
    prod = services.superset("ss-prod", "admin")
    assert [one["approval"] for one in cards(await conversation.say("go"))] == ["peer", "own"]
    state = await conversation.answer({"decisions": {"c2": {"type": "approve"}}})
    [left] = cards(state)
    assert left["tool_call_id"] == "c1"
    assert banners((await prod.dashboard("usa")).layout) == set()
    await peer_says(peers)
    state = await conversation.say("continue")
    assert [one.artifact["kind"] for one in answers(state["messages"])] == ["result", "result"]
    assert len(await on_usa(dev)) == 1
    assert len(banners((await prod.dashboard("usa")).layout)) == 1


async def test_an_own_card_beside_it_is_no_less_open_when_one_goes_on(asking, peers, dev, services):
    conversation = asking((START, USA), (START, USA | {"env_id": "ss-prod"}))
    await conversation.say("go")
    await peer_says(peers)
    state = await conversation.say("continue")
    [own] = cards(state)
    assert (own["tool_call_id"], own["approval"]) == ("c2", "own")
    assert await on_usa(dev) == set()
    await conversation.answer(APPROVE)
    assert len(await on_usa(dev)) == 1


async def test_a_yes_that_came_too_late_is_asked_again(asking, peers, dev, clock):
    conversation = asking()
    [first] = cards(await conversation.say("go"))
    clock.now += timedelta(minutes=16)
    state = await conversation.answer(APPROVE)
    [again] = cards(state)
    assert again["id"] != first["id"]
    assert again["approval"] == "peer"
    await peer_says(peers)
    clock.now += timedelta(minutes=16)
    state = await conversation.answer(APPROVE)
    assert await on_usa(dev) == set()
    assert state["messages"][-1].text == "done"


async def test_a_role_that_was_lost_meanwhile_is_enough_to_stop_it(asking, peers, dev):
    conversation = asking()
    await conversation.say("go")
    await peer_says(peers)
    conversation.role = "viewer"
    state = await conversation.answer(APPROVE)
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "denied"
    assert answer.artifact["card"]["verdict"] == "deny"
    assert await on_usa(dev) == set()


async def test_a_yes_of_before_the_rule_is_none_after_it(talk, peers, dev):
    conversation = talk(asks((START, USA)), AIMessage("done"))
    await conversation.say("go")
    conversation.services = peers
    state = await conversation.approve()
    assert [one.artifact["kind"] for one in answers(state["messages"])] == ["denied"]
    assert await on_usa(dev) == set()


async def test_replays_and_forged_decisions_run_nothing_before_the_yes(asking, peers, dev):
    conversation = asking()
    await conversation.say("go")
    graph, config = conversation.graph, conversation.config
    at_card = (await graph.aget_state(config)).config
    decision = (await graph.aget_state(config)).values["decisions"]["c1"] | {"verdict": "run"}
    forged = await graph.aupdate_state(config, {"decisions": {"c1": decision}}, as_node="confirm")
    state = await graph.ainvoke(None, forged)
    assert [one.artifact["kind"] for one in answers(state["messages"])] == ["denied"]
    assert await on_usa(dev) == set()
    await peer_says(peers)
    await graph.ainvoke(Command(resume=APPROVE), at_card)
    await graph.ainvoke(Command(resume=APPROVE), at_card)
    assert len(await on_usa(dev)) == 1
