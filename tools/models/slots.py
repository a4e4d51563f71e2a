"""The arguments of a call, from the words of its clause. What is not said is left out."""

from collections.abc import Sequence
from typing import Any

from tools.definition import ToolDefinition
from tools.intent.clauses import TITLED
from tools.intent.reading import Clause, Reading
from tools.intent.titles import Title
from tools.models.bindings import Bound, bind
from tools.models.queries import sought
from tools.models.schema import Slot
from tools.models.scope import DATASETS, NAMED, Scope
from tools.models.values import chosen, counted, identified, quoted


def fill(definition: ToolDefinition, reading: Reading, clause: Clause) -> list[dict[str, Any]]:
    """The arguments of each call; none where it is not clear what is meant in which environment."""
    return filled(Scope.of(definition, reading, clause))


def filled(scope: Scope) -> list[dict[str, Any]]:
    """The arguments of each call: one, or one for every environment that is named."""
    arguments: dict[str, Any] = {}
    for read in (_phrased, _identified, _chosen, _counted, _messaged, _sought):
        for name, value in read(scope).items():
            if value is not None:
                arguments.setdefault(name, value)
    return [
        arguments | bound.arguments | named
        for bound in bind(scope) or ()
        for named in _named(scope, bound)
    ]


def _phrased(scope: Scope) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, kind in NAMED.items():
        phrases = scope.phrases(kind) if name in scope.slots else []
        if phrases:
            found[name] = phrases[0].value
    return found


def _named(scope: Scope, bound: Bound) -> list[dict[str, Any]]:
    """The things that are named; a tool that takes one dashboard is called for each."""
    texts = _texts(bound.titles)
    tables = {DATASETS: _texts(bound.tables)} if bound.tables else {}
    for name in sorted(TITLED & set(scope.slots)):
        slot = scope.slots[name]
        if slot.type == "array" and texts:
            return [tables | _array(slot, texts)]
        if slot.type == "string" and texts:
            return [tables | {name: text} for text in texts]
        numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 19]
        if slot.type == "integer" and numbers:
            return [tables | {name: number} for number in numbers]
    return [tables]


def _array(slot: Slot, texts: list[str]) -> dict[str, Any]:
    if slot.item != "integer":
        return {slot.name: texts}
    return {slot.name: [int(t) for t in texts]} if all(t.isdecimal() for t in texts) else {}


def _texts(titles: Sequence[Title]) -> list[str]:
    return list(dict.fromkeys(title.text for title in titles))


def _identified(scope: Scope) -> dict[str, Any]:
    return {
        name: identified(slot, scope.reading, scope.clause, scope.free)
        for name, slot in scope.slots.items()
        if name.endswith("_id") and not name.endswith("env_id") and name not in TITLED
    }


def _chosen(scope: Scope) -> dict[str, Any]:
    return {
        name: chosen(slot, scope.reading, scope.clause, scope.free)
        for name, slot in scope.slots.items()
        if slot.choices
    }


def _counted(scope: Scope) -> dict[str, Any]:
    return {"limit": counted(scope.reading, scope.clause)} if "limit" in scope.slots else {}


def _messaged(scope: Scope) -> dict[str, Any]:
    """A quoted string that is no dashboard is the message."""
    if "message" not in scope.slots:
        return {}
    return {"message": quoted(scope.reading, scope.clause, scope.free)}


def _sought(scope: Scope) -> dict[str, Any]:
    if "query" not in scope.slots:
        return {}
    return {"query": sought(scope.definition, scope.reading, scope.clause, scope.free)}
