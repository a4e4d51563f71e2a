"""What models and their servers get wrong on the wire, put right before anybody relies on it."""

from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage

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


def cut_off(message: AIMessage) -> bool:
    """Whether a message may have ended early: then its calls may be shortened, yet valid."""
    facts = message.response_metadata
    reason = facts.get("finish_reason") or facts.get("stop_reason") or facts.get("done_reason")
    return reason is None or str(reason).lower() in CUT_REASONS
