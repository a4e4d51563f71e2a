"""What people call the parts of a database, and the names that stand beside these nouns."""

from collections.abc import Iterator
from dataclasses import dataclass

from tools.intent import Clause, Reading
from tools.intent.source import Phrase
from tools.intent.spoken import HOLE
from tools.intent.vocabulary import (
    ARTICLE,
    CHANGE,
    DASHBOARD,
    ENVIRONMENT,
    EVERY,
    FILLER,
    HERE,
    JOINING,
    LABEL,
    LABELLED,
    MODAL,
    POLITE,
    PREPOSITION,
    READ,
    SEARCH,
    USES,
    Vocabulary,
    vocabulary,
)
from tools.intent.words import chunk

BASE = vocabulary("база базы базе базу базой баз базам базах бд субд database databases db dbs")
SCHEMA = vocabulary("схем* schema schemas schemata")
TABLE = vocabulary("таблиц* табличк* представлени* вьюх* view views table tables")
COLUMN = vocabulary(
    "колон* столб* поле поля полей полям полях тип типы типов "
    "column columns field fields type types"
)
DATASET = vocabulary("датасет* дата-сет* dataset datasets")
KEYS = vocabulary("индекс* ключ* index indexed indexes indices key keys")
FACTS = vocabulary(
    "метаданн* структур* описани* опиши опишите описать устроен* ddl describe structure metadata "
    "definition layout desc documented documentation документац* документирован* описан*"
)
CHART = vocabulary("чарт* график* диаграмм* chart charts")
DATA = BASE | SCHEMA | TABLE | COLUMN | DATASET | KEYS

_SAYS_NOTHING = vocabulary("""
    данных data есть имеет имеются содержит лежит лежат находится входят входит хранится хранятся
    have has had contain contains hold holds live lives sit sits does do is are was be there still
    match matches fit fits look looks like со звездочкой star select rows row строк строки строка
    запрос запроса query sql available own
    моя мою мой свой своя своей своему своим своих вообще именно ли же бы сейчас today now currently
    вот это этот эту этой такой такие following below above next
    compared compare versus vs against differ differs сравнени* сравни по-прежнему
    return returns give gives вернет даст
    connected подключен* подключ* attached
    made well described dialect диалект* run execute please we you got i they we've you've got
    underneath underlying behind состоит состоят its their his her
    сделай сделайте выполни выполните прогони прогоните запусти запустите
    exist exists existing совпадает совпадают сходится соответствует расходится отличается
""")
_STOP = (
    *(ARTICLE, CHANGE, DASHBOARD, DATA, ENVIRONMENT, EVERY, HERE, JOINING, POLITE, READ, SEARCH),
    *(FACTS, CHART, USES, MODAL, _SAYS_NOTHING),
)
_BEFORE = (FILLER, *_STOP)
WORDS = 6
"""How many words a name has at most."""


@dataclass(frozen=True)
class Name:
    """A name as it was typed, and the positions of its tokens."""

    text: str
    start: int
    end: int


def name_beside(
    reading: Reading, clause: Clause, noun: int, *, prepositions: Vocabulary = PREPOSITION
) -> Name | None:
    """The name behind a noun («таблица orders»), else before it ("the orders table")."""
    return name_behind(reading, clause, noun + 1, prepositions=prepositions) or _name_before(
        reading, clause, noun
    )


def name_behind(
    reading: Reading, clause: Clause, start: int, *, prepositions: Vocabulary = PREPOSITION
) -> Name | None:
    """The name that begins at a position, up to the next word that is none of a name.

    Args:
        reading: The text.
        clause: Where the name must end.
        start: Its first position; "named", "id" and the like are skipped.
        prepositions: Those that end it.
    """
    start = _unlabelled(reading, start)
    # «базы данных X»: the second word belongs to the noun.
    while reading.word(start) in ("данных", "data") and start < clause.end:
        start = _unlabelled(reading, start + 1)
    if start >= clause.end:
        return None
    token = reading.source.tokens[start]
    if token.kind == "quote":
        return None if token.text == HOLE else Name(token.text, start, start + 1)
    end, tail = start, token.start
    while end < clause.end and end < start + WORDS and not _ends(reading, end, prepositions):
        piece = reading.source.tokens[end]
        tail = piece.start + len(chunk(reading.source.text, piece))
        end = max(end + 1, reading.source.covered(end, tail))
    text = reading.source.text[token.start : tail].strip(" .:")
    return Name(text, start, end) if end > start and text else None


