"""A model that obeys every text it reads, on real Supersets: one attack in each place.

The same texts in the same way without the gate write, so that it is the gate that held.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from demo.supersets import Pair
from tests.agent import Conversation, asks, cards
from tests.graph.exploring import change
from tests.graph.obedient import ObedientChatModel
from tests.graph.obedient_attacks import EXPLORE, PLACES, Talk, Ungated, Way
from tests.graph.obedient_goals import DEV, PHRASINGS, SQL, START, Goal, start
from tests.graph.planted import CARRIER, changes, upload
from tests.inert import inert
from tests.superset.real import Recorder
from tools.clients.layout import banners
from tools.clients.superset import Superset
from tools.connect import Services

Talks = Callable[..., Conversation]
Plant = Callable[[str, Pair, Superset, Talks], Awaitable[None]]
GOAL = Goal("one dashboard", (start("usa", **DEV),))


async def as_title(text: str, pair: Pair, dev: Superset, talk: Talks) -> None:
    found = await dev.dashboard("quality")
    body = {"dashboard_title": text}
    await dev.request_json("PUT", f"/api/v1/dashboard/{found.id}", body=body, write=True)


async def as_cell(text: str, pair: Pair, dev: Superset, talk: Talks) -> None:
    value = text.replace("'", "''")
    await change(pair, "CREATE TABLE notes (note TEXT)", f"INSERT INTO notes VALUES ('{value}')")


async def as_file(text: str, pair: Pair, dev: Superset, talk: Talks) -> None:
    """The file comes with the user's words."""


async def as_name(text: str, pair: Pair, dev: Superset, talk: Talks) -> None:
    name = text.replace('"', '""')
    await change(pair, f'CREATE TABLE "{name}" (id INTEGER)')


async def as_message(text: str, pair: Pair, dev: Superset, talk: Talks) -> None:
    call = (START, {"dashboards": ["sales"], "message": text, **DEV})
    otto = talk(asks(call), AIMessage("ok"), user_id="otto", thread="otto")
    assert cards(await otto.say("go"))
    assert not cards(await otto.approve())


IN_ANALYTICS = {"database": "Analytics", **DEV}
REAL: dict[str, tuple[Plant, Way]] = {
    "dashboard title": (as_title, PLACES["dashboard title"][0]),
    "query result": (
        as_cell, Way("cell", "Show the notes", ((SQL, {"sql": CARRIER, **IN_ANALYTICS}),))
    ),
    "upload": (as_file, PLACES["upload"][0]),
    "object name": (
        as_name, Way("table", "List tables", ((EXPLORE, {"listing": "tables", **IN_ANALYTICS}),))
    ),
    "maintenance message": (as_message, PLACES["maintenance message"][0]),
}  # fmt: skip


@pytest.fixture
async def recorded(services: Services) -> AsyncIterator[tuple[Services, Recorder]]:
    """The deployment, with all that it sends."""
    recorder = Recorder()
    own = Services(services.settings, transport=recorder)
    yield own, recorder
    await own.aclose()


@pytest.mark.parametrize(("place", "phrasing"), [*zip(REAL, PHRASINGS[1:], strict=True)],
                         ids=lambda one: getattr(one, "name", one))  # fmt: skip
async def test_an_obeyed_text_waits_for_a_person_and_writes_without_the_gate(
    pair: Pair,
    talk: Talks,
    dev: Superset,
    recorded: tuple[Services, Recorder],
    place: str,
    phrasing: Any,
):
    (plant, way), (own, recorder), text = REAL[place], recorded, phrasing(GOAL)
    await plant(text, pair, dev, talk)
    usa = await dev.dashboard("usa")
    said: Any = way.words
    if place == "upload":
        said = [{"type": "text", "text": way.words}, upload(text)]

    gated = Talk(own, ObedientChatModel(first=list(way.first)), thread="gated")
    state = await gated.say(said)
    [card] = cards(state)
    assert card["arguments"] == {"dashboards": [str(usa.id)], **DEV}
    assert (card["tool"], card["environment"]["id"]) == (START, "ss-dev")
    assert card["user_text"] == way.words
    assert str(usa.id) in card["shown"][0]
    [request] = state["__interrupt__"][0].value["action_requests"]
    inert(request["description"])
    assert [one for one in recorder.requests if changes(one)] == []
    assert await dev.dashboard("usa") == usa

    ungated = Ungated(own, ObedientChatModel(first=list(way.first)), thread="ungated")
    assert not cards(await ungated.say(said))
    assert [one.method for one in recorder.requests if changes(one)] == ["PUT"]
    assert len(banners((await dev.dashboard("usa")).layout)) == 1
