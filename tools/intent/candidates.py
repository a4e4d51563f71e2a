"""The tools that may be meant by a clause, and how well each fits."""

from collections.abc import Callable
from dataclasses import dataclass

from tools.definition import ToolDefinition
from tools.intent.clauses import STATE
from tools.intent.lexicons import Hit
from tools.intent.reading import Clause, Reading
from tools.intent.vocabulary import (
    ARTICLE,
    CHANGE,
    CONTRARY,
    DASHBOARD,
    DASHBOARDS,
    DATASET,
    ENVIRONMENT,
    FILLER,
    GREETING,
    HERE,
    HOW,
    MODAL,
    NEGATION,
    PLANNING,
    POLITE,
    READ,
    SEARCH,
    WHAT,
    vocabulary,
)

_DID = vocabulary("did does has is are was were")
_ONTO = vocabulary("на для on onto for over")
_STILL = vocabulary("still is are currently now")
_NEED = vocabulary("needs need must should нужен нужна нужно нужны надо требуется")
_PAST_OF = vocabulary("history истори* журнал*")
_GONE = vocabulary("""
    done finished over ready go gone готово готов* окончен* закончен* был была было was
    event events событи*
""")
"""What no command has: it tells what was, or asks for what is on record."""
_HERE = vocabulary("here тут здесь сюда")
PLAN = vocabulary("planned scheduled плановые плановое новый новое")

Blind = Callable[[int], bool]
"""Whether the word at a position calls for nothing."""


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
        did = reading.word(clause.start) in _DID
        questioned = did or (reading.word(clause.end) == "?" and not polite)
        return cls(
            reading,
            clause,
            lead,
            at,
            asking=lead in READ or questioned or any(reading.word(p) in _PAST_OF for p in places),
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
        actions = [h for h in actions if not _state(reading, h)]
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


def _state(reading: Reading, hit: Hit) -> bool:
    """Whether an action is none: «закрытые», the "open" of "open maintenance events"."""
    behind = {reading.word(hit.end), reading.word(hit.end + 1)}
    going = reading.word(hit.start).endswith("ing") and reading.word(hit.start - 1) in _STILL
    adjective = going or (reading.word(hit.start) == "open" and behind & {"events", "banners"})
    return bool(adjective) or STATE.fullmatch(reading.word(hit.start)) is not None


def _write(
    scene: Scene, definition: ToolDefinition, things: list[Hit], actions: list[Hit]
) -> int | None:
    """How well a tool that changes something fits; None: not at all."""
    rid = any(h.start <= scene.lead_at < h.end and h.end - h.start > 1 for h in actions)
    if scene.asking and not scene.how and not rid:
        return None  # to "get rid of" something is no question
    claimed = {p for hit in [*things, *actions] for p in range(hit.start, hit.end)}
    if any(position not in claimed for position in scene.contrary):
        return None if actions else 0
    if actions or not definition.lexicon.actions:
        return 3
    return 3 if _is_command(scene, things) or _bare(scene, definition, things) else 0


def _bare(scene: Scene, definition: ToolDefinition, things: list[Hit]) -> bool:
    """«Баннер на дашборд 5 до 18:00», "maintenance for dashboard 7": a command without a verb."""
    reading, places = scene.reading, range(scene.clause.start, scene.clause.end)
    first = things[0].start == reading.source.skip(scene.clause.start, ARTICLE, POLITE, PLAN)
    denied = any(
        reading.word(p) in NEGATION or (reading.word(p) in _GONE and not reading.spoken_for(p))
        for p in places
    )
    if not definition.lexicon.bare or scene.lead_at >= 0 or denied:
        return False
    if reading.word(scene.clause.end) == "?":
        return False
    ends = any(
        phrase.kind in ("until", "dependants") and phrase.start in places
        for phrase in reading.phrases
    )
    tokens = reading.source.tokens
    several = any(
        reading.word(p) in DASHBOARDS
        and (reading.word(p + 1).isdecimal() or tokens[p + 1].kind == "quote")
        for p in range(scene.clause.start, scene.clause.end - 1)
    )
    one = (
        several
        or any(
            reading.word(p) in _ONTO and reading.source.tokens[p + 1].kind == "quote"
            for p in range(scene.clause.start, scene.clause.end - 1)
            if not reading.spoken_for(p)
        )
        or any(reading.word(p) in DASHBOARD and reading.word(p) not in DASHBOARDS for p in places)
    )
    here = any(reading.word(p) in HERE for p in places)
    needed = any(reading.word(p) in _NEED for p in places)
    led = first and any(reading.word(p) in _ONTO or reading.word(p) in _HERE for p in places)
    one = one or (needed and any(tokens[p].kind == "quote" for p in places))
    return ends or ((led or needed) and (one or here))


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
