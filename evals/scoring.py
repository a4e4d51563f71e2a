"""Whether calls are the right ones: the right tools, and in each the right arguments."""

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from tools.catalog import SUPERSET
from tools.clients.superset_search import fold
from tools.definition import ToolDefinition
from tools.times import TimeError, moment
from tools.toolsets.dashboards import stem

Call = tuple[str, Mapping[str, Any]]
"""The name of a tool and the arguments of a call."""

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
"""When the words of the examples are said: a Monday."""

TIMES = frozenset({"ends_at", "changed_since"})
EDGES = " \t\n\"'`«»“”„.,;:!?"


async def same(expected: Iterable[Call], actual: Iterable[Call]) -> bool:
    """Whether the calls are the same, in any order, and each with the same arguments.

    Arguments that have their default count as left out. Letters' case, ё and е, spaces and marks
    at the ends make no difference in words, endings none in what is searched for; times are the
    same when they mean the same moment. SQL must be the same but for its end.
    """
    wanted = [await _plain(call) for call in expected]
    found = [await _plain(call) for call in actual]
    return sorted(wanted, key=repr) == sorted(found, key=repr)


async def _plain(call: Call) -> tuple[str, dict[str, Any]]:
    name, arguments = call
    definition = SUPERSET.definitions[name]
    given = {slot: await _value(slot, value) for slot, value in arguments.items()}
    return name, {
        slot: value
        for slot, value in given.items()
        if value not in (None, [], "") and value != await _value(slot, _default(definition, slot))
    }


def _default(definition: ToolDefinition, slot: str) -> Any:
    field = definition.arguments.model_fields.get(slot)
    return field.default if field is not None and not field.is_required() else None


async def _value(slot: str, value: Any) -> Any:
    if isinstance(value, list):
        return sorted([await _value(slot, item) for item in value], key=repr)
    if not isinstance(value, str):
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if slot == "sql":
        return " ".join(value.split()).rstrip("; ")
    if slot in TIMES:
        return await _time(value, past=slot == "changed_since")
    words = " ".join(fold(unicodedata.normalize("NFC", value)).strip(EDGES).split())
    return " ".join(sorted(stem(word) for word in words.split())) if slot == "query" else words


async def _time(words: str, *, past: bool) -> str:
    try:
        return (await moment(words, NOW, "UTC", past=past)).isoformat()
    except TimeError:
        return fold(words)
