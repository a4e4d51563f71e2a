"""Phrases for all that stands on a dataset: "every dashboard that uses it"."""

from tools.intent.source import Phrase, Source
from tools.intent.vocabulary import (
    ARTICLE,
    DASHBOARD,
    DASHBOARDS,
    EVERY,
    HERE,
    PREPOSITION,
    PRONOUN,
    TABLE,
    USES,
    vocabulary,
)

_ALL = EVERY | vocabulary("everything")
_IT = PRONOUN | vocabulary("она он оно они ней нем нём него нее неё ним ними ему")
_WHICH = vocabulary("которые которых которым that which")
_BETWEEN = PREPOSITION | vocabulary(
    "которые которых которым что где which that is are be currently сейчас top , эта этот"
)


def dependants_at(source: Source, start: int) -> Phrase | None:
    """The phrase that begins at a position, or None; it ends before a name."""
    position = source.skip(start, PREPOSITION)
    several = source.word(position) in DASHBOARDS and any(
        source.word(position + 1 + n) in _WHICH for n in (0, 1)
    )
    if position > start + 1 or not (several or source.word(position) in _ALL):
        return None
    every = source.word(position)
    noun = position if several else source.skip(position + 1, ARTICLE, _ALL)
    if source.word(noun) in DASHBOARD:
        noun += 1
    elif every not in ("everything", "все", "всем", "всех"):
        return None
    if source.word(noun) in HERE and source.word(noun + 1) in TABLE:  # «дашбордах этой таблицы»
        return Phrase("dependants", True, start, noun + 2)
    uses = source.skip(noun, _BETWEEN, _IT)
    if source.word(uses) not in USES:
        return None
    end = source.skip(uses + 1, PREPOSITION, vocabulary("top"))
    pointed = any(source.word(p) in _IT and source.word(p) != "that" for p in range(noun, uses))
    if source.word(end) in HERE and source.word(end + 1) in TABLE:  # "on those datasets"
        pointed, end = True, end + 2
    elif source.word(end) in _IT:
        pointed, end = True, end + 1
    return Phrase("dependants", pointed, start, end)
