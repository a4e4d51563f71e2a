"""What is asked of databases, tables and datasets."""

import re
from typing import Any

from tools.intent import Clause, Reading
from tools.intent.vocabulary import CHANGE, DASHBOARD, HERE, PREPOSITION, USES, vocabulary
from tools.intent.words import chunk
from tools.models.nouns import (
    BASE,
    COLUMN,
    DATASET,
    FACTS,
    KEYS,
    SCHEMA,
    TABLE,
    Name,
    counted,
    environment,
    found,
    name_behind,
    name_beside,
)

TOOL = "superset_explore_database"
_OF = vocabulary("of in on from for у в во из для внутри inside within")
_HAS = vocabulary("состоит состоят есть has have does do is are")
_ALIVE = vocabulary("порядке fine okay доступны отвечают связи respond answer reachable alive")
_ITS = vocabulary("it's its is lives sits lies лежит находится")
_PLAIN = re.compile(r"\w+\.\w+")
_STAR = vocabulary("star звездочк*")
_INTO = vocabulary("на в во из от с со у к для on in at for from of to with")
"""Prepositions that end a dataset's name; «по» and "by" may stand inside."""


def exploring(reading: Reading, clause: Clause) -> dict[str, Any] | None:
    """The arguments of the call that a clause asks for; None: it asks for something else."""
    if any(reading.word(p) in _ALIVE for p in _all(clause)):
        return None  # whether databases answer is a question of health
    datasets = [*found(reading, clause, DATASET)]
    others = [*found(reading, clause, BASE | SCHEMA | TABLE | COLUMN)]
    if not datasets and not others:
        facts = any(reading.word(p) in FACTS or reading.word(p) in KEYS for p in _all(clause))
        if not facts or _titled(reading, clause):
            return None
    if any(reading.word(p) in CHANGE for p in _all(clause) if not _runs(reading.word(p))):
        return None
    if _titled(reading, clause) and not (datasets and _used(reading, clause)):
        return None
    made = _named(reading, clause, datasets)
    if made is None:
        return None
    extra = {"env_id": environment(reading, clause), "limit": counted(reading, clause)}
    return {name: value for name, value in (made | extra).items() if value is not None}


def _all(clause: Clause) -> range:
    return range(clause.start, clause.end)


def _runs(word: str) -> bool:
    return word.startswith(("запус", "запущ", "launch"))


def _titled(reading: Reading, clause: Clause) -> bool:
    return any(reading.word(p) in DASHBOARD for p in _all(clause))


def _used(reading: Reading, clause: Clause) -> bool:
    """Whether it is asked what stands on something."""
    return any(reading.word(p) in USES for p in _all(clause))


def _named(reading: Reading, clause: Clause, datasets: list[int]) -> dict[str, Any] | None:
    """What is listed or described, and where."""
    made = _whereabouts(reading, clause)
    if not made and not datasets:
        made |= _alone(reading, clause)
    if datasets:
        return made | _dataset(reading, clause, datasets)
    table = _table(reading, clause)
    if table is not None:
        schema_name, dot, name = table.text.partition(".")
        if dot and "schema_name" not in made and _PLAIN.fullmatch(table.text):
            made["schema_name"], made["table"] = schema_name, name
        else:
            made["table"] = table.text
        return made | _behind(reading, clause, table, made)
    return _list(reading, clause, made)


def _whereabouts(reading: Reading, clause: Clause) -> dict[str, Any]:
    """The database and the schema that are named."""
    base, schema = (_first(reading, clause, nouns) for nouns in (BASE, SCHEMA))
    listed = any(reading.word(p) in ("schemas", "schemata") for p in _all(clause))
    if schema is not None and listed and reading.word(schema.end) in BASE:
        schema = None  # "what schemas the warehouse database has"
    made: dict[str, Any] = {} if schema is None else {"schema_name": schema.text}
    if base is None:
        return made | _identified(reading, clause, schema)
    return {"database": base.text} | made


def _alone(reading: Reading, clause: Clause) -> dict[str, Any]:
    """Of a list the only name with an underscore: "schemas, berth_lake, prod"."""
    plural = any(
        _many(reading.word(p)) or reading.word(p) in ("schemas", "schemata") for p in _all(clause)
    )
    names = {
        chunk(reading.source.text, reading.source.tokens[p])
        for p in _all(clause)
        if "_" in reading.word(p) and not reading.spoken_for(p)
    }
    parts = _asks_for_parts(reading, clause)
    return {"database": names.pop()} if plural and len(names) == 1 and not parts else {}


def _identified(reading: Reading, clause: Clause, schema: Name | None) -> dict[str, Any]:
    """A name behind the schema, or a pronoun: "schema ops of garage_db", "it's in scada_hub"."""
    for position in range(clause.start, clause.end - 1):
        behind = schema is not None and position == schema.end
        told = reading.word(position - 1) in _ITS and position > clause.start
        if reading.word(position) in _OF and (behind or told or position == clause.start):
            name = reading.source.tokens[position + 1]
            if "_" in name.word and not reading.spoken_for(position):
                return {"database": chunk(reading.source.text, name)}
    return {}


