"""Words that the answers share."""

from collections.abc import Iterable
from typing import Any

from tools.messages.markdown import escape
from tools.results import items_of


def joined(names: Any) -> str:
    """Names in a row, as text only."""
    shown: Iterable[Any] = items_of(names)
    return ", ".join(escape(str(name)) for name in shown) or "-"
