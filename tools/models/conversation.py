"""What a planner needs of the messages: the user's words, what was asked, what came back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.tool import ToolCall

from tools.context import Language, language_of
from tools.models.offers import Offer, offers
from tools.models.paging import Shown
from tools.results import parsed


@dataclass(frozen=True)
class Question:
    """A question of the turn before.

    Attributes:
        call: The call that could not be made without an answer.
        slot: The argument that is asked for.
        value: The entry of that argument that is in doubt, if it is only one.
        offered: What may be chosen.
    """

    call: ToolCall
    slot: str
    value: Any = None
    offered: tuple[Offer, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation.

    Attributes:
        text: The user's own words.
        language: Of the answers.
        page: The page the user came from, as on the wire; None: unknown.
        results: The tool messages of this turn, in their order.
        names: Call id to the name of the tool.
        question: What the turn before ended in.
        withdrawn: This very message took back a card that was open.
    """

    text: str
    language: Language
    page: Mapping[str, Any] | None
    results: tuple[ToolMessage, ...]
    names: Mapping[str, str]
    question: Question | None
    withdrawn: bool = False
    shown: Shown | None = None
    """The last result of the turns before, if any."""


def turn_of(messages: Sequence[BaseMessage]) -> Turn:
    """Read the messages of a thread; those of the last turn begin with the last human one."""
    facts = _facts(messages)
    starts = [i for i, message in enumerate(messages) if isinstance(message, HumanMessage)]
    start = starts[-1] if starts else 0
    earlier = messages[starts[-2] : start] if len(starts) > 1 else messages[:start]
    text = facts.get("user_text")
    if not isinstance(text, str):
        text = messages[start].text if starts else ""
    language = facts.get("language")
    known: Language | None = language if language in ("ru", "en") else None
    page = facts.get("page")
    return Turn(
        text=text,
        language=language_of(text, known, "en"),
        page=page if isinstance(page, Mapping) else None,
        results=tuple(m for m in messages[start:] if isinstance(m, ToolMessage)),
        names={str(call["id"]): call["name"] for call in _calls(messages[start:])},
        question=_question(earlier),
        withdrawn=_withdrawn(earlier),
        shown=_shown(messages[:start]),
    )


def _facts(messages: Sequence[BaseMessage]) -> Mapping[str, Any]:
    first = messages[0] if messages else None
    facts = first.additional_kwargs.get("pilothouse") if isinstance(first, SystemMessage) else None
    return facts if isinstance(facts, Mapping) else {}


def _calls(messages: Sequence[BaseMessage]) -> list[ToolCall]:
    return [call for m in messages if isinstance(m, AIMessage) for call in m.tool_calls]


def _question(messages: Sequence[BaseMessage]) -> Question | None:
    """The last question among the tool messages of a turn, with the call it belongs to."""
    calls = {call["id"]: call for call in _calls(messages)}
    for message in reversed(messages):
        artifact = message.artifact if isinstance(message, ToolMessage) else None
        if isinstance(artifact, Mapping) and artifact.get("kind") == "question":
            call, slot = calls.get(message.tool_call_id), artifact.get("slot")  # type: ignore[attr-defined]
            if call is not None and isinstance(slot, str):
                return Question(call, slot, artifact.get("value"), offers(message.text))
    return None


def _shown(messages: Sequence[BaseMessage]) -> Shown | None:
    """The last result that was shown, with the call that gave it."""
    for message in reversed(messages):
        artifact = message.artifact if isinstance(message, ToolMessage) else None
        if isinstance(artifact, Mapping) and artifact.get("kind") == "result":
            calls = {call["id"]: call for call in _calls(messages)}
            call = calls.get(message.tool_call_id)  # type: ignore[attr-defined]
            if call is not None:
                return Shown(call["name"], call["args"], parsed(message.text))
    return None


def _withdrawn(messages: Sequence[BaseMessage]) -> bool:
    """Whether a turn ends in calls that were cancelled, and in nothing that was said of it."""
    for message in reversed(messages):
        if not isinstance(message, ToolMessage):
            return False
        artifact = message.artifact
        if isinstance(artifact, Mapping) and artifact.get("kind") == "cancelled":
            return True
    return False
