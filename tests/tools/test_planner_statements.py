"""What only tells, denies or asks plans no write; a command is not taken for its contrary."""

import pytest

from tests.tools.planner_tools import calls
from tests.tools.test_planner_writes import end, language_of, start
from tools.catalog import SUPERSET

CATALOGUE = list(SUPERSET.definitions.values())
WRITES = {name for name, one in SUPERSET.definitions.items() if one.effect == "write"}

TELLS = [
    "Don't start maintenance on dashboard 88",
    "Не включай обслуживание на дашборде 88",
    "You should never put a banner on dashboard 5",
    "I don't want a banner on dashboard 5",
    "Баннер на дашборд «Продажи» не нужен",
    "Если завтра сломается, включи обслуживание на дашборде «Продажи»",
    "Start maintenance on dashboard 88 if the load fails",
    "Do we need a banner on dashboard 88?",
    "Нужен ли баннер на дашборд 88?",
    "обслуживание на дашборде 5 до 18:00?",
    "Maintenance for dashboard 5 was yesterday",
    "maintenance on dashboard 5 done",
    "обслуживание на дашборде 5 готово",
    "обслуживание на «Продажи» уже было",
    "banner on dashboard 5 is ugly",
    "баннер на дашборде 5 мешает",
    "На дашборде 5 висит баннер до завтра",
    "There is a banner on dashboard 5 until tomorrow",
    "the event on dashboard 5",
    "события на дашборде 5",
    "I need maintenance events for dashboard 5",
    "нужно без баннера на дашборде 5",
    "Мы не перезаливаем orders_daily, поэтому баннеры на дашбордах, которые на ней стоят, не нужны",
    "We're reloading it, so put a banner on every dashboard that uses it",
    "Надо предупредить людей, что по «Секторам» идут работы",
]

MEANT = [
    ("banner on dashboard 5 needs to go", [end("5")]),
    ("баннер на дашборде 5 больше не нужен", [end("5")]),
    ("need the banner off dashboard 5", [end("5")]),
    ("это обслуживание на дашборде 5 нужно убрать", [end("5")]),
    ("Баннер на дашборд «Продажи» до 18:00", [start("Продажи", ends_at="18:00")]),
    ("Работы закончены, уберите, пожалуйста, плашку с «Продаж»", [end("Продаж")]),
    ("Сними баннер с «A» и повесь на «B»", [end("A"), start("B")]),
    (
        "We're reloading orders_daily, so put a banner on every dashboard that uses it",
        [start(datasets=["orders_daily"])],
    ),
]  # fmt: skip


@pytest.mark.parametrize("text", TELLS)
async def test_what_is_no_command_plans_no_write(text: str) -> None:
    planned = await calls(text, language=language_of(text), definitions=CATALOGUE)
    assert [name for name, _ in planned if name in WRITES] == []


@pytest.mark.parametrize(("text", "expected"), MEANT, ids=[text for text, _ in MEANT])
async def test_what_is_one_is_taken_as_meant(text: str, expected: list[object]) -> None:
    planned = await calls(text, language=language_of(text), definitions=CATALOGUE)
    assert [call for call in planned if call[0] in WRITES] == expected
