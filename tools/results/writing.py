"""JSON in and out without a loss: numbers stay as they were written, texts can be stored."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Set
from decimal import Decimal
from typing import Any

DEPTH = 24
"""Levels of nesting that a value may have to be kept whole."""

LONG = 20_000
"""Characters from which on an event loop should not wait for the work."""

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def parsed(content: str) -> Any:
    """The JSON of a content; a text is itself, and so is JSON that is nested without end.

    Whole numbers have all their digits. A fraction that a float would write differently, such as
    1.10, is a Decimal.
    """
    try:
        return json.loads(content, parse_float=_fraction)
    except (ValueError, ArithmeticError, RecursionError):
        return content


def dumped(value: Any) -> str:
    """A value as JSON that is always valid, and without half characters.

    What JSON has no word for is null, other objects are their text.
    """
    try:
        return whole(_encode(value))
    except (TypeError, ValueError):
        return whole("".join(_pieces(value)))


def whole(words: str) -> str:
    """A text without half characters (lone surrogates): no checkpoint could hold them."""
    if words.isascii():
        return words
    try:
        words.encode()
    except UnicodeEncodeError:
        return words.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return words


def size(value: Any, most: int, depth: int = DEPTH) -> int:
    """Characters of a value's JSON; something above `most` when it does not fit.

    What is above `most`, or nested deeper than `depth` levels, is not looked at to its end: the
    work is bounded by `most`, however long the value is.
    """
    if isinstance(value, dict | list):
        return _inner_size(value, most, depth) if depth > 0 else most + 1
    if isinstance(value, str) and len(value) + 2 > most:
        return most + 1
    return len(dumped(value))


def _inner_size(value: dict[str, Any] | list[Any], most: int, depth: int) -> int:
    used = 2
    for part in value:
        used += 2 if used > 2 else 0
        if isinstance(value, dict):
            used += size(part, most - used) + 2
        if used <= most:
            used += size(value[part] if isinstance(value, dict) else part, most - used, depth - 1)
        if used > most:
            return most + 1
    return used


def _fraction(written: str) -> float | Decimal:
    number = float(written)
    return number if repr(number) == written else Decimal(written)


def _pieces(value: Any) -> Iterator[str]:
    """The JSON of values that the standard library can't write exactly, or not at all."""
    if isinstance(value, Mapping):
        yield from _joined("{", ((_key(key), item) for key, item in value.items()), "}")
    elif isinstance(value, list | tuple | Set):
        yield from _joined("[", (("", item) for item in value), "]")
    else:
        yield _scalar(value)


def _joined(head: str, entries: Iterable[tuple[str, Any]], end: str) -> Iterator[str]:
    yield head
    for number, (key, item) in enumerate(entries):
        yield f"{', ' if number else ''}{key}"
        yield from _pieces(item)
    yield end


def _key(key: Any) -> str:
    return f"{json.dumps(key if isinstance(key, str) else str(key), ensure_ascii=False)}: "


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(Decimal(value))  # `str` of an integer refuses thousands of digits
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else "null"
    if isinstance(value, Decimal):
        return str(value) if value.is_finite() else "null"
    return json.dumps(str(value), ensure_ascii=False)
