"""A clause, the tool it calls for, and what of the clause are titles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tools.definition import ToolDefinition
from tools.intent.clauses import HARD, TITLED
from tools.intent.reading import Clause, Reading
from tools.intent.source import Phrase, PhraseKind
from tools.intent.titles import Title, Titles
from tools.intent.vocabulary import (
    ARTICLE,
    CHANGE,
    DASHBOARD,
    MODAL,
    PREPOSITION,
    READ,
    SEARCH,
    TABLE,
    vocabulary,
)
from tools.intent.words import chunk
from tools.models.schema import Slot, slots

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

DATASETS = "datasets"
"""The argument that is datasets whose dashboards are meant."""


@dataclass(frozen=True)
class Scope:
    """A clause and the tool it calls for.

    Attributes:
        reading: The text.
        clause: The clause.
        definition: The tool.
        slots: Its arguments.
        titles: The dashboards that are named, where the tool takes any.
        tables: The datasets that are named, where the tool takes any.
    """

    reading: Reading
    clause: Clause
    definition: ToolDefinition
    slots: Mapping[str, Slot]
    titles: tuple[Title, ...]
    tables: tuple[Title, ...]

    @classmethod
    def of(cls, definition: ToolDefinition, reading: Reading, clause: Clause) -> "Scope":
        """Look at a clause with the eyes of a tool."""
        arguments = slots(definition.arguments)
        stop = _stop(definition, reading, clause)
        tables = _tables(reading, clause, stop) if DATASETS in arguments else ()
        titles: tuple[Title, ...] = ()
        if TITLED & set(arguments):
            titles = _titles(definition, reading, clause, stop, tables)
        return cls(reading, clause, definition, arguments, titles, tables)

    @property
    def places(self) -> range:
        """The positions of the clause."""
        return range(self.clause.start, self.clause.end)

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
        named = (*self.titles, *self.tables)
        return frozenset(p for title in named for p in range(title.start, title.end))

    @cached_property
    def kinds(self) -> frozenset[PhraseKind]:
        """The kinds of phrases that this tool uses."""
        return frozenset({kind for name, kind in NAMED.items() if name in self.slots})

    def free(self, position: int) -> bool:
        """Whether a position belongs to no title and to no phrase that this tool uses."""
        if position in self.titled:
            return False
        phrase = self.reading.phrase_at.get(position)
        if phrase is None or phrase.kind == "when":
            return True
        used = phrase.kind in self.kinds or phrase.kind in ("environment", "other")
        return not (used or self.reading.spoken_for(position))


def _stop(definition: ToolDefinition, reading: Reading, clause: Clause) -> Callable[[int], bool]:
    """What ends a title; what is behind the tool's action and object is all title."""
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

    return stop


def table_at(reading: Reading, position: int) -> bool:
    """Whether a word is the noun of a dataset, and not the beginning of a title."""
    token = reading.source.tokens[position]
    if token.kind != "word" or token.word not in TABLE:
        return False
    before = reading.word(position - 1) if position else ""
    plain = position == 0 or token.text[:1].islower() or before in HARD
    return plain or before in PREPOSITION or before in ARTICLE


def _tables(reading: Reading, clause: Clause, stop: Callable[[int], bool]) -> tuple[Title, ...]:
    """The datasets of a clause, each beside its noun."""
    nouns = [p for p in range(clause.start, clause.end) if table_at(reading, p)]
    if not nouns:
        return _reasons(reading, clause)
    pointed = [
        p for p in nouns if p in reading.phrase_at
    ]  # "every dashboard built on that dataset"
    if len(pointed) == len(nouns):
        return _reasons(reading, clause)

    def ends(position: int) -> bool:
        word = reading.word(position)
        return stop(position) or word in DASHBOARD or word in MODAL or word in ("of", "so")

    titles = Titles(reading, clause, ends, TABLE)
    found: list[Title] = []
    for noun in nouns:
        if not found or noun >= found[-1].end:
            found += (_typed(reading, title) for title in titles.beside(noun))
    return tuple(found[:1] + [title for title in found[1:] if not _place(reading, title)])


