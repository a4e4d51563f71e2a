"""Make a value fit into so many characters of JSON without breaking its structure."""

from collections.abc import Mapping, Sequence
from typing import Any

from tools.results.sentences import MARK, fitted
from tools.results.writing import DEPTH, dumped, size

LEAST = 60
"""Characters below which a part of a list is left out rather than shortened further."""


def fit(value: Any, room: int, depth: int = DEPTH) -> Any:
    """The value, or as much of it as fits.

    Lists keep the first items whole, as many as fit, and become `{total, shown, items}`. Objects
    keep all their keys, and what is long in them is shortened; one with too many keys becomes
    `{total, shown, items}`, too. Texts end with a sentence. Numbers stay as they are.

    Args:
        value: JSON, as `parsed` gives it.
        room: The most characters of its JSON; at least `LEAST`.
        depth: Levels that may follow.
    """
    if size(value, room, depth) <= room:
        return value
    if isinstance(value, str):
        return fitted(value, room)[0]
    if depth <= 0 or not isinstance(value, dict | list):
        return MARK
    if isinstance(value, list):
        return first_of(value, len(value), room, depth)
    if is_part(value):
        again = first_of if isinstance(value["items"], list) else _keys
        return again(value["items"], value["total"], room, depth)
    return _object(value, room, depth)


def is_part(value: Any) -> bool:
    """Whether a value is a list, or an object with many keys, that was shortened already."""
    if not isinstance(value, dict) or value.keys() != {"total", "shown", "items"}:
        return False
    total, shown, items = value["total"], value["shown"], value["items"]
    counts = type(total) is int and type(shown) is int and isinstance(items, list | dict)
    return counts and len(items) == shown <= total


def first_of(items: list[Any], total: int, room: int, depth: int = DEPTH) -> dict[str, Any]:
    """The first items of a list that fit whole; of the first one at least a part.

    A row of a table that is too long keeps all its cells, and the long ones are shortened.
    """
    room -= _head(total, [])
    kept: list[Any] = []
    left = room
    for item in items:
        left -= size(item, left, depth - 1) + (2 if kept else 0)
        if left < 0:
            break
        kept.append(item)
    if not kept and items and room >= LEAST:
        first = items[0]
        row = _cells(first, room, depth - 1) if isinstance(first, list) else None
        kept = [row or fit(first, room, depth - 1)]
    return {"total": total, "shown": len(kept), "items": kept}


def _cells(row: list[Any], room: int, depth: int) -> list[Any] | None:
    """A row of values that share the room; None: it is no row, or there are too many of them."""
    if depth <= 0 or len(row) >= room or any(isinstance(cell, list | dict) for cell in row):
        return None
    shares = _shares(row, room - 2 * len(row), depth)
    if shares is None:
        return None
    return [fit(cell, share, depth - 1) for cell, share in zip(row, shares, strict=True)]


def _object(value: Mapping[str, Any], room: int, depth: int) -> dict[str, Any]:
    """All keys, the room shared: what is short stays whole, the rest gets equal parts."""
    left = room
    for key in value:
        left -= size(key, left) + 4
        if left < 0:
            break
    shares = _shares(list(value.values()), left, depth) if left >= 0 else None
    if shares is None:
        return _keys(value, len(value), room, depth)
    return {
        key: fit(item, share, depth - 1)
        for (key, item), share in zip(value.items(), shares, strict=True)
    }


def _shares(items: Sequence[Any], room: int, depth: int) -> list[int] | None:
    """What each item gets of the room; None: some would get less than can be shortened to."""
    sizes = _sizes(items, room, depth - 1)
    if sum(min(length, LEAST) for length in sizes) > room:
        return None
    shares, left = [0] * len(sizes), room
    for done, number in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[number] = min(sizes[number], left // (len(sizes) - done))
        left -= shares[number]
    return shares


def _sizes(items: Sequence[Any], room: int, depth: int) -> list[int]:
    """The size of each item, looked at as far as it matters: the work is bounded by the room."""
    most = max(LEAST, 2 * room // max(len(items), 1))
    while True:
        sizes = [size(item, most, depth) for item in items]
        if most >= room or sum(sizes) > room:
            return sizes
        most *= 2


def _keys(value: Mapping[str, Any], total: int, room: int, depth: int) -> dict[str, Any]:
    """The first keys that fit whole, as an object; of the first one at least a part."""
    room -= _head(total, {})
    kept: dict[str, Any] = {}
    left = room
    for key, item in value.items():
        before, left = left, left - size(key, left) - (4 if kept else 2)
        if left >= 0:
            left -= size(item, left, depth - 2)
        if left >= 0:
            kept[key] = item
            continue
        share = before - size(key, before) - 2
        if not kept and share >= LEAST:
            kept[key] = fit(item, share, depth - 2)
        break
    return {"total": total, "shown": len(kept), "items": kept}


def _head(total: int, items: Any) -> int:
    """Characters of what stands around the items."""
    return len(dumped({"total": total, "shown": total, "items": items}))