def _table(reading: Reading, clause: Clause) -> Name | None:
    """The table that is described; None: none is, tables are listed or something else is meant."""
    if not _describes(reading, clause):
        return None
    table = _first(reading, clause, TABLE) or _owner(reading, clause, COLUMN | KEYS | FACTS)
    nouns = [*found(reading, clause, TABLE)]
    lists = table is not None and nouns and _lists(reading, clause, nouns[0], table)
    return None if lists else table


def _list(reading: Reading, clause: Clause, made: dict[str, Any]) -> dict[str, Any] | None:
    """What is listed; None: nothing that is in a database."""
    tables, schemas, bases = ([*found(reading, clause, n)] for n in (TABLE, SCHEMA, BASE))
    if tables and _many(reading.word(tables[0])):
        return {"listing": "tables"} | made | _owned(reading, clause, tables[0], made)
    if schemas and "schema_name" not in made:
        return {"listing": "schemas"} | made | _owned(reading, clause, schemas[0], made)
    if bases and "database" not in made:
        return {"listing": "databases"}
    parts = [*found(reading, clause, COLUMN | SCHEMA | BASE)]
    return made if made or parts else None


def _dataset(reading: Reading, clause: Clause, datasets: list[int]) -> dict[str, Any]:
    for noun in datasets:
        name = name_beside(reading, clause, noun, prepositions=_INTO)
        if name is not None:
            return {"dataset": name.text}
    pointed = any(
        reading.word(position) in HERE
        for noun in datasets
        for position in range(max(clause.start, noun - 2), noun)
    )
    return {} if pointed or _singular(reading.word(datasets[0])) else {"listing": "datasets"}


def _singular(word: str) -> bool:
    return word in ("dataset", "датасет", "датасета", "датасете", "датасету", "датасетом")


def _describes(reading: Reading, clause: Clause) -> bool:
    """Whether one table is asked about, not which tables there are."""
    plural = any(_many(reading.word(p)) for p in _all(clause))
    return _asks_for_parts(reading, clause) or not plural


def _many(word: str) -> bool:
    return word in (
        *("tables", "views", "таблицы", "таблиц", "таблицам", "таблицах", "таблицами"),
        *("таблички", "табличек", "табличкам"),
        *("представления", "представлений", "вьюхи", "вьюх"),
    )


def _lists(reading: Reading, clause: Clause, noun: int, table: Name) -> bool:
    """«Таблицы базы X»: the plural lists, though «таблицы X» may also be one table's genitive."""
    asked = _asks_for_parts(reading, clause)
    return not asked and _many(reading.word(noun)) and table.start > noun


def _asks_for_parts(reading: Reading, clause: Clause) -> bool:
    """Whether columns, keys or the like are asked for: then one table is meant."""
    words = [reading.word(p) for p in _all(clause)]
    parts = (COLUMN, KEYS, FACTS, _STAR)
    return any(word in nouns for word in words for nouns in parts)


def _first(reading: Reading, clause: Clause, nouns: Any) -> Name | None:
    """The first name that stands beside one of these nouns."""
    for noun in found(reading, clause, nouns):
        name = name_beside(reading, clause, noun)
        if name is not None:
            return name
    return None


def _owner(reading: Reading, clause: Clause, nouns: Any) -> Name | None:
    """What is described without the noun: «колонки X», "columns of X", "describe X"."""
    for noun in found(reading, clause, nouns):
        at = noun + 1
        while at < clause.end and reading.word(at) in _OF | _HAS and not reading.spoken_for(at):
            at += 1
        name = name_behind(reading, clause, at)
        if name is not None:
            return name
        name = name_beside(reading, clause, noun)
        if name is not None:
            return name
    return None


def _behind(reading: Reading, clause: Clause, name: Name, made: dict[str, Any]) -> dict[str, Any]:
    """The database after a table: "columns of orders in Analytics"."""
    if "database" in made or name.end >= clause.end or reading.spoken_for(name.end):
        return {}
    if reading.word(name.end) not in _OF:
        return {}
    base = name_behind(reading, clause, name.end + 1)
    if base is not None and reading.word(base.end) in SCHEMA:  # "in the public schema of X"
        base = name_behind(reading, clause, base.end + 2)
    return {} if base is None else {"database": base.text}


def _owned(reading: Reading, clause: Clause, noun: int, made: dict[str, Any]) -> dict[str, Any]:
    """The database of a list: "tables of Analytics", "the Analytics tables"."""
    if "database" in made:
        return {}
    for position in range(noun + 1, min(noun + 8, clause.end)):
        leads = reading.word(position) in PREPOSITION | _HAS and not reading.spoken_for(position)
        if leads:
            base = name_behind(reading, clause, position + 1)
            if base is not None and reading.word(base.end) not in SCHEMA:
                return {"database": base.text}
    beside = name_beside(reading, clause, noun)
    return {} if beside is None else {"database": beside.text}
