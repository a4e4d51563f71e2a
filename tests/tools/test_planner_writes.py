"""What would write is planned only when every word of it is understood."""

from typing import Any

import pytest

from tests.tools.planner_tools import MINI, calls, said
from tools.catalog import SUPERSET
from tools.definition import ToolDefinition

TOOLS = [
    pytest.param(MINI.definitions, id="declared"),
    pytest.param(list(SUPERSET.definitions.values()), id="catalogue"),
]


def start(*dashboards: str, **more: Any) -> tuple[str, dict[str, Any]]:
    named = {"dashboards": list(dashboards)} if dashboards else {}
    return "start_maintenance", named | more


def end(*dashboards: str, **more: Any) -> tuple[str, dict[str, Any]]:
    named = {"dashboards": list(dashboards)} if dashboards else {}
    return "end_maintenance", named | more


def language_of(text: str) -> str:
    return "ru" if any("а" <= letter <= "я" for letter in text.lower()) else "en"


async def refused(text: str, definitions: list[ToolDefinition]) -> str:
    answer = await said(text, language=language_of(text), definitions=definitions)
    assert answer.tool_calls == []
    return str(answer.content)


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("start maintenance on dashboard 5 in dev in an hour", "in an hour"),
        ("start maintenance on dashboard 5 in dev tomorrow", "tomorrow"),
        ("start maintenance on dashboard 5 in dev at 10:00", "at 10:00"),
        ("start maintenance on dashboard 5 at 10 in dev", "at 10"),
        ("start maintenance on dashboard 5 next week", "next week"),
        ("start maintenance on dashboard 5 on Friday until 18:00", "on Friday"),
        ("start maintenance on dashboard 5 in dev tomorrow from 10:00 to 12:00",
         "tomorrow from 10:00 to 12:00"),
        ("запусти обслуживание на дашборде 5 в dev через час", "через час"),
        ("запусти обслуживание на дашборде 5 в dev завтра", "завтра"),
        ("завтра запусти обслуживание на дашборде 5", "завтра"),
        ("запусти обслуживание на дашборде 5 в dev в 10:00", "в 10:00"),
        ("запусти обслуживание на дашборде 5 в dev завтра с 10 до 12", "завтра с 10"),
        ("запусти обслуживание на дашборде 5 в понедельник", "в понедельник"),
    ],
)  # fmt: skip
async def test_a_beginning_cannot_be_set(
    text: str, words: str, definitions: list[ToolDefinition]
) -> None:
    content = await refused(text, definitions)
    assert f"“{words}”" in content or f"«{words}»" in content
    assert "cannot be scheduled" in content or "запланировать нельзя" in content
    assert "until 18:00" in content or "до 18:00" in content


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gently start maintenance on dashboard 5 in dev", "“gently”"),
        ("start maintenance for testing the quux on dashboard 5", "“testing the quux”"),
        ("end the maintenance foo bar in dev", "“foo bar”"),
        ("start maintenance everywhere", "“everywhere”"),
        ("тихонько запусти обслуживание на дашборде 5 в dev", "«тихонько»"),
        ("заверши обслуживание раз два в dev", "«раз два»"),
    ],
)
async def test_a_word_that_is_not_understood_stops_it(
    text: str, words: str, definitions: list[ToolDefinition]
) -> None:
    content = await refused(text, definitions)
    assert words in content
    assert "Without these words it would be: " in content or "Без этих слов" in content


@pytest.mark.parametrize("definitions", TOOLS)
async def test_what_would_have_been_done_is_said(definitions: list[ToolDefinition]) -> None:
    text = "gently start maintenance on dashboards 5 and USA in dev"
    content = await refused(text, definitions)
    assert "Start maintenance on this dashboard (dashboards: 5, USA; env_id: ss-dev)" in content


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("schedule maintenance on dashboard 5 in dev for tomorrow", "cannot schedule"),
        ("can you schedule maintenance for Friday", "cannot schedule"),
        ("plan maintenance on dashboard 5", "cannot schedule"),
        ("запланируй обслуживание на дашборде 5 на завтра", "Запланировать это («запланируй»)"),
        ("extend maintenance on dashboard 5 until 20:00", "cannot do “extend”"),
        ("change the message of the maintenance on dashboard 5", "cannot do “change”"),
        ("продли обслуживание на дашборде 5 до 20:00", "Сделать это («продли»)"),
        ("поменяй сообщение обслуживания", "Сделать это («поменяй»)"),
    ],
)
async def test_what_no_tool_does_is_said(
    text: str, words: str, definitions: list[ToolDefinition]
) -> None:
    assert words in await refused(text, definitions)


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(
    "text",
    [
        "start maintenance on all dashboards in dev", "start maintenance on every dashboard",
        "start maintenance on all dashboards tagged finance", "put everything under maintenance",
        "start maintenance on dashboards tagged finance", "start maintenance on 2 dashboards",
        "start maintenance on dashboards about sales in dev",
        "запусти обслуживание на все дашборды", "запусти обслуживание на всех дашбордах",
        "запусти обслуживание на всех дашбордах про продажи", "повесь баннер на каждый дашборд",
        "запусти обслуживание на дашбордах про продажи", "запусти обслуживание на 2 дашбордах",
        "запусти обслуживание на всех дашбордах продаж",
    ],
)  # fmt: skip
async def test_all_is_no_name(text: str, definitions: list[ToolDefinition]) -> None:
    content = await refused(text, definitions)
    assert "name the dashboards" in content or "назовите дашборды" in content


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(
    "text",
    [
        "end all maintenance", "end maintenance on all dashboards", "remove all banners",
        "заверши все обслуживания", "сними все баннеры",
        "заверши обслуживание на всех дашбордах",
    ],
)  # fmt: skip
async def test_maintenance_ends_one_by_one(text: str, definitions: list[ToolDefinition]) -> None:
    content = await refused(text, definitions)
    assert "one by one" in content or "по одному" in content


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(
    "text",
    [
        "start maintenance on 5 in dev, 15 in prod, 38",
        "start maintenance in dev on 5, in prod",
        "запусти обслуживание на 5 в dev, 15 в prod, 38",
    ],
)
async def test_names_are_never_multiplied(text: str, definitions: list[ToolDefinition]) -> None:
    content = await refused(text, definitions)
    assert "in which environment" in content or "к какому окружению" in content


