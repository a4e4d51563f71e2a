"""A text being read, and the phrases found in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tools.intent.environments import EnvironmentNames
from tools.intent.vocabulary import Vocabulary
from tools.intent.words import Token

PhraseKind = Literal[
    "environment",
    "until",
    "since",
    "when",
    "message",
    "tag",
    "owner",
    "published",
    "limit",
    "offset",
    "other",
    "dependants",
]
"""An environment; an end; a beginning that is over; one to come; the words of a banner; filters;
how many, from where; a filter that no tool has; all that stands on something."""

ALWAYS: frozenset[PhraseKind] = frozenset(
    {"environment", "until", "since", "when", "message", "dependants"}
)
"""Kinds that end a title, and whose words call for no tool."""


class Phrase(NamedTuple):
    """A phrase found in a text.

    Attributes:
        kind: What it says.
        value: A string; bool of `published`; int of `limit` and `offset`; None of an environment
            that is the page's own; every id, as a tuple, of "all environments"; of `dependants`
            whether what they stand on was named before: "that use it".
        start: Position of its first token.
        end: Position after its last token.
        sure: Whether it can hardly mean anything else, such as a part of a title.
        preposition: The word that leads to an environment: "from" one "to" another.
    """

    kind: PhraseKind
    value: str | bool | int | tuple[str, ...] | None
    start: int
    end: int
    sure: bool = True
    preposition: str = ""


@dataclass(frozen=True)
class Source:
    """What phrases are read from."""

    text: str
    tokens: Sequence[Token]
    names: EnvironmentNames

    def word(self, position: int) -> str:
        """The plain word at a position; nothing beyond the end, and of quotes."""
        return self.tokens[position].word if position < len(self.tokens) else ""

    def skip(self, position: int, *what: Vocabulary) -> int:
        """The first position from here whose word is in none of these, six words on at most."""
        last = position + 6
        while position < last and any(self.word(position) in words for words in what):
            position += 1
        return position

    def covered(self, position: int, end: int) -> int:
        """The first position from here whose token begins at or after a place in the text."""
        while position < len(self.tokens) and self.tokens[position].start < end:
            position += 1
        return position
