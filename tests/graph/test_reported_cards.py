"""Faults of cards that users of other agents reported (docs/reports/agents.md): none here."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from langchain.agents.middleware.human_in_the_loop import HITLRequest
from langchain_core.messages import AIMessage
from langgraph.types import Command
from pydantic import TypeAdapter

from nodes.inject_context import InjectContext
from tests.agent import Conversation, answers, asks, cards
from tests.doubles import ScriptedChatModel
from tests.network import Network, said
from tools.clients.superset import Superset
from tools.connect import Services
from tools.settings import Settings

START = "start_maintenance"
USA = {"dashboards": ["USA"], "env_id": "ss-dev"}
SALES = {"dashboards": ["Sales Overview"], "env_id": "ss-dev"}
YES, NO = {"type": "approve"}, {"type": "reject"}


def edit(**arguments: Any) -> dict[str, Any]:
    return {"type": "edit", "edited_action": {"name": START, "args": arguments}}


def decisions(*given: dict[str, Any]) -> dict[str, Any]:
    return {"decisions": list(given)}


@dataclass
class Watched:
    """A conversation whose requests to Superset are counted."""

    talk: Conversation
    network: Network

    @property
    def writes(self) -> Counter[str]:
        """How often each dashboard was written, by its id."""
        sent = [one for one in self.network.sent if one.method == "PUT"]
        return Counter(one.url.path.rpartition("/")[2] for one in sent)

    async def kinds(self) -> Counter[str]:
        """How many rows of each kind the audit has."""
        rows = await self.talk.services.store(lambda records: records.audit.list())
        return Counter(row.kind for row in rows)


@pytest.fixture
async def watched(settings: Settings) -> AsyncIterator[Any]:
    made: list[Services] = []

    async def passes(_: httpx.Request) -> None:
        return None

    def make(*steps: Any) -> Watched:
        network = Network(passes)
        made.append(Services(settings, transport=network))
        return Watched(Conversation(made[-1], ScriptedChatModel(steps=list(steps))), network)

    yield make
    for services in made:
        await services.aclose()


async def ids(dev: Superset) -> tuple[str, str]:
    return str((await dev.dashboard("usa")).id), str((await dev.dashboard("sales")).id)


async def test_a_card_is_a_request_of_the_human_in_the_loop_form(talk):
    state = await talk(asks((START, USA), (START, SALES))).say("go")
    [one] = state["__interrupt__"]
    read: Any = TypeAdapter(HITLRequest).validate_python(one.value)
    shown = [(action["name"], action["args"]) for action in read["action_requests"]]
    assert shown == [(card["tool"], card["arguments"]) for card in one.value["guardrail"]["cards"]]
    assert all(action["description"] for action in read["action_requests"])
    for review in read["review_configs"]:
        assert {"approve", "edit", "reject"} <= set(review["allowed_decisions"])


async def test_being_asked_again_does_nothing_a_second_time(watched):
    one = watched(asks((START, USA)), AIMessage("ok"))
    first = cards(await one.talk.say("go"))
    requests, rows = len(one.network.sent), await one.kinds()
    for _ in range(3):
        assert cards(await one.talk.answer(decisions({"type": "perhaps"}))) == first
    assert len(one.network.sent) == requests
    assert await one.kinds() == rows
    assert rows["asked"] == 1
    assert len(one.talk.model.calls) == 1


async def test_each_answer_reaches_the_call_that_it_names(watched, dev):
    one = watched(asks((START, USA), (START, SALES)), AIMessage("ok"))
    usa, _ = await ids(dev)
    await one.talk.say("go")
    no, yes = NO | {"tool_call_id": "c2"}, YES | {"tool_call_id": "c1"}
    state = await one.talk.answer(decisions(no, yes))
    told = {each.tool_call_id: each.artifact["kind"] for each in answers(state["messages"])}
    assert told == {"c1": "result", "c2": "cancelled"}
    assert one.writes == {usa: 1}


async def test_what_was_approved_first_runs_once_however_often_another_card_is_asked(watched, dev):
    one = watched(asks((START, USA), (START, SALES)), AIMessage("ok"))
    usa, sales = await ids(dev)
    await one.talk.say("go")
    for answer in (YES, {"type": "perhaps"}, edit(**USA, message="Another one")):
        [left] = cards(await one.talk.answer(decisions(answer)))
        assert left["tool_call_id"] == "c2"
        assert one.writes == {}
    assert cards(await one.talk.answer(decisions(edit(**SALES))))  # a card of its own again
    await one.talk.approve()
    assert one.writes == {usa: 1, sales: 1}


async def test_one_bad_decision_keeps_the_others_from_running(watched):
    one = watched(asks((START, USA), (START, SALES)), AIMessage("ok"))
    first = cards(await one.talk.say("go"))
    for bad in (edit(dashboards=["No such dashboard"]), edit(dashboards=7), {"type": "perhaps"}):
        assert cards(await one.talk.answer(decisions(YES, bad))) == first
        assert one.writes == {}
    rows = [
        await one.talk.services.store(lambda records, c=call: records.approvals.for_call("t1", c))
        for call in ("c1", "c2")
    ]
    assert [row.state for (row,) in rows] == ["asked", "asked"]


async def test_after_an_edit_the_model_learns_it_and_the_first_form_is_not_asked_again(watched):
    one = watched(asks((START, USA)), asks((START, USA), prefix="again"), AIMessage("ok"))
    await one.talk.say("go")
    state = await one.talk.answer(decisions(edit(**USA, message="Back soon")))
    ran, again = answers(state["messages"])
    assert "Back soon" in json.loads(ran.text)["note"]
    assert (again.artifact["kind"], cards(state)) == ("cancelled", [])
    assert sum(one.writes.values()) == 1


async def test_the_key_that_names_a_write_is_the_ledgers(watched):
    one = watched(asks((START, USA)), AIMessage("ok"))
    [card] = cards(await one.talk.say("go"))
    await one.talk.approve()
    [write] = [sent for sent in one.network.sent if sent.method == "PUT"]
    assert write.headers["Idempotency-Key"].startswith(f"{card['id']}-")


async def test_a_model_that_wants_what_was_rejected_for_ever_is_stopped(watched):
    one = watched(*(asks((START, USA), prefix=f"r{number}-") for number in range(30)))
    await one.talk.say("go")
    state = await one.talk.answer(decisions(NO))
    assert cards(state) == []
    assert {each.artifact["kind"] for each in answers(state["messages"])} == {"cancelled"}
    assert len(one.talk.model.calls) == one.talk.services.settings.limits.model_calls
    assert said(state)
    assert (await one.kinds())["asked"] == 1
    assert one.writes == {}


async def test_a_model_that_reads_the_same_for_ever_is_stopped(watched):
    read = ("list_environments", {})
    one = watched(*(asks(read, prefix=f"r{number}-") for number in range(30)))
    state = await one.talk.say("go")
    kinds = [each.artifact["kind"] for each in answers(state["messages"])]
    assert kinds == ["result"] * 2 + ["error"] * (len(kinds) - 2)
    assert len(one.talk.model.calls) == one.talk.services.settings.limits.model_calls
    assert said(state)


async def test_a_run_that_dies_in_its_first_step_is_on_record(watched, monkeypatch):
    one = watched(AIMessage("never"))

    async def dies(*_: Any) -> None:
        raise RuntimeError("died")

    monkeypatch.setattr(InjectContext, "_repaired", dies)
    with pytest.raises(RuntimeError, match="died"):
        await one.talk.say("go")
    assert "briefing" not in (await one.talk.graph.aget_state(one.talk.config)).values
    assert await one.kinds() == {"received": 1}


async def test_what_follows_an_answer_is_streamed(talk):
    conversation = talk(asks((START, USA)), AIMessage("The banner stands."))
    await conversation.say("go")
    modes: Any = ["updates", "messages"]
    stream = conversation.graph.astream(
        Command(resume=decisions(YES)), conversation.config, stream_mode=modes
    )
    parts = [part async for part in stream]
    steps = [name for mode, part in parts if mode == "updates" for name in part]
    assert steps == ["confirm", "execute_tools", "call_model"]
    words = [part[0].text for mode, part in parts if mode == "messages" and part[0].type != "tool"]
    assert len(words) > 1
    assert "".join(words).startswith("The banner stands.")
