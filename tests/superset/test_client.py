"""Reading from a real Superset: lists to their end, search as people mean it, who sees what."""

import re
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from demo.supersets import Pair
from tests.superset.real import Recorder, client
from tests.superset.superset_stub import Stub, connected
from tools.clients.http import NotFound, Unreachable
from tools.clients.superset import Account, Filter, Order, Superset, SupersetConfig
from tools.clients.superset_lists import FILTERS, NEWEST
from tools.clients.superset_search import fold

ROLES = [("viewer", 261), ("analyst", 261), ("editor", 261), ("operator", 262), ("admin", 262)]
HOSTILE = (
    "50% off_now",
    "100\\% back\\slash",
    "Backup & Restore",
    "' OR '1'='1",
    "DROP TABLE users;--",
    "<script>alert(1)</script>",
    "{{ current_username() }}",
    "![image](http://203.0.113.9/leak)",
    "🚀🔥 Запуск 🎉",
    "Ω≈ç√∫ 数据 ダッシュボード",
    "Ёлка и ёж",
    "Елка и еж",
    "a" * 200,
)

NO_DASHBOARDS: tuple[int | str, ...] = (
    *(999_999, "nope", "USA", "usa?x=1", "usa\n", "усa", "%"),
    *("", ".", "..", "a/b", "00000000-0000-4000-8000-000000000000"),
    *("export", "_info", "import", "related", "favorite_status"),  # addresses of other things
)


@pytest.fixture
async def dev(pair: Pair) -> AsyncIterator[Superset]:
    async with client(pair.dev) as superset:
        yield superset


async def titles(superset: Superset) -> list[dict[str, Any]]:
    return [row async for row in superset.rows("dashboard", ["id", "dashboard_title", "slug"])]


async def test_version_and_probe(dev: Superset) -> None:
    assert re.fullmatch(r"6\.1\.\d+", await dev.version())
    assert 0 < await dev.ping() < 30


async def test_a_closed_port_is_unreachable() -> None:
    superset = Superset(
        SupersetConfig("http://127.0.0.1:9", retry_pause=0.01), Account("admin", "canary")
    )
    with pytest.raises(Unreachable) as caught:
        await superset.ping()
    await superset.aclose()
    assert "127.0.0.1" not in str(caught.value)
    assert "canary" not in str(caught.value)


async def test_a_list_is_read_to_its_end(dev: Superset) -> None:
    rows = await titles(dev)
    assert len({row["id"] for row in rows}) == len(rows) == 262 == await dev.count("dashboard")
    assert set(rows[0]) == {"id", "dashboard_title", "slug"}
    drafts = await dev.count("dashboard", [Filter("published", "eq", value=False)])
    assert 0 < drafts < 262
    ordered = [
        row["dashboard_title"]
        async for row in dev.rows(
            "dashboard", ["id", "dashboard_title"], order=Order("dashboard_title")
        )
    ]
    assert len(ordered) == 262
    assert ordered[0] < ordered[-1]


@pytest.mark.parametrize("resource", list(FILTERS))
async def test_every_filter_we_send_is_known_to_superset(dev: Superset, resource: Any) -> None:
    info = await dev.request_json(
        "GET", f"/api/v1/{resource}/_info", query={"q": {"keys": ["filters"]}}
    )
    known = {
        column: {item["operator"] for item in items} for column, items in info["filters"].items()
    }
    for column, operators in FILTERS[resource].items():
        assert operators <= known[column]


@pytest.mark.parametrize(
    ("column", "operator"),
    [("dashboard_title", "contains"), ("title", "eq"), ("id", "ct"), ("published", "gt")],
)
async def test_an_unknown_filter_is_refused_before_anything_is_sent(
    column: str, operator: Any
) -> None:
    stub = Stub()
    async with connected(stub) as superset:
        with pytest.raises(ValueError, match=f"no filter {column} {operator}"):
            await superset.count("dashboard", [Filter(column, operator, 1)])
    assert stub.requests == []
    assert stub.logins == 0


async def test_superset_ignores_an_unknown_filter_which_is_why(dev: Superset) -> None:
    body = await dev.request_json(
        "GET",
        "/api/v1/dashboard/",
        query={"q": {"filters": [{"col": "dashboard_title", "opr": "contains", "value": "USA"}]}},
    )
    assert body["count"] == 262


@pytest.mark.parametrize(("role", "number"), ROLES)
async def test_who_sees_what(pair: Pair, role: str, number: int) -> None:
    async with client(pair.dev, role) as superset:
        assert await superset.count("dashboard") == number
        assert (await superset.search_dashboards()).total == number
        if number == 262:
            assert (await superset.dashboard("board")).slug == "board"
        else:
            with pytest.raises(NotFound):
                await superset.dashboard("board")


async def test_case_and_yo_make_no_difference(dev: Superset) -> None:
    written = ["отчёт", "Отчет", "ОТЧЁТ", "  отчет "]
    found = [await dev.search_dashboards(words) for words in written]
    expected = {row["id"] for row in await titles(dev) if "отчет" in fold(row["dashboard_title"])}
    assert len(expected) > 10
    for page in found:
        assert {item.id for item in page.items} == expected
        assert page.total == len(expected)
    own = Filter("dashboard_title", "ct", "отчёт")
    assert await dev.count("dashboard", [own]) < len(expected), "Superset folds it: no need for us"


