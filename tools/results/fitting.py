"""Make a value fit into so many characters of JSON without breaking its structure."""

import json
import re
from collections.abc import Mapping
from typing import Any

MARK = "[...]"
"""Where something was left out."""

DEPTH = 24
"""What is nested deeper is left out."""

LEAST = 60
"""Characters below which a part of a list is left out rather than shortened further."""

_END = re.compile(r"[.!?…](?=\s)|\n")


def dumped(value: Any) -> str:
    """A value as JSON that is always valid: what JSON has no word for is null."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)


def fit(value: Any, room: int, depth: int = DEPTH) -> Any:
    """The value, or as much of it as fits.

    Lists keep the first items whole, as many as fit, and become `{total, shown, items}`. Objects
    keep all their keys, and what is long in them is shortened; one with too many keys becomes
    `{total, shown, items}`, too. Texts end with a sentence. Numbers stay as they are.

    Args:
        value: JSON.
        room: The most characters of its JSON; at least `LEAST`.
        depth: Levels that may follow.
    """
    if depth <= 0 and isinstance(value, dict | list):
        return MARK
    if isinstance(value, str):
        return value if len(dumped(value)) <= room else _text(value, room)
    if isinstance(value, list):
        return _list(value, len(value), room, depth)
    if is_part(value):
        items, total = value["items"], value["total"]
        return (
            _list(items, total, room, depth)
            if isinstance(items, list)
            else _keys(items, total, room, depth)
        )
    if isinstance(value, dict):
        return _object(value, room, depth)
    return value if len(dumped(value)) <= room else MARK


def is_part(value: Any) -> bool:
    """Whether a value is a list, or an object with many keys, that was shortened already."""
    return (
        isinstance(value, dict)
        and value.keys() == {"total", "shown", "items"}
        and isinstance(value["items"], list | dict)
        and isinstance(value["total"], int)
    )


def _list(items: list[Any], total: int, room: int, depth: int) -> Any:
    """The first items that fit whole; of the first one at least a part."""
    whole = _first(items, room - 2, depth)
    if len(whole) == total:
        return whole
    head = len(dumped({"total": total, "shown": total, "items": []}))
    shown = _first(items, room - head, depth)
    if not shown and items and room - head >= LEAST:
        part = fit(items[0], room - head, depth - 1)
        shown = [part] if len(dumped(part)) <= room - head else []
    return {"total": total, "shown": len(shown), "items": shown}


def _first(items: list[Any], room: int, depth: int) -> list[Any]:
    """Whole items from the start, until one does not fit."""
    kept: list[Any] = []
    for item in items:
        if deeper(item, depth - 1):
            break
        room -= len(dumped(item)) + (2 if kept else 0)
        if room < 0:
            break
        kept.append(item)
    return kept


def deeper(value: Any, depth: int) -> bool:
    """Whether a value is nested deeper than so many levels."""
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return depth <= 0 or any(deeper(item, depth - 1) for item in inner)


def _object(value: Mapping[str, Any], room: int, depth: int) -> Any:
    """All keys, the room shared: what is short stays whole, the rest gets equal parts."""
    sizes = {key: len(dumped(item)) for key, item in value.items()}
    keys = 2 + sum(len(dumped(key)) + 4 for key in value)
    if keys + sum(min(size, LEAST) for size in sizes.values()) > room:
        return _keys(value, len(value), room, depth)
    left, many = room - keys, len(sizes)
    shares: dict[str, int] = {}
    for key, size in sorted(sizes.items(), key=lambda entry: entry[1]):
        shares[key] = min(size, left // many)
        left, many = left - shares[key], many - 1
    return {
        key: item
        if shares[key] == sizes[key] and not deeper(item, depth - 1)
        else fit(item, shares[key], depth - 1)
        for key, item in value.items()
    }


def _keys(value: Mapping[str, Any], total: int, room: int, depth: int) -> Any:
    """The first keys that fit whole, as an object inside `{total, shown, items}`."""
    room -= len(dumped({"total": total, "shown": total, "items": {}}))
    kept: dict[str, Any] = {}
    for key, item in value.items():
        room -= len(dumped(key)) + len(dumped(item)) + 4
        if room < 0 or deeper(item, depth - 2):
            break
        kept[key] = item
    return {"total": total, "shown": len(kept), "items": kept}


def _text(words: str, room: int) -> str:
    """The first sentences whose JSON fits; escapes make it longer than its characters."""
    length = room - 2
    made = cut(words, length)
    while len(dumped(made)) > room and length > 0:
        length -= max(len(dumped(made)) - room, length // 10 + 1)
        made = cut(words, length)
    return made


def cut(words: str, limit: int) -> str:
    """The first sentences of a text that fit; half a sentence only where none fits."""
    if len(words) <= limit:
        return words
    head = words[: max(limit - len(MARK) - 1, 0)]
    ends = [match.end() for match in _END.finditer(head)]
    return f"{head[: ends[-1]].rstrip() if ends else head} {MARK}".strip()


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
