"""A text as tokens: words in their plain form, quoted strings, SQL, punctuation."""

import re
import unicodedata
from typing import Literal, NamedTuple

Kind = Literal["word", "quote", "sql", "mark"]
"""A word; a quoted string; an SQL statement; a punctuation mark that can end a clause."""


class Token(NamedTuple):
    """A piece of a text.

    Attributes:
        kind: What it is.
        text: As it was typed; a quoted string without its quotation marks.
        word: Lower case, `ё` as `е`; of a mark the mark; of quotes and SQL nothing.
        start: Where it begins in the normalised text.
        end: Where it ends there.
    """

    kind: Kind
    text: str
    word: str
    start: int
    end: int


_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))

# Every branch consumes what it reads and none can fail after a long run, so that the whole stays
# linear: nested guillemets one level deep, the other quotes up to their first closing mark.
_QUOTE = r"""
    «[^«»]*(?:«[^«»]*»[^«»]*)*» | "[^"]*" | “[^“”]*” | „[^„“”]*[“”] | `[^`]+`
    | (?<!\w)'[^'\n]*'(?!\w) | (?<!\w)‘[^‘’\n]*’(?!\w)
"""
# Only the head of a statement is recognised; what follows belongs to it up to a semicolon, or to
# a Russian word outside quotes: there the person goes on speaking.
_SQL = r"""
    (?<!\w)(?:
        select\s+(?:distinct\b|\*|\d+\b|[\w."]+(?:\s*\([^()]*\))?\s*(?:,|\bas\s|\bfrom\s))
        | with\s+\w+\s+as\s*\(
        | insert\s+into\b | delete\s+from\b | truncate\s+table\b | update\s+[\w."]+\s+set\b
        | (?:drop|alter|create(?:\s+or\s+replace)?)\s+
            (?:table|view|index|schema|database|user|role)\b
    )(?:'[^']*'|"[^"]*"|[^;'"а-яё])*
"""
_TOKEN = re.compile(
    rf"(?P<quote>{_QUOTE})|(?P<sql>{_SQL})"
    r"|(?P<word>[^\W_]+(?:(?:['’]|_+)[^\W_]+)*)|(?P<mark>[,;:!?#№…\n]|\.(?!\S)|[—–](?=\s))",
    re.VERBOSE | re.IGNORECASE,
)


def normalise(text: str) -> str:
    """Compose accents and drop invisible characters, so that equal words are equal."""
    return unicodedata.normalize("NFC", text).translate(_INVISIBLE)


def plain(word: str) -> str:
    """The form in which words are compared."""
    return word.lower().replace("ё", "е").replace("’", "'")


def tokenise(text: str) -> list[Token]:
    """Cut a normalised text into its tokens, in one pass."""
    return [_token(match) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str]) -> Token:
    found, (start, end) = match.group(), match.span()
    if match.lastgroup == "quote":
        return Token("quote", found[1:-1].strip(), "", start, end)
    if match.lastgroup == "sql":
        return Token("sql", found.strip(), "", start, end)
    if match.lastgroup == "word":
        return Token("word", found, plain(found), start, end)
    return Token("mark", found, found, start, end)


def chunk(text: str, token: Token) -> str:
    """The token with all that hangs on it without a space: `ss-dev`, `2026-01-01`, `a.b`."""
    end = token.end
    while end < len(text) and end - token.start < 200 and not text[end].isspace():
        if text[end] in ',;!?«»"“”':
            break
        end += 1
    return text[token.start : end].rstrip(".:)")
