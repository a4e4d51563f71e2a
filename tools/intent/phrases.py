"""Phrases that mean the same whatever the command is: environments, times, messages, filters."""

from collections.abc import Callable

from tools.intent.dependants import dependants_at
from tools.intent.filters import other_at
from tools.intent.places import place_at
from tools.intent.source import Phrase, PhraseKind, Source
from tools.intent.times import time_at
from tools.intent.vocabulary import (
    ARTICLE,
    DASHBOARD,
    DASHBOARDS,
    EVERY,
    HERE,
    JOINING,
    PREPOSITION,
    READ,
    SEARCH,
    Vocabulary,
    vocabulary,
)
from tools.intent.words import chunk


def phrases(source: Source) -> list[Phrase]:
    """Every phrase of a text, from left to right; none overlaps another."""
    found: list[Phrase] = []
    position = 0
    while position < len(source.tokens):
        phrase = next((p for read in _READERS if (p := read(source, position))), None)
        if phrase is not None:
            found.append(phrase)
            position = phrase.end
        else:
            position += 1
    return found


_WITH = vocabulary("с со with and и")
_TEXT = vocabulary("сообщени* текст* подпис* надпис* message text note caption")
_BANNER = vocabulary("баннера плашки сообщения объявления banner")
_TAG = vocabulary("тег* тэг* метк* tag tags tagged")
_OWNER = vocabulary("владел* автор* пользователя owner owners owned")
_BELONG = vocabulary("принадлеж* belong belongs belonging")
_DOES, _OWN = vocabulary("does did has"), vocabulary("own create make build building maintain got")
_NOBODY = vocabulary(
    "it's that's what's where's who's let's he's she's there's here's everything's"
)
_OWNED = vocabulary("owns built created made maintains")
_ANYTHING = vocabulary("anything something everything")
_TO = vocabulary("to user пользователю сотруднику")
_PUBLISHED = vocabulary("опубликован* published")
_DRAFT = vocabulary("неопубликован* черновик* draft drafts unpublished")
_TOP = vocabulary("only just максимум топ top первые первых limit лимит first")
_OFFSET = vocabulary("offset смещени* пропусти* пропуст* skip*")
_PIECES = vocabulary("штук* items pieces")
_KINDS = (
    _PUBLISHED
    | _DRAFT
    | vocabulary("последн* недавн* нов* свеж* latest recent new newest most last")
)
_TELLING = READ | SEARCH | vocabulary("мне me us")
_NUMBERS = {
    word: str(number)
    for number, words in (
        (3, "три three"),
        (5, "пять five"),
        (10, "десять ten"),
        (15, "пятнадцать fifteen"),
        (20, "двадцать twenty"),
    )
    for word in words.split()
}
_CREATED = vocabulary("created made")
_U, _EXIST = vocabulary("у"), vocabulary("есть имеются")
_SURNAMES = ("ова", "ева", "ёва", "овой", "евой", "ёвой", "ского", "цкого")
"""Endings of surnames in the genitive."""
_SAYS = vocabulary("saying says")
_WRITE = vocabulary("напиши напишите написать write say")
_THAT = vocabulary(", что that : is =")
_NAME_OF = vocabulary(": = by is was имя name named был была были")


def _message(source: Source, start: int) -> Phrase | None:
    """«с сообщением "…"», "message: …": a quoted string, else the words up to what follows."""
    position = source.skip(start, _WITH, ARTICLE) if source.word(start) in _WITH else start
    labelled = position > start
    written = source.word(position) in _WRITE
    if source.word(position) in _TEXT or written:
        position = source.skip(position + 1, _BANNER)  # «текст баннера»
    elif source.word(start) in _SAYS:
        position = start + 1
    else:
        return None
    position = source.skip(position, vocabulary("надо нужно так"))
    colon = source.word(position) in _THAT
    position = source.skip(position, _THAT, vocabulary("надо нужно так"))
    if written and not colon and source.tokens[position : position + 1]:
        labelled = source.tokens[position].kind == "quote"
    if position >= len(source.tokens):
        return None
    if source.tokens[position].kind == "quote":
        return Phrase("message", source.tokens[position].text, start, position + 1)
    if not (labelled or colon or source.word(start) in _SAYS):
        return None
    end = _message_end(source, position)
    if end == position:
        return None
    value = source.text[source.tokens[position].start : source.tokens[end - 1].end]
    return Phrase("message", value, start, end)


def _message_end(source: Source, position: int) -> int:
    """Where an unquoted message ends: at a sentence's end, a dashboard, a place or a time."""
    end = position
    while end < len(source.tokens):
        token = source.tokens[end]
        if token.kind in ("quote", "sql") or token.word in (";", "\n", ".", "!", "?"):
            break
        if end > position and (
            place_at(source, end)
            or _time_ends(source, end)
            or (token.word in PREPOSITION and _dashboard_next(source, end + 1))
        ):
            break
        end += 1
    while end > position and source.word(end - 1) in JOINING | vocabulary(","):
        end -= 1
    return end


def _time_ends(source: Source, position: int) -> bool:
    """Whether an end stands here; "back tomorrow" is what a message says."""
    found = time_at(source.text, source.tokens, position)
    return found is not None and found.kind != "when"


def _dashboard_next(source: Source, position: int) -> bool:
    position = source.skip(position, ARTICLE, HERE, EVERY)
    return source.word(position) in DASHBOARD or source.word(position + 1) in DASHBOARD


def _time(source: Source, start: int) -> Phrase | None:
    found = time_at(source.text, source.tokens, start)
    if found is None:
        return None
    return Phrase(found.kind, found.value, start, found.end)


def _tag(source: Source, start: int) -> Phrase | None:
    return _named(source, start, _TAG, "tag", several=False)


