"""Expressions of time in a text: until when, for how long, since when. Words, not dates."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.intent.vocabulary import vocabulary
from tools.intent.words import Token

UNIT = vocabulary("""
    мин минут* час часа часов часу часик* ч д дн день дня дней дни сутки суток недел* месяц* год
    года лет
    minute minutes min mins hour hours hr hrs h day days week weeks month months year years
""")
_DAY = vocabulary("""
    завтра послезавтра сегодня вчера позавчера полуноч* полдн* полудн* утра утром вечер* ночи
    ночью обеда дня конца
    понедельник* вторник* среды среду четверг* пятниц* суббот* воскресень*
    январ* феврал* март* апрел* мая май июн* июл* август* сентябр* октябр* ноябр* декабр*
    tomorrow today tonight yesterday noon midnight morning evening eod
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
""")
_AROUND = vocabulary("""
    следующ* прошл* последн* ближайш* этой этого конца начала половин*
    next last past this end beginning half am pm utc gmt msk мск
""")
_NUMBER = vocabulary("""
    один одну два две три четыре пять шесть семь восемь девять десять двенадцать пару полтора
    полторы несколько
    one two three four five six seven eight nine ten twelve couple half an a
""")
_WHOLE = vocabulary("полчаса час сутки день неделю месяц минуту")
_LINK = vocabulary("в во к of the at on of and г")
_UNTIL = vocabulary("до until till til")
_SINCE = vocabulary("с со после since after from")
_CHANGED = vocabulary("измен* обновл* обновил* менял* changed updated modified edited")
_NEVER = vocabulary("дашборд* dashboard* окружени* environment*")


@dataclass(frozen=True)
class Times:
    """An expression of time: `until` or `since`, its words, and where it ends."""

    kind: str
    value: str
    end: int


def time_at(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """The expression that begins at a position, or None."""
    for read in (_until, _duration, _period, _since):
        found = read(text, tokens, position)
        if found is not None:
            return found
    return None


def _until(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«до 18:00», "until tomorrow", «по 5 декабря»: the words after the preposition."""
    word = tokens[position].word
    if word not in _UNTIL and word not in ("по", "by"):
        return None
    end, strong = _run(text, tokens, position + 1)
    if word in _UNTIL and end == position + 1:
        end, strong = _any_word(tokens, position + 1), True
    bare = word in ("по", "by") and not strong
    if bare or end == position + 1:
        return None
    return Times("until", _span(text, tokens, position + 1, end), end)


def _duration(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«на 2 часа», "for an hour", "in 2 hours", with the preposition."""
    word = tokens[position].word
    if word not in ("на", "for", "через", "in"):
        return None
    end = _amount(tokens, position + 1)
    if end is None:
        return None
    return Times("until", _span(text, tokens, position, end), end)


def _period(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«за последние 7 дней», "in the last week", «измененные сегодня»."""
    start = position + 1 if tokens[position].word in _CHANGED else position
    if start < len(tokens) and tokens[start].word in ("за", "in", "within", "over", "during"):
        end, strong = _run(text, tokens, start + 1)
        spoken = any(tokens[p].word in UNIT or tokens[p].word in _DAY for p in range(start, end))
        if strong and spoken:
            return Times("since", _span(text, tokens, start, end), end)
    if start > position:
        end, strong = _run(text, tokens, start)
        if strong:
            return Times("since", _span(text, tokens, start, end), end)
        since = _since(text, tokens, start) if start < len(tokens) else None
        if since is not None:
            return since
    if tokens[position].word in ("last", "past"):
        amount = _amount(tokens, position + 1)
        if amount is not None:
            return Times("since", _span(text, tokens, position, amount), amount)
    return None


def _since(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«с прошлой недели», "since 2026-01-01": the words after the preposition."""
    if tokens[position].word not in _SINCE:
        return None
    end, strong = _run(text, tokens, position + 1)
    dated = strong or tokens[position].word in ("since", "after", "после")
    if end == position + 1 or not dated:
        return None
    return Times("since", _span(text, tokens, position + 1, end), end)


def _amount(tokens: Sequence[Token], position: int) -> int | None:
    """Where "2 hours" or «час» ends."""
    start = position
    while position < len(tokens) and position - start < 3 and _counts(tokens[position].word):
        position += 1
    if position < len(tokens) and tokens[position].word in UNIT and position > start:
        return position + 1
    if position == start and position < len(tokens) and tokens[position].word in _WHOLE:
        return position + 1
    glued = position > start and tokens[position - 1].word[-1:] in "hdmчмд"
    return position if glued and tokens[position - 1].word[0].isdigit() else None


def _counts(word: str) -> bool:
    return word[:1].isdigit() or word in _NUMBER


def _run(text: str, tokens: Sequence[Token], position: int) -> tuple[int, bool]:
    """Where a run of words of time ends, and whether it names a day, a clock or a unit."""
    end, strong = position, False
    while end < len(tokens) and end - position < 12:
        link = end
        while link < len(tokens) and link - end < 2 and _links(tokens, link):
            link += 1
        if link >= len(tokens) or not _timely(tokens[link]):
            break
        strong = strong or _strong(text, tokens, link)
        end = link + 1
    return end, strong


def _links(tokens: Sequence[Token], position: int) -> bool:
    """Whether a token may stand inside an expression; a comma only before a clock."""
    word = tokens[position].word
    clock = tokens[position + 1 : position + 3]
    if word == "," and len(clock) == 2:
        return clock[0].word.isdecimal() and clock[1].word == ":"
    return word in _LINK or word == ":"


def _timely(token: Token) -> bool:
    word = token.word
    return word[:1].isdigit() or word in _DAY or word in UNIT or word in _AROUND or word in _WHOLE


def _strong(text: str, tokens: Sequence[Token], position: int) -> bool:
    """Whether a word can only mean time; digits do where a colon, dot or hyphen joins them."""
    token, before = tokens[position], tokens[position - 1]
    if token.word in _DAY or token.word in UNIT or token.word in _WHOLE:
        return True
    joint = before.word if before.kind == "mark" else text[before.end : token.start]
    return token.word[:1].isdigit() and joint in (":", "-", ".", "/")


def _any_word(tokens: Sequence[Token], position: int) -> int:
    """«до обеда»: one word after a preposition that nearly always speaks of time."""
    if position < len(tokens) and tokens[position].kind == "word":
        return position if tokens[position].word in _NEVER else position + 1
    return position


def _span(text: str, tokens: Sequence[Token], start: int, end: int) -> str:
    return text[tokens[start].start : tokens[end - 1].end]
