"""Slips of the keyboard in key words: never in titles, and only where no key word is right."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tools.definition import ToolDefinition
from tools.intent.lexicons import spelled
from tools.intent.nearness import distance
from tools.intent.reading import Clause, Reading, reread
from tools.intent.vocabulary import (
    ARTICLE,
    CHANGE,
    DASHBOARD,
    FILLER,
    GREETING,
    MODAL,
    PLANNING,
    POLITE,
    PREPOSITION,
    READ,
    SEARCH,
    THANKS,
)

MAX_WORDS = 60
"""The most tokens of a clause that is looked at."""

MAX_CLAUSES = 8
"""The most clauses that are looked at."""


class Key(NamedTuple):
    """A key word, and whether it is only the beginning of one."""

    word: str
    stem: bool


_NOUNS = (Key("dashboard", False), Key("dashboards", False), Key("дашборд", True))


def corrected(reading: Reading, parts: Sequence[Clause]) -> Reading | None:
    """The text with its key words put right; None: there is nothing to put right."""
    better: dict[int, str] = {}
    for clause in parts[:MAX_CLAUSES]:
        if clause.end - clause.start <= MAX_WORDS:
            better |= _better(reading, clause)
    if not better:
        return None
    tokens = list(reading.source.tokens)
    for position, word in better.items():
        # Only what is compared changes; a title keeps the letters it was typed with.
        tokens[position] = tokens[position]._replace(word=word)
    return reread(reading, tokens)


def _better(reading: Reading, clause: Clause) -> dict[int, str]:
    places = [p for p in range(clause.start, clause.end) if _open(reading, p)]
    words = [reading.word(p) for p in range(clause.start, clause.end)]
    found: dict[int, str] = {}
    if not any(word in DASHBOARD for word in words):
        found |= _nearest(reading, places, _NOUNS, 6)
    known = any(p in reading.objects_at for p in range(clause.start, clause.end))
    if not any(word in SEARCH for word in words):
        objects = _keys(reading.definitions.values(), "objects")
        found = _nearest(reading, _objects(reading, clause, places, known), objects, 6) | found
    if not known and not found:
        return {}
    verbs = any(
        p in reading.actions_at or word in READ or word in SEARCH or word in CHANGE
        for p, word in enumerate(words, start=clause.start)
    )
    first = next((p for p in places if p not in found), None)
    if not verbs and first is not None and not _led(reading, clause, first):
        keys = _keys(reading.definitions.values(), "actions")
        found |= _nearest(reading, [first], keys, 5)
    return found


def _objects(reading: Reading, clause: Clause, places: list[int], known: bool) -> list[int]:
    """Where an object may be mistyped: anywhere; beside a dashboard only between verb and noun."""
    if not known:
        return places
    plain = [p for p in range(clause.start, clause.end) if p in reading.objects_at]
    acts = [p for p in range(clause.start, clause.end) if _acts(reading, p)]
    if not acts or any(reading.word(p) not in DASHBOARD for p in plain):
        return []
    return [p for p in places if acts[0] < p < plain[0]]


def _acts(reading: Reading, position: int) -> bool:
    names = reading.actions_at.get(position, ())
    return any(reading.definitions[name].effect == "write" for name in names)


def _led(reading: Reading, clause: Clause, position: int) -> bool:
    """Whether more than fillers stand before a word: then it is not the verb of a command."""
    return any(
        p in reading.objects_at or reading.word(p) in PREPOSITION
        for p in range(clause.start, position)
    )


def _open(reading: Reading, position: int) -> bool:
    """Whether a word means nothing yet."""
    word = reading.word(position)
    known = (
        *(ARTICLE, CHANGE, DASHBOARD, FILLER, GREETING, MODAL, PLANNING, POLITE, PREPOSITION),
        *(READ, SEARCH, THANKS),
    )
    return not (
        reading.source.tokens[position].kind != "word"
        or position in reading.phrase_at
        or position in reading.objects_at
        or position in reading.actions_at
        or any(word in words for words in known)
    )


def _keys(definitions: Iterable[ToolDefinition], part: str) -> list[Key]:
    """The words of lexicons that are long enough to be told from others."""
    keys: dict[Key, None] = {}
    for definition in definitions:
        if part == "actions" and definition.effect != "write":
            continue
        for phrase in getattr(definition.lexicon, part):
            if " " not in phrase:
                keys[Key(*spelled(phrase))] = None
    return [key for key in keys if len(key.word) >= 5]


def _nearest(
    reading: Reading, places: Iterable[int], keys: Sequence[Key], shortest: int
) -> dict[int, str]:
    """The words that are nearly one key word, as that word with their own ending."""
    found: dict[int, str] = {}
    for position in places:
        word = reading.word(position)
        if len(word) >= shortest and word.isalpha():
            near = sorted({hit for key in keys if (hit := _near(word, key))})
            best = [fixed for far, fixed in near if far == near[0][0]]
            if len(best) == 1:
                found[position] = best[0]
    return found


def _near(word: str, key: Key) -> tuple[int, str] | None:
    """How far a word is from a key word, and the word put right; None: too far."""
    if word[0] != key.word[0]:
        return None
    if not key.stem:
        most = 2 if min(len(word), len(key.word)) >= 10 else 1
        far = distance(word, key.word, most)
        return (far, key.word) if far <= most else None
    for length in (len(key.word), len(key.word) - 1, len(key.word) + 1):
        if length <= len(word) and distance(word[:length], key.word, 1) <= 1:
            return 1, key.word + word[length:]
    return None
