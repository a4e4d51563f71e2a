"""Four eyes on a real server and a real Superset: production waits for a second person."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from demo.supersets import Pair
from tests.browser import chromium
from tests.server.chat_clients import AgentInbox
from tests.server.deployment import agent_server, forget_events, on_usa, token_for
from tests.server.person import PEERS, Person
from tests.server_process import Server

START = "Start maintenance on the USA dashboard in ss-prod"
APPROVE = {"resume": {"decisions": [{"type": "approve"}]}}


@pytest.fixture(scope="module")
def server(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with agent_server(supersets, tmp_path_factory.mktemp("four-eyes"), PEERS) as server:
        yield server


@pytest.fixture
def person(server: Server, pair: Pair) -> Iterator[Any]:
    """Make a person: of a demo role, or with claims of their own."""
    forget_events(server)
    made: list[Person] = []

    def make(role: str, **claims: Any) -> Person:
        made.append(Person(server, token_for(server, role, **claims)))
        return made[-1]

    yield make
    for one in made:
        one.http.close()


def results(state: Any) -> list[tuple[str, str]]:
    """Kind and words of the tool messages."""
    return [
        (one["artifact"]["kind"], one["content"])
        for one in state["messages"]
        if one["type"] == "tool"
    ]


@pytest.mark.parametrize("way", ["resume", "continue", "Продолжай"])
def test_production_is_changed_once_a_second_person_agrees(person: Any, pair: Pair, way: str):
    asker, peer = person("operator"), person("admin")
    asker.say(START)
    card = asker.card
    assert (card["approval"], card["badge"]) == ("peer", "⚠️ PRODUCTION")

    # The asker's own yes is none: neither by resume nor at the desk.
    assert asker.decide(card) == 403
    asker.run(command=APPROVE)
    assert (asker.card["id"], asker.card["digest"]) == (card["id"], card["digest"])
    thread = asker.http.get(f"/threads/{asker.thread}").json()
    assert thread["status"] == "interrupted"
    assert on_usa(pair, "prod") == set()

    # The second person sees it, and can't answer it in the asker's conversation.
    assert asker.desk == []
    [seen] = peer.desk
    assert (seen["id"], seen["asker"]) == (card["id"], "operator@demo")
    path = f"/threads/{asker.thread}/runs/wait"
    body = {"assistant_id": "superset", "command": APPROVE}
    assert peer.http.post(path, json=body).status_code == 404
    assert peer.decide(seen) == 200
    assert peer.decide(seen) == 409
    assert on_usa(pair, "prod") == set()

    # The asker goes on, once.
    state = asker.run(command=APPROVE) if way == "resume" else asker.say(way)
    [event] = on_usa(pair, "prod")
    [(kind, words)] = results(state)
    assert (kind, event in words) == ("result", True)
    asker.say("continue")
    assert on_usa(pair, "prod") == {event}
    assert asker.http.get(f"/threads/{asker.thread}").json()["status"] == "idle"
    if way != "resume":
        steps = asker.http.post(f"/threads/{asker.thread}/history", json={"limit": 100}).json()
        ways = [(before["next"], after["next"]) for after, before in pairwise(steps)]
        assert (["select_tools"], ["confirm"]) in ways


def test_a_no_is_told_and_another_message_withdraws(person: Any, pair: Pair):
    asker, peer = person("operator"), person("admin")
    asker.say(START)
    assert peer.decide(asker.card, "reject", "a release is running") == 200
    [(kind, words)] = results(asker.say("continue"))
    assert (kind, "admin\\@demo" in words, "a release is running" in words) == (
        "cancelled",
        True,
        True,
    )

    asker.say(START)
    assert peer.decide(asker.card) == 200
    state = asker.say("No, leave it")
    assert results(state)[-1][0] == "cancelled"
    asker.say("continue")
    assert on_usa(pair, "prod") == set()


def test_roles_are_those_of_the_environment(person: Any, pair: Pair):
    asker = person("operator")
    asker.say(START)
    card = asker.card
    below = {"environment_roles": {"ss-prod": "viewer"}}
    for other in (person("viewer"), person("admin", **below), person("admin", environments=[])):
        assert other.desk == []
        assert other.decide(card) == 403
    above = person("viewer", environment_roles={"ss-prod": "operator"})
    assert [one["id"] for one in above.desk] == [card["id"]]

    # In the conversation too: what is offered, what is refused, and how that is told.
    guest = person("operator", **below)
    guest.say("What can you do?")
    path = f"/threads/{guest.thread}/runs/stream"
    message = {"messages": [{"role": "user", "content": START}]}
    body = {"assistant_id": "superset", "input": message, "stream_mode": ["custom"]}
    events = guest.http.post(path, json=body).text
    assert "permission_denied" in events
    kept = [one for one in guest.state["values"]["messages"] if one["type"] == "tool"][-1]
    assert kept["artifact"]["kind"] == "denied"
    assert kept["artifact"]["card"]["required_roles"] == ["operator", "admin"]
    ui = {"envId": "ss-prod", "route": "/x", "contextVersion": 1}
    guest.run(input=message, context={"ui": ui})
    assert "start_maintenance" not in guest.state["values"]["offered"]
    guest.run(input=message, context={"ui": ui | {"envId": "ss-dev"}})
    assert "start_maintenance" in guest.state["values"]["offered"]
    asker.say("No, leave it")
    assert above.desk == []
    assert on_usa(pair, "prod") == set()


def test_the_page_goes_on_by_itself(person: Any, server: Server, pair: Pair, tmp_path: Path):
    peer = person("admin")
    with chromium(tmp_path / "profile") as browser:
        browser.driver.get(f"{server.url}/agent?lang=en")
        browser.sign_in(token_for(server, "operator"))
        browser.say(START)
        browser.says("#cards", "second person")
        assert browser.text("#cards [value=reject]") == "Withdraw"
        [seen] = peer.desk
        assert peer.decide(seen) == 200
        browser.until(lambda: on_usa(pair, "prod"), "the page does not go on")
        [event] = on_usa(pair, "prod")
        browser.says("#log", event)
        assert browser.all("#cards .card") == []

        # The other way round: the page is the second person's desk.
        asker = person("admin")
        asker.say("End maintenance in ss-prod")
        browser.driver.refresh()
        browser.sign_in(token_for(server, "operator"))
        browser.says("#peers", "admin@demo")
        browser.press("#peers .approve")
        browser.until(lambda: not browser.all("#peers .card"), "the card stays")
        asker.say("continue")
        assert on_usa(pair, "prod") == set()
        assert browser.complaints() == []


@pytest.mark.parametrize("agreed", [False, True])
def test_a_resolved_card_waits_for_nobody(person: Any, server: Server, pair: Pair, agreed: bool):
    asker, peer = person("operator"), person("admin")
    asker.say(START)
    card = asker.card
    stranger = person("operator", sub="somebody-else")
    path, end = f"/threads/{asker.thread}/state", {"values": None, "as_node": "__end__"}
    assert stranger.http.post(path, json=end).status_code == 404
    assert [one["id"] for one in peer.desk] == [card["id"]]
    if agreed:
        assert peer.decide(card) == 200

    inbox = AgentInbox(server, "operator", asker.thread)
    inbox.resolve()
    inbox.http.close()
    assert peer.desk == []
    assert peer.decide(card) == 409
    [(kind, words)] = results(asker.say("continue"))
    assert (kind, "It did not run" in words) == ("cancelled", True)
    asker.say("continue")
    assert on_usa(pair, "prod") == set()
