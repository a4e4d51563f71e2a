"""The answers that a person or a client may give to cards, in all forms that clients send."""

import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from tools.cards import Card
from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape

AnswerKind = Literal["approve", "edit", "reject", "respond"]
"""Run it; run it with other arguments; do not run it; do not run it, and tell the model this."""


@dataclass(frozen=True)
class Answer:
    """What was decided of one card."""

    kind: AnswerKind
    message: str = ""
    arguments: dict[str, Any] | None = None


class AnswerError(ValueError):
    """An answer that can't be taken; the text says why, in the user's language."""


class _Action(BaseModel):
    model_config = ConfigDict(extra="ignore")
    name: str | None = None
    action: str | None = None
    args: dict[str, Any]


class _Item(BaseModel):
    """One decision: LangChain's human-in-the-loop form, or Agent Inbox's."""

    model_config = ConfigDict(extra="ignore")
    type: Literal["approve", "edit", "reject", "respond", "accept", "ignore", "response"]
    message: str | None = None
    edited_action: _Action | None = None
    args: str | dict[str, Any] | None = None
    tool_call_id: str | None = None
    id: str | None = None
    digest: str | None = None


_ITEM = TypeAdapter(_Item)
ALL = "*"
"""Instead of a card's id: every card that is open."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Decisions",
    "properties": {
        "decisions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"enum": ["approve", "edit", "reject", "respond"]},
                    "message": {"type": "string"},
                    "edited_action": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}, "args": {"type": "object"}},
                        "required": ["name", "args"],
                    },
                    "tool_call_id": {"type": "string"},
                    "digest": {"type": "string"},
                },
                "required": ["type"],
            },
        }
    },
    "required": ["decisions"],
}
"""Shown to clients with the interrupt; what is taken is decided by `read_answers`."""


def read_answers(raw: Any, cards: list[Card], language: Language) -> dict[str, Answer]:
    """Read an answer to open cards, whole or not at all.

    Taken are `{"decisions": [...]}` by position or with `tool_call_id`, `{"decisions": {id: ...}}`,
    one bare decision for one card, and Agent Inbox's list. Fewer decisions than cards decide the
    first ones. The id `*` stands for all cards, and may only say no.

    Returns:
        Answers by tool call id.

    Raises:
        AnswerError: the answer is malformed, too long, names no open card, or another digest.
    """
    answers: dict[str, Answer] = {}
    positions = iter(cards)
    by_id = {key: card for card in cards for key in (card["tool_call_id"], card["id"])}
    for name, entry in _entries(raw, cards, language):
        item = _item(entry, language)
        key = name or item.tool_call_id or item.id
        card = by_id.get(key) if key else next(positions, None)
        if card is None and key:
            raise AnswerError(text(language, "confirm-unknown-id", id=escape(key[:100])))
        if card is None:
            raise AnswerError(text(language, "confirm-too-many", cards=len(cards)))
        if card["tool_call_id"] in answers:
            raise AnswerError(text(language, "confirm-shape"))
        if item.digest is not None and item.digest != card["digest"]:
            raise AnswerError(text(language, "confirm-wrong-digest"))
        answers[card["tool_call_id"]] = _answer(item, card, language)
    if not answers:
        raise AnswerError(text(language, "confirm-shape"))
    return answers


def _entries(raw: Any, cards: list[Card], language: Language) -> list[tuple[str | None, Any]]:
    """The single decisions of an answer, with the card's id where it is named outside of them."""
    decisions = raw["decisions"] if isinstance(raw, dict) and "decisions" in raw else raw
    if isinstance(decisions, list):
        return [(None, entry) for entry in decisions]
    if isinstance(decisions, dict) and "type" in decisions:
        return [(None, decisions)]
    if decisions == {ALL: {"type": "reject"}}:
        return [(card["tool_call_id"], decisions[ALL]) for card in cards]
    if isinstance(decisions, dict) and decisions is not raw:
        return [(str(key), entry) for key, entry in decisions.items()]
    raise AnswerError(text(language, "confirm-shape"))


def _item(entry: Any, language: Language) -> _Item:
    try:
        return _ITEM.validate_python(entry)
    except ValidationError:
        raise AnswerError(text(language, "confirm-shape")) from None


def _answer(item: _Item, card: Card, language: Language) -> Answer:
    words = item.message or (item.args if isinstance(item.args, str) else "") or ""
    match item.type:
        case "approve" | "accept":
            return Answer("approve")
        case "reject" | "ignore":
            return Answer("reject", words)
        case "respond" | "response":
            return Answer("respond", words)
        case "edit":
            return _edit(item, card, language)


def _edit(item: _Item, card: Card, language: Language) -> Answer:
    action = item.edited_action
    if action is None and isinstance(item.args, dict):
        try:
            action = _Action.model_validate(item.args)
        except ValidationError:
            action = None
    if action is None:
        raise AnswerError(text(language, "confirm-shape"))
    name = action.name or action.action
    if name is not None and name != card["tool"]:
        raise AnswerError(text(language, "confirm-edit-tool"))
    return Answer("edit", arguments=_typed(action.args, card["arguments"]))


def _typed(edited: dict[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
    """The edited arguments, each of the kind it had on the card.

    Agent Chat UI and Agent Inbox have a text field for each argument and send back text also where
    there was a list or a number. Text that is not JSON of the same kind is left: it is judged.
    """
    return {key: _as_shown(value, shown.get(key)) for key, value in edited.items()}


def _as_shown(value: Any, shown: Any) -> Any:
    if not isinstance(value, str) or shown is None or isinstance(shown, str):
        return value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if type(read) is type(shown) else value
