"""Words that the answers share."""

import re
from collections.abc import Iterable
from typing import Any

from tools.messages.markdown import escape


def items_of(value: Any) -> list[Any]:
    """The entries of a list that may have been shortened to `{total, shown, items}`."""
    found = value["items"] if isinstance(value, dict) else value
    return found if isinstance(found, list) else []


def total_of(value: Any) -> int:
    """How many entries a list has that may have been shortened."""
    return int(value["total"]) if isinstance(value, dict) else len(value)


def joined(names: Any) -> str:
    """Names in a row, as text only."""
    shown: Iterable[Any] = items_of(names)
    return ", ".join(escape(str(name)) for name in shown) or "-"


def quoted_sql(sql: str) -> str:
    """SQL as a block of code that nothing in it can end."""
    longest = max((len(run) for run in re.findall(r"`+", sql)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sql\n{sql}\n{fence}"