def _owner(source: Source, start: int) -> Phrase | None:
    having = _having(source, start)
    if having is not None:
        return having
    if source.word(start) in _BELONG:
        return _name(source, start, source.skip(start + 1, _TO), "owner", several=True)
    if source.word(start) in _DOES:
        found = _name(source, start, start + 1, "owner", several=True)
        verb = found.end + (source.word(found.end) == "been") if found is not None else 0
        if found is not None and source.word(verb) in _OWN:
            return found._replace(end=verb + 1)
    made = source.word(start) in _CREATED and source.word(start + 1) == "by"
    before = source.word(start - 1) if start else ""
    by = source.word(start) == "by" and (before in DASHBOARD or before in _ANYTHING)
    words = vocabulary("created made by") if made or by else _OWNER
    return _named(source, start, words, "owner", several=True)


def _having(source: Source, start: int) -> Phrase | None:
    """«дашборды у Петровой», «дашборды Петровой», "Ingrid's dashboards"."""
    tokens, word = source.tokens, source.word
    if tokens[start].kind != "word":
        return None
    beside = start > 0 and word(start - 1) in DASHBOARDS | _ANYTHING
    asked = beside or (word(start - 1) in _EXIST and word(start - 2) in DASHBOARDS)
    behind = source.skip(start, _U)
    person = behind < len(tokens) and tokens[behind].text[:1].isupper()
    if asked and behind > start and person and source.names.at(source.text, tokens, behind) is None:
        return _name(source, start, behind, "owner", several=True)
    if beside and person and tokens[start].text.lower().endswith(_SURNAMES):
        return _name(source, start, start, "owner", several=False)
    if beside and person and word(start + 1) in _OWNED:
        return Phrase("owner", tokens[start].text, start, start + 2)
    if word(start) == "of" and _of_person(source, start):
        return _name(source, start, start + 1, "owner", several=True)
    of = tokens[start].text
    kinds = source.skip(start + 1, _KINDS)
    if word(start) not in _NOBODY and of.endswith(("'s", "’s")) and word(kinds) in DASHBOARDS:
        return Phrase("owner", of[:-2], start, start + 1)
    return None


def _of_person(source: Source, start: int) -> bool:
    """Whether "dashboards of Okonkwo" names somebody, and no environment."""
    if start == 0 or start + 1 >= len(source.tokens) or source.word(start - 1) not in DASHBOARDS:
        return False
    name = source.tokens[start + 1]
    person = name.kind == "word" and name.text[:1].isupper()
    return person and source.names.at(source.text, source.tokens, start + 1) is None


def _named(
    source: Source, start: int, words: Vocabulary, kind: PhraseKind, several: bool
) -> Phrase | None:
    """A label and the name after it: a quoted string, or a word; of people up to two."""
    position = source.skip(start, _WITH) if source.word(start) in _WITH else start
    if source.word(position) not in words:
        return None
    return _name(source, start, source.skip(position + 1, _NAME_OF), kind, several)


def _name(
    source: Source, start: int, position: int, kind: PhraseKind, several: bool
) -> Phrase | None:
    """The phrase that begins at `start` and whose name stands at `position`."""
    if position >= len(source.tokens) or source.tokens[position].kind not in ("quote", "word"):
        return None
    token = source.tokens[position]
    if token.kind == "quote":
        return Phrase(kind, token.text, start, position + 1)
    if token.word in PREPOSITION or token.word in DASHBOARD or token.word in JOINING:
        return None
    value = chunk(source.text, token)
    end = source.covered(position, token.start + len(value))
    following = source.tokens[end : end + 1]
    if several and following and following[0].text[:1].isupper() and token.text[:1].isupper():
        return Phrase(kind, f"{value} {following[0].text}", start, end + 1)
    return Phrase(kind, value, start, end)


def _published(source: Source, start: int) -> Phrase | None:
    negated = source.word(start) in ("не", "not")
    position = start + negated
    if source.word(position) in _DRAFT:
        return Phrase("published", negated, start, position + 1)
    if source.word(position) in _PUBLISHED:
        return Phrase("published", not negated, start, position + 1)
    return None


def _limit(source: Source, start: int) -> Phrase | None:
    if source.word(start) in _OFFSET:  # "skipping the first 25"
        at = source.skip(start + 1, ARTICLE, _TOP)
        if at > start + 1 and source.word(at).isdecimal() and len(source.word(at)) <= 6:
            return Phrase("offset", int(source.word(at)), start, at + 1)
    number = _number(source.word(start + 1))
    kind: PhraseKind = "offset" if source.word(start) in _OFFSET else "limit"
    # "first 5", «штук 30»
    counts = kind == "offset" or source.word(start) in _TOP or source.word(start) == "штук"
    if counts and number.isdecimal() and len(number) <= 6:
        return Phrase(kind, int(number), start, start + 2 + (source.word(start + 2) in _PIECES))
    if source.word(start).isdecimal() and source.word(start + 1) == "штук":
        return Phrase("limit", int(source.word(start)[:6]), start, start + 2)
    # "5 published dashboards", «10 последних дашбордов»
    first = _number(source.word(start))
    noun = source.skip(start + 1, _KINDS)
    told = noun > start + 1 or (start > 0 and source.word(start - 1) in _TELLING)
    if first.isdecimal() and len(first) <= 4 and told and source.word(noun) in DASHBOARDS:
        return Phrase("limit", int(first), start, start + 1)
    return None


def _number(word: str) -> str:
    """A number in digits; another word as it is."""
    return _NUMBERS.get(word, word)


_READERS: tuple[Callable[[Source, int], Phrase | None], ...] = (
    dependants_at,
    _message,
    _time,
    other_at,
    place_at,
    _tag,
    _owner,
    _published,
    _limit,
)
