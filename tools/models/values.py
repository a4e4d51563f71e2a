"""Single values in a clause: ids, choices, counts, quoted strings."""

import re
from collections.abc import Callable, Mapping

from tools.intent.reading import Clause, Reading
from tools.intent.vocabulary import (
    DASHBOARD,
    DATASET,
    LABEL,
    NEGATION,
    Vocabulary,
    vocabulary,
)
from tools.intent.words import chunk
from tools.models.schema import Slot

Free = Callable[[int], bool]
"""Whether the word at a position is still free to mean something."""

NOUNS: Mapping[str, Vocabulary] = {
    "task": vocabulary("задач* таск* task tasks job"),
    "event": vocabulary("событи* event events обслуживани* maintenance"),
    "dataset": vocabulary("датасет* dataset datasets"),
    "chart": vocabulary("чарт* график* диаграмм* chart charts"),
    "backup": vocabulary("бэкап* копи* backup"),
    "draft": vocabulary("черновик* draft"),
    "result": vocabulary("результат* result"),
}
"""What people call the things that have an id."""

SYNONYMS: Mapping[str, Vocabulary] = {
    "open": vocabulary(
        "открыт* активн* текущ* идущ* идет незакрыт* висит висят open active current ongoing"
    ),
    "closed": vocabulary(
        "закрыт* завершен* законченн* снят* прошл* прошедш* closed past finished ended completed"
    ),
}
"""Other words for the values of choices."""

NOTHING = vocabulary("")
_NOW = vocabulary("сейчас now currently still going running moment")
"""What is said of events that are open."""
_COUNTED = vocabulary("штук* запис* строк* результат* rows results items")
_HEX = re.compile(r"(?=[0-9a-f]*\d)[0-9a-f]{8,36}")


def identified(slot: Slot, reading: Reading, clause: Clause, free: Free) -> int | str | None:
    """The id behind its noun («задача №12», "event 3f2a…"); a hexadecimal one anywhere."""
    stem = slot.name.removesuffix("_id")
    nouns = NOUNS.get(stem, vocabulary(f"{stem} {stem}s"))
    for position in range(clause.start, clause.end):
        numbered = slot.type == "integer" and reading.word(position) in ("#", "№")
        if numbered or reading.word(position) in nouns:
            place = reading.source.skip(position + 1, LABEL, _POINT)
            value = _id(slot, reading, place, clause) if free(place) else None
            if value is not None:
                return value
    if slot.type == "string":
        for position in range(clause.start, clause.end):
            if free(position) and _HEX.fullmatch(reading.word(position)):
                return reading.word(position)
    return None


_POINT = vocabulary(":")


def _id(slot: Slot, reading: Reading, position: int, clause: Clause) -> int | str | None:
    """The id at a position: a number, else something with a digit in it, or a quoted string."""
    if position >= clause.end:
        return None
    token = reading.source.tokens[position]
    if token.kind == "quote":
        # Behind «обслуживание» a quoted string is a title, unless it looks like an id.
        numbered = any(letter.isdigit() for letter in token.text) and " " not in token.text
        return token.text if slot.type == "string" and numbered else None
    value = chunk(reading.source.text, token)
    if slot.type == "integer":
        return int(value) if value.isdecimal() and len(value) < 19 else None
    numbered = any(letter.isdigit() for letter in value)
    return value if numbered and reading.phrase_at.get(position) is None else None


def chosen(slot: Slot, reading: Reading, clause: Clause, free: Free) -> str | None:
    """The value of a choice that the words name."""
    named: list[str] = []
    for position in range(clause.start, clause.end):
        word = reading.word(position)
        for choice in slot.choices:
            if free(position) and (word == choice or word in SYNONYMS.get(choice, NOTHING)):
                denied = _other(slot, choice) if _denied(reading, position) else choice
                named += [denied] if denied else []
    if len(set(named)) > 1:
        return None  # "both finished and running"
    now = "open" in slot.choices and any(
        reading.word(p) in _NOW for p in range(clause.start, clause.end)
    )
    return named[0] if named else "open" if now else None


def _denied(reading: Reading, position: int) -> bool:
    """«Ещё не сняты», "not closed yet"."""
    return position > 0 and reading.word(position - 1) in NEGATION


def _other(slot: Slot, choice: str) -> str | None:
    """The only other choice, or None."""
    others = [one for one in slot.choices if one != choice]
    return others[0] if len(others) == 1 else None


def counted(reading: Reading, clause: Clause) -> int | None:
    """How many: "5 dashboards", «10 записей»."""
    for position in range(clause.start, clause.end - 1):
        word, following = reading.word(position), reading.word(position + 1)
        named = following in DASHBOARD or following in DATASET or following in _COUNTED
        before = reading.word(position - 1) if position > clause.start else ""
        if _small(word) and named and before not in ("#", "№", "id"):
            return int(word)
    return None


def _small(word: str) -> bool:
    return word.isdecimal() and len(word) <= 6


def quoted(reading: Reading, clause: Clause, free: Free) -> str | None:
    """The first quoted string that nothing else has taken."""
    for position in range(clause.start, clause.end):
        token = reading.source.tokens[position]
        if token.kind == "quote" and token.text and free(position):
            return token.text
    return None
