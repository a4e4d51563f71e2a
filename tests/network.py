"""Conversations over a real network in which something goes wrong, and what stays of them."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage


class Network(httpx.AsyncBaseTransport):
    """The real network. `before` sees each request, and may change, hold, refuse or answer it."""

    def __init__(self, before: Callable[[httpx.Request], Awaitable[httpx.Response | None]]) -> None:
        self.real = httpx.AsyncHTTPTransport()
        self.before = before
        self.sent: list[httpx.Request] = []

    async def aclose(self) -> None:
        await self.real.aclose()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = await self.before(request)
        return answer or await self.real.handle_async_request(request)

    def writes(self) -> int:
        return sum(request.method == "PUT" for request in self.sent)


def whole(state: Any) -> list[AnyMessage]:
    """The messages of a thread in which every call has its one answer, in its place."""
    messages: list[AnyMessage] = state["messages"]
    open_calls: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            open_calls.remove(message.tool_call_id)
            continue
        assert open_calls == [], "a call has no answer before the next message"
        if isinstance(message, AIMessage):
            open_calls = [str(call["id"]) for call in message.tool_calls]
            assert message.text or open_calls
    assert open_calls == []
    assert isinstance(messages[-1], AIMessage)
    assert messages[-1].text
    return messages


def said(state: Any) -> str:
    """The last words of a whole thread."""
    return whole(state)[-1].text
