"""What of words and arguments may stand in the audit and in a log: what was done, no secret."""

import re
from collections.abc import Iterable
from typing import Any

HIDDEN = "•••"
MAX_TEXT = 200
MAX_ITEMS = 20
MAX_DEPTH = 6

_SECRET = re.compile(
    r"pass(word|wd|phrase)?$|pwd$|secret|token|api_?key|credential|authori[sz]ation|cookie"
    r"|private_?key|session|dsn|(connection|sqlalchemy)_?(string|ur[il])|парол|токен|секрет|ключ",
    re.IGNORECASE,
)
"""Names whose values are secrets, whatever they hold."""

_IN_TEXT = (
    # The password of an address.
    (re.compile(r"(?<=://)([^\s/@:]*):[^\s/@]*@"), rf"\1:{HIDDEN}@"),
    # A token (JWT), and what follows the word Bearer or Basic.
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"), HIDDEN),
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]{8,}", re.IGNORECASE), rf"\1 {HIDDEN}"),
    # "password: x", "token=x", "пароль x" in running words.
    (
        re.compile(
            r"((?:password|passwd|pwd|secret|token|api[_ -]?key|парол\w*|токен\w*)"
            r"\W{0,3}[:=\s]\s*)[^\s,;]+",
            re.IGNORECASE,
        ),
        rf"\1{HIDDEN}",
    ),
)


def redacted(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Arguments without secrets and without bulk.

    Values under names of secrets are hidden, secrets inside of texts too; long texts and lists are
    cut and say how long they were.
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        if depth == 0:
            return "…"
        return {
            str(key): HIDDEN if _SECRET.search(str(key)) else redacted(item, depth - 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        if depth == 0:
            return "…"
        shown = [redacted(item, depth - 1) for item in value[:MAX_ITEMS]]
        more = len(value) - MAX_ITEMS
        return [*shown, f"… and {more} more"] if more > 0 else shown
    return value


def cleared(words: str, known: Iterable[str] = ()) -> str:
    """Words of any length without the known secrets, and without what looks like one."""
    for secret in known:
        words = words.replace(secret, HIDDEN)
    for pattern, instead in _IN_TEXT:
        words = pattern.sub(instead, words)
    return words


def _text(value: str) -> str:
    value = cleared(value)
    return value if len(value) <= MAX_TEXT else f"{value[:MAX_TEXT]}… ({len(value)} characters)"
