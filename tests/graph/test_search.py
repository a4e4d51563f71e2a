"""Dashboards found through the whole graph, on a real Superset: every condition, every page."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from tests.agent import Conversation, answers, asks
from tools.catalog import SUPERSET
from tools.clients.superset import Superset
from tools.connect import Services

FIND = "search_dashboards"
Find = Callable[..., Any]


@pytest.fixture
def find(talk: Callable[..., Conversation], services: Services) -> Find:
    """Call the tool; gives its whole result."""

    async def call(role: Any = "viewer", **given: Any) -> dict[str, Any]:
        step = asks((FIND, {"env_id": "ss-dev"} | given))
        conversation = talk(step, AIMessage("."), role=role, thread=f"{role} {given}")
        [message] = answers((await conversation.say("Go", None, "en"))["messages"])
        assert message.artifact["kind"] == "result", message.text
        result_id = message.artifact.get("result_id")
        if result_id is None:
            return dict(json.loads(message.text))
        kept = await services.store(lambda records: records.results.read(result_id, "olga"))
        assert kept is not None
        return dict(json.loads(kept.content))

    return call


async def test_all_pages_together_are_every_dashboard_once(find: Find) -> None:
    """Row 7 of the reports: never more than 20."""
    pages = [await find(limit=100, offset=offset) for offset in (0, 100, 200, 300)]
    assert [len(page["items"]) for page in pages] == [100, 100, 61, 0]
    assert {page["total"] for page in pages} == {261}
    ids = [item["id"] for page in pages for item in page["items"]]
    assert len(set(ids)) == 261
    assert len((await find("admin", limit=500))["items"]) == 100, "as its description says"


@pytest.mark.parametrize(
    ("offset", "limit", "en", "ru"),
    [
        (0, 100, "1 to 100 of 261 shown. Say “next page”", "1–100 из 261. Скажите «дальше»"),
        (250, 20, "251 to 261 of 261 shown: these are the last.", "251–261 из 261: это последние."),
    ],
)
async def test_a_page_tells_its_place(
    find: Find, offset: int, limit: int, en: str, ru: str
) -> None:
    answer = SUPERSET.definitions[FIND].answer
    assert answer is not None
    page = await find(limit=limit, offset=offset)
    assert en in answer(page, "en")
    assert ru in answer(page, "ru")


@pytest.mark.parametrize(
    ("ask", "more", "told"),
    [
        ("Show dashboards in ss-dev", "next page", "{} of 261 shown"),
        ("Покажи дашборды в ss-dev", "дальше", "–{} из 261"),
    ],
)
async def test_a_person_comes_to_the_next_page_by_words(
    talk: Callable[..., Conversation], ask: str, more: str, told: str
) -> None:
    conversation = talk(role="viewer")
    seen: list[int] = []
    for words in (ask, more, more):
        state = await conversation.say(words)
        items = json.loads(answers(state["messages"])[-1].text)["items"]
        seen += [item["id"] for item in (items if isinstance(items, list) else items["items"])]
        assert told.format(len(seen)) in state["messages"][-1].text
    assert len(set(seen)) == len(seen) > 20


@pytest.mark.parametrize("role", ["viewer", "admin"])
@pytest.mark.parametrize(
    "owner", ["pilothouse_editor", "PILOTHOUSE_editor", "Editor", "demo EDITOR"]
)
async def test_an_owner_is_found_by_user_name_and_by_name(
    find: Find, dev: Superset, role: str, owner: str
) -> None:
    """Superset's list does not show user names."""
    found = await find(role, owner=owner)
    assert found["total"] > 0
    assert all("Editor Demo" in item["owners"] for item in found["items"])
    energy = await dev.dashboard("energy")
    assert energy.id in {item["id"] for item in found["items"]}


@pytest.mark.parametrize("owner", ["pilothouse_nobody", "%", "pilothouse%", "editor viewer", "@"])
async def test_nobody_owns_what_nobody_owns(find: Find, owner: str) -> None:
    assert (await find(owner=owner))["total"] == 0


async def test_conditions_hold_together(find: Find, dev: Superset) -> None:
    sales = await dev.dashboard("sales")
    [item] = (await find(tag="FINANCE", query="SALES"))["items"]
    assert (item["id"], item["title"]) == (sales.id, sales.title)
    assert (await find(tag="finance", published=False))["total"] == 0
    drafts = await find(published=False)
    assert drafts["items"]
    assert not any(item["published"] for item in drafts["items"])
    assert (await find(query="отчет", owner="pilothouse_editor"))["total"] < (
        await find(query="ОТЧЁТ")
    )["total"]
    before = datetime.now(UTC).isoformat()
    assert (await find(changed_since=before))["total"] == 0
    path, body = f"/api/v1/dashboard/{sales.id}", {"certified_by": "Ann"}
    await dev.request_json("PUT", path, body=body, write=True)
    [changed] = (await find(changed_since=before))["items"]
    assert changed["id"] == sales.id