def _name_before(reading: Reading, clause: Clause, noun: int) -> Name | None:
    """The words before an English noun: "the Sales DWH database"."""
    if not reading.word(noun)[:1].isascii():
        return None
    start = noun
    while start > clause.start and noun - start < 4:
        token = reading.source.tokens[start - 1]
        if start == noun and token.word.isdecimal():
            break  # "15 datasets": how many
        if token.kind == "quote" and start == noun and token.text != HOLE:
            return Name(token.text, start - 1, noun)
        word = token.word
        stops = any(word in words for words in _BEFORE) or word in PREPOSITION
        if token.kind != "word" or stops or reading.spoken_for(start - 1):
            break
        start -= 1
    if start == noun:
        return None
    tokens = reading.source.tokens
    return Name(reading.source.text[tokens[start].start : tokens[noun - 1].end], start, noun)


def _unlabelled(reading: Reading, position: int) -> int:
    if reading.word(position) in PREPOSITION and reading.word(position + 1) in LABELLED:
        position += 2
    skipped = (LABEL, ARTICLE, LABELLED, (":", "под"))
    for _ in range(4):
        if not any(reading.word(position) in words for words in skipped):
            break
        position += 1
    return position


def _ends(reading: Reading, position: int, prepositions: Vocabulary) -> bool:
    token = reading.source.tokens[position]
    phrase = reading.phrase_at.get(position)
    if token.kind != "word" or reading.spoken_for(position):
        return True
    if phrase is not None and phrase.kind in ("limit", "offset", "environment"):
        return True
    if "_" in chunk(reading.source.text, token) or token.text[:1].isupper():
        return token.word in prepositions or token.word in DASHBOARD or token.word in DATA
    return token.word in prepositions or any(token.word in words for words in _STOP)


def found(reading: Reading, clause: Clause, nouns: Vocabulary) -> Iterator[int]:
    """The positions of a clause where one of these nouns stands, outside of phrases."""
    for position in range(clause.start, clause.end):
        if reading.word(position) not in nouns or reading.spoken_for(position):
            continue
        token, text = reading.source.tokens[position], reading.source.text
        # In "ops_db" and "db_main" it is a part of a name.
        if "_" not in text[max(token.start - 1, 0) : token.start] + text[token.end : token.end + 1]:
            yield position


def environment(reading: Reading, clause: Clause) -> str | None:
    """The environment that a clause names; a sure one first."""
    named = environments(reading, clause)
    return named[0] if named else None


def environments(reading: Reading, clause: Clause) -> list[str]:
    """The environments that a clause surely names, and those that are joined to them."""
    named = [
        phrase
        for phrase in reading.phrases
        if phrase.kind == "environment"
        and isinstance(phrase.value, str | tuple)
        and clause.start <= phrase.start < clause.end
    ]
    led = any(phrase.sure for phrase in named)
    taken: list[Phrase] = []
    for phrase in named:
        joined = taken and _joins(reading, taken[-1].end, phrase.start)
        if phrase.sure or joined or not (led or taken):
            taken.append(phrase)
    values = [phrase.value for phrase in taken]
    flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    return [str(one) for one in dict.fromkeys(flat)]


def _joins(reading: Reading, start: int, end: int) -> bool:
    return end > start and all(reading.word(p) in JOINING for p in range(start, end))


def counted(reading: Reading, clause: Clause) -> int | None:
    """How many are asked for."""
    for phrase in reading.phrases:
        inside = clause.start <= phrase.start < clause.end
        if phrase.kind == "limit" and inside and isinstance(phrase.value, int):
            return phrase.value
    for position in found(reading, clause, TABLE | DATASET | BASE | SCHEMA):
        before = reading.word(position - 1) if position > clause.start else ""
        labelled = position > clause.start + 1 and reading.word(position - 2) in LABEL
        if before.isdecimal() and len(before) <= 4 and not labelled:
            return int(before)
    return None
