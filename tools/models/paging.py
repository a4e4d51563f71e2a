"""«Дальше», "next page": the page after, or before, what was shown last."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tools.definition import ToolDefinition
from tools.intent.vocabulary import POLITE, vocabulary
from tools.intent.words import normalise, tokenise

READ_ON = "read_result"
LONGEST = 8
"""Words of a request for a page."""

_NEXT = vocabulary("""
    дальше далее еще следующ* остальн* продолж* ниже next more rest continue further remaining
""")
_BACK = vocabulary("назад предыдущ* обратно вернись previous back prev")
_AROUND = vocabulary("""
    страниц* страничк* часть покажи покажите показать выведи листай пролистай давай дай мне нам есть
    что там список списка результат* записи записей результата
    page pages show me us the give please list see some results result items rows of it them and
    load go to
""")


@dataclass(frozen=True)
class Shown:
    """The last result of a conversation.

    Attributes:
        name: The tool.
        arguments: What it was called with.
        payload: What the model read of it.
    """

    name: str
    arguments: Mapping[str, Any]
    payload: Any


Direction = Literal["next", "previous"]
"""Which page is asked for."""


def direction(text: str) -> Direction | None:
    """Which page words ask for, if they ask for nothing else."""
    tokens = tokenise(normalise(text[:200]))
    words = [token.word for token in tokens if token.kind != "mark"]
    if not words or len(words) > LONGEST or len(text) > 200:
        return None
    if not all(w in _NEXT or w in _BACK or w in _AROUND or w in POLITE for w in words):
        return None
    if any(word in _BACK for word in words):
        return "previous"
    return "next" if any(word in _NEXT for word in words) else None


def turned(
    shown: Shown, way: Direction, known: Mapping[str, ToolDefinition]
) -> tuple[str, dict[str, Any]] | None:
    """The call for another page of the last result; None: there is none."""
    payload = shown.payload if isinstance(shown.payload, Mapping) else {}
    if shown.name == READ_ON:
        return _read_on(shown, payload, way)
    definition = known.get(shown.name)
    if definition is not None and "offset" in definition.arguments.model_fields:
        return _offset(shown, payload, way)
    result_id = payload.get("result_id")
    if way == "next" and isinstance(result_id, str):
        return READ_ON, {"result_id": result_id, "offset": _count(payload)}
    return None


def _read_on(
    shown: Shown, payload: Mapping[str, Any], way: Direction
) -> tuple[str, dict[str, Any]] | None:
    offset = payload.get("next_offset")
    if way == "previous":
        now, size = int(payload.get("offset", 0)), int(payload.get("shown", 0))
        offset = max(0, now - size) if now else None
    return None if offset is None else (READ_ON, {**shown.arguments, "offset": offset})


def _offset(
    shown: Shown, payload: Mapping[str, Any], way: Direction
) -> tuple[str, dict[str, Any]] | None:
    """The same call, further on: its own pages are fresher than what is kept."""
    now, size = int(shown.arguments.get("offset") or 0), _count(payload)
    total = payload.get("total")
    if way == "previous":
        back = max(0, now - int(shown.arguments.get("limit") or size or 1))
        return (shown.name, {**shown.arguments, "offset": back}) if now else None
    if not isinstance(total, int) or not size or now + size >= total:
        return None
    return shown.name, {**shown.arguments, "offset": now + size}


def _count(payload: Mapping[str, Any]) -> int:
    """How many entries were shown of the list that a result is about."""
    items = payload.get("items")
    items = items.get("items") if isinstance(items, Mapping) else items
    return len(items) if isinstance(items, list) else 0
