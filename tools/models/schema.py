"""The arguments of a tool as the planner fills them: names, types, choices."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

from pydantic import BaseModel

SlotType = Literal["string", "integer", "number", "boolean", "array"]
"""The JSON types that the planner can fill; others it leaves out."""

TRUE = frozenset({"да", "true", "yes", "on", "вкл"})
FALSE = frozenset({"нет", "false", "no", "off", "выкл"})


@dataclass(frozen=True)
class Slot:
    """One argument of a tool.

    Attributes:
        name: Its name.
        type: Its JSON type.
        item: The type of the entries of an array.
        choices: The values it may have; none: any.
    """

    name: str
    type: SlotType
    item: SlotType = "string"
    choices: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def slots(arguments: type[BaseModel]) -> Mapping[str, Slot]:
    """The arguments of a tool that the planner can fill, by name."""
    schema = arguments.model_json_schema()
    definitions = schema.get("$defs", {})
    found: dict[str, Slot] = {}
    for name, described in schema.get("properties", {}).items():
        plain = _plain(described, definitions)
        kind: Any = plain.get("type")
        if kind in get_args(SlotType):
            item: Any = _plain(plain.get("items", {}), definitions).get("type", "string")
            choices = tuple(str(value) for value in plain.get("enum", ()))
            found[name] = Slot(name, kind, item, choices)
    return found


def _plain(described: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """A described value without `null` and without references."""
    if "$ref" in described:
        return _plain(definitions.get(described["$ref"].rsplit("/", 1)[-1], {}), definitions)
    for option in described.get("anyOf", ()):
        if option.get("type") != "null":
            return _plain(option, definitions)
    if "const" in described:
        return {"type": "string", "enum": [described["const"]]}
    return described


def coerce(slot: Slot, words: str) -> Any:
    """Words as a value of a slot's type.

    Raises:
        ValueError: they are none.
    """
    if slot.type == "array":
        return [_scalar(slot.item, words)]
    if slot.choices and words.lower() not in slot.choices:
        raise ValueError(words)
    return _scalar(slot.type, words.lower() if slot.choices else words)


def _scalar(kind: SlotType, words: str) -> Any:
    if kind == "integer":
        return int(words.strip().lstrip("#№ "))
    if kind == "number":
        return float(words.strip().replace(",", "."))
    if kind == "boolean":
        word = words.strip().lower()
        if word not in TRUE | FALSE:
            raise ValueError(words)
        return word in TRUE
    return words
