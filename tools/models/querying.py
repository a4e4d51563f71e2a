"""What is to be done with SQL that stands in a sentence: run it, or lay it out."""

import re
from collections.abc import Mapping
from typing import Any

from tools.definition import ToolDefinition
from tools.intent import Clause, EnvironmentNames, Reading, read
from tools.intent.spoken import HOLE, Spoken, spoken_sql
from tools.intent.vocabulary import (
    ARTICLE,
    DASHBOARD,
    EVERY,
    FILLER,
    HERE,
    LABEL,
    MODAL,
    POLITE,
    PREPOSITION,
    PRONOUN,
    READ,
    vocabulary,
)
from tools.intent.words import chunk
from tools.models.nouns import (
    BASE,
    DATA,
    DATASET,
    SCHEMA,
    counted,
    environment,
    environments,
    found,
    name_behind,
    name_beside,
)

RUN, FORMAT = "superset_execute_sql", "superset_format_sql"
_FORMAT = vocabulary("""
    формат* отформат* переформат* причеш* причес* выровн* красив* оформ* порядок читаем*
    читабельн* отступ* красот* приглад* опрятн* разлож* построчно божеск*
    format* reformat* pretty* prettif* beautif* tidy indent* readable clean* neat* nice*
    lay layout lint*
""")
_RUN = vocabulary("""
    выполн* запусти* запуск* прогон* исполн* сделай запрос* посчита* скол* выбор* результат* sql
    run execute exec query queries fire launch evaluate result results sql return returns
""")
_OTHER = vocabulary("обслужив* баннер* плашк* maintenance banner")
_INTO = vocabulary("в во на из через по in on against from using via")
_DIALECT = vocabulary("диалект* dialect")
_QUERY = vocabulary("query запрос")


def querying(
    text: str, names: EnvironmentNames, known: Mapping[str, ToolDefinition]
) -> list[tuple[str, dict[str, Any]]]:
    """The calls that a sentence with SQL asks for, one an environment; none: it asks for no SQL."""
    spoken = spoken_sql(text, names.words) if {RUN, FORMAT} & known.keys() else None
    if spoken is None:
        return []
    reading = read(spoken.rest, {}, names)
    words = [token.word for token in reading.source.tokens if token.kind == "word"]
    lays_out = any(word in _FORMAT for word in words)
    if not lays_out and not _meant(spoken, words):
        return []
    clause = Clause(0, len(reading.source.tokens))
    made = {"sql": spoken.sql} | _places(reading, clause)
    if lays_out:
        kept = ("sql", "database", "env_id")
        return [(FORMAT, {name: made[name] for name in kept if name in made})]
    rows = counted(reading, clause) or _rows(reading)
    made |= {} if rows is None else {"limit": rows}
    return [(RUN, made | {"env_id": place}) for place in environments(reading, clause)] or [
        (RUN, made)
    ]


_THEN = re.compile(
    r"[,\s]+(?:(?:and|а|и)\s+)?(?:then|after\s+that|afterwards|потом|затем|следом)\b"
    r"|\s+and\s+(?=run\b|execute\b)|\s+и\s+(?=выполни\b|прогони\b|запусти\b)",
    re.IGNORECASE,
)


def parted(text: str, names: EnvironmentNames, known: Mapping[str, ToolDefinition]) -> str:
    """The words before the SQL of "describe X and then run select …"; nothing: there are none."""
    link = _THEN.search(text)
    if link is None or querying(text[: link.start()], names, known):
        return ""
    return text[: link.start()] if querying(text[link.end() :], names, known) else ""


def _meant(spoken: Spoken, words: list[str]) -> bool:
    """Whether the SQL is to be run; a title may look like SQL, too."""
    asks = any(word in _RUN for word in words)
    titled = any(word in DASHBOARD or word in _OTHER for word in words)
    if titled and not (asks and spoken.style in ("fence", "ticks", "bare")):
        return False
    if spoken.style == "quotes" or not spoken.reads:
        return asks
    return True


def _places(reading: Reading, clause: Clause) -> dict[str, Any]:
    """Where it is to run."""
    made: dict[str, Any] = {}
    for slot, nouns in (
        ("database", BASE),
        ("database", _DIALECT),
        ("schema_name", SCHEMA),
        ("dataset", DATASET),
    ):
        for noun in found(reading, clause, nouns):
            of = nouns is _DIALECT and reading.word(noun + 1) in ("of", "из", "у")
            name = name_behind(reading, clause, noun + 2) if of else None
            if nouns is not _DIALECT:
                name = name_beside(reading, clause, noun)
            if name is not None:
                made.setdefault(slot, name.text)
    if "database" not in made and "dataset" not in made:
        base = _unlabelled(reading, clause)
        base = base or _identifier(reading, clause, set(made.values()))
        if base is not None:
            made["database"] = base
    made = {name: value for name, value in made.items() if not value.endswith(("'s", "’s"))}
    env_id = environment(reading, clause)
    return made if env_id is None else made | {"env_id": env_id}


def _unlabelled(reading: Reading, clause: Clause) -> str | None:
    """A name behind a preposition that is no environment: "run this in Analytics"."""
    for position in range(clause.start, clause.end - 1):
        following = reading.source.tokens[position + 1]
        if reading.word(position) not in _INTO | _QUERY or reading.spoken_for(position):
            continue
        whole = chunk(reading.source.text, following)
        named = following.kind == "quote" or following.text[:1].isupper() or "_" in whole
        named = named or _alone(reading, clause, position + 1)
        if named and following.text != HOLE and following.word not in PREPOSITION:
            name = name_behind(reading, clause, position + 1)
            if name is not None:
                return name.text
    return None


def _identifier(reading: Reading, clause: Clause, taken: set[Any]) -> str | None:
    """The only name with an underscore that is nothing else: "ticketing_pg: select …"."""
    found = {
        chunk(reading.source.text, reading.source.tokens[p])
        for p in range(clause.start, clause.end)
        if "_" in reading.word(p) and not reading.spoken_for(p)
    } - taken
    return found.pop() if len(found) == 1 else None


def _alone(reading: Reading, clause: Clause, position: int) -> bool:
    """Whether a plain Latin word can only be a name: "run § on aerodb in prod"."""
    word = reading.word(position)
    if not word.isascii() or len(word) < 3 or reading.spoken_for(position):
        return False
    if any(word in words for words in (*_NO_NAMES, _RUN, _FORMAT)):
        return False
    led = reading.word(position - 1) in _INTO | _QUERY
    ends = position + 1 >= clause.end or reading.source.tokens[position + 1].kind == "mark"
    ends = ends or reading.word(position + 1) in SCHEMA | _QUERY | _RUN | vocabulary("do")
    return led and (ends or reading.spoken_for(position + 1))


_MANNER = vocabulary("detail full short total summary order parallel general brief")
_NO_NAMES = (
    _MANNER,
    *(ARTICLE, DASHBOARD, DATA, EVERY, FILLER, HERE, LABEL, MODAL, POLITE, PREPOSITION, PRONOUN),
    READ,
)
_ROWS = vocabulary("строк строки строка строчек записей записи rows row records lines")


def _rows(reading: Reading) -> int | None:
    """How many rows are asked for: «не больше 50 строк», "20 rows"."""
    for position, token in enumerate(reading.source.tokens[:-1]):
        number = token.word.isdecimal() and len(token.word) <= 6
        if number and reading.word(position + 1) in _ROWS:
            return int(token.word)
    return None
