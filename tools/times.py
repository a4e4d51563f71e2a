"""Moments in people's words: "18:00", "in 2 hours", «завтра в 9», an ISO date."""

import asyncio
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import dateparser

ANY_CASE = re.IGNORECASE
LEAD = re.compile(r"^\s*(?:до|к|по|until|till|by|to)\s+", ANY_CASE)
FOR = re.compile(
    r"^\s*(?:на|for)\s+(?=.*(?:час|сут|ден|дня|дней|минут|мин\b|недел|hour|day|min|week))", ANY_CASE
)
SINCE = re.compile(r"^\s*(?:с|со|от|since|from|after|после)\s+", ANY_CASE)
LAST = re.compile(r"^\s*(?:за(?:\s+последн\w+)?|(?:in |for )?the last|last|past)\s+(.+)$", ANY_CASE)
AGO = {True: "{} назад", False: "{} ago"}
YEAR = timedelta(days=366)

AMBIGUOUS = re.compile(r"\b(?:0?[1-9]|1[0-2])/(?:0?[1-9]|1[0-2])/\d{2,4}\b")
"""Day first or month first: nobody can tell."""
ZONE = re.compile(r"\b(?!UTC|GMT|AM|PM)[A-Z]{3,4}\b|\b(?:мск|по москве)\b")
"""Names of time zones other than UTC; they are ambiguous, so they are not guessed."""

PLAIN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bhalf an? hour\b", ANY_CASE), "30 minutes"),
    (re.compile(r"\b(\d+)\s*h\b", ANY_CASE), r"\1 hours"),
    (re.compile(r"\bпонедельника\b", ANY_CASE), "понедельник"),
    (re.compile(r"\bвторника\b", ANY_CASE), "вторник"),
    (re.compile(r"\bсреды\b", ANY_CASE), "среда"),
    (re.compile(r"\bчетверга\b", ANY_CASE), "четверг"),
    (re.compile(r"\bпятницы\b", ANY_CASE), "пятница"),
    (re.compile(r"\bсубботы\b", ANY_CASE), "суббота"),
    (re.compile(r"\bвоскресенья\b", ANY_CASE), "воскресенье"),
    (re.compile(r"(?:\bв\s+)?\b(\d{1,2})(?::00)?\s+утра\b", ANY_CASE), r"\1:00"),
    (re.compile(r"(?:\bв\s+)?\b(\d{1,2})(?::00)?\s+вечера\b", ANY_CASE), r"\1:00 PM"),
    (
        re.compile(r"(^|\b(?:в|at)\s+)([01]?\d|2[0-3])(?:\s*(?:часов|o'clock))?$", ANY_CASE),
        r"\1\2:00",
    ),
)
"""Ways to write what the date parser knows only otherwise."""

TODAY = re.compile(
    r"^(?:today|сегодня|конца? дня|(?:the )?end of (?:the )?day|полуноч\w|midnight)$", ANY_CASE
)
TOMORROW = re.compile(r"^(?:tomorrow|завтра|завтрашнего дня)$", ANY_CASE)
YESTERDAY = re.compile(r"^(?:yesterday|вчера|вчерашнего дня)$", ANY_CASE)
WEEK = re.compile(r"^(?:this week|(?:на |за )?эт\w+ недел\w)$", ANY_CASE)
MONTH = re.compile(r"^(?:this month|(?:в |за )?эт\w+ месяц\w?)$", ANY_CASE)
CLOCK = re.compile(r"\d{1,2}:\d{2}|\d\s*(?:am|pm)|час|мин|hour|min|now|noon|сейчас", ANY_CASE)


@dataclass
class TimeError(ValueError):
    """Words that name no moment that can be meant.

    Attributes:
        code: unclear: they name none; past: it is over; far: it is more than a year away.
    """

    code: Literal["unclear", "past", "far"]


async def moment(words: str, now: datetime, timezone: str, *, past: bool = False) -> datetime:
    """The coming moment that words name, in UTC; with `past`, one that is over.

    Args:
        words: Russian or English words, or ISO 8601.
        now: The time, aware.
        timezone: IANA name of the zone in which a clock time is meant.

    Raises:
        TimeError: no such moment, or it lies on the wrong side of now, or too far ahead.
    """
    found = await asyncio.to_thread(_parse, words, now, timezone, past)
    if found is None or (past and found > now):
        raise TimeError("unclear")
    if past:
        return found
    if found <= now:
        raise TimeError("past")
    if found > now + YEAR:
        raise TimeError("far")
    return found


def _parse(words: str, utc: datetime, timezone: str, past: bool) -> datetime | None:
    """Zones and the words of a language are read from files when first used, hence the thread."""
    now = utc.astimezone(ZoneInfo(timezone))
    plain = (SINCE if past else LEAD).sub("", words).strip()
    if AMBIGUOUS.search(plain) or ZONE.search(plain):
        return None
    found = _named_day(plain, now, past) or _read(plain, now, past)
    if found is None:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=now.tzinfo)).astimezone(UTC)


def _named_day(plain: str, now: datetime, past: bool) -> datetime | None:
    """A day or a span that has a name: its start when it is over, else its end."""
    start = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if TODAY.match(plain):
        return start if past else start.replace(hour=23, minute=59)
    if TOMORROW.match(plain):
        return (start + timedelta(days=1)).replace(hour=23, minute=59)
    if past and YESTERDAY.match(plain):
        return start - timedelta(days=1)
    if past and WEEK.match(plain):
        return start - timedelta(days=start.weekday())
    return start.replace(day=1) if past and MONTH.match(plain) else None


def _read(plain: str, now: datetime, past: bool) -> datetime | None:
    """Any other moment, by ISO 8601 or by the date parser; until a day means until its end."""
    for pattern, usual in PLAIN:
        plain = pattern.sub(usual, plain)
    try:
        found: datetime | None = datetime.fromisoformat(plain)
    except ValueError:
        found = _words(plain, now, past)
    if found is None or past or CLOCK.search(plain) or (found.hour, found.minute) != (0, 0):
        return found
    return found.replace(hour=23, minute=59)


def _words(plain: str, now: datetime, past: bool) -> datetime | None:
    russian = re.search("[а-яё]", plain, ANY_CASE) is not None
    if past:
        plain = LAST.sub(lambda span: AGO[russian].format(span.group(1)), plain)
    else:
        plain = FOR.sub("через " if russian else "in ", plain)
    return dateparser.parse(
        plain,
        languages=["ru", "en"],
        settings={
            "PREFER_DATES_FROM": "past" if past else "future",
            "RELATIVE_BASE": now.replace(tzinfo=None),
            "RETURN_AS_TIMEZONE_AWARE": False,
            "DATE_ORDER": "DMY",
        },
    )


def shown(when: datetime | str) -> str:
    """A moment as people read it, in UTC, to the minute."""
    moment_ = datetime.fromisoformat(when) if isinstance(when, str) else when
    return moment_.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
