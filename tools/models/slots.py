"""The arguments of a call, from the words of its clause. What is not said is left out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tools.definition import ToolDefinition
from tools.intent.clauses import TITLED, separates
from tools.intent.reading import Clause, Reading
from tools.intent.source import Phrase, PhraseKind
from tools.intent.titles import Title, Titles
from tools.intent.vocabulary import CHANGE, EVERY, READ, SEARCH
from tools.models.queries import sought
from tools.models.schema import Slot, slots
from tools.models.values import chosen, counted, identified, quoted

NAMED: Mapping[str, PhraseKind] = {
    "message": "message",
    "text": "message",
    "ends_at": "until",
    "until": "until",
    "changed_since": "since",
    "since": "since",
    "tag": "tag",
    "owner": "owner",
    "published": "published",
    "limit": "limit",
    "offset": "offset",
}
"""Arguments that a phrase of the text fills."""

ROLES: Mapping[str, frozenset[str]] = {
    "source_env_id": frozenset({"из", "с", "со", "from"}),
    "target_env_id": frozenset({"в", "во", "на", "к", "to", "into"}),
}
"""Prepositions that tell one environment from the other."""


@dataclass(frozen=True)
class Scope:
    """A clause and the tool it calls for.

    Attributes:
        reading: The text.
        clause: The clause.
        definition: The tool.
        slots: Its arguments.
        titles: The dashboards that are named, where the tool takes any.
    """

    reading: Reading
    clause: Clause
    definition: ToolDefinition
    slots: Mapping[str, Slot]
    titles: tuple[Title, ...]

    def phrases(self, kind: PhraseKind) -> list[Phrase]:
        """The phrases of a kind inside the clause that are no part of a title."""
        return [
            phrase
            for phrase in self.reading.phrases
            if phrase.kind == kind
            and self.clause.start <= phrase.start < self.clause.end
            and phrase.start not in self.titled
        ]

    @cached_property
    def titled(self) -> frozenset[int]:
        """The positions of the titles."""
        return frozenset(p for title in self.titles for p in range(title.start, title.end))


def fill(definition: ToolDefinition, reading: Reading, clause: Clause) -> list[dict[str, Any]]:
    """The arguments of each call: one, or one for every environment that is named."""
    scope = _scope(definition, reading, clause)
    arguments: dict[str, Any] = {}
    for read in (_phrased, _titled, _identified, _chosen, _counted, _messaged, _sought):
        for name, value in read(scope).items():
            if value is not None:
                arguments.setdefault(name, value)
    return [
        arguments | environment | title
        for environment in _environments(scope)
        for title in _one_by_one(scope)
    ]


def _scope(definition: ToolDefinition, reading: Reading, clause: Clause) -> Scope:
    arguments = slots(definition.arguments)
    titles = _titles(definition, reading, clause) if TITLED & set(arguments) else ()
    return Scope(reading, clause, definition, arguments, titles)


def _titles(definition: ToolDefinition, reading: Reading, clause: Clause) -> tuple[Title, ...]:
    """The dashboards of a clause; what is behind the tool's action and object is all title."""
    objects = reading.within("objects", definition.name, clause)[:1]
    actions = reading.within("actions", definition.name, clause)[:1]
    said = [hit.end for hit in (*objects, *actions)]
    complete = max(said, default=clause.end) if len(said) == 2 else clause.end

    def stop(position: int) -> bool:
        if position >= complete:
            return False
        word = reading.word(position)
        verb = word in READ or word in SEARCH or word in CHANGE
        known = reading.objects_at.get(position, set()) | reading.actions_at.get(position, set())
        return verb or definition.name in known

    return tuple(Titles(reading, clause, stop).all()) or _every(definition, reading, clause)


def _every(definition: ToolDefinition, reading: Reading, clause: Clause) -> tuple[Title, ...]:
    """«Все обслуживания» is not the one of the page: said as it is, so that somebody asks."""
    for hit in reading.within("objects", definition.name, clause)[:1]:
        if hit.start > clause.start and reading.word(hit.start - 1) in EVERY:
            first, last = reading.source.tokens[hit.start - 1], reading.source.tokens[hit.end - 1]
            return (Title(reading.source.text[first.start : last.end], hit.start - 1, hit.end),)
    return ()


