"""The doubles themselves: what they stream is what a real model streams."""

import asyncio
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.doubles import ScriptedChatModel
from tests.openai_stub import Reply, openai_stub

CALL = {"name": "ping", "args": {"host": "пример", "n": 3}, "id": "c1"}


def ping(host: str, n: int) -> str:
    """Reach a host."""
    return host * n


async def streamed(model: Any, words: str = "hi") -> list[AIMessageChunk]:
    return [chunk async for chunk in model.astream([HumanMessage(words)])]


async def whole(model: Any, words: str = "hi") -> AIMessageChunk:
    return add_ai_message_chunks(*await streamed(model, words))


async def test_a_call_comes_in_pieces_and_sums_up() -> None:
    model = ScriptedChatModel(steps=[AIMessage("so be it", tool_calls=[CALL])])
    chunks = await streamed(model.bind_tools([ping]))
    total = add_ai_message_chunks(*chunks)
    assert len(chunks) > 5
    assert total.content == "so be it"
    assert [call["args"] for call in total.tool_calls] == [CALL["args"]]
    assert total.response_metadata["finish_reason"] == "tool_calls"
    assert model.offered == ["ping"]
    assert model.calls == [[HumanMessage("hi")]]


@pytest.mark.parametrize("reason", [None, "length"])
async def test_the_finish_reason_is_the_scripts(reason: str | None) -> None:
    steps = [
        AIMessage("", tool_calls=[CALL]),
        AIMessage("x", response_metadata={"finish_reason": "stop"}),
    ]
    model = ScriptedChatModel(steps=steps, finish_reason=reason)
    assert (await whole(model)).response_metadata.get("finish_reason") == reason
    assert (await whole(model)).response_metadata["finish_reason"] == "stop"


async def test_errors_functions_and_the_end_of_the_script() -> None:
    echo = lambda messages: AIMessage(messages[-1].content.upper())  # noqa: E731
    model = ScriptedChatModel(steps=[TimeoutError("late"), echo])
    with pytest.raises(TimeoutError, match="late"):
        await whole(model)
    assert (await whole(model, "again")).content == "AGAIN"
    with pytest.raises(AssertionError, match="call 3"):
        await whole(model)


async def test_whole_answers_and_broken_arguments() -> None:
    broken = {
        "name": "ping",
        "args": '{"host": ',
        "id": "c2",
        "error": None,
        "type": "invalid_tool_call",
    }
    model = ScriptedChatModel(
        steps=[AIMessage("", tool_calls=[CALL]), AIMessage("", invalid_tool_calls=[broken])]
    )
    answer = await model.ainvoke("hi")
    assert answer.tool_calls[0]["args"] == CALL["args"]
    assert answer.response_metadata["finish_reason"] == "tool_calls"
    assert (await whole(model)).tool_call_chunks[0]["args"] == '{"host": '


def client(url: str) -> ChatOpenAI:
    return ChatOpenAI(model="stub", base_url=url, api_key=SecretStr("key"), max_retries=0)


async def test_the_stub_serves_streams_wholes_and_errors() -> None:
    call = ("c1", "ping", '{"host": "пример", "n": 3}')
    replies = [
        Reply("words", (call,), "tool_calls"),
        Reply("words"),
        Reply(status=503, error="busy"),
        Reply("", (call,), None),
    ]
    with openai_stub(replies) as stub:
        model = await asyncio.to_thread(client, stub.base_url)
        total = await whole(model.bind_tools([ping]))
        assert total.content == "words"
        assert total.tool_calls[0]["args"] == CALL["args"]
        assert total.response_metadata["finish_reason"] == "tool_calls"
        assert (await model.ainvoke("hi")).content == "words"
        with pytest.raises(Exception, match="busy"):
            await model.ainvoke("hi")
        assert "finish_reason" not in (await whole(model)).response_metadata
    assert stub.requests[0]["tools"][0]["function"]["name"] == "ping"
    assert [request.get("stream", False) for request in stub.requests] == [True, False, False, True]
    assert stub.headers[0]["authorization"] == "Bearer key"
