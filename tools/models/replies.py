"""An answer to a question of the turn before: the call is made again, with the answer in it."""

import re
from collections.abc import Mapping
from typing import Any

from tools.definition import ToolDefinition
from tools.intent.clauses import TITLED
from tools.intent.reading import Clause, Reading
from tools.intent.titles import Titles
from tools.intent.vocabulary import (
    CHANGE,
    DASHBOARD,
    FILLER,
    NO,
    POLITE,
    PREPOSITION,
    READ,
    SEARCH,
    YES,
    Vocabulary,
)
from tools.models.conversation import Question
from tools.models.planning import Planned
from tools.models.schema import Slot, coerce, slots
from tools.models.slots import fill
from tools.models.values import chosen, quoted

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
    return only(reading, NO)


def reads_as_answer(reading: Reading, question: Question) -> bool:
    """Whether a text is rather an answer than a request: it has no verb, but says something."""
    tokens = reading.source.tokens
    words = [p for p, token in enumerate(tokens) if token.kind != "mark"]
    if any(_verb(reading, position) for position in words):
        return False
    if question.slot in TITLED and any(reading.word(p) in DASHBOARD for p in words):
        return bool(_titles(reading))
    return any(
        p in reading.phrase_at or not (p in reading.objects_at or _fills(reading.word(p)))
        for p in words
    )


def answered(
    reading: Reading, question: Question, definitions: Mapping[str, ToolDefinition]
) -> Planned | None:
    """The call of a question with its answer; None when the text is none, or the tool is gone."""
    definition = definitions.get(question.call["name"])
    slot = slots(definition.arguments).get(question.slot) if definition else None
    if definition is None or slot is None or not reading.source.tokens:
        return None
    value = _value(slot, reading, definition)
    if value is None:
        return None
    arguments = dict(question.call["args"])
    current = arguments.get(slot.name)
    if isinstance(current, list) and question.value in current and isinstance(value, list):
        at = current.index(question.value)
        value = [*current[:at], *value, *current[at + 1 :]]
    said = fill(definition, reading, Clause(0, len(reading.source.tokens)))[0]
    more = {n: v for n, v in said.items() if n not in ("query", "message") and n != slot.name}
    return Planned(definition.name, more | arguments | {slot.name: value})


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
    """The titles of an answer; without a noun the whole of it is titles."""
    clause = Clause(0, len(reading.source.tokens))
    titles = Titles(reading, clause, lambda _: False)
    noun = any(reading.word(position) in DASHBOARD for position in range(clause.end))
    return [title.text for title in (titles.all() if noun else titles.behind(-1))]


def _text(reading: Reading) -> str:
    return reading.source.text.strip().rstrip(".!").strip()


def _verb(reading: Reading, position: int) -> bool:
    word = reading.word(position)
    return word in READ or word in SEARCH or word in CHANGE or position in reading.actions_at


def _fills(word: str) -> bool:
    return word in FILLER or word in POLITE or word in PREPOSITION
