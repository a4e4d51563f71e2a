"""Expressions of time in a text: until when, for how long, since when. Words, not dates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tools.intent.spans import DAY, NEXT, UNIT, amount_end, names_moment, run, words_of
from tools.intent.vocabulary import vocabulary
from tools.intent.words import Token

_COMING = vocabulary("""
    завтра послезавтра сегодня понедельник* вторник* среду четверг* пятниц* суббот* воскресень*
    tomorrow today tonight monday tuesday wednesday thursday friday saturday sunday
""")
_TODAY = vocabulary("сегодня today tonight")
_AT = vocabulary("at в во")
_LEADS = vocabulary("at on in for from starting в во на с со к через")
_UNTIL = vocabulary("до until till til")
_SINCE = vocabulary("с со после since after from")
_CHANGED = vocabulary(
    "измен* обновл* обновил* менял* трогал* changed updated modified edited touched"
)
_END = vocabulary("""
    ends ending end over done finished finishes finish back ready expires
    конец окончание закончим закончу закончат* закончит* завершим завершат* завершится управимся
    готово вернем
    вернут* вернется
""")
"""What is said of the end of something that is under way."""
_EXPECTED = vocabulary("""
    should will must it that this be to is expected we they shall ll we'll it'll all
    планируем планируется должны должно должен все мы оно это ориентировочно примерно
""")
_COMMANDS = vocabulary("end finish")
"""Of these the ones that are commands, too: "tomorrow finish the maintenance"."""
_BY = vocabulary("at by around about к в во ориентировочно примерно около")
_NEVER = vocabulary("дашборд* dashboard* окружени* environment*")


@dataclass(frozen=True)
class Times:
    """An expression of time: its kind, its words, and where it ends.

    Attributes:
        kind: until: an end; since: a beginning that lies behind; when: a moment to come, at which
            something is to begin.
        value: The words.
        end: Position after the last.
    """

    kind: Literal["until", "since", "when"]
    value: str
    end: int


def time_at(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """The expression that begins at a position, or None."""
    for read in (_until, _ending, _duration, _period, _since, _when):
        found = read(text, tokens, position)
        if found is not None:
            return found
    return None


def _until(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«до 18:00», "until tomorrow", «по 5 декабря»: the words after the preposition."""
    word = tokens[position].word
    if (
        (word in _TODAY or word in _COMING)
        and position + 1 < len(tokens)
        and tokens[position + 1].word in _UNTIL
    ):
        later = _until(text, tokens, position + 1)  # "today until 18:00"
        return later and Times("until", f"{tokens[position].text} {later.value}", later.end)
    if word not in _UNTIL and word not in ("по", "by"):
        return None
    end, strong = run(text, tokens, position + 1, zones=True)
    if word in _UNTIL and end == position + 1:
        end, strong = _any_word(tokens, position + 1), True
    bare = word in ("по", "by") and not strong
    if bare or end == position + 1:
        return None
    return Times("until", words_of(text, tokens, position + 1, end), end)


