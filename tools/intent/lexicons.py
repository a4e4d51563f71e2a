"""Where the lexicons of the declarations meet a text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from tools.definition import ToolDefinition
from tools.intent.vocabulary import ARTICLE, PREPOSITION
from tools.intent.words import Token, tokenise

Part = Literal["objects", "actions", "exclude"]
"""The field of the lexicon that an entry comes from."""


class Entry(NamedTuple):
    """An entry of a lexicon: its words, each with whether it is a stem."""

    tool: str
    part: Part
    words: tuple[tuple[str, bool], ...]


class Hit(NamedTuple):
    """An entry found in a text: the positions of its tokens, `end` not included."""

    tool: str
    part: Part
    start: int
    end: int


@dataclass
class Hits:
    """What of which tool was found where.

    Attributes:
        objects: Tool name to hits.
        actions: The same of the actions.
    """

    objects: dict[str, list[Hit]] = field(default_factory=dict)
    actions: dict[str, list[Hit]] = field(default_factory=dict)

    def at(self, part: Literal["objects", "actions"]) -> dict[int, set[str]]:
        """Position to the tools that have an object, or action, there."""
        places: dict[int, set[str]] = {}
        for hits in getattr(self, part).values():
            for hit in hits:
                for position in range(hit.start, hit.end):
                    places.setdefault(position, set()).add(hit.tool)
        return places


class Index:
    """The lexicons of several tools, ready to be found in texts."""

    def __init__(self, definitions: Iterable[ToolDefinition]) -> None:
        self._exact: dict[str, list[Entry]] = {}
        self._stems: dict[str, list[Entry]] = {}
        for definition in definitions:
            for entry in _entries(definition):
                word, stem = entry.words[0]
                (self._stems if stem else self._exact).setdefault(word, []).append(entry)
        self._lengths = sorted({len(stem) for stem in self._stems})

    def find(self, tokens: Sequence[Token]) -> Hits:
        """Find every entry; an object that is also an exclusion of its tool is none.

        The time grows with the number of tokens, not with the number of tools.
        """
        known: dict[str, list[Entry]] = {}
        found: dict[Part, dict[str, list[Hit]]] = {"objects": {}, "actions": {}, "exclude": {}}
        for position, token in enumerate(tokens):
            if token.kind != "word":
                continue
            entries = known.get(token.word)
            if entries is None:
                entries = known[token.word] = self._starting(token.word)
            for entry in entries:
                end = _follow(entry, tokens, position)
                if end is not None:
                    hit = Hit(entry.tool, entry.part, position, end)
                    found[entry.part].setdefault(entry.tool, []).append(hit)
        return Hits(_without(found["objects"], found["exclude"]), found["actions"])

    def _starting(self, word: str) -> list[Entry]:
        """The entries whose first word is this one."""
        entries = [entry for form in forms(word) for entry in self._exact.get(form, ())]
        for length in self._lengths:
            if length > len(word):
                break
            entries += self._stems.get(word[:length], ())
        return entries


def forms(word: str) -> list[str]:
    """A word and what it may come from by -s, -es, -ed, -ing: stopped is stop, closing is close."""
    found = [word]
    for suffix in ("s", "es", "d", "ed", "ing"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 2:
            base = word[: -len(suffix)]
            found.append(base)
            if suffix == "ing":
                found.append(base + "e")
            if suffix in ("ed", "ing") and len(base) > 3 and base[-1] == base[-2]:
                found.append(base[:-1])
    return found


def _entries(definition: ToolDefinition) -> Iterable[Entry]:
    lexicon = definition.lexicon
    parts: Mapping[Part, tuple[str, ...]] = {
        "objects": lexicon.objects,
        "actions": lexicon.actions,
        "exclude": lexicon.exclude,
    }
    for part, phrases in parts.items():
        for phrase in phrases:
            words = tuple(spelled(word) for word in phrase.split())
            yield Entry(definition.name, part, words)


def spelled(word: str) -> tuple[str, bool]:
    """A word of an entry, and whether it is a stem; a preposition is none."""
    bare = word.removesuffix("*")
    token = tokenise(bare)
    cyrillic = bare not in PREPOSITION and any("а" <= letter <= "я" for letter in bare.lower())
    return (token[0].word if len(token) == 1 else bare.lower(), bare != word or cyrillic)


def _follow(entry: Entry, tokens: Sequence[Token], position: int) -> int | None:
    """Where the entry that begins at a position ends, or None; articles may stand inside."""
    for word, stem in entry.words[1:]:
        position += 1
        while position < len(tokens) and tokens[position].word in ARTICLE:
            position += 1
        if position >= len(tokens) or tokens[position].kind != "word":
            return None
        other = tokens[position].word
        if not (other.startswith(word) if stem else word in forms(other)):
            return None
    return position + 1


def _without(objects: dict[str, list[Hit]], excluded: dict[str, list[Hit]]) -> dict[str, list[Hit]]:
    """The objects that do not overlap an exclusion of the same tool."""
    kept: dict[str, list[Hit]] = {}
    for tool, hits in objects.items():
        closed = {p for hit in excluded.get(tool, ()) for p in range(hit.start, hit.end)}
        left = [hit for hit in hits if closed.isdisjoint(range(hit.start, hit.end))]
        if left:
            kept[tool] = left
    return kept
