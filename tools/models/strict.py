"""The main rule of writes: every word of the clause counts, or nothing is planned."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from tools.definition import ToolDefinition
from tools.intent.clauses import TITLED
from tools.intent.lexicons import Hit
from tools.intent.source import PhraseKind
from tools.intent.vocabulary import (
    ABOUT,
    ARTICLE,
    DASHBOARD,
    DASHBOARDS,
    EVERY,
    GREETING,
    HERE,
    JOINING,
    LABEL,
    LABELLED,
    LIGHT,
    MODAL,
    PARTICLE,
    POLITE,
    PREPOSITION,
    PRONOUN,
    THANKS,
    vocabulary,
)
from tools.intent.words import chunk
from tools.models.bindings import places
from tools.models.scope import NAMED, Scope, table_at
from tools.models.values import NOTHING, NOUNS, SYNONYMS

Code = Literal["words", "schedule", "every", "every-event", "places"]
"""Words were not understood; it is to begin later; "all" is no name; "all" is no event; it is not
clear what is meant in which environment."""

FILLERS = (
    *(ARTICLE, DASHBOARD, GREETING, HERE, JOINING, LABEL, LABELLED, MODAL, POLITE, PREPOSITION),
    *(PRONOUN, THANKS),
    vocabulary("""
        режим* событи* страниц* хочу хотел* хотелось хотелось нужно надо нужен необходимо прошу бы
        давай давайте снова опять еще же то просто прямо тогда так ну вот следующ* чтобы чтоб я ты
        mode event events page want need would like let's lets again just right then so well ok
        okay мог могла могли вы i we you is be do following immediately currently
        пользовател* user users readers viewers colleagues
        mind up kind so must should needs carry this one долой уже там same же being worked goes
        go work's этой таблиц* можно пора зрител* читател* viewers audience everybody readers
        people everyone folks людей коллег сотрудник* сначала сперва поэтому going that
        работы готово готовы done finished over ready we're we've i'm i'd as
    """),
)
"""Words of a command that change nothing about it."""

_EVERYTHING = EVERY | vocabulary("everything any любой любом любых весь остальн*")
_NUMBERS = vocabulary("two three four five six два две двух три трех четыре четырех пять пяти")
_FILTERS: frozenset[PhraseKind] = frozenset({"tag", "owner", "published", "limit", "other"})
_LATER: frozenset[PhraseKind] = frozenset({"when", "since"})


class Refusal(NamedTuple):
    """A clause that would write, and is not planned.

    Attributes:
        code: Why.
        words: What was not understood; nothing where that is no matter of words.
        definition: The tool that was meant.
        arguments: What was understood.
    """

    code: Code
    words: tuple[str, ...]
    definition: ToolDefinition
    arguments: dict[str, Any]


def refusal(scope: Scope, calls: list[dict[str, Any]]) -> Refusal | None:
    """Why a clause is not planned; None: it is understood to the last word.

    An unknown word where an id would stand is one: it is added to the only call.
    """
    if not calls:
        return Refusal("places", (), scope.definition, {})
    if scope.phrases("dependants") and not scope.tables:
        return Refusal("every", (), scope.definition, calls[0])
    left = _left(scope, calls)
    if _every(scope, left):
        code: Code = "every-event" if _of_events(scope, left) else "every"
        return Refusal(code, _runs(scope, left), scope.definition, calls[0])
    left = [p for p in left if not (_named(scope) and _counts(scope, p))]
    if _adopted(scope, calls, left) or not left:
        return None
    kinds = {phrase.kind for p in left if (phrase := scope.reading.phrase_at.get(p))}
    code = "schedule" if kinds & _LATER else "words"
    return Refusal(code, _runs(scope, left), scope.definition, calls[0])


def missed(scope: Scope, calls: Sequence[dict[str, Any]]) -> list[str]:
    """The phrases of a read that ask for something this tool cannot give."""
    tokens, text = scope.reading.source.tokens, scope.reading.source.text
    queries = " ".join(str(call.get("query", "")) for call in calls)
    found = [
        text[tokens[phrase.start].start : tokens[phrase.end - 1].end]
        for kind in sorted(_LATER | _FILTERS)
        if kind not in scope.kinds
        for phrase in scope.phrases(kind)
    ]
    return [words for words in found if words not in queries]


def _left(scope: Scope, calls: Sequence[dict[str, Any]]) -> list[int]:
    """The positions of the words that nothing has consumed."""
    name, reading = scope.definition.name, scope.reading
    used = set(scope.titled)
    for hit in (*reading.within("objects", name, scope.clause), *_actions(scope)):
        used |= set(range(hit.start, hit.end))
    if any(reading.word(h.start) in PARTICLE for h in _actions(scope)):
        used |= {p for p in scope.places if reading.word(p) in LIGHT}
    phrases = [*places(scope), *scope.phrases("dependants")]
    for kind in {NAMED[slot] for slot in scope.slots if slot in NAMED}:
        phrases = [*phrases, *scope.phrases(kind)[:1]]
    for phrase in phrases:
        used |= set(range(phrase.start, phrase.end))
    values = {str(value) for call in calls for value in call.values()}
    for position in scope.places:
        if position not in used and _valued(scope, position, values):
            text = chunk(reading.source.text, reading.source.tokens[position])
            end = reading.source.tokens[position].start + len(text)
            used |= set(range(position, reading.source.covered(position + 1, end)))
    asked = range(max(scope.clause.start, scope.clause.command), scope.clause.end)
    return [p for p in asked if p not in used and not _fills(scope, p)]


def _actions(scope: Scope) -> list[Hit]:
    return scope.reading.within("actions", scope.definition.name, scope.clause)


def _valued(scope: Scope, position: int, values: set[str]) -> bool:
    """Whether a word is the value of an argument, such as an id, a quoted message, a choice."""
    token = scope.reading.source.tokens[position]
    if token.kind == "mark":
        return False
    said = {token.text, token.word, chunk(scope.reading.source.text, token)}
    return bool(said & values) or any(
        token.word in SYNONYMS.get(choice, NOTHING)
        for slot in scope.slots.values()
        for choice in slot.choices
    )


def _fills(scope: Scope, position: int) -> bool:
    reading = scope.reading
    token = reading.source.tokens[position]
    phrase = reading.phrase_at.get(position)
    if phrase is not None and phrase.kind in _LATER | _FILTERS:
        return False
    if token.kind == "mark" or (token.kind == "quote" and not token.text):
        return True
    numbered = token.word.isdecimal() and reading.word(position + 1) == "."
    if numbered and position and reading.word(position - 1) == "\n":
        return True
    if token.word == "не" and reading.word(position + 1) in ("могли", "мог", "могла"):
        return True
    table = bool(scope.tables) and table_at(reading, position)
    return table or any(token.word in words for words in FILLERS)


def _every(scope: Scope, left: Sequence[int]) -> bool:
    """Whether things are meant that nobody named: "all dashboards", «дашборды про продажи»."""
    word = scope.reading.word
    if any(word(t.start) in _EVERYTHING and t.text[:1].islower() for t in scope.titles):
        return True
    begins = [scope.reading.phrase_at.get(t.start) for t in scope.titles]
    if any(
        p is not None and p.kind in _FILTERS and word(p.start - 1) in DASHBOARDS for p in begins
    ):
        return True
    if not TITLED & set(scope.slots):
        return False
    named = _named(scope)
    for position in scope.places:
        behind = word(position + 1)
        if word(position) in DASHBOARDS and behind in ABOUT and behind not in LABEL:
            return True
    for position in left:
        phrase = scope.reading.phrase_at.get(position)
        filters = phrase is not None and phrase.kind in _FILTERS
        if not named and (filters or _counts(scope, position)):
            return True
    return False


def _counts(scope: Scope, position: int) -> bool:
    """Whether a word says how many of the things there are: "all", "both", "three"."""
    word = scope.reading.word(position)
    number = word.isdecimal() or word in _NUMBERS
    if position in scope.reading.phrase_at or not (number or word in _EVERYTHING):
        return False
    return _nouns(scope, position + 1, last=not number)


def _nouns(scope: Scope, position: int, *, last: bool) -> bool:
    """Whether what the tool is about follows, or, with `last`, nothing does."""
    reading = scope.reading
    while position < scope.clause.end and (
        reading.word(position) in HERE
        or reading.word(position) in ARTICLE
        or reading.word(position) in _EVERYTHING
        or reading.word(position) == "of"
        or reading.word(position) in _NUMBERS
        or reading.word(position).isdecimal()
    ):
        position += 1
    if position >= scope.clause.end or reading.spoken_for(position):
        return last
    known = scope.definition.name in reading.objects_at.get(position, ())
    return known or reading.word(position) in DASHBOARD


def _named(scope: Scope) -> bool:
    """Whether things are named beyond doubt, so that "both" and "all three" only count them."""
    tokens = scope.reading.source.tokens
    if scope.tables and not scope.titles:
        return True
    return bool(scope.titles) and (
        scope.reading.word(scope.titles[0].start - 1) == ":"
        or all(t.text.isdecimal() or tokens[t.start].kind == "quote" for t in scope.titles)
        or any(scope.reading.word(p) in _BOTH for p in scope.places)
    )


_BOTH = vocabulary("both оба обе обоих обеих")


def _of_events(scope: Scope, left: Sequence[int]) -> bool:
    """Whether "all" counts what has an id of its own: "end all maintenance"."""
    return any(name.endswith("event_id") for name in scope.slots)


def _adopted(scope: Scope, calls: list[dict[str, Any]], left: Sequence[int]) -> bool:
    """Whether the only unknown word stands where an id would: "end maintenance foo"."""
    names = [
        n for n in scope.slots if n.endswith("_id") and not n.endswith("env_id") and n not in TITLED
    ]
    if len(names) != 1 or not left or scope.titles or any(names[0] in call for call in calls):
        return False
    reading, first = scope.reading, left[0]
    token = reading.source.tokens[first]
    text = token.text if token.kind == "quote" else chunk(reading.source.text, token)
    objects = reading.within("objects", scope.definition.name, scope.clause)
    before = first - 1
    while before > scope.clause.start and _between(scope, before):
        before -= 1
    whole = reading.source.covered(first + 1, token.start + len(text)) > left[-1]
    if not whole or before not in {hit.end - 1 for hit in objects} or first in reading.phrase_at:
        return False
    for call in calls:
        call[names[0]] = text
    return True


def _between(scope: Scope, position: int) -> bool:
    """Whether a word may stand between the noun and its id."""
    word = scope.reading.word(position)
    known = scope.definition.name in scope.reading.objects_at.get(position, ())
    return not known and (word in LABEL or word == ":" or word in NOUNS["event"])


def _runs(scope: Scope, left: Sequence[int]) -> tuple[str, ...]:
    """The words at these positions as they were typed, those together that stand together."""
    runs: list[list[int]] = []
    for position in left:
        if runs and all(_fills(scope, p) for p in range(runs[-1][-1] + 1, position)):
            runs[-1].append(position)
        else:
            runs.append([position])
    tokens, text = scope.reading.source.tokens, scope.reading.source.text
    return tuple(text[tokens[run[0]].start : tokens[run[-1]].end] for run in runs)