async def test_wildcards_are_themselves(dev: Superset) -> None:
    rows = await titles(dev)
    for char in ("%", "_", "\\", "off_n", "0%"):
        expected = {row["id"] for row in rows if char in row["dashboard_title"]}
        page = await dev.search_dashboards(char)
        assert {item.id for item in page.items} == expected
        assert 0 < len(expected) < 10


@pytest.mark.parametrize("title", HOSTILE)
async def test_a_dashboard_is_found_by_its_title_first(dev: Superset, title: str) -> None:
    page = await dev.search_dashboards(title)
    assert page.items[0].title == title


async def test_several_words_in_any_order_and_the_slug(dev: Superset) -> None:
    assert [item.slug for item in (await dev.search_dashboards("births USA")).items] == ["usa"]
    assert (await dev.search_dashboards("PLANT")).items[0].slug == "plant"
    assert (await dev.search_dashboards("births nowhere")).total == 0


async def test_pages_of_a_search_are_parts_of_the_whole(dev: Superset) -> None:
    whole = await dev.search_dashboards("отчёт", limit=500)
    parts = [await dev.search_dashboards("отчёт", limit=7, offset=n) for n in range(0, 50, 7)]
    assert [item for part in parts for item in part.items] == whole.items
    every = await dev.search_dashboards(limit=300)
    assert len(every.items) == every.total == 262
    tail = await dev.search_dashboards(limit=120, offset=150)
    assert tail.items == every.items[150:]
    assert (await dev.search_dashboards(offset=300)).items == []
    changed = [item.changed_on for item in every.items]
    assert changed == sorted(changed, reverse=True)


async def test_other_conditions(dev: Superset) -> None:
    usa = await dev.dashboard("usa")
    tagged = await dev.search_dashboards(tag="Operations")
    assert [item.slug for item in tagged.items] == ["operations"]
    assert (await dev.search_dashboards(tag="operation")).total == 0, "part of a tag is no tag"
    assert (await dev.search_dashboards(owner=usa.owners[0].upper())).total > 0
    assert (await dev.search_dashboards(owner="nobody")).total == 0
    me = (await dev.request_json("GET", "/api/v1/me/"))["result"]["id"]
    assert (await dev.search_dashboards(owner=me)).total == 0
    drafts = await dev.search_dashboards(published=False, limit=300)
    assert drafts.items
    assert not any(item.published for item in drafts.items)
    newest = (await dev.search_dashboards(limit=1)).items[0]
    since = datetime.fromisoformat(newest.changed_on)
    assert [i.id for i in (await dev.search_dashboards(changed_since=since)).items] == [newest.id]
    later = since + timedelta(seconds=1)
    assert (await dev.search_dashboards(changed_since=later)).total == 0


async def test_a_search_reads_no_more_than_it_needs(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        await superset.search_dashboards("отчёт", limit=5)
        first, *_, last = recorder.queries()
        assert first["columns"] == ["id", "dashboard_title", "slug", "changed_on_utc"]
        assert len(last["filters"][0]["value"]) == 5
        recorder.requests.clear()
        await superset.search_dashboards("USA")
        narrowed, _ = recorder.queries()
        assert narrowed["filters"] == [
            {"col": "dashboard_title", "opr": "title_or_slug", "value": "usa"}
        ]
        recorder.requests.clear()
        await superset.search_dashboards(limit=3)
        (only,) = recorder.queries()
        assert only["page_size"] == 3
        assert only["order_column"] == NEWEST.column


async def test_a_dashboard_by_id_uuid_and_slug_is_the_same(dev: Superset) -> None:
    usa = await dev.dashboard("usa")
    assert usa.title == "USA Births Names"
    assert usa.layout["ROOT_ID"]["type"] == "ROOT"
    assert "native_filter_configuration" in usa.metadata
    assert datetime.fromisoformat(usa.changed_on).utcoffset() == timedelta(0)
    for key in (usa.id, str(usa.id), usa.uuid, usa.uuid.upper()):
        assert await dev.dashboard(key) == usa
    listed = (await dev.search_dashboards("usa births")).items[0]
    assert {name: getattr(usa, name) for name in vars(listed)} == vars(listed)
    assert "layout=" not in repr(usa)


@pytest.mark.parametrize("key", NO_DASHBOARDS)
async def test_what_is_no_dashboard_is_not_found(dev: Superset, key: int | str) -> None:
    with pytest.raises(NotFound):
        await dev.dashboard(key)


async def test_a_draft_of_others_is_not_found_by_any_key(pair: Pair, dev: Superset) -> None:
    made = await dev.request_json(
        "POST", "/api/v1/dashboard/", body={"dashboard_title": "zzz unlisted"}, write=True
    )
    draft = await dev.dashboard(made["id"])
    async with client(pair.dev, "viewer") as viewer:
        assert (await viewer.search_dashboards("zzz unlisted")).total == 0
        for key in (draft.id, draft.uuid):
            with pytest.raises(NotFound):
                await viewer.dashboard(key)
        whole = await viewer.request_json("GET", f"/api/v1/dashboard/{draft.uuid}")
    assert whole["result"]["id"] == draft.id, "Superset gives it away by uuid: no need for us"


async def test_both_installations_have_their_own_ids(pair: Pair) -> None:
    async with client(pair.dev) as dev, client(pair.prod) as prod:
        on_dev, on_prod = await dev.dashboard("usa"), await prod.dashboard("usa")
        assert on_dev.uuid == on_prod.uuid
        assert (await prod.dashboard(on_dev.uuid)).id == on_prod.id
        assert on_prod.url.startswith(pair.prod.url + "/superset/dashboard/")
