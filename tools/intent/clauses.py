"""A text cut into the things it asks for, one after the other."""

from dataclasses import dataclass, replace

from tools.intent.reading import Clause, Reading
from tools.intent.vocabulary import (
    AFTER,
    CHANGE,
    DASHBOARD,
    JOINING,
    NEGATION,
    POLITE,
    PREPOSITION,
    READ,
    SEARCH,
    SHOW,
    vocabulary,
)

HARD = frozenset(";.!?…\n")
"""Marks that end a sentence."""

TITLED = frozenset({"dashboard", "dashboards", "dashboard_id", "dashboard_ids"})
"""Names of arguments that are dashboards."""


_COMMANDS = CHANGE | SEARCH | SHOW
_WE = vocabulary("we we're we've i i've i'm everything all мы я все уже у because поскольку")
_PAST = ("лся", "лась", "лось", "лись")
"""How a Russian verb ends that tells what happened: «техработы закончились»."""
_OPEN = NEGATION | DASHBOARD | vocabulary("if when unless until after before если когда пока как")


@dataclass(frozen=True)
class _Part:
    """A stretch between two separators, and what is in it.

    Attributes:
        clause: Where it is.
        verb: It holds a verb.
        commands: It begins with a verb that acts, or searches.
        objects: It names what a tool is about.
        placed: It begins with a preposition.
        listing: A list of dashboards may go on behind it.
        aside: It says why, and asks for nothing: "we're reloading data", «всё починили».
        words: How many words it has besides niceties.
    """

    clause: Clause
    verb: bool = False
    commands: bool = False
    objects: bool = False
    placed: bool = False
    listing: bool = False
    aside: bool = False
    words: int = 0


def clauses(reading: Reading) -> list[Clause]:
    """Cut a text at its separators and join again what belongs together.

    "USA, Sales and Tasks" is one list, «покажи дашборды и окружения» are two requests: a part
    goes on with the one before it when it has no verb and no object of its own, when it begins
    with a preposition, or when a list of dashboards is open.
    """
    joined: list[_Part] = []
    for part in (_part(reading, clause) for clause in _stretches(reading)):
        before = joined[-1] if joined else None
        if before is not None and (_opens(before) or _goes_on(part, before)):
            joined[-1] = _join(before, part)
        else:
            joined.append(part)
    return [part.clause for part in joined]


def separates(reading: Reading, position: int) -> bool:
    """Whether a token stands between clauses, or between entries of a list."""
    token = reading.source.tokens[position]
    if position in reading.phrase_at:
        return False
    return token.word in JOINING or (
        token.kind == "mark" and (token.word in HARD or token.word == ",")
    )


def ends_list(reading: Reading, position: int) -> bool:
    """Whether no list goes on behind a token."""
    word = reading.word(position)
    return word in AFTER or word in HARD


def _stretches(reading: Reading) -> list[Clause]:
    found: list[Clause] = []
    start = 0
    size = len(reading.source.tokens)
    for position in range(size + 1):
        if position == size or separates(reading, position):
            if position > start:
                found.append(Clause(start, position))
            start = position + 1
    return found


def _part(reading: Reading, clause: Clause) -> _Part:
    places = [p for p in range(clause.start, clause.end) if not reading.spoken_for(p)]
    acting = [p for p in places if p in reading.verbs_at]
    verbs = [p for p in places if p in reading.verbs_at or _verb(reading.word(p))]
    first = verbs[0] if verbs else None
    commands = first is not None and not any(
        reading.word(p) in PREPOSITION for p in range(clause.start, first)
    )
    word = reading.word(first) if first is not None else ""
    commands = commands and not word.endswith(_PAST)
    lists = any(
        TITLED & set(reading.definitions[tool].arguments.model_fields)
        for p in acting
        for tool in reading.actions_at[p]
    )
    noun = any(reading.word(p) in DASHBOARD or reading.word(p) in PREPOSITION for p in places)
    return _Part(
        clause,
        verb=first is not None,
        commands=commands and (first in reading.verbs_at or word in _COMMANDS),
        objects=any(p in reading.objects_at for p in places),
        placed=reading.word(clause.start) in PREPOSITION,
        listing=lists and noun,
        aside=_aside(reading, clause),
        words=sum(not _nicety(reading, p) for p in range(clause.start, clause.end)),
    )


def _aside(reading: Reading, clause: Clause) -> bool:
    """Whether a part gives a reason; one with a name, a time or an "if" in it may be more."""
    places = range(clause.start, clause.end)
    first = next((p for p in places if not _nicety(reading, p)), clause.start)
    plain = all(
        p not in reading.phrase_at
        and p not in reading.objects_at
        and reading.source.tokens[p].kind in ("word", "mark")
        and reading.word(p) not in _OPEN
        and not reading.word(p).isdecimal()
        for p in places
    )
    command = reading.word(first) in _COMMANDS or first in reading.verbs_at
    return plain and reading.word(clause.end) != "?" and not command and reading.word(first) in _WE


def _nicety(reading: Reading, position: int) -> bool:
    return reading.word(position) in POLITE or reading.source.tokens[position].kind == "mark"


def _verb(word: str) -> bool:
    return word in READ or word in SEARCH or word in CHANGE


def _opens(part: _Part) -> bool:
    """Whether a part only leads to what follows: a greeting, «скажи», «на проде», "start and"."""
    if part.aside:
        return False
    if not part.objects and part.words <= 1:
        return True
    return not part.commands and (not part.objects or (part.placed and not part.verb))


def _goes_on(part: _Part, before: _Part) -> bool:
    if part.aside or before.aside:
        return False
    if part.commands:
        # «Здесь нужен баннер, поставь»: the verb comes last.
        return before.objects and not before.verb and not part.objects and part.words <= 1
    if not part.objects:
        return True
    return not part.verb and (part.placed or before.listing)


def _join(before: _Part, part: _Part) -> _Part:
    return replace(
        before,
        clause=Clause(before.clause.start, part.clause.end),
        verb=before.verb or part.verb,
        commands=before.commands or part.commands,
        objects=before.objects or part.objects,
        listing=before.listing or part.listing,
        words=before.words + part.words,
    )
