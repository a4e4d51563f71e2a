"""What the score of the planner counts as right, and what as wrong."""

from typing import Any

import pytest

from evals import planner
from evals.scoring import same

ENVIRONMENTS = [{"id": "ss-dev", "title": "Sandbox", "stage": "dev"}]
INPUTS = {
    "text": "Find dashboards about sales in dev",
    "language": "en",
    "environments": ENVIRONMENTS,
}


def call(tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return tool, arguments


def search(**arguments: Any) -> tuple[str, dict[str, Any]]:
    return call("search_dashboards", **arguments)


def sql(text: str) -> tuple[str, dict[str, Any]]:
    return call("superset_execute_sql", sql=text)


def start(*dashboards: str) -> tuple[str, dict[str, Any]]:
    return call("start_maintenance", dashboards=list(dashboards))


LISTS = call("list_environments")


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ([search(query="Продажи")], [search(query="продажам")]),
        ([search(query="sales")], [search(query="sales", limit=20, offset=0, tag=None)]),
        ([search(changed_since="2026-11-23")], [search(changed_since="2026-11-23T00:00")]),
        ([search(), LISTS], [LISTS, search()]),
        ([sql("select  1;")], [sql("select 1")]),
        ([start("«Ёлка»", "2")], [start("2", "елка")]),
    ],
)
async def test_what_means_the_same_is_right(expected: Any, actual: Any) -> None:
    assert await same(expected, actual)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ([search(query="sales")], [search(query="orders")]),
        ([search(query="sales")], [search()]),
        ([search(query="sales")], [search(query="sales", limit=5)]),
        ([search(query="sales")], []),
        ([], [search()]),
        ([search(), search()], [search()]),
        ([sql("select A")], [sql("select a")]),
        ([start("1", "2")], [start("1")]),
        ([LISTS], [call("get_task_status")]),
    ],
)
async def test_what_differs_is_wrong(expected: Any, actual: Any) -> None:
    assert not await same(expected, actual)


async def test_a_score_lists_its_misses_by_language() -> None:
    meant = {"name": "search_dashboards", "args": {"query": "sales", "env_id": "ss-dev"}}
    other = {"name": "list_environments", "args": {}}
    scores = [
        await planner.score(planner.Example(str(number), INPUTS, outputs))
        for number, outputs in enumerate(
            ({"calls": [meant]}, {"calls": [], "or": [[meant]]}, {"calls": [other], "or": [[]]})
        )
    ]
    assert [item.right for item in scores] == [True, True, False]
    words, shares = planner.report(scores)
    assert shares == {"en": pytest.approx(2 / 3)}
    assert words.count("miss (en)") == 1
