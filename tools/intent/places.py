"""Phrases that name an environment: known or not, this one, all of them."""

from tools.intent.source import Phrase, Source
from tools.intent.vocabulary import (
    ARTICLE,
    DASHBOARD,
    ENVIRONMENT,
    EVERY,
    HERE,
    JOINING,
    LABEL,
    PREPOSITION,
    READ,
    SITE,
    vocabulary,
)
from tools.intent.words import Token, chunk

_FROM_PLACE = vocabulary("в во на из с со к для по on in at from to into for of")

_PARTS = vocabulary("""
    база базы базе базу базой бд схема схемы схеме схему таблица таблице таблицу таблицы
    датасет датасета датасете датасету database db schema table dataset
""")
_BOTH = vocabulary("both обоих обеих обе оба двух")
_AND = vocabulary(", и and")
_IN = vocabulary("в во на из in on at from to")


def place_at(source: Source, start: int) -> Phrase | None:
    """An environment by a name of the deployment, or by a noun and whatever stands beside it."""
    preposition = source.word(start) if source.word(start) in _FROM_PLACE else ""
    position = source.skip(start + bool(preposition), ARTICLE)
    if preposition and source.word(position) in _BOTH:
        position += source.names.at(source.text, source.tokens, position + 1) is not None
    if position >= len(source.tokens):
        return None
    named = _quoted(source, start, position, preposition) or _known(
        source, start, position, preposition
    )
    if named is not None:
        return named
    if source.word(position) in ENVIRONMENT or source.word(position) in SITE:
        return _after_noun(source, start, position, preposition)
    if not preposition:
        return None
    if preposition not in _IN and preposition not in ("для", "for"):
        return _nearly(source, start, position, preposition)
    before = _before_noun(source, start, position, preposition)
    return before or _nearly(source, start, position, preposition)


def _quoted(source: Source, start: int, position: int, preposition: str) -> Phrase | None:
    """«в «Кадры Тест»»: behind a preposition exactly a title of the deployment, in quotes."""
    value = _titled(source, position)
    if value is None or source.word(position + 1) in DASHBOARD:
        return None
    return Phrase("environment", value, start, position + 1, bool(preposition), preposition)


def _titled(source: Source, position: int) -> str | None:
    """The id of the environment whose title, or id, is quoted at a position."""
    token = source.tokens[position]
    if token.kind != "quote":
        return None
    value = source.names.quoted(token.text)
    return value if any(value == one.id for one in source.names.all) else None


def _others(source: Source, first: str, end: int) -> tuple[str | tuple[str, ...], int]:
    """The environment and those that are joined to it: «окружений «A» и «B»»."""
    values = [first]
    while end + 1 < len(source.tokens) and source.word(end) in _AND:
        value = _titled(source, end + 1)
        if value is None:
            break
        values.append(value)
        end += 2
    return (tuple(values) if len(values) > 1 else first), end


def _known(source: Source, start: int, position: int, preposition: str) -> Phrase | None:
    """«на проде», "in the staging environment", "dev"."""
    found = source.names.at(source.text, source.tokens, position)
    named = not preposition and start > 0 and source.word(start - 1) in _PARTS  # "schema stage"
    if found is None or (named and not found.sure):
        return None
    noun = source.word(found.end) in ENVIRONMENT or source.word(found.end) in SITE
    end = found.end + noun
    titled = preposition and not noun and source.word(end) in DASHBOARD
    sure = noun or bool(preposition and not titled)
    if not sure and source.tokens[position].kind == "quote":
        return None
    return Phrase("environment", found.value, start if sure else position, end, sure, preposition)


def _after_noun(source: Source, start: int, noun: int, preposition: str) -> Phrase | None:
    """«в окружении moon», "environment: dev"; an unknown name only after a preposition."""
    position = source.skip(noun + 1, LABEL, vocabulary(": ="))
    if position < len(source.tokens):
        token = source.tokens[position]
        found = source.names.at(source.text, source.tokens, position)
        if found is not None:
            return Phrase("environment", found.value, start, found.end, True, preposition)
        if token.kind == "quote":
            value, end = _others(source, source.names.quoted(token.text), position + 1)
            return Phrase("environment", value, start, end, True, preposition)
        unknown = preposition and source.word(noun) in ENVIRONMENT and not _is_grammar(token)
        if unknown:
            value = chunk(source.text, token)
            end = source.covered(position, token.start + len(value))
            return Phrase("environment", value, start, end, True, preposition)
    return None


def _before_noun(source: Source, start: int, position: int, preposition: str) -> Phrase | None:
    """«в этом окружении», "in all environments", "in the moon environment"."""
    first = source.tokens[position]
    if first.kind == "quote" and source.word(position + 1) in ENVIRONMENT:
        value = source.names.quoted(first.text)
        return Phrase("environment", value, start, position + 2, True, preposition)
    pointed = source.skip(position, HERE, EVERY, ARTICLE)
    if pointed > position and source.word(pointed) in ENVIRONMENT:
        every = any(source.word(place) in EVERY for place in range(position, pointed))
        ids = tuple(item.id for item in source.names.all) if every else None
        return Phrase("environment", ids, start, pointed + 1, True, preposition)
    for length in (1, 2, 3):
        noun = position + length
        if _is_grammar(source.tokens[noun - 1]) or noun >= len(source.tokens):
            return None
        if source.word(noun) in ENVIRONMENT:
            value = source.text[first.start : source.tokens[noun - 1].end]
            return Phrase("environment", value, start, noun + 1, True, preposition)
    return None


def _nearly(source: Source, start: int, position: int, preposition: str) -> Phrase | None:
    """«На prd», "in ss-dve": nearly a known name; passed on as it is, so that somebody asks."""
    token = source.tokens[position]
    value = chunk(source.text, token)
    if preposition not in _IN or token.kind != "word" or not source.names.near(value.lower()):
        return None
    end = source.covered(position, token.start + len(value))
    if source.word(end) in DASHBOARD:
        return None
    return Phrase("environment", value, start, end, True, preposition)


def _is_grammar(token: Token) -> bool:
    """Whether a token cannot be a part of an environment's name."""
    word = token.word
    grammar = word in PREPOSITION or word in JOINING or word in DASHBOARD or word in ENVIRONMENT
    return token.kind != "word" or grammar or word in HERE or word in EVERY or word in READ
