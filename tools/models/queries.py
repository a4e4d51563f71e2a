"""The words that are searched for."""

from tools.definition import ToolDefinition
from tools.intent.clauses import HARD
from tools.intent.reading import Clause, Reading
from tools.intent.vocabulary import (
    ABOUT,
    ARTICLE,
    DASHBOARD,
    FILLER,
    GREETING,
    HERE,
    JOINING,
    LABEL,
    LABELLED,
    MODAL,
    POLITE,
    PREPOSITION,
    PRONOUN,
    READ,
    SEARCH,
    vocabulary,
)
from tools.intent.words import chunk
from tools.models.values import Free, quoted

_LOOK = vocabulary(
    "look looking up for carry carrying lying around box mention mentions dig out u thing "
    "touched edited modified following each after next still word called бы увидеть must "
    "anywhere больше более не максимум max at most no more than имею виду интересуют коллега "
    "ссылк* просит somebody "
    "someone anybody they both he she got were been начиная страниц* следующ* нибудь либо "
    "should be mean i somewhere think believe guess "
    "suppose кажется вроде наверное помнится он она они там там-то вроде"
)
_IN_ITS = vocabulary("in the its their a в")
_NAMES = vocabulary("title name titles names названии имени названиях заголовке")
_HAVING = vocabulary("with having containing contains says с со")
_THERE = vocabulary("там there")
_ANYTHING = vocabulary("anything something")
_ASIDE = vocabulary("it i the they he she should что который которые он они кажется вроде наверное")
_REQUEST = vocabulary("запросу")


def sought(definition: ToolDefinition, reading: Reading, clause: Clause, free: Free) -> str | None:
    """What a search is for: a quoted string, else the words behind "about" or beside the noun."""
    text = quoted(reading, clause, free)
    if text is not None:
        return text
    within = _within(reading, clause, free)
    if within is not None:
        return within
    for start in _starts(reading, clause):
        words = _words(reading, start, clause.end, free, whole=True)
        if words:
            return words
    noun = next((p for p in _places(clause) if reading.word(p) in DASHBOARD), clause.end)
    behind = _words(reading, noun + 1, clause.end, free, whole=False)
    counted = "limit" in definition.arguments.model_fields and reading.word(noun - 1).isdecimal()
    end = noun - counted if noun > clause.start else noun
    return behind or _words(reading, _verb(reading, clause, noun), end, free, whole=False)


def _within(reading: Reading, clause: Clause, free: Free) -> str | None:
    """As in "the ones with refunds in the name", «с корзиной в названии»."""
    for end in _places(clause):
        first = end
        while first > clause.start and reading.word(first - 1) in _IN_ITS:
            first -= 1
        if reading.word(end) not in _NAMES or first == end:
            continue
        for start in range(first - 1, max(clause.start, first - 7) - 1, -1):
            if reading.word(start) in _HAVING:
                return _words(reading, start + 1, first, free, whole=True)
    return None


def _places(clause: Clause) -> range:
    return range(clause.start, clause.end)


def _starts(reading: Reading, clause: Clause) -> list[int]:
    """Where words begin that can only be what is sought: behind "about", «с названием»."""
    found = []
    for position in _places(clause):
        word = reading.word(position)
        if word in ABOUT:
            found.append(position + 1)
        elif word in PREPOSITION and reading.word(position + 1) in LABELLED | _REQUEST:
            found.append(position + 2)
        elif (word in ("on", "by") and reading.word(position - 1) in _ANYTHING) or (
            word in ("по", "for") and reading.word(position - 1) in SEARCH
        ):
            found.append(position + 1)
        if len(found) == 4:
            break
    return found


def _verb(reading: Reading, clause: Clause, noun: int) -> int:
    """Where words before the noun may begin: behind the last verb."""
    for position in range(noun - 1, clause.start - 1, -1):
        word = reading.word(position)
        if word in SEARCH or word in READ:
            return position + 1
    return clause.start


def _words(reading: Reading, start: int, end: int, free: Free, *, whole: bool) -> str | None:
    """The words from a position up to a phrase or a sentence's end, without their fillers."""
    while start < end and (
        _fills(reading, start, whole=False) or not _usable(reading, start, free)
    ):
        start += 1
    stop = start
    while stop < end and _usable(reading, stop, free) and reading.word(stop) not in HARD:
        if reading.word(stop) == "," and reading.word(stop + 1) in _ASIDE:
            break  # "damage claims, it should be somewhere on …"
        if reading.word(stop) in DASHBOARD and not whole:
            break
        stop += 1
    while stop > start and _fills(reading, stop - 1, whole=whole):
        stop -= 1
    if stop == start:
        return None
    tokens, text = reading.source.tokens, reading.source.text
    last = tokens[stop - 1]
    return text[tokens[start].start : last.start + len(chunk(text, last))]


def _usable(reading: Reading, position: int, free: Free) -> bool:
    return free(position) and reading.source.tokens[position].kind in ("word", "mark")


def _fills(reading: Reading, position: int, *, whole: bool) -> bool:
    """Whether a word at the edge says nothing about what is sought."""
    word = reading.word(position)
    if reading.source.tokens[position].kind == "mark":
        return True
    plain = word in POLITE or word in ARTICLE or word in JOINING or word in PREPOSITION
    plain = plain or word in ("both", "обоих", "обеих", "here", "тут", "здесь", "word", "words")
    if whole:
        return plain
    grammar = (
        word in FILLER
        or word in GREETING
        or word in _LOOK
        or word in READ
        or word in SEARCH
        or word in MODAL
        or word in PRONOUN
        or word in HERE
        or word in _THERE
    )
    return plain or grammar or word in LABEL or word in DASHBOARD
