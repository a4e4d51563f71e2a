"""Banners on a real Superset: they come, they go, and nothing but the layout ever changed."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from demo.supersets import Pair
from tests.superset.real import Recorder, client
from tools.clients.http import Changed, Forbidden, Invalid, NotFound
from tools.clients.layout import add_banner, banners, layout_hash, remove_banner
from tools.clients.superset import Dashboard, Superset

EVENT = "0123456789ab"
TEXT = "🛠 **Обслуживание** до 18:00 <b>ждите</b>"
MOVING = frozenset(
    {
        *("changed_on", "changed_by", "changed_by_name", "changed_on_delta_humanized"),
        *("created_on_delta_humanized", "thumbnail_url", "position_json"),
    }
)
TABS = {"operations": 3, "plant": 5, "marketing": 2, "quality": 3}


@pytest.fixture
async def dev(pair: Pair) -> AsyncIterator[Superset]:
    async with client(pair.dev) as superset:
        yield superset


async def raw(superset: Superset, dashboard: Dashboard) -> dict[str, Any]:
    """The dashboard as Superset keeps it, without what every write moves."""
    body = await superset.request_json("GET", f"/api/v1/dashboard/{dashboard.id}")
    return {name: value for name, value in body["result"].items() if name not in MOVING}


async def chart_ids(superset: Superset, dashboard: Dashboard) -> set[int]:
    body = await superset.request_json("GET", f"/api/v1/dashboard/{dashboard.id}/charts")
    return {chart["id"] for chart in body["result"]}


async def put(superset: Superset, dashboard: Dashboard, **fields: Any) -> None:
    path = f"/api/v1/dashboard/{dashboard.id}"
    await superset.request_json("PUT", path, body=fields, write=True)


async def place(superset: Superset, key: int | str) -> tuple[Dashboard, list[str]]:
    """Put the banner on a dashboard; the dashboard as it was, and the nodes."""
    before = await superset.dashboard(key)
    layout, nodes = add_banner(before.layout, EVENT, TEXT)
    await superset.set_layout(before, layout, idempotency_key="test-1")
    return before, nodes


async def take(superset: Superset, key: int | str) -> Dashboard:
    """Take the banner away; the dashboard as it is then."""
    shown = await superset.dashboard(key)
    layout, _ = remove_banner(shown.layout, EVENT)
    await superset.set_layout(shown, layout, idempotency_key="test-2")
    return await superset.dashboard(key)


@pytest.mark.parametrize(("slug", "places"), [("usa", 1), *TABS.items()])
async def test_banners_leave_no_trace(dev: Superset, slug: str, places: int) -> None:
    before = await dev.dashboard(slug)
    whole, charts = await raw(dev, before), await chart_ids(dev, before)
    _, nodes = await place(dev, slug)
    shown = await dev.dashboard(slug)
    assert len(nodes) == 2 * places
    assert set(nodes) <= set(shown.layout)
    assert banners(shown.layout) == {EVENT}
    assert shown.layout[nodes[1]]["meta"]["code"] == TEXT
    assert await raw(dev, shown) == whole
    assert await chart_ids(dev, shown) == charts
    after = await take(dev, slug)
    assert layout_hash(after.layout) == layout_hash(before.layout)
    assert after.metadata == before.metadata
    assert await raw(dev, after) == whole, "json_metadata to the byte, owners, roles, slug, css"
    assert await chart_ids(dev, after) == charts
    assert after.changed_on > shown.changed_on > before.changed_on


async def test_all_dashboards_with_tabs_are_known(dev: Superset) -> None:
    async for row in dev.rows("dashboard", ["id", "slug"]):
        if row["slug"]:
            layout = (await dev.dashboard(row["slug"])).layout
            tabs = [key for key, node in layout.items() if key.startswith("TAB-")]
            assert bool(tabs) == (row["slug"] in TABS)


async def test_a_chart_without_a_place_stays_attached(dev: Superset) -> None:
    usa, other = await dev.dashboard("usa"), await dev.dashboard("operations")
    chart = min(await chart_ids(dev, other) - await chart_ids(dev, usa))
    boards = [usa.id, other.id]
    path = f"/api/v1/chart/{chart}"
    await dev.request_json("PUT", path, body={"dashboards": boards}, write=True)
    assert chart in await chart_ids(dev, usa)
    await place(dev, "usa")
    assert chart in await chart_ids(dev, usa)
    await take(dev, "usa")
    assert chart in await chart_ids(dev, usa)
    # The way that we do not take:
    now = await dev.dashboard("usa")
    await put(dev, now, json_metadata=json.dumps({**now.metadata, "positions": now.layout}))
    assert chart not in await chart_ids(dev, usa)


async def test_edits_meanwhile_stay_and_the_banner_goes(dev: Superset) -> None:
    before, (row, text) = await place(dev, "usa")
    await put(dev, before, dashboard_title="USA, renamed")
    edited = await dev.dashboard("usa")
    layout = json.loads(json.dumps(edited.layout))
    layout["GRID_ID"]["children"] = [*layout["GRID_ID"]["children"][1:], row]  # ours to the bottom
    mine = {"type": "MARKDOWN", "id": "MARKDOWN-mine", "children": [], "parents": []}
    layout["MARKDOWN-mine"] = mine | {"meta": {"code": "mine", "width": 3, "height": 10}}
    layout[row]["children"] = [text, "MARKDOWN-mine"]
    await dev.set_layout(edited, layout, idempotency_key="person")
    after = await take(dev, "usa")
    assert after.title == "USA, renamed"
    assert banners(after.layout) == set()
    assert text not in after.layout
    assert after.layout[row]["children"] == ["MARKDOWN-mine"]
    assert set(before.layout) <= set(after.layout)


@pytest.mark.parametrize("position", [None, "{}"])
async def test_a_dashboard_that_was_never_laid_out(dev: Superset, position: str | None) -> None:
    body: dict[str, Any] = {"dashboard_title": "bare"}
    if position:
        body["position_json"] = position
    made = await dev.request_json("POST", "/api/v1/dashboard/", body=body, write=True)
    before, nodes = await place(dev, made["id"])
    assert before.layout == {}
    assert set(nodes) < set((await dev.dashboard(made["id"])).layout)
    assert (await take(dev, made["id"])).layout == {}


async def test_a_dashboard_changed_since_it_was_read_is_not_written(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        stale = await superset.dashboard("usa")
        await put(superset, stale, dashboard_title="Other")
        recorder.requests.clear()
        with pytest.raises(Changed) as caught:
            await superset.set_layout(stale, {}, idempotency_key="k")
        assert caught.value.nothing_done
        assert all(request.method == "GET" for request in recorder.requests)
        assert (await superset.dashboard("usa")).layout == stale.layout


async def test_a_dashboard_that_is_gone(dev: Superset) -> None:
    made = await dev.request_json(
        "POST", "/api/v1/dashboard/", body={"dashboard_title": "to go"}, write=True
    )
    gone = await dev.dashboard(made["id"])
    await dev.request_json("DELETE", f"/api/v1/dashboard/{gone.id}", write=True)
    with pytest.raises(NotFound):
        await dev.set_layout(gone, {}, idempotency_key="k")


async def test_only_an_owner_or_admin_may(pair: Pair) -> None:
    async with client(pair.dev, "editor") as superset:
        usa = await superset.dashboard("usa")
        layout, _ = add_banner(usa.layout, EVENT, TEXT)
        with pytest.raises(Forbidden):
            await superset.set_layout(usa, layout, idempotency_key="k")
        assert (await superset.dashboard("usa")).layout == usa.layout


async def test_values_that_superset_does_not_accept_name_their_field(dev: Superset) -> None:
    usa = await dev.dashboard("usa")
    for fields in ({"slug": "plant"}, {"nonsense": 1}, {"dashboard_title": "x" * 501}):
        with pytest.raises(Invalid) as caught:
            await put(dev, usa, **fields)
        assert set(caught.value.fields) == set(fields)


async def test_the_idempotency_key_is_sent(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, recorder=recorder) as superset:
        await place(superset, "usa")
    (writing,) = [request for request in recorder.requests if request.method == "PUT"]
    assert writing.headers["Idempotency-Key"] == "test-1"
    assert list(json.loads(writing.content)) == ["position_json"]


async def test_banners_on_many_dashboards_at_once(dev: Superset) -> None:
    slugs = ["usa", *TABS]
    placed = await asyncio.gather(*(place(dev, slug) for slug in slugs))
    after = await asyncio.gather(*(take(dev, slug) for slug in slugs))
    for (before, _), now in zip(placed, after, strict=True):
        assert layout_hash(now.layout) == layout_hash(before.layout)
