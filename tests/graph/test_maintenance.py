"""What names mean, and what maintenance does to dashboards, on real Supersets."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from langchain_core.messages import AIMessage

from tests.agent import answers, asks, cards
from tests.superset.real import Recorder
from tools.clients.layout import banners, layout_hash
from tools.connect import Services
from tools.messages.markdown import escape
from tools.settings import Policy, ToolPolicy

START, END, LIST = "start_maintenance", "end_maintenance", "list_maintenance_events"
DEV = {"env_id": "ss-dev"}


async def run(talk, name, args, page=None, **facts):
    """One call of a tool, approved if it asks; returns its tool message."""
    conversation = talk(asks((name, args)), AIMessage("ok"), thread=str(datetime.now(UTC)), **facts)
    state = await conversation.say("go", page)
    if cards(state):
        state = await conversation.approve()
    [answer] = answers(state["messages"])
    return answer


@pytest.mark.parametrize("slug", ["operations", "plant", "marketing", "quality", "usa", "board"])
async def test_every_kind_of_layout_comes_back_exactly(talk, dev, slug):
    before = await dev.dashboard(slug)
    started = await run(talk, START, DEV | {"dashboards": [slug]})
    assert started.artifact["kind"] == "result", started.text
    during = await dev.dashboard(slug)
    [event] = banners(during.layout)
    texts = [key for key in during.layout if key.startswith(f"MARKDOWN-maintenance-{event}")]
    tabs = [
        node
        for node in during.layout.values()
        if isinstance(node, dict) and node.get("type") == "TAB"
    ]
    assert len(texts) >= max(
        1, sum(any(child.startswith(("ROW", "CHART")) for child in tab["children"]) for tab in tabs)
    )
    ended = await run(talk, END, DEV | {"event_id": event})
    assert '"layout": "restored"' in ended.text
    after = await dev.dashboard(slug)
    assert layout_hash(after.layout) == layout_hash(before.layout)
    assert after.metadata == before.metadata


async def test_banner_is_found_again_after_the_dashboard_was_edited(talk, dev):
    await run(talk, START, DEV | {"dashboards": ["usa"]})
    now = await dev.dashboard("usa")
    [event] = banners(now.layout)
    layout = now.layout
    row = next(key for key in layout if key.startswith("ROW-maintenance"))
    children = layout["GRID_ID"]["children"]
    children.append(children.pop(children.index(row)))
    layout["ROW-by-hand"] = {
        "type": "ROW", "id": "ROW-by-hand", "children": [], "parents": ["ROOT_ID", "GRID_ID"],
        "meta": {"background": "BACKGROUND_TRANSPARENT"},
    }  # fmt: skip
    children.insert(0, "ROW-by-hand")
    await dev.set_layout(now, layout, idempotency_key="test")
    ended = await run(talk, END, DEV | {"dashboards": ["USA"]})
    assert "edited meanwhile" in ended.text
    after = await dev.dashboard("usa")
    assert banners(after.layout) == set()
    assert "ROW-by-hand" in after.layout["GRID_ID"]["children"]
    assert event not in str(after.layout)


async def test_dashboard_deleted_meanwhile_is_reported_and_the_event_ends(talk, dev):
    await run(talk, START, DEV | {"dashboards": ["usa", "sales"]})
    usa = await dev.dashboard("usa")
    [event] = banners(usa.layout)
    await dev.request_json("DELETE", f"/api/v1/dashboard/{usa.id}", write=True)
    ended = await run(talk, END, DEV | {"event_id": event})
    assert ended.artifact["kind"] == "result"
    assert "no longer exists" in ended.text
    assert banners((await dev.dashboard("sales")).layout) == set()
    assert '"total": 0' in (await run(talk, LIST, DEV | {"state": "open"})).text


async def test_end_is_only_shown_and_listed_as_overdue(talk, dev, settings):
    await run(talk, START, DEV | {"dashboards": ["usa"], "ends_at": "in 2 hours"})
    later = Services(settings, clock=lambda: datetime.now(UTC) + timedelta(hours=3))
    conversation = talk(asks((LIST, DEV)), AIMessage("ok"), thread="later")
    conversation.services = later
    state = await conversation.say("go")
    assert '"overdue": true' in answers(state["messages"])[0].text
    assert len(banners((await dev.dashboard("usa")).layout)) == 1
    await later.aclose()


@pytest.mark.parametrize("words", ["yesterday at 10", "soon", "in 3 years", "до вчера"])
async def test_unclear_end_is_asked_for(talk, words):
    asked = await run(talk, START, DEV | {"dashboards": ["usa"], "ends_at": words})
    assert (asked.artifact["kind"], asked.artifact["slot"]) == ("question", "ends_at")


@pytest.mark.parametrize(
    ("args", "slot", "word"),
    [
        (DEV | {"dashboards": ["Отчёт"]}, "dashboards", "- "),
        (DEV | {"dashboards": ["nothing like this"]}, "dashboards", "no dashboard"),
        (DEV | {"dashboards": ["%"]}, "dashboards", "%"),
        (DEV, "dashboards", "Which dashboard"),
        ({"dashboards": ["usa"]}, "env_id", "ss-dev, ss-prod"),
        ({"dashboards": ["usa"], "env_id": "moon"}, "env_id", "moon"),
    ],
)
async def test_several_or_none_is_a_question_never_a_guess(talk, args, slot, word):
    asked = await run(talk, START, args)
    assert (asked.artifact["kind"], asked.artifact["slot"]) == ("question", slot)
    assert word in asked.text


@pytest.mark.parametrize(
    "name", ["{id}", "#{id}", "{uuid}", "usa", "USA", "usa births names", "  USA Births  Names"]
)
async def test_each_way_to_name_a_dashboard(talk, dev, name):
    found = await dev.dashboard("usa")
    words = name.format(id=found.id, uuid=found.uuid)
    started = await run(talk, START, DEV | {"dashboards": [words]})
    assert started.artifact["kind"] == "result", started.text
    assert len(banners((await dev.dashboard("usa")).layout)) == 1


@pytest.mark.parametrize("tail", ["usa/", "{id}/?native_filters_key=abc", "{id}#x", "usa"])
async def test_copied_address_names_dashboard_and_environment(talk, dev, tail):
    found = await dev.dashboard("usa")
    address = f"{dev.config.url}/superset/dashboard/{tail.format(id=found.id)}"
    started = await run(talk, START, {"dashboards": [address]})
    assert started.artifact["kind"] == "result", started.text
    assert len(banners((await dev.dashboard("usa")).layout)) == 1


async def test_address_of_another_installation_is_not_taken_for_this_one(talk, dev, services):
    prod = services.superset("ss-prod", "admin")
    address = f"{prod.config.url}/superset/dashboard/usa/"
    asked = await run(talk, START, DEV | {"dashboards": [address]})
    assert asked.artifact["kind"] == "question"
    assert banners((await dev.dashboard("usa")).layout) == set()


async def test_tool_that_the_page_does_not_offer_is_not_run(talk, dev):
    page = {"objectType": "dataset", "objectId": "1", "envId": "ss-dev", "contextVersion": 1}
    refused = await run(talk, START, DEV | {"dashboards": ["usa"]}, page)
    assert refused.artifact["kind"] == "error"
    assert "not available" in refused.text
    assert banners((await dev.dashboard("usa")).layout) == set()


@pytest.mark.parametrize("words", ["по продажам", "о продажах", "ПРОДАЖИ", "sale", "sales"])
async def test_search_finds_other_forms_of_a_word(talk, words):
    word = words.split()[-1]
    found = await run(talk, "search_dashboards", DEV | {"query": word})
    assert json.loads(found.text)["total"] > 0


async def test_page_of_one_environment_finds_the_same_dashboard_in_another(talk, usa, services):
    started = await run(talk, START, {"env_id": "production"}, usa)
    assert started.artifact["kind"] == "result", started.text
    prod = services.superset("ss-prod", "admin")
    assert len(banners((await prod.dashboard("usa")).layout)) == 1


async def test_dashboard_that_only_one_environment_has_is_said(talk, dev):
    quality = await dev.dashboard("quality")
    page = {
        "objectType": "dashboard", "objectId": str(quality.id), "envId": "ss-dev",
        "contextVersion": 1,
    }  # fmt: skip
    asked = await run(talk, START, {"env_id": "ss-prod"}, page)
    assert asked.artifact["kind"] == "question"
    assert quality.title in asked.text


async def test_page_of_an_environment_that_is_closed_is_not_read(pair, talk, usa, settings):
    """Its dashboard would be looked up there, to be found here by its uuid."""
    closed = Policy(environments={"ss-prod": {"*": ToolPolicy(deny=True)}})
    recorder = Recorder()
    conversation = talk(asks((START, DEV)), AIMessage("ok"))
    conversation.services = Services(
        settings.model_copy(update={"policy": closed}), transport=recorder
    )
    state = await conversation.say("Start it in ss-dev", usa | {"envId": "ss-prod"})
    await conversation.services.aclose()
    [asked] = answers(state["messages"])
    assert (asked.artifact["kind"], asked.artifact["slot"]) == ("question", "dashboards")
    assert "Production" in asked.text
    assert not [one for one in recorder.requests if str(one.url).startswith(pair.prod.url)]


async def test_two_events_on_a_dashboard_are_asked_about(talk, dev):
    for _ in range(2):
        await run(talk, START, DEV | {"dashboards": ["usa"]})
    both = banners((await dev.dashboard("usa")).layout)
    asked = await run(talk, END, DEV | {"dashboards": ["usa"]})
    assert asked.artifact["slot"] == "event_id"
    assert all(event in asked.text for event in both)
    [first, second] = sorted(both)
    await run(talk, END, DEV | {"event_id": first})
    assert banners((await dev.dashboard("usa")).layout) == {second}


async def test_editor_is_told_which_role_is_needed(talk, dev):
    denied = await run(talk, START, DEV | {"dashboards": ["usa"]}, role="editor")
    assert denied.artifact["kind"] == "denied"
    assert "operator" in denied.text
    assert banners((await dev.dashboard("usa")).layout) == set()


async def test_datasets_stand_for_all_their_dashboards(talk, dev):
    [dataset] = await dev.datasets("sales_orders")
    ids = await dev.dataset_dashboards(dataset.id)
    assert len(ids) > 3
    conversation = talk(asks((START, DEV | {"datasets": ["SALES_ORDERS"]})), AIMessage("ok"))
    [card] = cards(await conversation.say("go"))
    assert sorted(card["arguments"]["dashboards"]) == sorted(str(number) for number in ids)
    assert card["impact"].startswith(str(len(ids)))


@pytest.mark.parametrize(
    ("name", "word"), [("no such table", "no dataset"), ("e", "datasets match")]
)
async def test_datasets_that_are_none_or_several_are_asked_about(talk, name, word):
    asked = await run(talk, START, DEV | {"datasets": [name]})
    assert (asked.artifact["kind"], asked.artifact["slot"]) == ("question", "datasets")
    assert word in asked.text


async def test_named_datasets_leave_the_pages_dashboard_alone(talk, dev, usa):
    [dataset] = await dev.datasets("продажи")
    conversation = talk(asks((START, {"datasets": [str(dataset.id)]})), AIMessage("ok"))
    [card] = cards(await conversation.say("go", usa))
    assert usa["objectId"] not in card["arguments"]["dashboards"]


async def test_titles_that_a_viewer_may_not_see_are_withheld(talk, dev):
    board = await dev.dashboard("board")
    await run(talk, START, DEV | {"dashboards": ["board", "usa"]})
    listed = await run(talk, LIST, DEV, role="viewer")
    assert board.title not in listed.text
    assert "USA Births Names" in listed.text
    assert board.title in (await run(talk, LIST, DEV, role="admin")).text


HOSTILE = "![x](http://evil.example/?q) <img src=x> { $x } | `rm`"


async def test_hostile_titles_are_only_text_everywhere(talk, dev, services):
    usa = await dev.dashboard("usa")
    for number in (usa.id, (await dev.dashboard("sales")).id):
        await dev.request_json(
            "PUT", f"/api/v1/dashboard/{number}", body={"dashboard_title": HOSTILE}, write=True
        )
    asked = await run(talk, START, DEV | {"dashboards": [HOSTILE]})
    assert asked.artifact["kind"] == "question"
    assert escape(HOSTILE) in asked.text
    assert "![x](" not in asked.text

    conversation = talk(
        asks((START, DEV | {"dashboards": ["usa"], "message": HOSTILE})), AIMessage("ok")
    )
    state = await conversation.say("go")
    description = state["__interrupt__"][0].value["action_requests"][0]["description"]
    assert "![x](" not in description
    assert HOSTILE in cards(state)[0]["shown"][0]
    await conversation.approve()
    layout = (await dev.dashboard("usa")).layout
    [banner] = [node for key, node in layout.items() if key.startswith("MARKDOWN-maintenance")]
    assert "![x](" not in banner["meta"]["code"]
