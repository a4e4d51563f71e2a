from datetime import UTC, datetime

import pytest

from tools.times import TimeError, moment, shown

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("18:00", "2026-11-30 18:00"),
        ("до 18:00", "2026-11-30 18:00"),
        ("until 18", "2026-11-30 18:00"),
        ("завтра в 9", "2026-12-01 09:00"),
        ("tomorrow at 9", "2026-12-01 09:00"),
        ("завтра в 18:30", "2026-12-01 18:30"),
        ("на 2 часа", "2026-11-30 14:00"),
        ("for 2 hours", "2026-11-30 14:00"),
        ("in 45 minutes", "2026-11-30 12:45"),
        ("через полчаса", "2026-11-30 12:30"),
        ("for two hours", "2026-11-30 14:00"),
        ("на два часа", "2026-11-30 14:00"),
        ("for half an hour", "2026-11-30 12:30"),
        ("на неделю", "2026-12-07 12:00"),
        ("06.01.2027 18:00", "2027-01-06 18:00"),
        ("25/12/2026", "2026-12-25 23:59"),
        ("until Friday", "2026-12-04 23:59"),
        ("до пятницы", "2026-12-04 23:59"),
        ("до понедельника 9 утра", "2026-12-07 09:00"),
        ("до 6 вечера", "2026-11-30 18:00"),
        ("2026-12-02", "2026-12-02 23:59"),
        ("2026-12-02T00:00", "2026-12-02 00:00"),
        ("tomorrow", "2026-12-01 23:59"),
        ("до конца дня", "2026-11-30 23:59"),
        ("for 2h", "2026-11-30 14:00"),
        ("20:00 UTC", "2026-11-30 20:00"),
        ("на сутки", "2026-12-01 12:00"),
        ("2026-12-01T18:00", "2026-12-01 18:00"),
        ("2026-12-01T18:00+03:00", "2026-12-01 15:00"),
        ("1 декабря 18:00", "2026-12-01 18:00"),
    ],
)
async def test_coming_moments(words, expected):
    assert shown(await moment(words, NOW, "UTC")) == f"{expected} UTC"


async def test_clock_times_are_meant_in_the_deployments_zone():
    assert shown(await moment("18:00", NOW, "Europe/Moscow")) == "2026-11-30 15:00 UTC"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("soon", "unclear"),
        ("05/12/2026", "unclear"),
        ("18:00 MSK tomorrow", "unclear"),
        ("18:00 по москве", "unclear"),
        ("", "unclear"),
        ("скоро", "unclear"),
        ("yesterday", "past"),
        ("до вчера", "past"),
        ("2020-01-01", "past"),
        ("через 2 года", "far"),
        ("2029-01-01", "far"),
        ("7" * 400, "unclear"),
    ],
)
async def test_what_can_not_be_meant_is_said(words, code):
    with pytest.raises(TimeError) as caught:
        await moment(words, NOW, "UTC")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("за последние 7 дней", "2026-11-23 12:00"),
        ("last 3 days", "2026-11-27 12:00"),
        ("7 days ago", "2026-11-23 12:00"),
        ("since 2026-11-01", "2026-11-01 00:00"),
        ("с 1 ноября", "2026-11-01 00:00"),
        ("вчера", "2026-11-29 00:00"),
        ("today", "2026-11-30 00:00"),
        ("сегодня", "2026-11-30 00:00"),
        ("this week", "2026-11-30 00:00"),
        ("на этой неделе", "2026-11-30 00:00"),
        ("за неделю", "2026-11-23 12:00"),
        ("в этом месяце", "2026-11-01 00:00"),
    ],
)
async def test_moments_that_are_over(words, expected):
    assert shown(await moment(words, NOW, "UTC", past=True)) == f"{expected} UTC"


async def test_a_coming_moment_is_not_over():
    with pytest.raises(TimeError):
        await moment("tomorrow", NOW, "UTC", past=True)
