"""What a function does beside computing: by its name, however that is written."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from tools.sql.function_names import (
    DANGERS,
    OWN_DANGERS,
    SAFE,
    SAFE_BEGINNINGS,
    TABLE_FUNCTIONS,
)
from tools.sql.refusal import Reason, names


def folded(name: str) -> str:
    """A name as the most tolerant database compares it: no case, accents or wide letters."""
    if name.isascii():
        return name.lower()
    plain = unicodedata.normalize("NFKD", name.replace("ı", "i"))
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


def danger(parts: Sequence[str], dialect: str) -> Reason | None:
    """What a function is refused for; None: it only computes, as far as its name tells.

    Args:
        parts: Its name with what stands before it, such as `["pg_catalog", "pg_read_file"]`.
        dialect: sqlglot's name of the dialect.
    """
    words = [folded(part) for part in parts]
    if words[-1] in SAFE or ".".join(words[-2:]) in SAFE or words[-1].startswith(SAFE_BEGINNINGS):
        return None
    whole = [".".join(words[start:]) for start in range(len(words))]
    for name in (*reversed(whole), *words[:-1]):
        found = _listed(name, dialect)
        if found is not None:
            return found
    return None


def makes_rows(name: str) -> bool:
    """Whether a function may stand in FROM."""
    return folded(name) in TABLE_FUNCTIONS


def _listed(name: str, dialect: str) -> Reason | None:
    exact, beginnings = _lists(dialect)
    if name in exact:
        return exact[name]
    return next((reason for start, reason in beginnings if name.startswith(start)), None)


@lru_cache
def _lists(dialect: str) -> tuple[dict[str, Reason], list[tuple[str, Reason]]]:
    """The names of a dialect, and the beginnings of names, the longest first."""
    exact: dict[str, Reason] = {}
    beginnings: list[tuple[str, Reason]] = []
    for dangers in (DANGERS, OWN_DANGERS.get(dialect, {})):
        for reason, listed in dangers.items():
            for name in names(listed):
                if name.endswith("*"):
                    beginnings.append((name[:-1], reason))
                else:
                    exact[name] = reason
    return exact, sorted(beginnings, key=lambda item: -len(item[0]))
