"""A kept result in pages, each of which fits without being shortened again."""

from typing import Any, Literal

from tools.results.fitting import dumped
from tools.results.shortening import parsed

Unit = Literal["items", "characters"]
"""What an offset counts: the items of a list, or the characters of the text (or of the JSON)."""

OVERHEAD = 250
"""Characters of what a page says of itself."""


class PageError(ValueError):
    """An offset outside of the result.

    Attributes:
        last: The largest offset there is.
    """

    def __init__(self, last: int) -> None:
        super().__init__(f"The offset must be between 0 and {last}")
        self.last = last


def page(content: str, offset: int, limit: int) -> dict[str, Any]:
    """One page of a result.

    A list is paged by its whole items, and so is the one long list of an object, whose other facts
    stand on the first page. All else, and a list with an item that fits on no page, is paged by
    characters of the text as it is kept: joined, the pages are the whole.

    Args:
        content: JSON, or text.
        offset: Where to begin, 0 or the `next_offset` of the page before.
        limit: The most characters of the page's JSON.

    Returns:
        `{unit, total, offset, shown, next_offset, items | text}`, `next_offset` is None on the last
        page; with `facts` beside them, and `list`, the name of the list, for an object's first.

    Raises:
        PageError: there is nothing at this offset.
    """
    name, items, facts = _items(parsed(content))
    if items is None or not _pages(items, facts, limit):
        return _characters(content, offset, limit)
    _check(offset, len(items))
    more = {"facts": facts} if facts and offset == 0 else {}
    room = limit - OVERHEAD - len(dumped(more))
    shown: list[Any] = []
    for item in items[offset:]:
        room -= len(dumped(item)) + 2
        if room < 0:
            break
        shown.append(item)
    head = _head("items", len(items), offset, len(shown))
    return head | ({"list": name} if name else {}) | more | {"items": shown}


def _items(value: Any) -> tuple[str | None, list[Any] | None, dict[str, Any]]:
    """The list of a result, its name where it has one, and what stands beside it."""
    if isinstance(value, list):
        return None, value, {}
    if not isinstance(value, dict):
        return None, None, {}
    lists = {key: item for key, item in value.items() if isinstance(item, list) and item}
    if not lists:
        return None, None, {}
    name = max(lists, key=lambda key: len(dumped(lists[key])))
    return name, lists[name], {key: item for key, item in value.items() if key != name}


def _pages(items: list[Any], facts: dict[str, Any], limit: int) -> bool:
    """Whether every item fits on a page of its own, the first one beside the facts."""
    beside = len(dumped({"facts": facts})) if facts else 0
    sizes = [len(dumped(item)) + 2 for item in items]
    room = limit - OVERHEAD
    return bool(sizes) and max(sizes) <= room and sizes[0] + beside <= room


def _characters(content: str, offset: int, limit: int) -> dict[str, Any]:
    _check(offset, len(content))
    # No character needs more than six in JSON; most need one.
    text = content[offset : offset + limit - OVERHEAD]
    while len(dumped(text)) > limit - OVERHEAD:
        text = text[: len(text) * 9 // 10]
    return _head("characters", len(content), offset, len(text)) | {"text": text}


def _check(offset: int, total: int) -> None:
    if not 0 <= offset < max(total, 1):
        raise PageError(max(total - 1, 0))


def _head(unit: Unit, total: int, offset: int, shown: int) -> dict[str, Any]:
    following = offset + shown
    return {
        "unit": unit,
        "total": total,
        "offset": offset,
        "shown": shown,
        "next_offset": following if following < total else None,
    }