def _ending(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """As in "should be over in 2 hours", "ends tomorrow 9:30", «через 2 часа закончим»."""
    start = position
    while start < len(tokens) and start < position + 5 and tokens[start].word in _EXPECTED:
        start += 1
    if start < len(tokens) and tokens[start].word in _END:
        found = _moment_at(text, tokens, start + 1)
        return found and Times("until", found[0], found[1])
    behind = _moment_at(text, tokens, position)
    if behind is None:
        return None
    end = behind[1]
    while end < len(tokens) and end < behind[1] + 3 and tokens[end].word in _EXPECTED:
        end += 1
    told = end < len(tokens) and tokens[end].word in _END and tokens[end].word not in _COMMANDS
    return Times("until", behind[0], end + 1) if told else None


def _moment_at(text: str, tokens: Sequence[Token], position: int) -> tuple[str, int] | None:
    """The words of a moment to come, and where they end: "in 2 hours", "at 18:00"."""
    if position >= len(tokens):
        return None
    if tokens[position].word in ("in", "через"):
        amount = amount_end(tokens, position + 1)
        return (words_of(text, tokens, position, amount), amount) if amount is not None else None
    start = position + (tokens[position].word in _BY)
    end, strong = run(text, tokens, start, zones=True)
    dated = strong and any(names_moment(text, tokens, p) for p in range(start, end))
    return (words_of(text, tokens, start, end), end) if dated else None


def _duration(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«на 2 часа», "for an hour", with the preposition."""
    word = tokens[position].word
    if word not in ("на", "for"):
        return None
    end = amount_end(tokens, position + 1)
    if end is None:
        return None
    return Times("until", words_of(text, tokens, position, end), end)


def _period(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«за последние 7 дней», "in the last week", «измененные сегодня»."""
    start = position + 1 if tokens[position].word in _CHANGED else position
    if start < len(tokens) and tokens[start].word in ("за", "in", "within", "over", "during"):
        end, strong = run(text, tokens, start + 1)
        spoken = any(tokens[p].word in UNIT or tokens[p].word in DAY for p in range(start, end))
        if strong and spoken:
            return Times("since", words_of(text, tokens, start, end), end)
    if start > position:
        on = start < len(tokens) and tokens[start].word in ("на", "on")
        end, strong = run(text, tokens, start + on)
        if strong:
            return Times("since", words_of(text, tokens, start, end), end)
        since = _since(text, tokens, start) if start < len(tokens) else None
        if since is not None:
            return since
    if tokens[position].word in ("last", "past"):
        amount = amount_end(tokens, position + 1)
        if amount is not None:
            return Times("since", words_of(text, tokens, position, amount), amount)
    return None


def _since(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«с прошлой недели», "since 2026-01-01": the words after the preposition."""
    if tokens[position].word == "начиная" and position + 1 < len(tokens):
        return _since(text, tokens, position + 1)
    if tokens[position].word not in _SINCE:
        return None
    end, strong = run(text, tokens, position + 1)
    dated = strong or tokens[position].word in ("since", "after", "после")
    if end == position + 1 or not dated:
        return None
    return Times("since", words_of(text, tokens, position + 1, end), end)


def _when(text: str, tokens: Sequence[Token], position: int) -> Times | None:
    """«через час», "at 10:00", "on Friday", "tomorrow": when something is to begin."""
    word = tokens[position].word
    lead = word in _LEADS
    start = position + lead
    end = amount_end(tokens, start) if word in ("in", "через") else None
    if end is None:
        end, strong = run(text, tokens, start)
        # "The End of Month dashboard" is no moment: a day or a clock has to be in it.
        strong = strong and any(names_moment(text, tokens, p) for p in range(start, end))
        if not strong and word in _AT and _hour(tokens, start):
            end, strong = start + 1, True
        if not strong or not (lead or _begins(tokens, position, end)):
            return None
    return Times("when", words_of(text, tokens, position, end), end)


def _hour(tokens: Sequence[Token], position: int) -> bool:
    """Whether "at 10" is a clock: a small number, and no dashboards behind it."""
    words = [token.word for token in tokens[position : position + 3]]
    if not words or not words[0].isdecimal() or len(words[0]) > 2:
        return False
    listed = len(words) == 3 and words[1] in (",", "и", "and") and words[2].isdecimal()
    return not listed and not any(word in _NEVER for word in words[1:2])


def _begins(tokens: Sequence[Token], position: int, end: int) -> bool:
    """Whether a run without a preposition is a moment, and not a part of a title."""
    word, behind = tokens[position].word, tokens[position + 1 : position + 2]
    clock = word.isdecimal() and bool(behind) and behind[0].word == ":"
    titled = end < len(tokens) and tokens[end].text[:1].isupper()
    weekly = word in NEXT and bool(behind) and behind[0].word in UNIT
    return (word in _COMING or clock or weekly) and not titled


def _any_word(tokens: Sequence[Token], position: int) -> int:
    """«до обеда»: one word after a preposition that nearly always speaks of time."""
    if position < len(tokens) and tokens[position].kind == "word":
        return position if tokens[position].word in _NEVER else position + 1
    return position
