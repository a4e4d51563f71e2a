"""A kept result in pages, each of which fits without being shortened again."""

from bisect import bisect_right
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from tools.results.writing import dumped, parsed

Unit = Literal["items", "characters"]
"""What an offset counts: the items of a list, or the characters of the text (or of the JSON)."""

SHARE = 4
"""Facts beside a list stand on every page if they take no more than this part of it."""


class PageError(ValueError):
    """An offset outside of the result.

    Attributes:
        last: The largest offset there is.
    """

    def __init__(self, last: int) -> None:
        super().__init__(f"The offset must be between 0 and {last}")
        self.last = last


@dataclass(frozen=True)
class _Listing:
    """The list of a result.

    Attributes:
        name: Its key in an object; None: it is the whole result.
        items: Its items, at least one.
        facts: What stands beside it.
    """

    name: str | None
    items: list[Any]
    facts: dict[str, Any]


def page(content: str, offset: int, limit: int) -> dict[str, Any]:
    """One page of a result.

    A list is paged by its whole items, and so is the longest list of an object; short facts of the
    object stand on every page, long ones on the first. All else, and a list with an item that fits
    on no page, is paged by characters of the text as it is kept: joined, the pages are the whole.

    Args:
        content: JSON, or text.
        offset: Where to begin, 0 or the `next_offset` of the page before.
        limit: The most characters of the page's JSON; from 400 on something fits.

    Returns:
        `{unit, total, offset, shown, next_offset, items | text}`, `next_offset` is None on the last
        page; for an object with `list`, the name of the list, and `facts` beside it.

    Raises:
        PageError: there is nothing at this offset.
    """
    try:
        listing = _listing(parsed(content))
    except RecursionError:
        listing = None
    if listing is not None:
        made = _items(listing, offset, limit)
        if made is not None:
            return made
    return _characters(content, offset, limit)


def _listing(value: Any) -> _Listing | None:
    """The longest list of a result; None where there is none."""
    if isinstance(value, list):
        return _Listing(None, value, {}) if value else None
    if not isinstance(value, dict):
        return None
    lists = {key: items for key, items in value.items() if isinstance(items, list) and items}
    if not lists:
        return None
    name = max(lists, key=lambda key: len(dumped(lists[key])) if len(lists) > 1 else 0)
    facts = {key: item for key, item in value.items() if key != name}
    return _Listing(name, lists[name], facts)


def _items(listing: _Listing, offset: int, limit: int) -> dict[str, Any] | None:
    """A page of whole items; None when some item fits on no page."""
    items, total = listing.items, len(listing.items)
    room = limit - _overhead(_page("items", total, total, total, listing.name) | {"items": []})
    beside = len(dumped({"facts": listing.facts})) if listing.facts else 0
    always = beside * SHARE <= limit
    rest = room - beside if always else room
    if _length(items[0]) > room - beside or not all(_fits(item, rest) for item in items):
        return None
    _check(offset, total)
    told = {"facts": listing.facts} if listing.facts and (always or offset == 0) else {}
    left = room - beside if told else rest
    end = offset
    while end < total and (left := left - _length(items[end])) >= 0:
        end += 1
    shown = _page("items", total, offset, end - offset, listing.name)
    return shown | told | {"items": items[offset:end]}


def _fits(item: Any, room: int) -> bool:
    """Whether an item fits on a page; most need no closer look."""
    if item is None or isinstance(item, int | float | Decimal):
        return len(str(item)) + 2 <= room
    short = isinstance(item, str) and 6 * len(item) + 4 <= room  # no character needs more in JSON
    return short or _length(item) <= room


def _length(item: Any) -> int:
    """Characters of an item's JSON, with what parts it from the next one."""
    return len(dumped(item)) + 2


def _characters(content: str, offset: int, limit: int) -> dict[str, Any]:
    """A page of the text as it is kept."""
    total = len(content)
    _check(offset, total)
    room = limit - _overhead(_page("characters", total, total, total) | {"text": ""}) + 2
    part = content[offset : offset + room]
    fits = bisect_right(range(len(part) + 1), room, key=lambda n: len(dumped(part[:n]))) - 1
    return _page("characters", total, offset, fits) | {"text": part[:fits]}


def _overhead(empty: dict[str, Any]) -> int:
    """Characters of an empty page, with the longest numbers that it may have."""
    return len(dumped(empty)) + len(str(empty["total"]))


def _check(offset: int, total: int) -> None:
    if not 0 <= offset < total:
        raise PageError(max(total - 1, 0))


def _page(
    unit: Unit, total: int, offset: int, shown: int, name: str | None = None
) -> dict[str, Any]:
    """What a page says of itself."""
    following = offset + shown
    made = {
        "unit": unit,
        "total": total,
        "offset": offset,
        "shown": shown,
        "next_offset": following if following < total else None,
    }
    return made if name is None else made | {"list": name}
