"""Moments in people's words: "18:00", "in 2 hours", «завтра в 9», an ISO date."""

import asyncio
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import dateparser

LEAD = re.compile(r"^\s*(?:до|к|по|until|till|by|to)\s+", re.IGNORECASE)
FOR = re.compile(
    r"^\s*(?:на|for)\s+(?=.*(?:час|сут|ден|дня|дней|минут|мин\b|недел|hour|day|min|week))",
    re.IGNORECASE,
)
HALF = re.compile(r"\bhalf an? hour\b", re.IGNORECASE)
HOUR = re.compile(r"(?P<at>^|\b(?:в|at)\s+)(?P<hour>[01]?\d|2[0-3])(?:\s*(?:часов|o'clock))?$")
SINCE = re.compile(r"^\s*(?:с|со|от|since|from|after|после)\s+", re.IGNORECASE)
LAST = re.compile(
    r"^\s*(?:за\s+последн\w+|in the last|for the last|last|past)\s+(.+)$", re.IGNORECASE
)
AGO = {True: "{} назад", False: "{} ago"}
YEAR = timedelta(days=366)


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
    plain = HALF.sub("30 minutes", plain)
    plain = HOUR.sub(r"\g<at>\g<hour>:00", plain)
    try:
        found: datetime | None = datetime.fromisoformat(plain)
    except ValueError:
        russian = re.search("[а-яё]", plain, re.IGNORECASE) is not None
        if past:
            plain = LAST.sub(lambda span: AGO[russian].format(span.group(1)), plain)
        else:
            plain = FOR.sub("через " if russian else "in ", plain)
        found = dateparser.parse(
            plain,
            languages=["ru", "en"],
            settings={
                "PREFER_DATES_FROM": "past" if past else "future",
                "RELATIVE_BASE": now.replace(tzinfo=None),
                "RETURN_AS_TIMEZONE_AWARE": False,
            },
        )
    if found is None:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=now.tzinfo)).astimezone(UTC)


def shown(when: datetime | str) -> str:
    """A moment as people read it, in UTC, to the minute."""
    moment_ = datetime.fromisoformat(when) if isinstance(when, str) else when
    return moment_.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
