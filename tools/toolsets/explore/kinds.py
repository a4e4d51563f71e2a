"""Types of columns: whether two names of them mean the same."""

import re
from collections.abc import Mapping
from types import MappingProxyType


def retyped(before: str, now: str, *, by_kind: bool) -> bool:
    """Whether a column has another type.

    Args:
        before: The type that the dataset has; empty where it is not known.
        now: The type that there is; empty where it is not known, too.
        by_kind: Whether only numbers, texts, times and truth values are told apart. What a query
            gives is guessed from its first row, where the database has no types.
    """
    if by_kind:
        kinds = {kind_of(before), kind_of(now)}
        return None not in kinds and len(kinds) > 1
    types = {plain_type(before), plain_type(now)}
    return "" not in types and len(types) > 1


def plain_type(words: str) -> str:
    """A type without its length and in the spelling that dialects share; "": it is not known."""
    name = " ".join(re.sub(r"\(.*?\)", " ", words.upper()).split())
    return _SAME.get(name, name)


def kind_of(words: str) -> str | None:
    """What a type is good for: number, text, time or truth; None: something else, or not known."""
    return _KINDS.get(plain_type(words))


_SAME: Mapping[str, str] = MappingProxyType(
    {
        "BIGINT": "INTEGER",
        "BOOL": "BOOLEAN",
        "CHAR": "TEXT",
        "CHARACTER VARYING": "TEXT",
        "DATETIME": "TIMESTAMP",
        "DECIMAL": "NUMERIC",
        "DOUBLE": "FLOAT",
        "DOUBLE PRECISION": "FLOAT",
        "DOUBLE_PRECISION": "FLOAT",
        "INT": "INTEGER",
        "NULL": "",
        "REAL": "FLOAT",
        "SMALLINT": "INTEGER",
        "STRING": "TEXT",
        "TIMESTAMP WITHOUT TIME ZONE": "TIMESTAMP",
        "VARCHAR": "TEXT",
    }
)
"""Names of one type: Superset, SQLAlchemy and databases write them differently.

NULL is SQLAlchemy's name of a type that it does not know, such as that of a view's sum in SQLite.
"""

_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "BOOLEAN": "truth",
        "DATE": "time",
        "FLOAT": "number",
        "INTEGER": "number",
        "NUMERIC": "number",
        "TEXT": "text",
        "TIMESTAMP": "time",
        "TIMESTAMP WITH TIME ZONE": "time",
    }
)
"""What the types are good for that everybody knows."""
