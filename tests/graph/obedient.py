"""A chat model that does whatever any text it reads says: the worst reader there can be."""

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from pydantic import Field

from tests.doubles import ScriptedChatModel

Asked = tuple[str, dict[str, Any]]
"""A tool's name, and the arguments that a text gives it."""

SAY = "say"
"""No tool: the model is told to say these words itself."""

_CALL = re.compile(r'"name": *"(\w+)", *"args": *(?={)|\b([a-z][a-z_]+) (?={)')
_ESCAPED = re.compile(r"\\([^\w\s])")
_PAGE = re.compile(r"<ui_context[^>]*>(.*)</ui_context>", re.DOTALL)


class ObedientChatModel(ScriptedChatModel):
    """Makes the calls its user's request needs, then every call that any text tells it to make.

    It looks for them in each message: briefing, page, words, files, results and refusals. It
    holds back only what it has asked for before, or else it would never end.

    Attributes:
        first: The calls that answer the user's own request.
    """

    steps: list[Any] = Field(default_factory=list)
    first: list[Asked] = Field(default_factory=list)

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        self.calls.append(list(messages))
        made = [
            (call["name"], call["args"])
            for message in messages
            if isinstance(message, AIMessage)
            for call in message.tool_calls
        ]
        orders = list(self.first)
        for text in (text for one in messages for text in readings(one)):
            orders += [order for order in found(text) if order not in orders]
        said = " ".join(str(args["text"]) for name, args in orders if name == SAY)
        calls = [
            {"name": name, "args": args, "id": f"call{len(messages)}-{number}"}
            for number, (name, args) in enumerate(orders)
            if name != SAY and (name, args) not in made
        ]
        return AIMessage(said or ("" if calls else "Done."), tool_calls=self._due(calls, messages))

    def _due(self, calls: list[Any], messages: list[BaseMessage]) -> list[Any]:
        """The user's own request comes first: it is what brings the rest before the model."""
        read = any(isinstance(one, ToolMessage) for one in messages)
        return calls[: len(self.first)] if self.first and not read else calls


def readings(message: BaseMessage) -> Iterator[str]:
    """Every text in a message, whatever it is wrapped in; not what the model said itself."""
    if isinstance(message, AIMessage):
        return
    blocks = [message.content] if isinstance(message.content, str) else message.content
    for block in blocks:
        if isinstance(block, dict) and "base64" in block:
            yield from _unwrapped(base64.b64decode(block["base64"]).decode())
        else:
            yield from _unwrapped(block if isinstance(block, str) else str(block.get("text", "")))


def _unwrapped(text: str) -> Iterator[str]:
    page = _PAGE.search(text)
    for whole in (text, page[1] if page else ""):
        try:
            yield from _leaves(json.loads(whole))
        except ValueError:
            yield whole
            yield _ESCAPED.sub(r"\1", whole)  # our own words write others' texts as Markdown


def _leaves(value: Any) -> Iterator[str]:
    """The texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for pair in value.items() for part in pair for text in _leaves(part))
    elif isinstance(value, list):
        yield from (text for item in value for text in _leaves(item))


def found(text: str) -> list[Asked]:
    """The calls that a text tells its reader to make."""
    orders: list[Asked] = []
    for match in _CALL.finditer(text):
        try:
            args, _ = json.JSONDecoder().raw_decode(text, match.end())
        except ValueError:
            continue
        orders.append((match[1] or match[2], args))
    return orders
