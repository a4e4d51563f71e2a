"""Words that the answers share."""

from collections.abc import Iterable
from typing import Any

from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape
from tools.results import items_of
from tools.times import shown

KINDS = ("table", "view", "materialized_view", "physical", "virtual", "primary")
"""What Superset calls tables, datasets and keys, and people call otherwise."""


def joined(names: Any) -> str:
    """Names in a row, as text only."""
    shown: Iterable[Any] = items_of(names)
    return ", ".join(escape(str(name)) for name in shown) or "-"


LONG = 80
"""How many characters of a title are shown where many stand in a row."""


def clipped(title: str) -> str:
    """A title, or its beginning."""
    return title if len(title) <= LONG else f"{title[: LONG - 1]}…"


def called(kind: str | None, language: Language) -> str:
    """A kind of table, dataset or key in people's words; one that is not known as it is."""
    if kind not in KINDS:
        return kind or ""
    return text(language, f"explore-kind-{kind.replace('_', '-')}")


def when(moment: str) -> str:
    """A moment as people read it; of one without an offset only its day is certain."""
    return shown(moment) if moment.endswith("+00:00") else moment[:10] or "-"
