"""One text for one value: canonical JSON (RFC 8785), so that equal things have equal digests.

The order of keys does not matter, types do: "7" is not 7. JSON has one kind of number: 7.0 is 7.
"""

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

import rfc8785

MAX_INTEGER = 2**53 - 1
"""The largest whole number that every reader of JSON holds exactly."""

MAX_DEPTH = 100
"""How deep `plain` follows what it is given."""


class CanonicalError(ValueError):
    """A value has no canonical JSON; the text names the place and the reason."""


def canonical(value: Any) -> str:
    """Write a value as canonical JSON.

    Args:
        value: None, bool, int, float, str, list, tuple, or dict with text keys, in any nesting.

    Raises:
        CanonicalError: it holds something else, a number JSON cannot hold, or half a character.
    """
    try:
        return rfc8785.dumps(value).decode()
    except RecursionError:
        raise CanonicalError("The value is nested too deeply") from None
    except ValueError as error:  # also UnicodeEncodeError, of keys
        raise CanonicalError(_reason(value) or str(error)) from None


def digest(value: Any) -> str:
    """SHA-256 of a value's canonical JSON, 64 hexadecimal digits.

    Raises:
        CanonicalError: as `canonical`.
    """
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def parse(written: str) -> Any:
    """Read canonical JSON; writing the result again gives the same text."""
    return _decode(written)


def plain(value: Any) -> Any:
    """The nearest value that canonical JSON can hold: for notes of what has already happened.

    A write that was done must be noted even if its answer is odd: numbers out of range become
    text, half characters a replacement mark, other objects the name of their type.
    """
    return _plain(value, MAX_DEPTH)


def clean(words: str) -> str:
    """Words without what a database refuses: half characters (lone surrogates) and NUL."""
    if words.isascii() and "\0" not in words:
        return words
    whole = words.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _number(written: str) -> int | float:
    # Whole numbers beyond the range can only come from a float, such as 1e20.
    value = int(written)
    return value if abs(value) <= MAX_INTEGER else float(value)


# Made once: `json.loads` would make one for each row that is read.
_decode = json.JSONDecoder(parse_int=_number).decode


def _reason(value: Any) -> str | None:
    try:
        return next(_problems(value, "$"), None)
    except RecursionError:
        return None


def _problems(value: Any, place: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                yield f"{place}: a key is {type(key).__name__}, keys must be text"
            elif not _encodes(key):
                yield f"{place}: a key holds half a character (a lone surrogate)"
            else:
                yield from _problems(item, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _problems(item, f"{place}[{index}]")
    elif reason := _scalar_problem(value):
        yield f"{place}: {reason}"


def _scalar_problem(value: Any) -> str | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return None if _encodes(value) else "half a character (a lone surrogate)"
    if isinstance(value, int):
        exact = abs(value) <= MAX_INTEGER
        return None if exact else "a whole number beyond 2^53 - 1, give it as text"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value} is no number of JSON"
    return f"{type(value).__name__} is no type of JSON"


def _encodes(words: str) -> bool:
    try:
        words.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict | list | tuple):
        if depth == 0:
            return "…"
        if isinstance(value, dict):
            return {clean(str(key)): _plain(item, depth - 1) for key, item in value.items()}
        return [_plain(item, depth - 1) for item in value]
    if _scalar_problem(value) is None:
        return value
    return str(value) if isinstance(value, int | float) else f"<{type(value).__name__}>"
