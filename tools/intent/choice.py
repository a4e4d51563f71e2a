"""Which tool a clause asks for. An action beats an object; a write needs a plain command."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tools.definition import ToolDefinition
from tools.intent.candidates import Candidate, Scene, candidates
from tools.intent.reading import Clause, Reading
from tools.intent.titles import Titles
from tools.intent.vocabulary import (
    ABOUT,
    CHANGE,
    DASHBOARD,
    PLACE,
    PLANNING,
    POLITE,
    PREPOSITION,
    PRONOUN,
    READ,
    SEARCH,
    vocabulary,
)
from tools.intent.words import Token, normalise, tokenise

Kind = Literal["call", "ask", "how", "cannot", "none"]
"""One tool is meant; several fit; somebody asks how it is done; the thing is known, but not what
is to be done with it; none is meant."""

Blind = Callable[[int], bool]


@dataclass(frozen=True)
class Choice:
    """What a clause asks for.

    Attributes:
        kind: What is to be done.
        tools: The tool that is meant, or those that fit.
        carried: The object was named in the clause before: «…, потом заверши его».
        exact: The words are the tool's own example.
        verb: What cannot be done.
    """

    kind: Kind
    tools: tuple[ToolDefinition, ...] = ()
    carried: bool = False
    exact: bool = False
    verb: str = ""


NONE = Choice("none")
_ONES = vocabulary("ones only")
_ALL = vocabulary("everything anything all всё все")


def choose(reading: Reading, clause: Clause, before: Clause | None = None) -> Choice:
    """Choose the tool of a clause.

    Args:
        reading: The text and the tools in question.
        clause: The clause.
        before: The clause before it: its verb counts on («покажи дашборды и окружения»), and its
            object where a pronoun stands for it.
    """
    scene = Scene.of(reading, clause, before)
    spoken = _example(reading, clause)
    if spoken is not None:
        return Choice("call", (spoken,), exact=True)
    titled = _title_positions(reading, clause, scene)
    # Titles call for nothing, unless nothing is left then; nor do names of environments.
    for blind in (
        lambda p: p in titled or reading.spoken_for(p),
        reading.spoken_for,
        lambda _: False,
    ):
        found = candidates(scene, blind)
        if found:
            return _decide(reading, clause, scene, found)
    return _without_object(reading, clause, scene, before)


def _decide(reading: Reading, clause: Clause, scene: Scene, found: Sequence[Candidate]) -> Choice:
    """The best candidate; of equals the one that is complete before the title begins."""
    best = _best(found)
    if len(best) > 1:
        first = min(best, key=lambda candidate: candidate.complete)
        opaque = _opaque(reading, clause, first)
        again = candidates(scene, lambda p: p in opaque or reading.spoken_for(p))
        best = _best(again) or best
    if scene.how and any(candidate.definition.effect == "write" for candidate in best):
        return Choice("how", tuple(c.definition for c in best if c.definition.effect == "write"))
    if len(best) > 1 and scene.lead in READ:  # "which tool can …", «какие задачи …»
        best = [c for c in best if c.first == scene.lead_at + 1] or best
    acting = [candidate for candidate in best if candidate.level > 0]
    if len(acting) == 1 == len(best):
        return Choice("call", (acting[0].definition,))
    tools = tuple(candidate.definition for candidate in best)
    if not acting and (scene.lead in CHANGE or scene.lead in PLANNING):
        return Choice("cannot", tools, verb=scene.lead)
    return Choice("ask", tools)


def _best(found: Iterable[Candidate]) -> list[Candidate]:
    ranks = sorted({candidate.rank for candidate in found}, reverse=True)
    return [candidate for candidate in found if candidate.rank == ranks[0]] if ranks else []


def _title_positions(reading: Reading, clause: Clause, scene: Scene) -> set[int]:
    """Where titles stand whatever the tool: they end at verbs, and at "under maintenance"."""

    def stop(position: int) -> bool:
        word = reading.word(position)
        verb = word in READ or word in SEARCH or word in CHANGE
        leads = reading.word(position - 1) if position > clause.start else ""
        led = leads in PREPOSITION and leads not in ABOUT and position in reading.objects_at
        return verb or led or position in reading.actions_at

    titles = Titles(reading, clause, stop)
    places = set[int]()
    for noun in range(clause.start, clause.end):
        if reading.word(noun) in DASHBOARD:
            for title in titles.behind(noun):
                places.update(range(title.start, title.end))
    return places


def _opaque(reading: Reading, clause: Clause, first: Candidate) -> set[int]:
    """The titles of a tool whose action and object stand before them."""
    end = first.complete

    def stop(position: int) -> bool:
        known = reading.objects_at.get(position, set()) | reading.actions_at.get(position, set())
        return position <= end and first.definition.name in known

    titles = Titles(reading, clause, stop).all()
    return {p for title in titles if title.start > end for p in range(title.start, title.end)}


def _example(reading: Reading, clause: Clause) -> ToolDefinition | None:
    """The tool that has these very words as its example."""
    words = _words(reading.source.tokens[clause.start : clause.end])
    if len(words) > 20:
        return None
    for definition in reading.definitions.values():
        if any(_words(tokenise(normalise(said))) == words for said in definition.examples.values()):
            return definition
    return None


def _words(tokens: Iterable[Token]) -> list[str]:
    return [token.word for token in tokens if token.kind == "word"]


def _empty(word: str) -> bool:
    """Whether a word names nothing to be found: "find it for me"."""
    return word in PRONOUN or word in POLITE or word in PREPOSITION


def _without_object(
    reading: Reading, clause: Clause, scene: Scene, before: Clause | None
) -> Choice:
    """«Найди продажи» searches; «заверши его» means what the clause before named."""
    if scene.lead in SEARCH and not scene.negated:
        found = [d for d in reading.definitions.values() if "query" in d.arguments.model_fields]
        named = any(
            p != scene.lead_at and not _empty(reading.word(p))
            for p in range(clause.start, clause.end)
        )
        if len(found) == 1 and named:
            return Choice("call", tuple(found))
    filtered = _filtered(reading, clause)
    if filtered is not None and not scene.negated:
        return Choice("call", (filtered,))
    if before is None or scene.lead in SEARCH or not _pronoun(reading, clause):
        return NONE
    carried = candidates(scene, lambda _: False, objects=before)
    best = [candidate for candidate in _best(carried) if candidate.level >= 3]
    return Choice("call", (best[0].definition,), carried=True) if len(best) == 1 else NONE


def _filtered(reading: Reading, clause: Clause) -> ToolDefinition | None:
    """The tool that searches, where the words can only narrow a search: "what did Ann build?"."""
    kinds = {p.kind for p in reading.phrases if clause.start <= p.start < clause.end}
    told = any(
        reading.word(p) in READ or reading.word(p) in _ONES for p in range(clause.start, clause.end)
    )
    narrowing = kinds & {"owner", "tag"} or ("published" in kinds and told)
    changed = "since" in kinds and any(
        reading.word(p) in _ALL for p in range(clause.start, clause.end)
    )
    changes = any(reading.word(p) in CHANGE for p in range(clause.start, clause.end))
    found = [d for d in reading.definitions.values() if "query" in d.arguments.model_fields]
    return found[0] if (narrowing or changed) and not changes and len(found) == 1 else None


def _pronoun(reading: Reading, clause: Clause) -> bool:
    """Whether a clause leaves its object out: «заверши его», «заверши на Ops»."""
    short = clause.end - clause.start <= 6
    words = (reading.word(position) for position in range(clause.start, clause.end))
    placed = reading.word(clause.start + 1) in PLACE
    return placed or (short and any(word in PRONOUN for word in words))
