"""Slips of the keyboard: put right in key words, never in titles, never to do another thing."""

from typing import Any

import pytest

from tests.tools.planner_tools import MINI, calls
from tools.catalog import SUPERSET
from tools.intent.nearness import distance, swapped

TOOLS = [
    pytest.param(MINI.definitions, id="declared"),
    pytest.param(list(SUPERSET.definitions.values()), id="catalogue"),
]
START = ("start_maintenance", {"dashboards": ["5"], "env_id": "ss-dev"})
EVENTS: tuple[str, dict[str, Any]] = ("list_maintenance_events", {})


@pytest.mark.parametrize("definitions", TOOLS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("start maintainance on dashboard 5 in dev", [START]),
        ("start maintenence on dashboard 5 in dev", [START]),
        ("start maintenance on dashbord 5 in dev", [START]),
        ("start maintenance on dahsboard 5 in dev", [START]),
        ("strat maintenance on dashboard 5 in dev", [START]),
        ("strat maintenence on dashbord 5 in dev", [START]),
        ("please strat maintenance on dashboard 5 in dev", [START]),
        ("запусти обслуживане на дашборде 5 в dev", [START]),
        ("запусти обслживание на дашборде 5 в dev", [START]),
        ("запусти обслуживание на дашбоде 5 в dev", [START]),
        ("зпусти обслуживание на дашборде 5 в dev", [START]),
        ("show maintenence", [EVENTS]),
        ("покажи окуржения", [("list_environments", {})]),
        ("find dashbords about sales", [("search_dashboards", {"query": "sales"})]),
        ("найди дашбрды про продажи", [("search_dashboards", {"query": "продажи"})]),
        ("start maintenance on dashboard Maintenence Plan",
         [("start_maintenance", {"dashboards": ["Maintenence Plan"]})]),
        ("start maintenance on dashboard «Dashbord»",
         [("start_maintenance", {"dashboards": ["Dashbord"]})]),
        ("find manners", [("search_dashboards", {"query": "manners"})]),
        ("найди раздачи", [("search_dashboards", {"query": "раздачи"})]),
        ("start maintenance on dashboard 5 in ss-dve",
         [("start_maintenance", {"dashboards": ["5"], "env_id": "ss-dve"})]),
        ("start maintenance on dashboard 5 in prd",
         [("start_maintenance", {"dashboards": ["5"], "env_id": "prd"})]),
        ("запусти обслуживание на дашборде 5 на prd",
         [("start_maintenance", {"dashboards": ["5"], "env_id": "prd"})]),
        ("show dashboards in dve", [("search_dashboards", {"env_id": "dve"})]),
        ("запусти обслуживание на всех дашбрдах про продажи", []),
        ("clone maintenance on dashboard 5", []),
    ],
)  # fmt: skip
async def test_a_slip_is_put_right(text: str, expected: Any, definitions: Any) -> None:
    language = "ru" if any("а" <= letter <= "я" for letter in text) else "en"
    assert await calls(text, language=language, definitions=definitions) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("start", "start", 0), ("strat", "start", 1), ("dashbord", "dashboard", 1), ("a", "b", 1),
        ("maintainance", "maintenance", 2), ("abc", "xyz", 3), ("", "ab", 2), ("ca", "abc", 3),
    ],
)  # fmt: skip
def test_distance(one: str, other: str, expected: int) -> None:
    assert distance(one, other, 5) == distance(other, one, 5) == expected
    assert distance(one, other, 0) == min(expected, 1)


def test_swapped() -> None:
    assert swapped("dve", "dev")
    assert not swapped("dev", "dev")
    assert not swapped("abcd", "badc")
