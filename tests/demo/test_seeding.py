"""What the plan of the seeded content promises, before any Superset runs."""

from collections import Counter
from typing import Any

import pytest

from demo.seeding.charts import CHARTS
from demo.seeding.dashboards import HOSTILE, TOTAL, Dashboard, dashboards
from demo.seeding.ids import own, shared
from demo.seeding.layouts import Layout, Placed, Tab
from demo.seeding.seed import _keys

PLACED = {chart.key: Placed(n, f"u{n}", chart.title) for n, chart in enumerate(CHARTS, 1)}


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_the_plan_has_the_promised_number_of_dashboards(name: str) -> None:
    plan = dashboards(name)
    assert len(plan) == TOTAL[name] == {"dev": 262, "prod": 40}[name]
    assert len({one.key for one in plan}) == len(plan)


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_every_dashboard_has_charts_of_its_installation(name: str) -> None:
    known = {chart.key for chart in CHARTS if chart.only_on in {"", name}}
    for one in dashboards(name):
        assert _keys(one)
        assert _keys(one) <= known


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_one_title_has_usa_in_it(name: str) -> None:
    titles = [one.title for one in dashboards(name) if "usa" in one.title.lower()]
    assert titles == ["USA Births Names"]


def test_production_has_the_same_dashboards_and_one_of_its_own() -> None:
    dev = {one.key: one for one in dashboards("dev")}
    own_ones = [one for one in dashboards("prod") if one.key not in dev]
    assert [one.title for one in own_ones] == ["Только на проде"]
    assert all(dev[one.key] == one for one in dashboards("prod") if one.key in dev)


def test_titles_are_hostile_in_many_ways() -> None:
    titles = [one.title for one in dashboards("dev")]
    assert set(HOSTILE) <= set(titles)
    assert max(map(len, titles)) == 200
    assert [title for title, count in Counter(titles).items() if count > 1] == ["Отчёт о простоях"]


def test_identities_are_shared_except_those_of_databases() -> None:
    assert shared("dashboard", "usa") == shared("dashboard", "usa")
    assert shared("dashboard", "usa") != shared("chart", "usa")
    assert own("dev", "database", "Analytics") != own("prod", "database", "Analytics")


def check(layout: dict[str, Any]) -> None:
    """Every part is where its parents say, and nothing is out of the tree but the header."""
    reached = {"ROOT_ID"}
    todo = ["ROOT_ID"]
    while todo:
        name = todo.pop()
        for child in layout[name]["children"]:
            assert layout[child]["parents"] == [*layout[name].get("parents", []), name]
            assert child not in reached
            reached.add(child)
            todo.append(child)
    rest = set(layout) - reached - {"DASHBOARD_VERSION_KEY", "HEADER_ID"}
    assert rest <= {"GRID_ID"}
    if rest:
        assert layout["GRID_ID"]["children"] == []


def test_tabs_at_the_top_take_the_place_of_the_grid() -> None:
    layout = Layout("key", "Title")
    inner = Tab("Внутри", ("energy",))
    layout.tabs_at_top([Tab("One", ("revenue",), (inner,)), Tab("Two", ("orders",))], PLACED)
    check(layout.parts)
    (tabs,) = layout.parts["ROOT_ID"]["children"]
    assert layout.parts[tabs]["type"] == "TABS"
    texts = [part["meta"]["text"] for part in layout.parts.values() if _kind(part) == "TAB"]
    assert sorted(texts) == ["One", "Two", "Внутри"]


def test_tabs_may_also_stand_in_the_grid() -> None:
    layout = Layout("key", "Title")
    layout.rows("GRID_ID", [PLACED["revenue"]])
    layout.tabs("GRID_ID", [Tab("One", ("orders",))], PLACED)
    check(layout.parts)
    kinds = [layout.parts[name]["type"] for name in layout.parts["GRID_ID"]["children"]]
    assert kinds == ["ROW", "TABS"]


def test_a_layout_is_the_same_in_every_build() -> None:
    def build(key: str) -> dict[str, Any]:
        layout = Layout(key, "Title")
        layout.rows("GRID_ID", list(PLACED.values())[:3])
        return layout.parts

    assert build("one") == build("one")
    assert set(build("one")) != set(build("two"))


def test_charts_of_inner_tabs_are_attached_too() -> None:
    plan = Dashboard("k", "T", ("a",), tabs=(Tab("x", ("b",), (Tab("y", ("c",)),)),))
    assert _keys(plan) == {"a", "b", "c"}


def _kind(part: Any) -> str:
    return part["type"] if isinstance(part, dict) else ""
