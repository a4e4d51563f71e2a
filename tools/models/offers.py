"""What a question offers to choose from, and which of it an answer takes."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tools.intent.reading import Reading
from tools.intent.vocabulary import ARTICLE, DASHBOARD, POLITE, PREPOSITION, vocabulary
from tools.intent.words import normalise, plain

_TITLED = re.compile(r"- (?P<title>.*) \((?P<id>\d+)\)")
_EVENT = re.compile(r"- (?P<id>[0-9a-f]{6,}): (?P<title>.*)")
_ORDINALS = (
    vocabulary("первый первая первое первую первого первом первой first 1st top"),
    vocabulary("второй вторая второе вторую второго втором second 2nd"),
    vocabulary("третий третья третье третью третьего третьем third 3rd"),
    vocabulary("четвертый четвертая четвертое четвертую четвертого fourth 4th"),
    vocabulary("пятый пятая пятое пятую пятого fifth 5th"),
)
_LAST = vocabulary("последний последняя последнее последнюю последнего last")
_AROUND = vocabulary(
    "one ones вариант* пункт* option item them из них списк* list event событи* это it"
)
_ALL = vocabulary("все всех всем all every everything оба обе both каждый любой любую any")


class Offer(NamedTuple):
    """A line of a question: the id it offers, and what stands beside it."""

    id: str
    title: str


def offers(words: str) -> tuple[Offer, ...]:
    """The lines of a question that offer something: "- Title (7)", "- 3f2a9c: Title - message"."""
    found = []
    for line in words.splitlines():
        match = _TITLED.fullmatch(line.strip()) or _EVENT.fullmatch(line.strip())
        if match is not None:
            found.append(Offer(match["id"], re.sub(r"\\(.)", r"\1", match["title"])))
    return tuple(found)


def pointed(reading: Reading, offered: Sequence[Offer]) -> str | None:
    """The id that "the second one" points at."""
    said = _said(reading)
    for word in said if len(said) == 1 else ():
        for index, ordinal in enumerate(_ORDINALS):
            if word in ordinal and index < len(offered):
                return offered[index].id
        if word in _LAST and offered:
            return offered[-1].id
    return None


def takes_all(reading: Reading) -> bool:
    """Whether an answer is "all of them" and nothing else."""
    said = _said(reading)
    return bool(said) and all(word in _ALL for word in said)


def titled(words: str, offered: Sequence[Offer], *, whole: bool) -> str | None:
    """The id of the only offer with a title; not `whole`: with the words in it."""
    wanted = plain(normalise(words)).strip()
    titles = [(offer.id, plain(normalise(offer.title)).strip()) for offer in offered]
    found = [key for key, title in titles if title == wanted or (not whole and wanted in title)]
    return found[0] if len(found) == 1 and wanted else None


def _said(reading: Reading) -> list[str]:
    """The words of a short answer without those that only lead to them."""
    tokens = [token for token in reading.source.tokens if token.kind != "mark"]
    fills = (ARTICLE, POLITE, PREPOSITION, DASHBOARD, _AROUND)
    if len(tokens) > 6:
        return []
    return [t.word for t in tokens if not any(t.word in words for words in fills)]
