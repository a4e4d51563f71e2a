"""A tool's function called, and its result made a message."""

import asyncio
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolMessage

from nodes.history import tool_message
from tools.connect import Call
from tools.definition import ToolDefinition
from tools.results import LONG, dumped, shorten, size, whole


async def invoke(definition: ToolDefinition, arguments: dict[str, Any], call: Call) -> Any:
    """Call a tool's function, with `call` where it asks for it."""
    given: dict[str, Any] = dict(arguments)
    if "call" in definition.function.__annotations__:
        given["call"] = call
    return await definition.function(**given)


def target_of(definition: ToolDefinition | None, arguments: Mapping[str, Any]) -> str | None:
    """The environment that a call with these arguments acts on."""
    if definition is None or definition.environment == "none":
        return None
    value = arguments.get(definition.target)
    return None if value is None else str(value)


async def result_message(definition: ToolDefinition, result: Any, call: Call) -> ToolMessage:
    """The tool message of a result; the whole of a long one goes to the records.

    No more than `limits.state_bytes` enter the state.
    """
    if size(result, LONG) < LONG:
        content, length = _written(result)
    else:
        content, length = await asyncio.to_thread(_written, result)
    artifact: dict[str, Any] = {"characters": len(content)}
    limits = call.settings.limits
    most = definition.result_characters or limits.result_characters
    if len(content) > most or length > limits.state_bytes:
        result_id = await call.services.store(
            lambda records: records.results.keep(
                call.thread_id, call.id, call.user.id, definition.name, content, call.now()
            )
        )
        artifact["result_id"] = result_id
        if length > limits.state_bytes:
            # No character has more than four bytes.
            content = await asyncio.to_thread(shorten, content, limits.state_bytes // 4, result_id)
    return tool_message(call.id, definition.name, content, "result", artifact)


def _written(result: Any) -> tuple[str, int]:
    """A result as text, and how many bytes it has."""
    content = whole(result) if isinstance(result, str) else dumped(result)
    return content, len(content.encode())
