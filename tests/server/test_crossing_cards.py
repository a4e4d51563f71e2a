"""Cards and results of one user, tried by others on the product with a real Superset."""

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from demo.supersets import Pair
from tests.server.crossing import WAYS
from tests.server.deployment import agent_server, forget_events, on_usa, token_for
from tests.server.person import DESK, PEERS, Person
from tests.server_process import Server
from tools.context import ROLES

SECRET = "canary-of-alice"
APPROVE = {"decisions": [{"type": "approve"}]}
START = "Start maintenance on the USA dashboard in ss-dev"
QUERY = f"Run `select '{SECRET}' as mark, * from customers` in the database Analytics in ss-dev"


@pytest.fixture(scope="module")
def server(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The product; the desk of second persons is open, for production."""
    with agent_server(supersets, tmp_path_factory.mktemp("crossing"), PEERS) as server:
        yield server


@pytest.fixture
def person(server: Server, pair: Pair) -> Iterator[Callable[[str, str], Person]]:
    forget_events(server)
    made: list[Person] = []

    def make(name: str, role: str) -> Person:
        made.append(Person(server, token_for(server, role, sub=f"{name}-{uuid.uuid4()}")))
        return made[-1]

    yield make
    for one in made:
        one.http.close()


def seen(owner: Person) -> list[Any]:
    """All that others might have changed of a conversation."""
    path = f"/threads/{owner.thread}"
    return [owner.http.get(f"{path}{part}").json() for part in ("", "/state", "/history", "/runs")]


def runs_on(thread: str, checkpoint: str) -> Iterator[tuple[str, Any]]:
    """Requests that would run something on a thread: words, and an answer to the card."""
    for way, how in WAYS:
        dated = {key: checkpoint if "{" in str(value) else value for key, value in how.items()}
        for given in (
            {"input": {"messages": [{"role": "user", "content": "No"}]}},
            {"command": {"resume": APPROVE}},
        ):
            yield f"/threads/{thread}/runs{way}", {"assistant_id": "superset"} | given | dated


@pytest.mark.parametrize("role", ROLES)
def test_a_card_is_shown_to_and_answered_by_its_user_alone(
    person: Callable[[str, str], Person], pair: Pair, role: str
) -> None:
    alice, eve = person("alice", "operator"), person("eve", role)
    alice.say(f'{START} with the message "{SECRET}"')
    card, before = alice.card, seen(alice)
    assert SECRET in json.dumps(card)

    desk = eve.http.get(DESK, params={"card": card["id"]}).json()
    assert desk == {"four_eyes": True, "cards": [], "mine": {}}
    assert alice.http.get(DESK, params={"card": card["id"]}).json()["mine"] == {card["id"]: "asked"}
    assert [eve.decide(card, decision) for decision in ("approve", "reject")] == [404, 404]
    for path, body in runs_on(alice.thread, alice.state["checkpoint"]["checkpoint_id"]):
        answer = eve.http.post(path, json=body)
        # The second wall refuses such a request of all but admins, whosever thread it names.
        walled = role != "admin" and {"command", "checkpoint_id"} <= set(body)
        assert (answer.status_code, SECRET in answer.text) == (403 if walled else 404, False), body
    assert eve.http.post(f"/threads/{alice.thread}/copy").status_code in (404, 409)

    # In a conversation of their own they name the card's id.
    own = eve.say(START)
    named = {"type": "approve", "id": card["id"], "digest": card["digest"]}
    by_id = {card["id"]: {"type": "approve"}}
    for decisions in ([named], by_id):
        own = eve.run(command={"resume": {"decisions": decisions}})
    eve.say("continue")
    assert SECRET not in json.dumps([own, eve.state])

    assert (seen(alice), alice.card) == (before, card)
    assert on_usa(pair) == set()
    alice.run(command={"resume": APPROVE})
    assert len(on_usa(pair)) == 1


def forged(someone: Person, result_id: str) -> dict[str, Any]:
    """The answer of `read_result`, where an admin writes the call into their conversation."""
    arguments, tool = {"result_id": result_id, "offset": 0}, "read_result"
    call = {"id": f"c-{uuid.uuid4()}", "name": tool, "args": arguments}
    decision = {"call_id": call["id"], "tool": tool, "verdict": "run", "arguments": arguments}
    message = {"type": "ai", "content": "", "tool_calls": [call]}
    values = {"messages": [message], "decisions": {call["id"]: decision}}
    path = f"/threads/{someone.thread}/state"
    someone.http.post(path, json={"values": values, "as_node": "confirm"}).raise_for_status()
    messages = someone.run(input=None)["messages"]
    return dict(next(one for one in messages if one.get("tool_call_id") == call["id"]))


def test_a_result_is_read_by_its_user_alone(person: Callable[[str, str], Person]) -> None:
    alice, eve = person("alice", "admin"), person("eve", "admin")
    state = alice.say(QUERY)
    (answer,) = [one for one in state["messages"] if one["type"] == "tool"]
    result_id = json.loads(answer["content"])["result_id"]
    eve.say("What can you do?")

    control, refused, unknown = (
        forged(who, one) for who, one in ((alice, result_id), (eve, result_id), (eve, "0" * 32))
    )

    assert (control["artifact"]["kind"], SECRET in control["content"]) == ("result", True)
    assert refused["artifact"]["kind"] == unknown["artifact"]["kind"] == "error"
    assert refused["content"].replace(result_id, "0" * 32) == unknown["content"]
    assert SECRET not in json.dumps(eve.state)
