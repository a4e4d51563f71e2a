"""What a long result costs: shortened, read page by page, and found in the first place.

The peers do the same without a thought: parse all of it, and write it, or a part of it.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.measure import Figure, compare, figure
from tools.clients.superset_search import Search, find_ids
from tools.results import dumped, page, shorten

LIMIT = 4000
RESULT_ID = "0" * 32
GOAL_MS = 5
DASHBOARDS = 262
PAGE = 100
SHOWN = 20


def rows(count: int) -> str:
    """A result of dashboards, about 235 characters each."""
    items = [
        {
            "id": n,
            "title": f"Отчёт о продажах по регионам {n}",
            "published": n % 7 != 0,
            "changed_on": "2026-11-30T18:24:05",
            "changed_by": "Ольга Петрова",
            "owners": ["Ольга Петрова", "Ivan Smith"],
            "tags": ["finance", "критичный"],
            "share": n / 7,
        }
        for n in range(count)
    ]
    return dumped({"environment": "ss-dev", "total": count, "items": items})


def shortening() -> Iterator[Figure]:
    """100 KB and 8 MB made to fit, against only parsing and writing them."""
    for name, count, rounds, goal in (("100kb", 330, 200, GOAL_MS), ("8mb", 26_000, 7, None)):
        content = rows(count)
        ours, _, ratio = compare(
            lambda content=content: shorten(content, LIMIT, RESULT_ID),
            lambda content=content: json.dumps(json.loads(content), ensure_ascii=False),
            rounds=rounds,
        )
        size = f"{len(content.encode()) / 1e6:.1f} MB"
        yield figure(f"shorten_{name}", ours, "ms", f"a result of {size} shortened", goal)
        yield Figure(
            f"shorten_{name}_vs_json", ratio, "ratio", "the same against json.loads + json.dumps"
        )


def reading() -> Iterator[Figure]:
    """A page in the middle of a kept result, against a plain slice of it."""
    content = rows(330)
    made = page(content, 200, LIMIT)
    end = made["next_offset"]

    def peer() -> str:
        return json.dumps(json.loads(content)["items"][200:end], ensure_ascii=False)

    ours, _, ratio = compare(lambda: dumped(page(content, 200, LIMIT)), peer)
    yield figure("result_page", ours, "ms", "a page of read_result out of 100 KB")
    yield Figure("result_page_vs_slice", ratio, "ratio", "the same against a slice + json.dumps")


def searching() -> Iterator[Figure]:
    """Words looked for in all titles, page by page, against a plain slice of the same answers."""
    answers = [_answer(start) for start in range(0, DASHBOARDS, PAGE)]

    async def read(path: str, parameters: Mapping[str, Any]) -> Any:
        return json.loads(answers[parameters["q"]["page"]])

    async def peer() -> str:
        found = [row for answer in answers for row in json.loads(answer)["result"]]
        return json.dumps(found[:SHOWN], ensure_ascii=False)

    with asyncio.Runner() as runner:
        ours, _, ratio = compare(
            lambda: runner.run(find_ids(read, Search("отчет продажи"))),
            lambda: runner.run(peer()),
        )
    yield figure("search_paging", ours, "ms", f"words looked for in {DASHBOARDS} titles")
    yield Figure("search_paging_vs_slice", ratio, "ratio", "the same against a slice + json.dumps")


def _answer(start: int) -> str:
    """A page of Superset's list of dashboards."""
    found = [
        {
            "id": n,
            "dashboard_title": f"{'Отчёт: продажи' if n % 3 else 'KPI'} по регионам {n}",
            "slug": None,
            "changed_on_utc": "2026-11-30T18:24:05.123456+0000",
        }
        for n in range(start, min(start + PAGE, DASHBOARDS))
    ]
    return dumped({"count": DASHBOARDS, "result": found})


BENCHMARKS = (shortening, reading, searching)
