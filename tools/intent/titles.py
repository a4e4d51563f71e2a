"""Titles and ids of dashboards in a clause: beside the noun, in quotes, in lists."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from tools.intent.clauses import ends_list, separates
from tools.intent.reading import Clause, Reading
from tools.intent.vocabulary import (
    ARTICLE,
    CHANGE,
    DASHBOARD,
    EVERY,
    HERE,
    LABEL,
    LABELLED,
    PLACE,
    POLITE,
    PREPOSITION,
    PRONOUN,
    Vocabulary,
)
from tools.intent.words import chunk

Stop = Callable[[int], bool]
"""Whether the word at a position is no part of a title."""


TRIED = 8
"""How many prepositions of a clause are tried, so that the time stays linear."""


class Title(NamedTuple):
    """A title as it was typed, and the positions of its tokens."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Titles:
    """Finds the titles of one clause.

    Attributes:
        reading: The text.
        clause: The clause.
        stop: What ends a title besides phrases, marks, and a preposition that leads elsewhere.
        nouns: What the titled things are called.
    """

    reading: Reading
    clause: Clause
    stop: Stop
    nouns: Vocabulary = DASHBOARD

    def all(self) -> list[Title]:
        """The titles beside every noun; without a noun, those behind a preposition of place."""
        if any(self._noun(p) for p in self._places()):
            return self.named()
        return self._placed() or self._direct()

    def named(self) -> list[Title]:
        """The titles beside every noun."""
        found: list[Title] = []
        for noun in self._places():
            if self._noun(noun) and (not found or noun >= found[-1].end):
                found += self.beside(noun)
        return found

    def beside(self, noun: int) -> list[Title]:
        """The titles of a noun: behind it («дашборд USA»), else before it ("the USA dashboard")."""
        return self.behind(noun) or self.before(noun)

    def behind(self, noun: int) -> list[Title]:
        """The titles that follow a noun; "the Sales dashboard and the Ops dashboard" has none."""
        first = self._unlabelled(noun + 1)
        if first >= self.clause.end:
            return []
        pointed = noun > self.clause.start and self._word(noun - 1) in HERE
        direct = first == noun + 1 and self.reading.source.tokens[first].kind == "quote"
        if pointed and not direct:
            return []  # «повесь на этот дашборд баннер»
        lines = self._word(first) == "\n"
        if separates(self.reading, first) and not lines:
            return []
        return self._list(first, self.clause.end, lines=lines)

    def before(self, noun: int) -> list[Title]:
        """The titles between a preposition, or a stop, and a noun."""
        start = noun
        while start > self.clause.start and not self._bounds(start - 1):
            start -= 1
        found = self._list(start, noun)
        if len(found) == 1 and self._counts(found[0], noun):
            return []
        return found

    def _placed(self) -> list[Title]:
        """«обслуживание на USA», "maintenance for «Sales»"."""
        places = (p for p in self._places() if self._word(p) in PLACE and not self._blocked(p))
        for position in islice(places, TRIED):
            found = self._list(position + 1, self.clause.end)
            if found:
                return found
        return []

    def _direct(self) -> list[Title]:
        """«Поставь USA на обслуживание», "put USA under maintenance": behind the verb."""
        verbs = [
            p for p in self._places() if p in self.reading.actions_at or self._word(p) in CHANGE
        ]
        for position in verbs[:1]:
            found = self._list(position + 1, self.clause.end)
            if found and self._word(found[-1].end) in PREPOSITION:
                return found
        return []

    def _list(self, start: int, end: int, *, lines: bool = False) -> list[Title]:
        """The entries of a list that begins at a position; of a list in lines, one a line."""
        found: list[Title] = []
        first = position = self._unlabelled(start)
        while position < end:
            if self._ends(position) and not self._next_line(position, lines):
                resumed = self._resumed(position, end)
                if resumed is None:
                    break
                self._close(found, first, position)
                first = position = self._unlabelled(resumed)
                continue
            token = self.reading.source.tokens[position]
            if separates(self.reading, position):
                self._close(found, first, position)
                first = position = self._unlabelled(self._unnumbered(position + 1))
            elif token.kind == "quote":
                if any(not self._leading(p) for p in range(first, position)):
                    break
                found.append(Title(token.text, position, position + 1))
                first = position = position + 1
                if position < end and not separates(self.reading, position):
                    break
            else:
                position += 1
        self._close(found, first, min(position, end))
        return found

    def _resumed(self, position: int, end: int) -> int | None:
        """Where a list goes on behind an environment: "5, 15 in dev and 38 in prod"."""
        phrase = self.reading.phrase_at.get(position)
        if phrase is None or phrase.kind != "environment" or position != phrase.start:
            return None
        if phrase.end >= end or not separates(self.reading, phrase.end):
            return None
        if ends_list(self.reading, phrase.end):
            return None
        following = phrase.end + 1
        if following >= end or self._ends(following) or separates(self.reading, following):
            return None
        # "On dev and prod": the second is an environment, too.
        placed = following in self.reading.phrase_at or self._word(following) in PREPOSITION
        return None if placed else following

    def _close(self, found: list[Title], start: int, end: int) -> None:
        """Add the words between two positions, if any are left without their fillers."""
        while start < end and self._leading(start):
            start += 1
        while start < end and (self._polite(end - 1) or self._is_mark(end - 1)):
            end -= 1
        if start < end and not all(
            self._word(p) in HERE or self._word(p) in PRONOUN or self._word(p) == "one"
            for p in range(start, end)
        ):
            tokens, text = self.reading.source.tokens, self.reading.source.text
            if self._numbered(start, end):
                end = start + 1
            end += self._capital(end)
            last = tokens[end - 1]
            tail = last.start + len(chunk(text, last))
            if "(" in text[tokens[start].start : tail] and text[tail : tail + 1] == ")":
                tail += 1
            found.append(Title(text[tokens[start].start : tail], start, end))

    def _numbered(self, start: int, end: int) -> bool:
        """Whether an id stands here and the sentence goes on: "dashboard 5 is ugly"."""
        if end - start < 2 or not self._word(start).isdecimal():
            return False
        whole = chunk(self.reading.source.text, self.reading.source.tokens[start])
        return whole == self._text(start) and self._text(start + 1)[:1].islower()

    def _capital(self, position: int) -> bool:
        """Whether the noun belongs to the title, as in "the Sales Dashboard"."""
        if position >= self.clause.end or self._text(position) != "Dashboard":
            return False
        return not self._text(position - 1)[:1].islower()

    def _leading(self, position: int) -> bool:
        word = self._word(position)
        fills = word in ARTICLE or self._polite(position) or word in HERE or word in PREPOSITION
        return fills or self._is_mark(position)

    def _polite(self, position: int) -> bool:
        """Whether a word is a nicety; the US is none."""
        return self._word(position) in POLITE and self._text(position) != "US"

    def _unlabelled(self, position: int) -> int:
        """Skip «с названием», "id", "№", ":"."""
        if self._word(position) in PREPOSITION and self._word(position + 1) in LABELLED:
            position += 2
        for _ in range(4):
            if self._word(position) not in LABEL and self._word(position) != ":":
                break
            position += 1
        return position

    def _next_line(self, position: int, lines: bool) -> bool:
        return lines and self._word(position) == "\n"

    def _unnumbered(self, position: int) -> int:
        """Skip the number of a line, as in "1. USA": it is no id."""
        if self._word(position - 1) != "\n" or not self._word(position).isdecimal():
            return position
        end = self.reading.source.tokens[position].end
        numbered = self.reading.source.text[end : end + 2] in (". ", ") ")
        return position + numbered + (numbered and self._word(position + 1) == ".")

    def _ends(self, position: int) -> bool:
        token = self.reading.source.tokens[position]
        if self._blocked(position) or self._noun(position) or token.kind == "sql":
            return True
        return token.word in PREPOSITION and self._leads_elsewhere(position)

    def _bounds(self, position: int) -> bool:
        """Whether a title before a noun begins behind this position."""
        leads = self._word(position) in PLACE and self._word(position) != "of"
        return self._blocked(position) or self._noun(position) or leads

    def _blocked(self, position: int) -> bool:
        return (
            self.stop(position)
            or self.reading.spoken_for(position)
            or ends_list(self.reading, position)
        )

    def _leads_elsewhere(self, position: int) -> bool:
        following = position + 1
        while (
            following < self.clause.end
            and following < position + 4
            and (
                self._word(following) in ARTICLE
                or self._word(following) in HERE
                or self._word(following) in EVERY
            )
        ):
            following += 1
        if following >= self.clause.end:
            return True
        return self._blocked(following) or self._noun(following)

    def _counts(self, title: Title, noun: int) -> bool:
        """Whether words before a noun say how many, not which: "2 dashboards", «всех»."""
        many = self._word(noun) not in (
            "dashboard",
            "дашборд",
            "дашборде",
            "дашборда",
            "дашборду",
            "дашбордом",
        )
        return all(self._word(p) in EVERY for p in range(title.start, title.end)) or (
            many and title.text.isdecimal()
        )

    def _places(self) -> range:
        return range(self.clause.start, self.clause.end)

    def _noun(self, position: int) -> bool:
        return (
            self._word(position) in self.nouns
            and self.reading.source.tokens[position].kind == "word"
        )

    def _word(self, position: int) -> str:
        return self.reading.word(position)

    def _text(self, position: int) -> str:
        return self.reading.source.tokens[position].text

    def _is_mark(self, position: int) -> bool:
        return self.reading.source.tokens[position].kind == "mark"
