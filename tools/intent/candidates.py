"""The tools that may be meant by a clause, and how well each fits."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tools.definition import ToolDefinition
from tools.intent.lexicons import Hit
from tools.intent.reading import Clause, Reading
from tools.intent.vocabulary import (
    CHANGE,
    CONTRARY,
    DASHBOARD,
    DATASET,
    ENVIRONMENT,
    FILLER,
    GREETING,
    HOW,
    MODAL,
    NEGATION,
    PLANNING,
    POLITE,
    READ,
    SEARCH,
    WHAT,
)

Blind = Callable[[int], bool]
"""Whether the word at a position calls for nothing."""

# «закрытые», «запущено», "started": a state, not a command.
_STATE = re.compile(
    r"[а-я]+(?:нн|т|щ|вш)(?:ый|ая|ое|ые|ого|ых|ому|ым|ыми|ую|ой|ом)|[а-я]+(?:н|т)[оаы]|[a-z]+ed"
)


@dataclass(frozen=True)
class Scene:
    """What is said in a clause besides the lexicons.

    Attributes:
        reading: The text.
        clause: The clause.
        lead: Its first verb; else that of the clause before where it asks to be told.
        lead_at: Where that stands; -1: before the clause, or nowhere.
        asking: It is a question, or asks to be told: nothing is to be changed.
        how: It asks how something is done.
        negated: Its verb is denied.
        contrary: Positions of verbs that undo.
    """

    reading: Reading
    clause: Clause
    lead: str
    lead_at: int
    asking: bool
    how: bool
    negated: bool
    contrary: tuple[int, ...]

    @classmethod
    def of(cls, reading: Reading, clause: Clause, before: Clause | None = None) -> "Scene":
        """Look at a clause; the one before lends its verb when this one has none."""
        at = _lead(reading, clause)
        lead = reading.word(at) if at >= 0 else ""
        if at < 0 and before is not None:
            earlier = _lead(reading, before)
            lent = reading.word(earlier) if earlier >= 0 else ""
            lead = lent if lent in READ else ""
        places = range(clause.start, clause.end)
        polite = any(reading.word(p) in MODAL for p in places)
        questioned = reading.word(clause.end) == "?" and not polite
        return cls(
            reading,
            clause,
            lead,
            at,
            asking=lead in READ or questioned,
            how=at >= 0 and lead in HOW,
            negated=at > clause.start and reading.word(at - 1) in NEGATION,
            contrary=tuple(p for p in places if reading.word(p) in CONTRARY),
        )


@dataclass(frozen=True)
class Candidate:
    """A tool that may be meant.

    Attributes:
        definition: The tool.
        level: 3: its own action is there; 2: it reads, and something is asked for; 1: its object
            is there and that is enough; 0: its object is there, but not its action.
        weight: How telling its object is: an environment or a dashboard goes with many tools.
        first: Position of its first object.
        complete: Position by which its object and its action have been said.
    """

    definition: ToolDefinition
    level: int
    weight: float
    first: int
    complete: int

    @property
    def rank(self) -> tuple[int, float]:
        """What candidates are compared by."""
        return self.level, self.weight


def candidates(scene: Scene, blind: Blind, objects: Clause | None = None) -> list[Candidate]:
    """The tools whose objects are in a clause; in the order of their declaration.

    Args:
        scene: The clause.
        blind: Positions whose words call for nothing.
        objects: Where the objects are to be found instead.
    """
    if scene.negated:
        return []
    found = [
        candidate
        for definition in scene.reading.definitions.values()
        if (candidate := _candidate(scene, definition, blind, objects or scene.clause))
    ]
    acting = [candidate for candidate in found if candidate.level > 0]
    return acting or found


def _candidate(
    scene: Scene, definition: ToolDefinition, blind: Blind, where: Clause
) -> Candidate | None:
    reading, name = scene.reading, definition.name
    things = [h for h in reading.within("objects", name, where) if not blind(h.start)]
    if not things:
        return None
    actions = [h for h in reading.within("actions", name, scene.clause) if not blind(h.start)]
    writes = definition.effect == "write"
    if writes:
        actions = [h for h in actions if not _STATE.fullmatch(reading.word(h.start))]
    level = (
        _write(scene, definition, things, actions)
        if writes
        else _read(scene, definition, things, actions)
    )
    if level is None:
        return None
    weight = max(_weight(scene, hit) for hit in things)
    complete = max(things[0].end, actions[0].end if actions else 0) - 1
    return Candidate(definition, level, weight, things[0].start, complete)


def _write(
    scene: Scene, definition: ToolDefinition, things: list[Hit], actions: list[Hit]
) -> int | None:
    """How well a tool that changes something fits; None: not at all."""
    if scene.asking and not scene.how:
        return None
    claimed = {p for hit in [*things, *actions] for p in range(hit.start, hit.end)}
    if any(position not in claimed for position in scene.contrary):
        return None if actions else 0
    if actions or not definition.lexicon.actions:
        return 3
    return 3 if _is_command(scene, things) else 0


def _read(
    scene: Scene, definition: ToolDefinition, things: list[Hit], actions: list[Hit]
) -> int | None:
    """How well a tool that only reads fits; None where something else is to be done."""
    own = [hit for hit in actions if scene.reading.word(hit.start) not in READ]
    places = range(scene.clause.start, scene.clause.end)
    searches = "query" in definition.arguments.model_fields and any(
        scene.reading.word(p) in SEARCH for p in places
    )
    if own or searches or _is_command(scene, things):
        return 3
    claimed = any(hit.start <= scene.lead_at < hit.end for hit in [*things, *actions])
    changes = scene.lead in CHANGE or scene.lead in PLANNING
    if changes and not claimed and not scene.asking:
        return None
    asked = actions or scene.lead in READ or any(scene.reading.word(p) in READ for p in places)
    return 2 if asked else 1


def _is_command(scene: Scene, things: list[Hit]) -> bool:
    """Whether an object is a phrase with a verb in it, such as «создать дашборд»."""
    words = [
        scene.reading.word(p)
        for hit in things
        for p in range(hit.start, hit.end)
        if hit.end - hit.start > 1
    ]
    return any(word in CHANGE or word in SEARCH for word in words)


def _weight(scene: Scene, hit: Hit) -> float:
    """How telling an object is."""
    word = scene.reading.word(hit.start)
    if hit.end - hit.start > 1:
        return 4.0
    if word in MODAL:
        before = range(scene.clause.start, hit.start)
        return 3.5 if any(scene.reading.word(p) in WHAT for p in before) else 0.0
    if word in ENVIRONMENT:
        return 1.0
    if word in DASHBOARD or word in DATASET:
        return 2.0
    return 3.0


def _lead(reading: Reading, clause: Clause) -> int:
    """Position of the first verb, or -1."""
    leading = True
    for position in range(clause.start, clause.end):
        if reading.spoken_for(position):
            continue
        word = reading.word(position)
        if leading and word in PLANNING:
            return position
        leading = leading and (
            word in FILLER
            or word in POLITE
            or word in MODAL
            or word in GREETING
            or reading.source.tokens[position].kind == "mark"
        )
        hasty = word in HOW and reading.word(position + 1) == "можно"
        if hasty and reading.word(position + 2).startswith(("скор", "быстр")):
            continue
        if word in READ or word in SEARCH or word in CHANGE or position in reading.verbs_at:
            return position
    return -1
