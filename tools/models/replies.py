"""An answer to a question of the turn before: the call is made again, with the answer in it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tools.definition import ToolDefinition
from tools.intent.clauses import TITLED
from tools.intent.reading import Clause, Reading
from tools.intent.titles import Title, Titles
from tools.intent.vocabulary import (
    ABOUT,
    CHANGE,
    DASHBOARD,
    DASHBOARDS,
    FILLER,
    LABEL,
    NO,
    NO_MORE,
    POLITE,
    PREPOSITION,
    READ,
    SEARCH,
    YES,
    Vocabulary,
)
from tools.models.conversation import Question
from tools.models.following import Planned
from tools.models.offers import pointed, takes_all, titled
from tools.models.schema import Slot, coerce, slots
from tools.models.scope import DATASETS, NAMED
from tools.models.slots import fill
from tools.models.strict import Code, Refusal
from tools.models.values import chosen, quoted

_FILTERS = frozenset({"since", "tag", "owner", "published", "limit", "offset", "other"})
_NUMBER = re.compile(r"-?\d{1,18}")


def only(reading: Reading, words: Vocabulary) -> bool:
    """Whether a text has words, and all of them are these."""
    said = [token.word for token in reading.source.tokens if token.kind != "mark"]
    return 0 < len(said) <= 6 and all(word in words for word in said)


def agrees(reading: Reading) -> bool:
    """Whether a text says yes and nothing else."""
    return only(reading, YES)


def declines(reading: Reading) -> bool:
    """Whether a text says no and nothing else."""
    words = {token.word for token in reading.source.tokens}
    return only(reading, NO | NO_MORE) and any(word in NO for word in words)


def reads_as_answer(reading: Reading, question: Question) -> bool:
    """Whether a text is rather an answer than a request: it has no verb, but says something."""
    tokens = reading.source.tokens
    words = [p for p, token in enumerate(tokens) if token.kind != "mark"]
    if any(_verb(reading, position) for position in words) or _requests(reading, words, question):
        return False
    if question.slot in TITLED and any(reading.word(p) in DASHBOARD for p in words):
        return bool(_titles(reading))
    return any(
        p in reading.phrase_at or not (p in reading.objects_at or _fills(reading.word(p)))
        for p in words
    )


def _requests(reading: Reading, words: Sequence[int], question: Question) -> bool:
    """Whether a text without a verb asks for something new: "dashboards about regions"."""
    asked = NAMED.get(question.slot)
    if any(phrase.kind in _FILTERS and phrase.kind != asked for phrase in reading.phrases):
        return True
    placed = any(phrase.kind == "environment" for phrase in reading.phrases)
    nouns = [p for p in words if p in reading.objects_at and p not in reading.phrase_at]
    many = [p for p in nouns if reading.word(p) in DASHBOARDS]
    others = [p for p in nouns if reading.word(p) not in DASHBOARD]
    if placed and any(reading.source.tokens[p].text.islower() for p in others):
        return True
    if not many:
        return False
    titles = _named(reading)
    sure = len(titles) > 1 or any(_certain(reading, title) for title in titles)
    behind = reading.word(many[0] + 1)
    return placed or not sure or (behind in ABOUT and behind not in LABEL)


def _certain(reading: Reading, title: Title) -> bool:
    """Whether a title is an id, quoted, or written like one."""
    quoted_ = reading.source.tokens[title.start].kind == "quote"
    return quoted_ or title.text.isdecimal() or title.text[:1].isupper()


def answered(
    reading: Reading, question: Question, definitions: Mapping[str, ToolDefinition]
) -> Planned | Refusal | None:
    """The call of a question with its answer; None when the text is none, or the tool is gone."""
    definition = definitions.get(question.call["name"])
    slot = slots(definition.arguments).get(question.slot) if definition else None
    if definition is None or slot is None or not reading.source.tokens:
        return None
    refused = _refused(reading, question, definition)
    if refused is not None:
        return refused
    arguments = dict(question.call["args"])
    said = _said(reading, definition)
    if not slot.name.endswith("env_id") and definition.target in said and _only_place(reading):
        return Planned(definition.name, arguments | said)
    value = _offered(slot, reading, question) or _value(slot, reading, definition)
    if value is None:
        return None
    current = arguments.get(slot.name)
    if isinstance(current, list) and question.value in current and isinstance(value, list):
        at = current.index(question.value)
        value = [*current[:at], *value, *current[at + 1 :]]
    return Planned(definition.name, arguments | said | {slot.name: value})


def _refused(reading: Reading, question: Question, definition: ToolDefinition) -> Refusal | None:
    """Why an answer is not taken: it means "all", or it sets a time to begin."""
    named = question.slot in TITLED or question.slot == DATASETS
    if takes_all(reading) and (named or question.slot == "event_id"):
        code: Code = "every" if named else "every-event"
        return Refusal(code, (), definition, {})
    later = [p for p in reading.phrases if p.kind in ("when", "since")]
    if definition.effect == "write" and later and (named or question.slot.endswith("_id")):
        tokens, text = reading.source.tokens, reading.source.text
        words = tuple(text[tokens[p.start].start : tokens[p.end - 1].end] for p in later)
        return Refusal("schedule", words, definition, dict(question.call["args"]))
    return None


def _said(reading: Reading, definition: ToolDefinition) -> dict[str, Any]:
    """What an answer says by the way: an environment, an end, a message."""
    whole = Clause(0, len(reading.source.tokens))
    made = fill(definition, reading, whole)
    kinds = {phrase.kind for phrase in reading.phrases}
    names = {name for name, kind in NAMED.items() if kind in kinds} | {definition.target}
    return {name: value for name, value in made[0].items() if name in names} if made else {}


def _only_place(reading: Reading) -> bool:
    """Whether a text names an environment and nothing else."""
    return all(
        (phrase := reading.phrase_at.get(position)) is not None
        and phrase.kind == "environment"
        and isinstance(phrase.value, str)
        for position, token in enumerate(reading.source.tokens)
        if token.kind != "mark" and not _fills(token.word)
    )


def _offered(slot: Slot, reading: Reading, question: Question) -> Any:
    """The offer that an answer takes: "the second one", or its title."""
    found = pointed(reading, question.offered)
    if found is None and question.offered:
        whole = slot.name != "event_id"
        found = titled(_text(reading), question.offered, whole=whole)
        titles = _titles(reading)
        if found is None and len(titles) == 1:
            found = titled(titles[0], question.offered, whole=whole)
    try:
        return None if found is None else coerce(slot, found)
    except ValueError:
        return None


def _value(slot: Slot, reading: Reading, definition: ToolDefinition) -> Any:
    whole = Clause(0, len(reading.source.tokens))
    if slot.name in TITLED:
        return _dashboards(slot, reading)
    if slot.name == definition.target or slot.name.endswith("env_id"):
        return next(
            (
                p.value
                for p in reading.phrases
                if p.kind == "environment" and isinstance(p.value, str)
            ),
            _text(reading),
        )
    if slot.choices:
        return chosen(slot, reading, whole, lambda _: True)
    words = quoted(reading, whole, lambda _: True) or _text(reading)
    if slot.type in ("integer", "number"):
        number = _NUMBER.search(words)
        words = number.group() if number else ""
    until = next((p for p in reading.phrases if p.kind == "until"), None)
    if slot.name in ("ends_at", "until") and until is not None:
        words = str(until.value)
    try:
        return coerce(slot, words) if words else None
    except ValueError:
        return None


def _dashboards(slot: Slot, reading: Reading) -> Any:
    texts = _titles(reading) or [_text(reading)]
    try:
        if slot.type == "array":
            return [entry for text in texts for entry in coerce(slot, text)]
        return coerce(slot, texts[0]) if len(texts) == 1 else None
    except ValueError:
        return None


def _titles(reading: Reading) -> list[str]:
    return [title.text for title in _named(reading)]


def _named(reading: Reading) -> list[Title]:
    """The titles of an answer; without a noun the whole of it is titles."""
    clause = Clause(0, len(reading.source.tokens))
    titles = Titles(reading, clause, lambda _: False)
    noun = any(reading.word(position) in DASHBOARD for position in range(clause.end))
    return titles.all() if noun else titles.behind(-1)


def _text(reading: Reading) -> str:
    return reading.source.text.strip().rstrip(".!").strip()


def _verb(reading: Reading, position: int) -> bool:
    word = reading.word(position)
    return word in READ or word in SEARCH or word in CHANGE or position in reading.actions_at


def _fills(word: str) -> bool:
    return word in FILLER or word in POLITE or word in PREPOSITION
