"""A text read once: its tokens, its phrases, and where the lexicons meet it."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tools.definition import ToolDefinition
from tools.intent.environments import EnvironmentNames
from tools.intent.lexicons import Hit, Hits, Index
from tools.intent.phrases import phrases
from tools.intent.source import ALWAYS, Phrase, Source
from tools.intent.vocabulary import PARTICLE
from tools.intent.words import Token, normalise, tokenise


@dataclass(frozen=True)
class Clause:
    """A part of a text that asks for one thing: positions of its tokens, `end` not included.

    What stands before `command` only tells why: "we're reloading orders, so …".
    """

    start: int
    end: int
    command: int = 0


@dataclass(frozen=True)
class Reading:
    """Everything the choice of a tool and its arguments rests on.

    Attributes:
        source: The text, its tokens, the names of environments.
        definitions: The tools in question by name, in their order.
        hits: Where their lexicons meet the text.
        phrases: The phrases, from left to right.
    """

    source: Source
    definitions: Mapping[str, ToolDefinition]
    hits: Hits
    phrases: tuple[Phrase, ...]

    @cached_property
    def phrase_at(self) -> dict[int, Phrase]:
        """Position to the phrase it belongs to."""
        return {
            position: phrase
            for phrase in self.phrases
            for position in range(phrase.start, phrase.end)
        }

    @cached_property
    def objects_at(self) -> dict[int, set[str]]:
        """Position to the tools that have an object there."""
        return self.hits.at("objects")

    @cached_property
    def actions_at(self) -> dict[int, set[str]]:
        """Position to the tools that have an action there."""
        return self.hits.at("actions")

    @cached_property
    def verbs_at(self) -> frozenset[int]:
        """Positions of actions that are verbs: no "off", no "under maintenance"."""
        return frozenset(
            position
            for hits in self.hits.actions.values()
            for hit in hits
            if self.word(hit.start) not in PARTICLE
            for position in range(hit.start, hit.end)
        )

    @cached_property
    def _starts(self) -> dict[tuple[str, str], list[int]]:
        return {
            (part, tool): [hit.start for hit in hits]
            for part, found in (("objects", self.hits.objects), ("actions", self.hits.actions))
            for tool, hits in found.items()
        }

    def within(self, part: Literal["objects", "actions"], tool: str, clause: Clause) -> list[Hit]:
        """The hits of a tool inside a clause."""
        hits: list[Hit] = getattr(self.hits, part).get(tool, [])
        starts = self._starts.get((part, tool), [])
        return hits[bisect_left(starts, clause.start) : bisect_left(starts, clause.end)]

    def only(self, definitions: Mapping[str, ToolDefinition]) -> "Reading":
        """The same text, as it looks to these tools alone."""
        if len(definitions) == len(self.definitions):
            return self
        hits = Hits(
            {name: found for name, found in self.hits.objects.items() if name in definitions},
            {name: found for name, found in self.hits.actions.items() if name in definitions},
        )
        return Reading(self.source, definitions, hits, self.phrases)

    def word(self, position: int) -> str:
        """The plain word at a position."""
        return self.source.word(position)

    def spoken_for(self, position: int) -> bool:
        """Whether a position belongs to a phrase that is surely one whatever the tool."""
        phrase = self.phrase_at.get(position)
        return phrase is not None and phrase.sure and phrase.kind in ALWAYS


def read(text: str, definitions: Mapping[str, ToolDefinition], names: EnvironmentNames) -> Reading:
    """Read a text; the time grows with its length."""
    plain = normalise(text)
    source = Source(plain, tokenise(plain), names)
    hits = Index(definitions.values()).find(source.tokens)
    return Reading(source, definitions, hits, tuple(phrases(source)))


def reread(reading: Reading, tokens: Sequence[Token]) -> Reading:
    """The same text, with other words at some of its positions."""
    source = Source(reading.source.text, tokens, reading.source.names)
    hits = Index(reading.definitions.values()).find(tokens)
    return Reading(source, reading.definitions, hits, tuple(phrases(source)))
