"""What models and their servers get wrong on the wire, put right before anybody relies on it."""

from typing import Any
from uuid import uuid4

import orjson
from langchain_core.messages import AIMessage, AnyMessage, InvalidToolCall

CUT_REASONS = frozenset({"length", "max_tokens", "model_length"})
"""Finish reasons, in lower case, that say that a message was cut off."""


def with_ids(message: AIMessage, before: list[AnyMessage]) -> AIMessage:
    """Give every call an id that no other call of the thread has.

    Some servers send none, an empty one, or one twice; then answers could not be told apart.
    """
    used = {
        call["id"]
        for earlier in before
        if isinstance(earlier, AIMessage)
        for call in earlier.tool_calls
    }
    calls: list[Any] = []
    for call in message.tool_calls:
        fresh = bool(call["id"]) and call["id"] not in used
        calls.append(call if fresh else call | {"id": f"call_{uuid4().hex}"})
        used.add(calls[-1]["id"])
    return message.model_copy(update={"tool_calls": calls}) if calls else message


def storable(message: AIMessage) -> AIMessage:
    """A message that the state can hold.

    A checkpoint takes no lone surrogates, no integers beyond 64 bits and no bottomless nesting;
    one such value would end the thread for good.
    Calls with such arguments become `invalid_tool_calls`, which are answered and never run.
    """
    good = [call for call in message.tool_calls if _plain(call["args"])]
    bad = [
        InvalidToolCall(
            type="invalid_tool_call", name=call["name"], args="", id=call["id"], error="not JSON"
        )
        for call in message.tool_calls
        if call not in good
    ]
    if not bad and _plain(message.content) and _plain(message.additional_kwargs):
        return message
    content = message.content if _plain(message.content) else _mended(message.text)
    return message.model_copy(
        update={
            "content": content,
            "tool_calls": good,
            "invalid_tool_calls": [*message.invalid_tool_calls, *bad],
            "additional_kwargs": {},
        }
    )


def _plain(value: Any, depth: int = 20) -> bool:
    """Whether a value is JSON that every part of the server can write and read again."""
    try:
        orjson.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return _shallow(value, depth)


def _shallow(value: Any, depth: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return depth > 0 and all(_shallow(item, depth - 1) for item in inner)


def _mended(words: str) -> str:
    return words.encode("utf-8", "replace").decode("utf-8")


def cut_off(message: AIMessage) -> bool:
    """Whether a message may have ended early: then its calls may be shortened, yet valid."""
    facts = message.response_metadata
    reason = facts.get("finish_reason") or facts.get("stop_reason") or facts.get("done_reason")
    return reason is None or str(reason).lower() in CUT_REASONS
