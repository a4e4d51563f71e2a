"""A SQL text as tokens: bounded, without comments, and read as every database reads it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import Token, TokenType
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from tools.sql.dialects import ESCAPING_BACKSLASH, GENERIC, PLAIN_BACKSLASH, TSQL
from tools.sql.refusal import Refused

MAX_CHARACTERS = 100_000
"""The longest text that is read."""

MAX_WORDS = 20_000
"""The most words and marks of a text; they take the parser seconds."""

MAX_DEPTH = 100
"""How deep brackets may stand in brackets; the parser itself gives up before that."""

MAX_CHAIN = 50
"""How many indexes may follow each other, as in `a[1][2]`: more take the parser seconds."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_JINJA = re.compile(r"\{\{|\{%|\{#")
OBEYED = re.compile(r"/\*(?:M?!|\+)")
"""The beginning of a comment that some database obeys."""
# What other databases take for a quote, a comment or an escape, and the generic dialect does not.
_FOREIGN = re.compile(r"""[\\#`$\[]|//|'''|\"\"\"""")
_PREFIX = frozenset({"e", "r", "q", "nq", "br", "rb"})
_OPEN = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSE = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
_TEXTS = frozenset(
    {
        TokenType.STRING,
        TokenType.IDENTIFIER,
        TokenType.NATIONAL_STRING,
        TokenType.RAW_STRING,
        TokenType.UNICODE_STRING,
    }
)
_NUMBERS = frozenset({TokenType.NUMBER, TokenType.HEX_STRING})
_GLUED = re.compile(r"[0-9$]\w*[a-z]", re.IGNORECASE)
"""SQL Server ends a number before the letter: `0x1SHUTDOWN` is two words."""
_QUOTES = "'\"`["


@dataclass(frozen=True)
class Words:
    """The tokens of a text.

    Attributes:
        text: The text without its comments and without the semicolon at its end.
        tokens: Its tokens; their positions are in `text`.
    """

    text: str
    tokens: tuple[Token, ...]

    def source(self, token: Token) -> str:
        """A token as it is written."""
        return self.text[token.start : token.end + 1]

    def quoted(self, token: Token) -> bool:
        """Whether a token is written in quotes."""
        return self.source(token)[:1] in tuple(_QUOTES)

    def is_word(self, index: int) -> bool:
        """Whether a token is a name or a keyword, quoted or not, and no text or number."""
        token = self.tokens[index]
        if token.token_type in (TokenType.VAR, TokenType.IDENTIFIER):
            return True
        return self.source(token)[:1].isalpha() and token.text[:1].isalpha()


def read(sql: str, dialect: str) -> Words:
    """The tokens of a text, its comments left out.

    What is sent is what was read: comments are where databases differ most (nested ones, `--`
    without a blank, the characters that end a line), so none is sent. Where databases may see
    another end of a text in quotes, the text is refused.

    Raises:
        Refused: too long, too deep, Jinja, a comment that databases obey, or ambiguous.
    """
    if len(sql) > MAX_CHARACTERS:
        raise Refused("too-long")
    if match := _CONTROL.search(sql):
        raise Refused("ambiguous", repr(match.group()))
    if match := _JINJA.search(sql):
        raise Refused("template", match.group())
    text = _without_comments(sql, tokens_of(sql, dialect)).rstrip()
    tokens = tokens_of(text, dialect)
    check_bounds(tokens)
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        text, tokens = text[: tokens[-1].start].rstrip(), tokens[:-1]
    if not tokens:
        raise Refused("empty")
    words = Words(text, tuple(tokens))
    _check_quotes(words, dialect)
    return words


def tokens_of(sql: str, dialect: str) -> list[Token]:
    """The tokens of a text as a dialect reads it.

    Raises:
        Refused: it can't be read.
    """
    try:
        return list(Dialect.get_or_raise(dialect).tokenize(sql))
    except (SqlglotError, ValueError, IndexError, RecursionError):
        raise Refused("unreadable") from None


def gaps(sql: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """What stands before each token, and the token as it is written; last the rest and ""."""
    position = 0
    for token in tokens:
        # Some tokens are made of a part of another one: `5L` is a number and a type.
        if token.start >= position:
            yield sql[position : token.start], sql[token.start : token.end + 1]
            position = token.end + 1
    yield sql[position:], ""


def _without_comments(sql: str, tokens: Sequence[Token]) -> str:
    """The text with blanks in the place of comments and of rare kinds of white space."""
    parts = []
    for gap, written in gaps(sql, tokens):
        if OBEYED.search(gap):
            raise Refused("executable-comment", _first_words(gap))
        plain = gap.strip(" \t\r\n")
        parts.append((gap if not plain else "\n" if "\n" in gap else " ") + written)
    return "".join(parts).strip()


def _first_words(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def check_bounds(tokens: Sequence[Token]) -> None:
    """Refuse what would take the parser too long.

    Raises:
        Refused: too many words, or nested too deeply.
    """
    if len(tokens) > MAX_WORDS:
        raise Refused("too-long")
    depth = chain = 0
    for before, token in zip([None, *tokens], tokens, strict=False):
        depth += (token.token_type in _OPEN) - (token.token_type in _CLOSE)
        indexed = token.token_type == TokenType.L_BRACKET and before is not None
        chain += bool(indexed and before and before.token_type == TokenType.R_BRACKET)
        if depth > MAX_DEPTH or chain > MAX_CHAIN:
            raise Refused("too-deep")


def _check_quotes(words: Words, dialect: str) -> None:
    """Refuse what may end elsewhere for the database than it does here."""
    if dialect == GENERIC and (match := _FOREIGN.search(words.text)):
        raise Refused("ambiguous", match.group())
    for index, token in enumerate(words.tokens):
        written = words.source(token)
        hides = token.token_type in _TEXTS and _backslash(token, written, dialect)
        glued = dialect in TSQL and token.token_type not in _NUMBERS and _GLUED.match(written)
        if hides or glued:
            raise Refused("ambiguous", _first_words(written))
        if index and words.quoted(token) and _prefixed(words, index):
            before = words.source(words.tokens[index - 1])
            raise Refused("ambiguous", _first_words(before + written))


def _backslash(token: Token, written: str, dialect: str) -> bool:
    """Whether a backslash before a quote may hide it from some databases."""
    if not re.search(r"\\['\"`]", written):
        return False
    raw = token.token_type in (TokenType.RAW_STRING, TokenType.UNICODE_STRING)
    return raw or dialect not in PLAIN_BACKSLASH | ESCAPING_BACKSLASH


def _prefixed(words: Words, index: int) -> bool:
    """Whether letters right before a quote may make another kind of text of it."""
    token, before = words.tokens[index], words.tokens[index - 1]
    if before.end + 1 != token.start or words.source(token).startswith("["):
        return False
    if before.token_type == TokenType.VAR and words.source(before).lower() in _PREFIX:
        return True
    earlier = words.tokens[index - 2] if index > 1 else None
    return (
        before.text == "&"
        and earlier is not None
        and earlier.end + 1 == before.start
        and earlier.text.lower() == "u"
    )
