"""Reads: filters that no tool knows are said back; counts, ids, times; help in a few words."""

from typing import Any

import pytest

from tests.tools.planner_tools import MINI, calls, said

SEARCH = "search_dashboards"


@pytest.mark.parametrize(
    ("text", "language", "expected", "words"),
    [
        ("my dashboards", "en", {}, "“my”"),
        ("мои дашборды в dev", "ru", {"env_id": "ss-dev"}, "«мои»"),
        ("who owns the USA dashboard", "en", {"query": "USA"}, "“who owns”"),
        ("кто владелец дашборда USA", "ru", {"query": "USA"}, "«кто владелец»"),
        ("certified dashboards", "en", {}, "“certified”"),
        ("which dashboards are certified", "en", {}, "“certified”"),
        ("дашборды без тегов", "ru", {}, "«без тегов»"),
        ("dashboards without tags", "en", {}, "“without tags”"),
        ("dashboards changed by admin", "en", {}, "“changed by admin”"),
        ("дашборды, изменённые админом", "ru", {}, "«изменённые админом»"),
    ],
)
async def test_a_filter_that_no_tool_knows_is_said_back(
    text: str, language: str, expected: dict[str, Any], words: str
) -> None:
    answer = await said(text, language=language)
    assert [(call["name"], call["args"]) for call in answer.tool_calls] == [(SEARCH, expected)]
    assert words in answer.content


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("count dashboards in prod", {"env_id": "ss-prod"}),
        ("посчитай дашборды в prod", {"env_id": "ss-prod"}),
        ("find dashboard with id 5", {"query": "5"}),
        ("найди дашборд с id 5", {"query": "5"}),
        ("dashboards changed today", {"changed_since": "today"}),
        ("dashboards updated this week in dev", {"changed_since": "this week", "env_id": "ss-dev"}),
        ("дашборды, изменённые сегодня", {"changed_since": "сегодня"}),
        ("дашборды, изменённые на этой неделе", {"changed_since": "на этой неделе"}),
        ("show 50 dashboards", {"limit": 50}),
        ("show dashboards limit 50", {"limit": 50}),
        ("покажи 50 дашбордов", {"limit": 50}),
        ("find dashboards about popular songs", {"query": "popular songs"}),
        ("find dashboards about tomorrow", {"query": "tomorrow"}),
    ],
)
async def test_what_a_search_knows_is_passed(text: str, expected: dict[str, Any]) -> None:
    answer = await said(text, language="en")
    assert [(call["name"], call["args"]) for call in answer.tool_calls] == [(SEARCH, expected)]
    assert answer.content == ""


async def test_a_time_that_narrows_nothing_is_said_back() -> None:
    answer = await said("which maintenance starts tomorrow", language="en")
    assert [call["name"] for call in answer.tool_calls] == ["list_maintenance_events"]
    assert "“tomorrow”" in answer.content


@pytest.mark.parametrize(
    ("text", "language", "opening"),
    [
        ("привет", "ru", "Здравствуйте!"), ("Добрый день!", "ru", "Здравствуйте!"),
        ("спасибо", "ru", "Пожалуйста!"), ("hi", "en", "Hello!"), ("Good morning", "en", "Hello!"),
        ("thank you very much", "en", "You are welcome!"),
        ("расскажи анекдот", "ru", "Я исполняю команды и этого не понял"),
        ("tell me a joke", "en", "I am a command interpreter, not a conversational model"),
    ],
)  # fmt: skip
async def test_small_talk_is_answered_shortly(text: str, language: str, opening: str) -> None:
    content = str((await said(text, language=language)).content)
    assert content.startswith(opening)
    assert content.count("\n- ") == 3


async def test_examples_without_a_page_need_none() -> None:
    content = str((await said("hi", language="en", definitions=MINI.definitions)).content)
    for example in ("Find dashboards about sales", "Which maintenance is open?"):
        assert f"- {example}" in content
    assert "this dashboard" not in content
    assert await calls("Which maintenance is open?") != []
