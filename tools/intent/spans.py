"""Runs of words that speak of time: where they end, and whether they name a moment."""

import re
from collections.abc import Sequence

from tools.intent.vocabulary import vocabulary
from tools.intent.words import Token

UNIT = vocabulary("""
    мин минут* час часа часов часу часик* ч д дн день дня дней дни сутки суток недел* месяц* год
    года лет
    minute minutes min mins hour hours hr hrs h day days week weeks month months year years
""")
DAY = vocabulary("""
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
    next last past this end beginning half am pm utc gmt msk мск ago назад
""")
_NUMBER = vocabulary("""
    один одну два две три четыре пять шесть семь восемь девять десять двенадцать пару полтора
    полторы несколько
    one two three four five six seven eight nine ten twelve couple half an a
""")
WHOLE = vocabulary("полчаса час сутки день неделю месяц минуту")
NEXT = vocabulary("next следующ*")
_LINK = vocabulary("в во к of the at on of and г")
_ZONE = re.compile("[A-ZА-Я]{3,4}")


def names_moment(text: str, tokens: Sequence[Token], position: int) -> bool:
    """Whether a word of a run names a day, a clock, or the next week or month."""
    word = tokens[position].word
    if word in UNIT or word in WHOLE:
        return word in ("week", "month", "неделе", "неделю", "месяце", "месяц") and (
            tokens[position - 1].word in NEXT
        )
    return _strong(text, tokens, position)


def amount_end(tokens: Sequence[Token], position: int) -> int | None:
    """Where "2 hours" or «час» ends."""
    start = position
    while position < len(tokens) and position - start < 3 and _counts(tokens[position].word):
        position += 1
    if position < len(tokens) and tokens[position].word in UNIT and position > start:
        return position + 1
    if position == start and position < len(tokens) and tokens[position].word in WHOLE:
        return position + 1
    glued = position > start and tokens[position - 1].word[-1:] in "hdmчмд"
    return position if glued and tokens[position - 1].word[0].isdigit() else None


def _counts(word: str) -> bool:
    return word[:1].isdigit() or word in _NUMBER


def run(
    text: str, tokens: Sequence[Token], position: int, *, zones: bool = False
) -> tuple[int, bool]:
    """Where a run of words of time ends, and whether it names a day, a clock or a unit.

    With `zones`, capitals behind a clock are its zone: "18:00 CET".
    """
    end, strong = position, False
    while end < len(tokens) and end - position < 12:
        link = end
        while link < len(tokens) and link - end < 2 and _links(tokens, link):
            link += 1
        zone = zones and strong and link == end and _zone(tokens, link)
        if link >= len(tokens) or not (_timely(tokens[link]) or zone):
            break
        strong = strong or _strong(text, tokens, link)
        end = link + 1
    return end, strong


def _zone(tokens: Sequence[Token], position: int) -> bool:
    if position >= len(tokens) or not tokens[position - 1].word[:1].isdigit():
        return False
    return _ZONE.fullmatch(tokens[position].text) is not None


def _links(tokens: Sequence[Token], position: int) -> bool:
    """Whether a token may stand inside an expression; a comma only before a clock."""
    word = tokens[position].word
    clock = tokens[position + 1 : position + 3]
    if word == "," and len(clock) == 2:
        return clock[0].word.isdecimal() and clock[1].word == ":"
    return word in _LINK or word == ":"


def _timely(token: Token) -> bool:
    word = token.word
    return word[:1].isdigit() or word in DAY or word in UNIT or word in _AROUND or word in WHOLE


def _strong(text: str, tokens: Sequence[Token], position: int) -> bool:
    """Whether a word can only mean time; digits do where a colon, dot or hyphen joins them."""
    token, before = tokens[position], tokens[position - 1]
    if token.word in DAY or token.word in UNIT or token.word in WHOLE:
        return True
    joint = before.word if before.kind == "mark" else text[before.end : token.start]
    return token.word[:1].isdigit() and joint in (":", "-", ".", "/")


def words_of(text: str, tokens: Sequence[Token], start: int, end: int) -> str:
    """The text between two positions, `end` not included."""
    return text[tokens[start].start : tokens[end - 1].end]