UNDERSTOOD = [
    ("end maintenance foo in dev", [end(event_id="foo", env_id="ss-dev")]),
    ("end maintenance event foo", [end(event_id="foo")]),
    ("заверши обслуживание foo в dev", [end(event_id="foo", env_id="ss-dev")]),
    ("start maintenance on dashboard 5 in dev until 18:00 MSK tomorrow",
     [start("5", env_id="ss-dev", ends_at="18:00 MSK tomorrow")]),
    ("start maintenance on dashboard 5 in dev until 18:00 CET tomorrow",
     [start("5", env_id="ss-dev", ends_at="18:00 CET tomorrow")]),
    ("запусти обслуживание на дашборде 5 сегодня до 18:00", [start("5", ends_at="сегодня 18:00")]),
    ("start maintenance on dashboards 5, 15 in dev and 38 in prod",
     [start("5", "15", env_id="ss-dev"), start("38", env_id="ss-prod")]),
    ("запусти обслуживание на дашбордах 5, 15 в dev и 38 в prod",
     [start("5", "15", env_id="ss-dev"), start("38", env_id="ss-prod")]),
    ("start maintenance in dev on dashboards 5 and 15 and in prod on dashboard 38",
     [start("5", "15", env_id="ss-dev"), start("38", env_id="ss-prod")]),
    ("запусти обслуживание на дашборде USA в dev и на дашборде Sales в prod до 18:00",
     [start("USA", env_id="ss-dev", ends_at="18:00"),
      start("Sales", env_id="ss-prod", ends_at="18:00")]),
    ("start maintenance on dashboard 5 on dev and prod",
     [start("5", env_id="ss-dev"), start("5", env_id="ss-prod")]),
    ("запусти обслуживание на дашборде 5 на dev и на prod",
     [start("5", env_id="ss-dev"), start("5", env_id="ss-prod")]),
    ("start maintenance on both dashboards USA and Sales", [start("USA", "Sales")]),
    ("start maintenance on all three dashboards: USA, Sales, Ops", [start("USA", "Sales", "Ops")]),
    ("start maintenance on 3 dashboards: 5, 6 and 7", [start("5", "6", "7")]),
    ("запусти обслуживание на всех дашбордах: 5, 6 и 7", [start("5", "6", "7")]),
    ("start maintenance on all dashboards of the dataset birth_names in dev",
     [start(datasets=["birth_names"], env_id="ss-dev")]),
    ("start maintenance on the dataset birth_names in dev",
     [start(datasets=["birth_names"], env_id="ss-dev")]),
    ("start maintenance on the birth_names dataset", [start(datasets=["birth_names"])]),
    ("запусти обслуживание на датасете birth_names в dev",
     [start(datasets=["birth_names"], env_id="ss-dev")]),
    ("запусти обслуживание на таблице birth_names", [start(datasets=["birth_names"])]),
    ("запусти обслуживание на всех дашбордах датасета birth_names",
     [start(datasets=["birth_names"])]),
    ("start maintenance on dashboard 5 in dev and message is hello world",
     [start("5", env_id="ss-dev", message="hello world")]),
    ("start maintenance on dashboard 5 with message back tomorrow at 10",
     [start("5", message="back tomorrow at 10")]),
    ("start maintenance on dashboard 5 and write that data is late",
     [start("5", message="data is late")]),
    ("запусти обслуживание на дашборде 5 и напиши, что данные обновятся к вечеру",
     [start("5", message="данные обновятся к вечеру")]),
    ("запусти обслуживание на дашборде 5 с текстом данные обновятся к вечеру",
     [start("5", message="данные обновятся к вечеру")]),
    ("повесь плашку на дашборд 5 «Идут работы»", [start("5", message="Идут работы")]),
    ("please start maintenance right now on this dashboard, thank you very much", [start()]),
    ("begin maintenance of dashboard 5, dev", [start("5", env_id="ss-dev")]),
    ("не могли бы вы запустить обслуживание на дашборде 5", [start("5")]),
    ("Запусти, пожалуйста, обслуживание на дашборде 5", [start("5")]),
    ("Start, please, maintenance on dashboard 5", [start("5")]),
    ("Добрый день! Давайте прямо сейчас запустим обслуживание на дашборде 5", [start("5")]),
]  # fmt: skip


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(("text", "expected"), UNDERSTOOD, ids=[text for text, _ in UNDERSTOOD])
async def test_every_word_counts(
    text: str, expected: Any, definitions: list[ToolDefinition]
) -> None:
    assert await calls(text, language=language_of(text), definitions=definitions) == expected


async def test_one_refused_clause_leaves_the_others() -> None:
    answer = await said("покажи окружения и запусти обслуживание на дашборде 5 через час")
    assert [call["name"] for call in answer.tool_calls] == ["list_environments"]
    assert "«через час»" in answer.content
    again = await said("gently start maintenance on USA and then end it", language="en")
    assert again.tool_calls == []
