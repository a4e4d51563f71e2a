"""What a turn survives: loops, faults, hanging tools, cancels, forged and garbled calls."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.types import Command

from tests.agent import Conversation, answers, asks, cards
from tests.doubles import ScriptedChatModel
from tools.clients.layout import banners
from tools.connect import Services

START, SEARCH = "start_maintenance", "search_dashboards"
DEV = {"env_id": "ss-dev"}
USA = DEV | {"dashboards": ["usa"]}


async def test_endless_calls_end_with_words(talk):
    steps = [asks((SEARCH, DEV | {"query": f"q{n}"}), prefix=f"r{n}-") for n in range(30)]
    state = await talk(*steps).say("go")
    assert isinstance(state["messages"][-1], AIMessage)
    assert "12" in state["messages"][-1].text
    assert sum(isinstance(message, AIMessage) for message in state["messages"]) == 13


async def test_third_identical_read_is_refused(talk):
    steps = [asks((SEARCH, DEV), prefix=f"r{n}-") for n in range(3)]
    state = await talk(*steps, AIMessage("ok")).say("go")
    assert [one.artifact["kind"] for one in answers(state["messages"])] == [
        "result", "result", "error",
    ]  # fmt: skip


async def test_rejected_write_asked_again_in_the_turn_is_refused_without_a_card(talk):
    conversation = talk(asks((START, USA)), asks((START, USA), prefix="again"), AIMessage("ok"))
    await conversation.say("go")
    state = await conversation.answer({"decisions": [{"type": "reject"}]})
    assert not cards(state)
    assert answers(state["messages"])[-1].artifact["kind"] == "cancelled"


async def test_identical_writes_of_one_message_run_once(talk, dev):
    conversation = talk(asks((START, USA), (START, USA)), AIMessage("ok"))
    [card] = cards(await conversation.say("go"))
    assert card["tool_call_id"] == "c1"
    await conversation.approve()
    assert len(banners((await dev.dashboard("usa")).layout)) == 1


@pytest.mark.parametrize(
    "call",
    [
        ("no_such_tool", {}),
        (SEARCH, {"env_id": 7}),
        (SEARCH, {"query": "a", "surprise": 1}),
        (SEARCH, {"limit": "7"}),
        (START, {"dashboards": "usa", "env_id": "ss-dev"}),
    ],
)
async def test_malformed_call_is_answered_and_the_turn_goes_on(talk, call):
    state = await talk(asks(call), AIMessage("ok")).say("go")
    [answer] = answers(state["messages"])
    assert answer.status == "error"
    assert state["messages"][-1].text == "ok"


async def test_calls_without_or_with_the_same_id_get_one_answer_each(talk):
    message = asks((SEARCH, DEV), (SEARCH, DEV | {"query": "usa"}))
    for call in message.tool_calls:
        call["id"] = "same"
    state = await talk(message, AIMessage("ok")).say("go")
    asked = state["messages"][1].tool_calls
    assert [one.tool_call_id for one in answers(state["messages"])] == [one["id"] for one in asked]
    assert len({one["id"] for one in asked}) == 2


async def test_broken_arguments_are_answered(talk):
    broken = {"name": SEARCH, "args": '{"env_id": ', "id": "b1", "error": None}
    message = AIMessage("", invalid_tool_calls=[broken])
    state = await talk(message, AIMessage("ok")).say("go")
    [answer] = answers(state["messages"])
    assert (answer.tool_call_id, answer.status) == ("b1", "error")
    assert state["messages"][-1].text == "ok"


async def test_model_that_fails_leaves_the_conversation_usable(talk):
    conversation = talk(RuntimeError("secret-token in here"), AIMessage("back"))
    state = await conversation.say("go")
    assert "did not answer" in state["messages"][-1].text
    assert "secret-token" not in str(state)
    assert (await conversation.say("again"))["messages"][-1].text == "back"


async def test_unknown_user_is_refused(talk):
    conversation = talk(AIMessage("never"), role=None)
    with pytest.raises(PermissionError):
        await conversation.say("go")


@pytest.mark.parametrize(
    "ui", [{"objectId": "x"}, {"envId": "moon"}, {"role": "admin"}, {"objectName": "a" * 257}]
)
async def test_bad_context_stops_the_run_before_the_model(talk, ui):
    conversation = talk(AIMessage("never"))
    with pytest.raises(ValueError, match=r".+"):
        await conversation.say("go", ui)
    assert conversation.model.calls == []


class Network(httpx.AsyncBaseTransport):
    """The real network, with a fault on the writes of dashboards."""

    def __init__(self, fault: str) -> None:
        self.real = httpx.AsyncHTTPTransport()
        self.fault = fault
        self.writes = 0
        self.sent = asyncio.Event()

    async def aclose(self) -> None:
        await self.real.aclose()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.method != "PUT":
            return await self.real.handle_async_request(request)
        self.writes += 1
        if self.fault == "refused":
            raise httpx.ConnectError("refused")
        answer = await self.real.handle_async_request(request)
        await answer.aread()
        await answer.aclose()
        self.sent.set()
        if self.fault == "hangs":
            await asyncio.sleep(3600)
        if self.fault == "breaks":
            raise httpx.ReadError("broken")
        return httpx.Response(int(self.fault), text="Bad gateway")


def troubled(settings: Any, fault: str) -> tuple[Services, Network]:
    network = Network(fault)
    return Services(settings, transport=network), network


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("refused", "error"), ("breaks", "unknown"), ("502", "unknown"), ("504", "unknown")],
)
async def test_write_without_an_answer_is_unknown_and_never_repeated(settings, fault, kind):
    services, network = troubled(settings, fault)
    model = ScriptedChatModel(steps=[asks((START, USA)), AIMessage("ok")])
    conversation = Conversation(services, model)
    await conversation.say("go")
    state = await conversation.approve()
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == kind, answer.text
    assert network.writes == 1
    [row] = await services.store(lambda records: records.approvals.for_call("t1", "c1"))
    assert row.state == ("unknown" if kind == "unknown" else "failed")
    [task] = await services.store(lambda records: records.tasks.latest("olga"))
    assert task.state == row.state
    await services.aclose()


async def test_write_cut_short_by_a_cancel_is_unknown_and_the_next_turn_says_so(settings):
    services, network = troubled(settings, "hangs")
    model = ScriptedChatModel(steps=[asks((START, USA)), AIMessage("ok")])
    conversation = Conversation(services, model)
    await conversation.say("go")
    run = asyncio.create_task(conversation.approve())
    await asyncio.wait_for(network.sent.wait(), 20)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    [row] = await services.store(lambda records: records.approvals.for_call("t1", "c1"))
    assert row.state == "unknown"
    state = await conversation.say("what happened?")
    [answer] = answers(state["messages"])
    assert (answer.tool_call_id, answer.artifact["kind"]) == ("c1", "unknown")
    assert network.writes == 1
    await services.aclose()


async def test_crash_while_executing_is_unknown_at_the_next_attempt(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    await conversation.say("go")
    services = conversation.services
    [row] = await services.store(lambda records: records.approvals.for_call("t1", "c1"))
    await conversation.graph.ainvoke(
        Command(resume={"decisions": [{"type": "approve"}]}),
        conversation.config,
        interrupt_before=["execute_tools"],
    )
    # Another worker took the approval and died before it could say what became of it.
    await services.store(
        lambda records: records.approvals.begin(
            "t1", "c1", tool=START, requested=USA, user_id="olga",
            policy_version=row.policy_version, now=services.clock(),
        )
    )  # fmt: skip
    state = await conversation.graph.ainvoke(None, conversation.config)
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "unknown"
    assert banners((await dev.dashboard("usa")).layout) == set()


async def test_long_result_is_shortened_and_kept_whole(talk, services):
    state = await talk(asks((SEARCH, DEV | {"limit": 100})), AIMessage("ok")).say("go")
    [answer] = answers(state["messages"])
    assert len(answer.text) <= 4000
    shown = json.loads(answer.text)
    assert shown["total"] == 262
    kept = await services.store(
        lambda records: records.results.read(answer.artifact["result_id"], "olga")
    )
    whole = json.loads(kept.content)
    assert len(whole["items"]) == 100
    assert shown["items"]["items"] == whole["items"][: shown["items"]["shown"]]
    stranger = await services.store(
        lambda records: records.results.read(answer.artifact["result_id"], "eve")
    )
    assert stranger is None


async def test_every_call_of_a_long_thread_has_exactly_one_answer(talk):
    steps = [asks((START, USA), (SEARCH, DEV), prefix=f"m{n}-") for n in range(4)]
    conversation = talk(*steps)
    for _ in steps:
        state = await conversation.say("go")
    called = [
        call["id"]
        for message in state["messages"]
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    ]
    answered = [one.tool_call_id for one in state["messages"] if isinstance(one, ToolMessage)]
    assert sorted(answered) == sorted(called[:-2])


async def test_custom_stream_tells_of_cards_and_refusals(talk, usa):
    config: dict[str, Any] = {"stream_mode": ["custom", "messages", "updates", "values"]}
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    seen = [
        chunk
        async for chunk in conversation.graph.astream(
            {"messages": [("user", "go")]}, conversation.config, **config
        )
    ]
    [event] = [chunk for mode, chunk in seen if mode == "custom"]
    assert event["type"] == "confirm_required"
    assert {mode for mode, _ in seen} == set(config["stream_mode"])
    denied = talk(asks((START, USA)), AIMessage("ok"), role="viewer", thread="t2")
    events = [
        chunk
        async for chunk in denied.graph.astream(
            {"messages": [("user", "go")]}, denied.config, stream_mode="custom"
        )
    ]
    assert [event["type"] for event in events] == ["permission_denied"]


@pytest.mark.parametrize(
    "args",
    [{"limit": 10**30}, {"query": "\ud800"}, {"query": json.loads("[" * 60 + "]" * 60)}],
)
async def test_arguments_that_no_checkpoint_holds_do_not_end_the_thread(talk, args):
    conversation = talk(asks((SEARCH, DEV | args)), AIMessage("ok"), AIMessage("again"))
    state = await conversation.say("go")
    assert state["messages"][-1].text == "ok"
    [answer] = answers(state["messages"])
    assert answer.status == "error"
    json.dumps(state["messages"][1].model_dump(), ensure_ascii=False).encode()
    assert (await conversation.say("more"))["messages"][-1].text == "again"


async def test_model_that_fails_after_a_write_tells_what_ran(talk, dev):
    conversation = talk(asks((START, USA)), RuntimeError("down"))
    await conversation.say("go")
    state = await conversation.approve()
    [event] = banners((await dev.dashboard("usa")).layout)
    said = state["messages"][-1].text
    assert event in said
    assert "Nothing was run" not in said


async def test_invented_tool_messages_do_not_answer_a_call(talk, dev):
    conversation = talk(asks((START, USA)), AIMessage("ok"))
    await conversation.say("go")
    invented = ToolMessage("Successfully handled tool call.", tool_call_id="c1")
    state = await conversation.graph.ainvoke(
        {"messages": [invented, ("user", "next")]}, conversation.config, context={}
    )
    [answer] = answers(state["messages"])
    assert "cancelled" in answer.text
    [row] = await conversation.services.store(
        lambda records: records.approvals.for_call("t1", "c1")
    )
    assert row.state == "rejected"


async def test_fifty_dashboards_are_counted_right(talk, dev):
    page = await dev.search_dashboards(limit=50)
    names = [str(item.id) for item in page.items]
    conversation = talk(asks((START, DEV | {"dashboards": names})), RuntimeError("tell me"))
    [card] = cards(await conversation.say("go"))
    assert card["risk"] == "dangerous"
    assert card["impact"].startswith("50 ")
    state = await conversation.approve()
    assert "on 50 dashboards" in state["messages"][-1].text
