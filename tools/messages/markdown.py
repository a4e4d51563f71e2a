"""Markdown of texts that others wrote: a title is shown as it is, and does nothing."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

_SPACE = re.compile(r"\s+")
# Control characters, and the marks that turn the direction of what follows.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
# Also what GitHub's dialect makes links of by itself: addresses, www. and mail.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$@]|(?<=[A-Za-z]):(?=//)|(?<=www)\.", re.IGNORECASE)
_LINE_START = re.compile(r"^(?:[#+=-]|\d{1,9}(?=[.)]))")


def escape(text: str) -> str:
    """Write a text so that Markdown shows it as it is, on one line.

    No link, image, HTML, emphasis, table cell, heading or list comes of it.
    """
    return _LINE_START.sub(_before, _inline(text))


def _inline(text: str) -> str:
    """Escape a text that does not begin a line."""
    plain = _SPACE.sub(" ", _HIDDEN.sub("", text)).strip()
    return _SPECIAL.sub(r"\\\g<0>", plain)


def _before(match: re.Match[str]) -> str:
    """Escape what would begin a heading or a list; of `1.` it is the dot that is escaped."""
    found = match.group()
    return f"{found}\\" if found.isdigit() else f"\\{found}"


def code(words: str, language: str = "") -> str:
    """Write a text of many lines as a block of code, which nothing in it can end.

    Args:
        words: The text; control characters and marks that turn its direction are left out.
        language: Of the code, such as `sql`.
    """
    return fenced(_HIDDEN.sub("", words), language)


def fenced(words: str, language: str = "") -> str:
    """The same for a text that people copy: every character of it stays."""
    longest = max((len(run) for run in re.findall(r"`+", words)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{words}\n{fence}"


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write a table; cells are escaped, None is an empty cell.

    Args:
        headers: The columns' names.
        rows: As many values each.

    Raises:
        ValueError: a row has more or fewer values than there are columns.
    """
    lines = [_row(headers), _row(["---"] * len(headers), raw=True)]
    for row in rows:
        if len(row) != len(headers):
            raise ValueError(f"{len(row)} values for {len(headers)} columns")
        lines.append(_row(row))
    return "\n".join(lines)


def _row(values: Sequence[Any], raw: bool = False) -> str:
    cells = [str(v) if raw else "" if v is None else _inline(str(v)) for v in values]
    return f"| {' | '.join(cells)} |"
