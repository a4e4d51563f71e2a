"""Lists that come short, move while they are read, or answer somebody else's filter."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from tests.superset.superset_stub import Reply, Stub, body, connected
from tools.clients.http import BadAnswer, ServerFault
from tools.clients.superset import Filter, Superset
from tools.clients.superset_lists import excludes
from tools.clients.superset_search import Search, fold

SLUG = Filter("slug", "eq", "usa")


def listed(rows: list[dict[str, Any]], total: int | None = None) -> httpx.Response:
    return body(200, {"count": len(rows) if total is None else total, "result": rows})


def numbered(start: int, end: int) -> list[dict[str, Any]]:
    return [{"id": number} for number in range(start, end)]


async def ids(superset: Superset, filters: tuple[Filter, ...] = ()) -> list[int]:
    return [row["id"] async for row in superset.rows("dashboard", ["id", "slug"], filters)]


async def test_pages_shorter_than_asked_for_are_no_end() -> None:
    stub = Stub([listed(numbered(n, n + 50), 120) for n in (0, 50, 100)])
    stub.replies[2] = listed(numbered(100, 120), 120)
    async with connected(stub) as superset:
        assert await ids(superset) == list(range(120))
    assert [json.loads(r.url.params["q"])["page"] for r in stub.requests] == [0, 1, 2]


async def test_a_row_that_moved_to_the_next_page_is_given_once() -> None:
    stub = Stub([listed(numbered(0, 3), 5), listed(numbered(2, 5), 5)])
    async with connected(stub) as superset:
        assert await ids(superset) == [0, 1, 2, 3, 4]


async def test_a_list_that_ends_before_its_count_ends() -> None:
    stub = Stub([listed(numbered(0, 3), 5), *[listed([], 5)] * 4])
    async with connected(stub) as superset:
        assert await ids(superset) == [0, 1, 2]
    assert len(stub.requests) == 2


async def test_rows_that_the_filter_excludes_are_read_again() -> None:
    wrong, right = listed([{"id": 1, "slug": "other"}]), listed([{"id": 2, "slug": "usa"}])
    stub = Stub([wrong, wrong, right])
    async with connected(stub) as superset:
        assert await ids(superset, (SLUG,)) == [2]


async def test_a_list_that_never_fits_its_filter_is_no_answer() -> None:
    stub = Stub([listed([{"id": 1, "slug": "other"}])] * 5)
    async with connected(stub) as superset:
        with pytest.raises(ServerFault, match="another request's filter"):
            await ids(superset, (SLUG,))
    assert len(stub.requests) == 3


async def test_an_empty_list_is_believed_the_second_time() -> None:
    stub = Stub([listed([]), listed([{"id": 2, "slug": "usa"}])])
    async with connected(stub) as superset:
        assert await ids(superset, (SLUG,)) == [2]
    stub = Stub([listed([])] * 5)
    async with connected(stub) as superset:
        assert await ids(superset, (SLUG,)) == []
    assert len(stub.requests) == 2


async def test_a_count_that_changes_between_pages_is_read_again() -> None:
    stub = Stub([listed(numbered(0, 3), 6), listed([{"id": 9}], 1), listed(numbered(3, 6), 6)])
    async with connected(stub) as superset:
        assert await ids(superset) == [0, 1, 2, 3, 4, 5]


async def test_a_count_that_stays_changed_is_believed() -> None:
    stub = Stub([listed(numbered(0, 3), 4), *[listed(numbered(3, 5), 5)] * 3])
    async with connected(stub) as superset:
        assert await ids(superset) == [0, 1, 2, 3, 4]
    assert len(stub.requests) == 4


async def test_a_dashboard_that_its_list_misses_is_asked_for_by_its_address() -> None:
    row = {"id": 7, "slug": "usa", "changed_on_utc": "2026-01-02T03:04:05.000006+0000"}
    whole = body(200, {"result": {"id": 7, "position_json": None}})
    stub = Stub([listed([]), listed([]), whole, listed([row]), whole])
    async with connected(stub) as superset:
        found = await superset.dashboard("usa")
    assert (found.id, found.changed_on) == (7, "2026-01-02T03:04:05.000006+00:00")
    assert [request.url.path for request in stub.requests][2:5:2] == [
        "/api/v1/dashboard/usa",
        "/api/v1/dashboard/7",
    ]


@pytest.mark.parametrize("text", ["{", "[]", "7"])
async def test_a_layout_that_is_broken(text: str) -> None:
    row = {"id": 7, "slug": "usa", "changed_on_utc": "2026-01-02T03:04:05.000006+0000"}
    whole = body(200, {"result": {"id": 7, "position_json": text}})
    async with connected(Stub([listed([row]), whole])) as superset:
        with pytest.raises(BadAnswer, match="layout or metadata is broken"):
            await superset.dashboard("usa")


@pytest.mark.parametrize(
    "answer", [[], {}, {"count": 1}, {"count": "1", "result": []}, {"count": 1, "result": [5]}]
)
async def test_what_is_no_list(answer: Any) -> None:
    async with connected(Stub([body(200, answer)])) as superset:
        with pytest.raises(BadAnswer, match="no list"):
            await ids(superset)


async def test_one_list_at_a_time_and_nothing_else_waits() -> None:
    now: dict[str, int] = {}
    most: dict[str, int] = {}

    async def slow(request: httpx.Request) -> Reply:
        kind = "list" if request.url.path.endswith("/dashboard/") else "other"
        now[kind] = now.get(kind, 0) + 1
        most[kind] = max(most.get(kind, 0), now[kind])
        await asyncio.sleep(0.005)
        now[kind] -= 1
        return listed([{"id": 1}])

    stub = Stub([slow] * 40)
    async with connected(stub) as one, connected(stub) as two:
        await asyncio.gather(
            *(superset.count("dashboard") for superset in (one, two) for _ in range(5)),
            *(superset.ping() for superset in (one, two)),
            *(superset.request_json("GET", "/api/v1/other") for superset in (one, two)),
        )
    assert most["list"] == 1
    assert most["other"] == 2


@pytest.mark.parametrize(
    ("item", "row", "excluded"),
    [
        (SLUG, {"slug": "usa"}, False),
        (SLUG, {"slug": None}, True),
        (SLUG, {}, False),
        (Filter("id", "in", [1, 2]), {"id": 3}, True),
        (Filter("id", "in", [1, 2]), {"id": 2}, False),
        (Filter("id", "gt", 1), {"id": 0}, False),
        (Filter("dashboard_title", "title_or_slug", "a%b"), {"dashboard_title": "xAzzBx"}, False),
        (Filter("dashboard_title", "title_or_slug", "a_b"), {"slug": "a\nb"}, False),
        (Filter("dashboard_title", "title_or_slug", "a.b"), {"dashboard_title": "axb"}, True),
        (Filter("dashboard_title", "title_or_slug", "отчет"), {"dashboard_title": "x"}, False),
    ],
)
def test_what_a_filter_excludes(item: Filter, row: dict[str, Any], excluded: bool) -> None:
    assert excludes(item, row) is excluded


@pytest.mark.parametrize(
    ("words", "patterns"),
    [
        (None, []),
        ("Отчёт", []),
        ("USA", ["usa"]),
        ("Отчёт USA_2 100%", ["usa%2", "100"]),
        ("back\\slash café", ["back%slash", "caf"]),
        ("наUSAнаEUR", ["usa%eur"]),
        ("%", []),
        ("a bb ccc dddd", ["dddd", "ccc", "bb"]),
        ("x" * 300, ["x" * 64]),
    ],
)
def test_superset_narrows_by_what_it_surely_finds(words: str | None, patterns: list[str]) -> None:
    assert [item.value for item in Search(words).filters()] == patterns
    for pattern in patterns:
        title = {"dashboard_title": words}
        assert not excludes(Filter("dashboard_title", "title_or_slug", pattern), title)


def test_folding() -> None:
    assert fold("  Ёлка  И\tЁЖ ") == "елка и еж"
    assert fold("и\u0306") == "й", "composed and decomposed are the same"
    assert fold("Straße") == "straße"