def _reasons(reading: Reading, clause: Clause) -> tuple[Title, ...]:
    """The identifiers of a reason: "we're rebuilding heat_log, so warn on …"."""
    text, tokens = reading.source.text, reading.source.tokens
    return tuple(
        Title(chunk(text, tokens[p]), p, p + 1)
        for p in range(clause.start, clause.command)
        if "_" in tokens[p].word and p not in reading.phrase_at
    )


def _typed(reading: Reading, title: Title) -> Title:
    """The name alone where a sentence stands around it: "orders_daily is broken"."""
    inside = [p for p in range(title.start, title.end) if "_" in reading.word(p)]
    if inside and " " in title.text and reading.source.tokens[title.start].kind == "word":
        name = chunk(reading.source.text, reading.source.tokens[inside[0]])
        return Title(name, inside[0], inside[0] + 1)
    token = reading.source.tokens[title.start]
    first = chunk(reading.source.text, token)
    latin = first.isascii() and not title.text.isascii()  # «orders чиним»
    if token.kind != "word" or not ("_" in first or latin) or first == title.text:
        return title
    return Title(first, title.start, reading.source.covered(title.start, token.start + len(first)))


def _titles(
    definition: ToolDefinition,
    reading: Reading,
    clause: Clause,
    stop: Callable[[int], bool],
    tables: tuple[Title, ...],
) -> tuple[Title, ...]:
    """The dashboards of a clause; beside datasets only those that stand by their noun."""
    tabled = DATASETS in definition.arguments.model_fields
    taken = {p for title in tables for p in range(title.start, title.end)}

    def ends(position: int) -> bool:
        return stop(position) or position in taken or (tabled and table_at(reading, position))

    titles = Titles(reading, clause, ends)
    found = titles.named() if tables else titles.all() or _quoted(definition, reading, clause)
    return tuple(found[:1] + [title for title in found[1:] if not _place(reading, title)])


def _quoted(definition: ToolDefinition, reading: Reading, clause: Clause) -> list[Title]:
    """«Поставь на обслуживание «Продажи»», «заверши обслуживание «Продажи»»: behind what is done.

    Of a tool that takes a message a quoted string is one, unless it follows a whole action.
    """
    hits = reading.within("actions", definition.name, clause)
    if "message" in definition.arguments.model_fields:
        hits = [hit for hit in hits if hit.end - hit.start > 1]
    else:
        hits = [*hits, *reading.within("objects", definition.name, clause)]
    ends = {hit.end for hit in hits}
    tokens = reading.source.tokens
    titles = Titles(reading, clause, lambda _: False)
    whole = {hit.end for hit in hits if hit.end - hit.start > 1}
    for p in range(clause.start, clause.end):
        if reading.spoken_for(p) or p not in ends:
            continue
        named = tokens[p].kind == "quote" and tokens[p].text and not _looks_like_id(tokens[p].text)
        if named or (p in whole and reading.word(p).isdecimal()):
            return titles.behind(p - 1)
    led = [  # "I need «X» in maintenance mode", "«X» is under maintenance"
        Title(tokens[p].text, p, p + 1)
        for hit in hits
        if hit.end - hit.start > 1
        for p in range(hit.start - 1, max(clause.start, hit.start - 4) - 1, -1)
        if tokens[p].kind == "quote"
        and all(reading.word(q) in _BEING for q in range(p + 1, hit.start))
    ]
    if led:
        return led[:1]
    told = any(
        phrase.kind == "message" and clause.start <= phrase.start < clause.end
        for phrase in reading.phrases
    )
    if told or "message" not in definition.arguments.model_fields:
        return [  # «с "A" и "B" плашки долой»: no message can be meant
            Title(tokens[p].text, p, p + 1)
            for p in range(clause.start, clause.end)
            if tokens[p].kind == "quote"
            and tokens[p].text
            and p not in reading.phrase_at
            and not _looks_like_id(tokens[p].text)
        ]
    return []


_BEING = vocabulary("is are as being goes go now currently should be")


def _looks_like_id(words: str) -> bool:
    return " " not in words and any(letter.isdigit() for letter in words)


def _place(reading: Reading, title: Title) -> bool:
    """Whether an entry of a list is an environment: "dashboard 5, dev"."""
    phrase = reading.phrase_at.get(title.start)
    if phrase is None or phrase.kind != "environment":
        return False
    return (phrase.start, phrase.end) == (title.start, title.end)
