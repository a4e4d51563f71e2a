"""What a model is shown is a valid history: each call has exactly one answer, right behind it.

Users of other agents were locked out of conversations whose history had a call without an answer:
after a crash, a cancel, an edit, or where old messages were cut (docs/reports/agents.md).
"""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.graph.message import add_messages

from nodes.inject_context import InjectContext
from tests.agent import asks
from tools.connect import Services
from tools.context import User
from tools.settings import Settings

OLGA = User("olga", "operator")
OURS = {"artifact": {"kind": "result"}}


def is_valid(messages: list[AnyMessage]) -> bool:
    """Whether a provider would take a history: calls and answers in pairs, in one place."""
    open_calls: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in open_calls:
                return False
            open_calls.remove(message.tool_call_id)
            continue
        if open_calls:
            return False
        if isinstance(message, AIMessage):
            open_calls = [str(call["id"]) for call in message.tool_calls]
    return not open_calls


ASKED, SAID = asks(("x", {}), ("y", {})), HumanMessage("go")


@pytest.mark.parametrize(
    ("messages", "good"),
    [
        ([SAID, ASKED, ToolMessage("", tool_call_id="c2"), ToolMessage("", tool_call_id="c1")], 1),
        ([SAID, ASKED, ToolMessage("", tool_call_id="c1")], 0),
        ([SAID, ASKED, ToolMessage("", tool_call_id="c1"), SAID], 0),
        ([SAID, ToolMessage("", tool_call_id="c1")], 0),
        ([SAID, ASKED, *[ToolMessage("", tool_call_id="c1") for _ in range(2)]], 0),
    ],
)
def test_the_check_can_fail(messages: list[AnyMessage], good: int) -> None:
    assert is_valid(messages) == bool(good)


@st.composite
def histories(draw: Any) -> list[AnyMessage]:
    """Turns whose calls are answered, or not all of them, or by a client; words of any length."""
    messages: list[AnyMessage] = []
    for number in range(draw(st.integers(0, 5))):
        messages.append(HumanMessage("слово " * draw(st.sampled_from([1, 300, 40_000]))))
        calls = draw(st.integers(0, 3))
        messages.append(asks(*[("x", {})] * calls, prefix=f"m{number}-"))
        for call in messages[-1].tool_calls:
            told = draw(st.sampled_from([OURS, {}, None]))
            if told is not None:
                messages.append(ToolMessage("z", tool_call_id=call["id"], **told))
    return [*messages, HumanMessage("and now?")]


@given(messages=histories())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_whatever_was_left_open_or_cut_calls_and_answers_stay_pairs(
    tmp_path: Path, messages: list[AnyMessage]
) -> None:
    services = Services(
        Settings.model_validate({"records": {"url": f"sqlite:///{tmp_path}/records.db"}})
    )
    node = InjectContext("Help.", services, OLGA)
    update: Any = await node._repaired(messages, "t1", OLGA, "en")
    kept: Any = add_messages(messages, update)  # type: ignore[arg-type]
    await services.aclose()
    assert is_valid(kept)
    # Nothing is lost: every word and every call of the model is there, and every answer of ours.
    assert [one.type for one in kept if one.type != "tool"] == [
        one.type for one in messages if one.type != "tool"
    ]
    told = {one.tool_call_id for one in kept if isinstance(one, ToolMessage) and one.text == "z"}
    assert told == {
        one.tool_call_id for one in messages if isinstance(one, ToolMessage) and one.artifact
    }
