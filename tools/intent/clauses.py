"""A text cut into the things it asks for, one after the other."""

import re
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
    PRONOUN,
    READ,
    SEARCH,
    SHOW,
    TABLE,
    vocabulary,
)

# «закрытые», «запущено», "started": a state, not a command.
STATE = re.compile(
    r"[а-я]+(?:нн|т|щ|вш)(?:ый|ая|ое|ые|ого|ых|ому|ым|ыми|ую|ой|ом)|[а-я]+(?:н|т)[оаы]|[a-z]+ed"
)
HARD = frozenset(";.!?…\n")
"""Marks that end a sentence."""

TITLED = frozenset({"dashboard", "dashboards", "dashboard_id", "dashboard_ids"})
"""Names of arguments that are dashboards."""


_COMMANDS = CHANGE | SEARCH | SHOW
WE = vocabulary(
    "we we're we've i i've i'm it's everything everything's all мы я все уже у because поскольку"
)
_PAST = ("лся", "лась", "лось", "лись")
"""How a Russian verb ends that tells what happened: «техработы закончились»."""
_ENDED = vocabulary(
    "reload reloaded went is are was were has have it's that's complete completed "
    "прошла прошел прошло залили перезалили"
)
_DONE = vocabulary("done finished through закончили закончил починили починил готово")
_SHALL = vocabulary("будем буду собираемся")
_THEREFORE = vocabulary("so поэтому потому")
_SO = vocabulary("— – so поэтому")
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
        pronoun: It only points at what it is about.
        state: It tells that something is over, or has begun: «работы закончены».
        numbered: It begins, or ends, with a number or a title in quotes.
    """

    clause: Clause
    verb: bool = False
    commands: bool = False
    objects: bool = False
    placed: bool = False
    listing: bool = False
    aside: bool = False
    words: int = 0
    pronoun: bool = False
    numbered: bool = False
    state: bool = False


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
    return _with_reasons(reading, [part.clause for part in joined])


def _with_reasons(reading: Reading, parts: list[Clause]) -> list[Clause]:
    """So "we're reloading orders, so warn on every dashboard that uses it": the reason names it."""
    found: list[Clause] = []
    for part in parts:
        pointing = any(
            phrase.kind == "dependants" and phrase.value and part.start <= phrase.start < part.end
            for phrase in reading.phrases
        )
        if not pointing:
            found.append(Clause(part.start, part.end, _behind_reason(reading, part)))
        elif found and _tells_why(reading, found[-1]):
            found[-1] = Clause(found[-1].start, part.end, part.start)
        else:
            found.append(Clause(part.start, part.end, _behind_dash(reading, part)))
    return found


def _behind_reason(reading: Reading, clause: Clause) -> int:
    """Where the command begins behind «мы меняем счётчики, поэтому …»; else 0."""
    for position in range(clause.start + 1, clause.end):
        if reading.word(position) in _THEREFORE and reading.word(position - 1) == ",":
            before = range(clause.start, position)
            plain = all(
                reading.word(p) not in _OPEN and p not in reading.objects_at
                for p in before
                if reading.source.tokens[p].kind in ("word", "mark")
            )
            return position + 1 if plain else 0
    return 0


def _tells_why(reading: Reading, clause: Clause) -> bool:
    """Whether a clause names a table and asks for nothing."""
    words = [reading.word(p) for p in range(clause.start, clause.end)]
    asks = reading.word(clause.end) == "?" or any(w in _OPEN or w in _COMMANDS for w in words)
    return not asks and any(word in TABLE or "_" in word for word in words)


def _behind_dash(reading: Reading, clause: Clause) -> int:
    """Where the command begins behind «перезаливаем orders — »; the start where it does not."""
    for position in range(clause.start, clause.end):
        if reading.word(position) in _SO:
            before = Clause(clause.start, position)
            return position + 1 if _tells_why(reading, before) else clause.start
    tables = [p for p in range(clause.start, clause.end) if reading.word(p) in TABLE]
    for position in range(tables[0] + 1 if tables else clause.end, clause.end):
        if position in reading.verbs_at and not STATE.fullmatch(reading.word(position)):
            return position
    return clause.start


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
    free = [p for p in places if not _environment(reading, p)]  # of "set-main" no "set"
    acting = [p for p in free if p in reading.verbs_at]
    verbs = [
        p
        for p in free
        if _verb(reading.word(p))
        or (p in reading.verbs_at and not STATE.fullmatch(reading.word(p)))
    ]
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
        state=any(p in reading.actions_at and STATE.fullmatch(reading.word(p)) for p in places),
        numbered=any(
            reading.word(p).isdecimal() or reading.source.tokens[p].kind == "quote"
            for p in (clause.start, clause.end - 1)
        ),
        pronoun=any(reading.word(p) in PRONOUN for p in places)
        and not any(p in reading.objects_at for p in places),
        words=sum(not _nicety(reading, p) for p in places),
    )


def _environment(reading: Reading, position: int) -> bool:
    phrase = reading.phrase_at.get(position)
    return phrase is not None and phrase.kind == "environment"


def _aside(reading: Reading, clause: Clause) -> bool:
    """Whether a part gives a reason; one with a name, a time or an "if" in it may be more."""
    places = range(clause.start, clause.end)
    first = next((p for p in places if not _nicety(reading, p)), clause.start)
    told = reading.word(first) in WE and reading.word(first + 1) in _DONE
    if told and not any(
        reading.source.tokens[p].kind == "quote" or reading.word(p).isdecimal() for p in places
    ):
        return True
    plain = all(
        p not in reading.phrase_at
        and "_" not in reading.word(p)
        and p not in reading.objects_at
        and reading.source.tokens[p].kind in ("word", "mark")
        and reading.word(p) not in _OPEN
        and not reading.word(p).isdecimal()
        for p in places
    )
    command = reading.word(first) in _COMMANDS or first in reading.verbs_at
    ours = reading.word(first) in WE or any(_states(reading.word(p)) for p in places)
    return plain and reading.word(clause.end) != "?" and not command and ours


def _states(word: str) -> bool:
    """Whether a verb tells what is or was: «данные догрузились», "the reload went through"."""
    past = len(word) > 5 and word.endswith((*_PAST, "или", "али", "ели", "яли", "шли"))
    return past or word in _SHALL or word in _ENDED


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
    if part.commands and part.pronoun and before.objects and not before.verb:
        return True  # «Техработы на X окончены, закрывай их»
    if part.commands:
        # «Здесь нужен баннер, поставь»: the verb comes last.
        late = before.objects and not before.verb and not before.state
        return late and not part.objects and part.words <= 1
    if not part.objects:
        return True
    if part.numbered and before.numbered and not part.commands:
        return True  # "dashboards 12 and 47 into maintenance"
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