def _phrased(scope: Scope) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, kind in NAMED.items():
        phrases = scope.phrases(kind) if name in scope.slots else []
        if phrases:
            found[name] = phrases[0].value
    return found


def _environments(scope: Scope) -> list[dict[str, Any]]:
    """The environments that are named: of several each its own call, unless they have roles."""
    names = [n for n in scope.slots if n == scope.definition.target or n.endswith("env_id")]
    phrases = scope.phrases("environment") if names else []
    phrases = _sure(phrases, scope.reading) or phrases[:1]
    phrases = [p for p in phrases if p.value is not None]
    if not phrases:
        return [{}]
    if len(names) > 1:
        return [_by_role(names, phrases)]
    values: list[Any] = []
    for phrase in phrases:
        values += phrase.value if isinstance(phrase.value, tuple) else [phrase.value]
    return [{names[0]: value} for value in dict.fromkeys(values)] or [{}]


def _sure(phrases: list[Phrase], reading: Reading) -> list[Phrase]:
    """The environments that can hardly mean anything else: "on dev and prod" are both."""
    found: list[Phrase] = []
    for phrase in phrases:
        joined = found and all(separates(reading, p) for p in range(found[-1].end, phrase.start))
        if phrase.sure or joined:
            found.append(phrase)
    return found


def _by_role(names: list[str], phrases: list[Phrase]) -> dict[str, Any]:
    """The source and the target by their prepositions, else in their order."""
    left = list(phrases)
    found: dict[str, Any] = {}
    for name in names:
        roles = ROLES.get(name, frozenset())
        fits = next((p for p in left if p.preposition in roles), None)
        if fits is not None:
            found[name] = fits.value
            left.remove(fits)
    for name in names:
        if name not in found and left:
            found[name] = left.pop(0).value
    return found


def _titled(scope: Scope) -> dict[str, Any]:
    texts = list(dict.fromkeys(title.text for title in scope.titles))
    for name in TITLED & set(scope.slots):
        slot = scope.slots[name]
        if slot.type == "array" and texts:
            whole = slot.item != "integer" or all(text.isdecimal() for text in texts)
            if whole:
                return {name: [int(t) for t in texts] if slot.item == "integer" else texts}
    return {}


def _one_by_one(scope: Scope) -> list[dict[str, Any]]:
    """A tool that takes one dashboard is called for each."""
    for name in sorted(TITLED & set(scope.slots)):
        slot = scope.slots[name]
        texts = list(dict.fromkeys(title.text for title in scope.titles))
        if slot.type == "string" and texts:
            return [{name: text} for text in texts]
        numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 19]
        if slot.type == "integer" and numbers:
            return [{name: number} for number in numbers]
    return [{}]


def _free(scope: Scope) -> Callable[[int], bool]:
    """Whether a position belongs to no title and to no phrase that this tool uses."""
    kinds = {kind for name, kind in NAMED.items() if name in scope.slots} | {"environment"}

    def free(position: int) -> bool:
        phrase = scope.reading.phrase_at.get(position)
        taken = phrase is not None and (phrase.kind in kinds or scope.reading.spoken_for(position))
        return position not in scope.titled and not taken

    return free


def _identified(scope: Scope) -> dict[str, Any]:
    return {
        name: identified(slot, scope.reading, scope.clause, _free(scope))
        for name, slot in scope.slots.items()
        if name.endswith("_id") and not name.endswith("env_id") and name not in TITLED
    }


def _chosen(scope: Scope) -> dict[str, Any]:
    return {
        name: chosen(slot, scope.reading, scope.clause, _free(scope))
        for name, slot in scope.slots.items()
        if slot.choices
    }


def _counted(scope: Scope) -> dict[str, Any]:
    return {"limit": counted(scope.reading, scope.clause)} if "limit" in scope.slots else {}


def _messaged(scope: Scope) -> dict[str, Any]:
    """A quoted string that is no dashboard is the message."""
    if "message" not in scope.slots:
        return {}
    return {"message": quoted(scope.reading, scope.clause, _free(scope))}


def _sought(scope: Scope) -> dict[str, Any]:
    if "query" not in scope.slots:
        return {}
    return {"query": sought(scope.definition, scope.reading, scope.clause, _free(scope))}
