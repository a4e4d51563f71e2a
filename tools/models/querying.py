"""What is to be done with SQL that stands in a sentence: run it, or lay it out."""

from collections.abc import Mapping
from typing import Any

from tools.definition import ToolDefinition
from tools.intent import Clause, EnvironmentNames, Reading, read
from tools.intent.spoken import HOLE, Spoken, spoken_sql
from tools.intent.vocabulary import DASHBOARD, PREPOSITION, vocabulary
from tools.intent.words import chunk
from tools.models.nouns import (
    BASE,
    DATASET,
    SCHEMA,
    counted,
    environment,
    found,
    name_behind,
    name_beside,
)

RUN, FORMAT = "superset_execute_sql", "superset_format_sql"
_FORMAT = vocabulary("""
    формат* отформат* переформат* причеш* причес* выровн* красив* оформ* порядок читаем*
    читабельн* отступ* красот* приглад* опрятн*
    format* reformat* pretty* prettif* beautif* tidy indent* readable clean* neat* nice*
    lay layout lint*
""")
_RUN = vocabulary("""
    выполн* запусти* запуск* прогон* исполн* сделай запрос* посчита* скол* выбор* результат* sql
    run execute exec query queries fire launch evaluate result results sql return returns
""")
_OTHER = vocabulary("обслужив* баннер* плашк* maintenance banner")
_INTO = vocabulary("в во на из через in on against from using via")


def querying(
    text: str, names: EnvironmentNames, known: Mapping[str, ToolDefinition]
) -> tuple[str, dict[str, Any]] | None:
    """The tool and the arguments that a sentence with SQL asks for; None: it asks for no SQL."""
    if not {RUN, FORMAT} & known.keys():
        return None
    spoken = spoken_sql(text, names.words)
    if spoken is None:
        return None
    reading = read(spoken.rest, {}, names)
    words = [token.word for token in reading.source.tokens if token.kind == "word"]
    lays_out = any(word in _FORMAT for word in words)
    if not lays_out and not _meant(spoken, words):
        return None
    clause = Clause(0, len(reading.source.tokens))
    made = {"sql": spoken.sql} | _places(reading, clause)
    if lays_out:
        kept = ("sql", "database", "env_id")
        return FORMAT, {name: made[name] for name in kept if name in made}
    rows = counted(reading, clause) or _rows(reading)
    return RUN, made if rows is None else made | {"limit": rows}


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
    for slot, nouns in (("database", BASE), ("schema_name", SCHEMA), ("dataset", DATASET)):
        for noun in found(reading, clause, nouns):
            name = name_beside(reading, clause, noun)
            if name is not None:
                made.setdefault(slot, name.text)
    if "database" not in made and "dataset" not in made:
        base = _unlabelled(reading, clause)
        if base is not None:
            made["database"] = base
    env_id = environment(reading, clause)
    return made if env_id is None else made | {"env_id": env_id}


def _unlabelled(reading: Reading, clause: Clause) -> str | None:
    """A name behind a preposition that is no environment: "run this in Analytics"."""
    for position in range(clause.start, clause.end - 1):
        following = reading.source.tokens[position + 1]
        if reading.word(position) not in _INTO or reading.spoken_for(position):
            continue
        whole = chunk(reading.source.text, following)
        named = following.kind == "quote" or following.text[:1].isupper() or "_" in whole
        if named and following.text != HOLE and following.word not in PREPOSITION:
            name = name_behind(reading, clause, position + 1)
            if name is not None:
                return name.text
    return None


_ROWS = vocabulary("строк строки строка строчек записей записи rows row records lines")


def _rows(reading: Reading) -> int | None:
    """How many rows are asked for: «не больше 50 строк», "20 rows"."""
    for position, token in enumerate(reading.source.tokens[:-1]):
        number = token.word.isdecimal() and len(token.word) <= 6
        if number and reading.word(position + 1) in _ROWS:
            return int(token.word)
    return None
