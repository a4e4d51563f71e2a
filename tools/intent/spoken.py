"""The SQL that a person wrote into a sentence, cut out of it byte by byte."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

Style = Literal["fence", "ticks", "quotes", "bare"]
"""Between ``` fences, in backticks, in quotation marks, or just written down."""

HOLE = "\u00a7"
"""What stands for the SQL in the sentence around it, in quotes: a word that nobody says."""

PARSED = 8_000
"""Characters of bare SQL up to which its end is looked for by parsing."""

DEPTH = 12
"""How deep brackets may stand in brackets for the parser; deeper ones cost it too much time."""

TRIES = 16
"""How many ends are tried."""

# A parser that falls back to a generic command says so in the log; here that is no news.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

_HEAD = (
    r"(?:select|with|insert\s+into|delete\s+from|update|drop|alter|create|truncate|merge\s+into"
    r"|explain|pragma|call|copy|grant|revoke|set|show|describe|values)\b"
)
_LOOSE = re.compile(rf"(?:\s|--[^\n]*\n|\()*{_HEAD}", re.IGNORECASE)
_FENCE = re.compile(r"```(?:[a-z]*sql)?[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_TICKS = re.compile(r"`([^`]+)`")
_QUOTES = tuple(
    (closing, re.compile(pattern))
    for closing, pattern in (
        ("»", r"«([^»]+)»"),
        ("”", r"“([^”]+)”"),
        ("“", r"„([^“]+)“"),
        ("", r'"([^"]+)"'),
        ("", r"(?<!\w)'([^'\n]+)'(?!\w)"),
    )
)
"""Each kind of quotes, with its closing mark where that is not the opening one."""

_NAME = r"[\w.\"\[\]]+"
# "Select the USA dashboard from the list" is no SQL.
_BARE = re.compile(
    r"(?<![\w«\"'`.’/-])(?:"
    r"select\s+(?:distinct\s+(?!the\b)\w|\*|-?\d|'|\(|case\s+when\b|top\s+\d"
    rf"|{_NAME}\s*\(|(?!(?:the|this|that|my|an?)\s+(?!from\b)\w){_NAME}(?:\s*[,+*/|-]"
    rf"|\s+as\s|\s+from\s+(?!the\b|this\b|my\b)))"
    r"|with\s+(?:recursive\s+)?\w+\s*(?:\([^()]*\)\s*)?as\s*\(|insert\s+into\s"
    r"|delete\s+from\s+(?!the\b|this\b)|update\s+[\w.\"]+\s+set\s"
    r"|truncate\s+table\s|(?:drop|alter|create(?:\s+or\s+replace)?)\s+"
    r"(?:table|view|index|schema|database|user|role)\s)",
    re.IGNORECASE,
)
_STAR = re.compile(r"select\s+star\b", re.IGNORECASE)
# Where a person goes on speaking: "in the database X", «в базе X», ", first 10 rows".
_ONWARD = re.compile(
    r"\s+[—–](?=\s)|\s+-+>\s+|\s+-\s+(?=(?:run|execute|please|what|the|it|this|in|on|from|at|выполни|прогони|в|на|это)\b)|\s+--\s+(?=[^\n]*\Z)|\s*\n\s*(?=(?:run|execute|выполни|прогони|запусти)\b)"
    r"|\s+where\s+(?:(?:the|this)\s+)?(?:dataset|table|database)\s+(?:\S+\s+)?(?:lives|is|sits|resides)\b"
    r"|\s+(?:in|on|at|against|в|на|по)\s+[\"«“]|,\s*\d+\s+(?:rows|lines|records|строк|записей)\b"
    r"|\s+(?:at|with)\s+\w+_\w+|,\s+it(?:'s|\s+is)\b|\s+(?:there|там)\s*\Z"
    r"|[\s,;.—–-]+(?:(?:база|базе|бд|схема|датасет|окружение)\s|(?:database|schema|dataset)\s+[\w«\"]+$"
    r"|(?:in|on|against|using|for|from|at|via)\s+(?:the\s+)?"
    r"(?:[\w-]+\s+)?(?:database|db|schema|dataset|environment|env)\b"
    r"|in\s+(?:the\s+)?[\w-]+\s*(?:$|[,.;?!]|\s(?:on|in|at)\b)"
    r"|against\s+\w|(?:в|во|на|из|для|через|по)\s+[\w«\"-]+"
    r"|(?:limit\s+(?:it\s+)?to|at\s+most|no\s+more|not\s+more|please|thanks"
    r"|returns?|gives?|yields?|produces?|prints?|and\s+(?:show|give|tell|then)|showing"
    r"|вернет|вернёт|даст|выдаст|покажет|покажи|выведи|и\s+(?:покажи|выведи|дай|скажи)"
    r"|пожалуйста|первые|мне|хватит|достаточно|выполни|прогони|запусти|исполни|там|не\s+более|не\s+больше|максимум|только|спасибо)\b"
    r"|(?:first|top|only|max|maximum|just)\s+\d"
    r"|with\s+(?:a\s+)?limit\b|с\s+лимитом)",
    re.IGNORECASE,
)


_STAGES = frozenset({"prod", "production", "staging", "stage", "dev", "development"})
"""Names of environments that may be names of columns, too."""


@dataclass(frozen=True)
class Spoken:
    """SQL in a sentence.

    Attributes:
        sql: The SQL as it was typed.
        rest: The sentence with `HOLE`, quoted, in its place.
        style: How it was set apart.
    """

    sql: str
    rest: str
    style: Style

    @property
    def reads(self) -> bool:
        """Whether it begins like a query."""
        return re.match(r"[\s(]*(?:select|with)\b", self.sql, re.IGNORECASE) is not None


def spoken_sql(text: str, places: tuple[str, ...] = ()) -> Spoken | None:
    """The SQL in a sentence; None: there is none.

    Args:
        text: The user's words.
        places: Names of environments: "… on dev" ends a bare query.
    """
    styles: tuple[tuple[Style, Iterator[re.Match[str]]], ...] = (
        ("fence", _FENCE.finditer(text)),
        ("ticks", _TICKS.finditer(text)),
        ("quotes", _quotes(text)),
    )
    bare = _BARE.search(text)
    for style, matches in styles:
        for match in matches:
            if bare is not None and bare.start() < match.start():
                break  # quotes inside of SQL
            inner = match.group(1).strip()
            if _LOOSE.match(inner) and not _STAR.match(inner):
                return _spoken(text, inner, match.start(), match.end(), style)
    if bare is None:
        return None
    end = _end(text, bare.start(), places)
    return _spoken(text, text[bare.start() : end].strip(), bare.start(), end, "bare")


def _quotes(text: str) -> Iterator[re.Match[str]]:
    """The quotes of a text, in their order.

    One pattern of all kinds would look for the closing mark of each opening one to the end of the
    text: here none is looked for behind the last closing mark.
    """
    # Of an empty mark `rfind` gives the end of the text.
    ends = [(pattern, text.rfind(closing) + 1) for closing, pattern in _QUOTES]
    found = [pattern.search(text, 0, end) for pattern, end in ends]
    while any(found):
        first = min((match for match in found if match), key=lambda match: match.start())
        yield first
        found = [
            pattern.search(text, first.end(), end)
            if match and match.start() < first.end()
            else match
            for match, (pattern, end) in zip(found, ends, strict=True)
        ]


def _spoken(text: str, sql: str, start: int, end: int, style: Style) -> Spoken:
    return Spoken(sql, f'{text[:start]} "{HOLE}" {text[end:]}', style)


def _end(text: str, start: int, places: tuple[str, ...]) -> int:
    """Where bare SQL ends: at its semicolon, or where a person goes on speaking."""
    stop = _statement_end(text, start)
    if stop - start > PARSED or _deep(text[start:stop]):
        return stop
    ends = {match.start() for match in _ONWARD.finditer(text, start, stop)}
    ends |= {match.start() for match in _named(places).finditer(text, start, stop)}
    spaces = [match.start() + start for match in re.finditer(r"\s+", text[start:stop])][::-1]
    for end in [*sorted(ends)[:TRIES], stop, *spaces[:TRIES]]:
        if _parses(text[start:end]):
            return end
    return stop


def _statement_end(text: str, start: int) -> int:
    """The first semicolon outside of quotes, else the end of the text without its mark."""
    quote = ""
    for position in range(start, len(text)):
        letter = text[position]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == ";":
            return position
    return start + len(text[start:].rstrip(" \n\t.?!"))


def _named(places: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(places, key=len, reverse=True))
    led = r"(?:\s*,\s*|[\s,]+(?:on|in|at|for|from)\s+)(?:the\s+)?"
    own = "|".join(re.escape(name) for name in places if name not in _STAGES) or "(?!)"
    return re.compile(rf"(?:{led}(?:{names})|[\s,]+(?:{own}))(?!\w)", re.IGNORECASE)


def _deep(sql: str) -> bool:
    depth = most = 0
    for letter in sql:
        depth += (letter in "([") - (letter in ")]")
        most = max(most, depth)
    return most > DEPTH


def _parses(sql: str) -> bool:
    try:
        found = sqlglot.parse(sql)
    except (SqlglotError, RecursionError, ValueError):
        return False
    if len(found) != 1 or found[0] is None:
        return False
    # A lone SELECT is a query of nothing to the parser.
    return not isinstance(found[0], exp.Select) or bool(found[0].expressions)
