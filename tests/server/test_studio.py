"""What LangGraph Studio reads: the graph as it is, forms, history; all from its own origin."""

from itertools import pairwise
from typing import Any

import httpx
import pytest

from demo.supersets import Pair
from tests.server.deployment import forget_events, token_for
from tests.server_process import Server

STUDIO = "https://smith.langchain.com"
BUILT_IN = {"metadata": {"created_by": "system"}}
"""Other tests of this server make assistants too."""


@pytest.fixture
def http(agent: Server) -> Any:
    headers = {"authorization": f"Bearer {token_for(agent, 'operator')}", "origin": STUDIO}
    with httpx.Client(base_url=agent.url, headers=headers, timeout=60) as client:
        yield client


@pytest.fixture
def assistant(http: httpx.Client) -> dict[str, Any]:
    answer = http.post("/assistants/search", json=BUILT_IN | {"graph_id": "superset"})
    assert answer.headers["access-control-allow-origin"] == STUDIO
    (found,) = answer.json()
    return dict(found)


def test_the_assistant_says_what_it_is(assistant: dict[str, Any]) -> None:
    assert assistant["name"] == "superset"
    assert "Apache Superset" in assistant["description"]


Edges = set[tuple[str, str, bool]]
"""From, to, and whether a condition decides."""


@pytest.fixture
def drawn(http: httpx.Client, assistant: dict[str, Any]) -> Any:
    """What the server draws: nodes and edges."""

    def read(query: str = "") -> tuple[set[str], Edges]:
        found = http.get(f"/assistants/{assistant['assistant_id']}/graph{query}").json()
        edges = {(e["source"], e["target"], bool(e.get("conditional"))) for e in found["edges"]}
        return {node["id"] for node in found["nodes"]}, edges

    return read


@pytest.mark.parametrize("query", ["", "?xray=true", "?xray=2"])
def test_the_drawn_graph_is_the_compiled_one(drawn: Any, query: str) -> None:
    from graph.superset import graph

    real = graph.get_graph()
    edges = {(edge.source, edge.target, edge.conditional) for edge in real.edges}
    assert drawn(query) == (set(real.nodes), edges)


def test_the_drawn_edges_are_those_that_happen(talk: "Talk", drawn: Any, pair: Pair) -> None:
    """Every edge is gone along in this conversation, and no other one.

    The way that a second person's yes opens is gone in test_four_eyes.
    """
    talk.say("What can you do?")
    talk.say("Run `select * from customers` in the database Analytics in ss-dev")
    talk.say("Start maintenance on the USA dashboard in ss-dev")
    talk.decide(type="perhaps")
    talk.decide(type="reject")
    happened = set()
    steps = talk.history()[::-1]
    for before, after in pairwise(steps):
        if after["metadata"]["source"] != "input":
            happened.add((before["next"][0], *(after["next"] or ["__end__"])))
    edges = {(source, target) for source, target, _ in drawn()[1]}
    assert happened == edges - {("select_tools", "confirm")} != edges


def resolved(schema: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """A part of a schema without its references, and without null."""
    while "$ref" in part:
        part = schema["$defs"][part["$ref"].rsplit("/", 1)[-1]]
    options = [one for one in part.get("anyOf", []) if one.get("type") != "null"]
    return resolved(schema, options[0]) if options else part


def test_the_context_is_a_form_with_choices(http: httpx.Client, assistant: dict[str, Any]) -> None:
    schemas = http.get(f"/assistants/{assistant['assistant_id']}/schemas").json()
    schema = schemas["context_schema"]
    assert schemas["config_schema"]["properties"] == schema["properties"]
    assert set(schema["properties"]) == {"ui", "language"}
    assert resolved(schema, schema["properties"]["language"])["enum"] == ["ru", "en"]
    page = resolved(schema, schema["properties"]["ui"])["properties"]
    assert set(page) >= {"objectType", "objectId", "objectName", "envId", "route", "contextVersion"}
    kinds = resolved(schema, page["objectType"])["enum"]
    assert kinds == ["dashboard", "dataset", "migration"]
    assert resolved(schema, page["envId"])["enum"] == ["ss-dev", "ss-prod"]
    for field in (*schema["properties"].values(), *page.values()):
        assert field["title"]
        assert field["description"].endswith((".", "null"))


def test_the_input_is_messages_and_the_state_is_described(
    http: httpx.Client, assistant: dict[str, Any]
) -> None:
    schemas = http.get(f"/assistants/{assistant['assistant_id']}/schemas").json()
    assert set(schemas["input_schema"]["properties"]) == {"messages"}
    assert schemas["input_schema"]["properties"]["messages"]["description"]
    for kind in ("state_schema", "output_schema"):
        state = schemas[kind]["properties"]
        assert {"messages", "user_text", "offered", "decisions", "problem"} <= set(state)
        assert all(field["description"] for field in state.values())


class Talk:
    """A thread, as Studio runs it."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        self.thread = http.post("/threads", json={}).json()["thread_id"]

    def run(self, **body: Any) -> None:
        """One run to its end or to a card."""
        body |= {"assistant_id": "superset"}
        answer = self.http.post(f"/threads/{self.thread}/runs/wait", json=body)
        assert answer.status_code == 200, answer.text
        assert "__error__" not in answer.json()

    def say(self, words: str) -> None:
        """Send a message."""
        self.run(input={"messages": [{"role": "user", "content": words}]})

    def decide(self, **decision: Any) -> None:
        """Answer the one card."""
        self.run(command={"resume": {"decisions": [decision]}})

    def history(self) -> list[dict[str, Any]]:
        """Its steps, the newest first."""
        answer = self.http.post(f"/threads/{self.thread}/history", json={"limit": 100})
        assert answer.headers["access-control-allow-origin"] == STUDIO
        return list(answer.json())


@pytest.fixture
def talk(http: httpx.Client) -> Talk:
    return Talk(http)


def test_studios_own_user_reads_all_and_acts_in_the_role_that_is_given_to_it(
    agent: Server,
) -> None:
    headers = {"x-auth-scheme": "langsmith", "origin": STUDIO}
    page = {"objectType": "dashboard", "objectId": "1", "envId": "ss-dev", "contextVersion": 1}
    context = {"ui": page | {"route": "/superset/dashboard/1/"}, "language": "en"}
    words = [{"role": "user", "content": "Start maintenance on this dashboard"}]
    with httpx.Client(base_url=agent.url, headers=headers, timeout=60) as studio:
        (found,) = studio.post("/assistants/search", json=BUILT_IN).json()
        for part in ("graph", "schemas"):
            assert studio.get(f"/assistants/{found['assistant_id']}/{part}").status_code == 200
        talk = Talk(studio)
        talk.run(input={"messages": words}, context=context)
        top = talk.history()[0]
    assert top["next"] == []
    assert "this needs the role “operator”" in top["values"]["messages"][-1]["content"]


def test_history_can_be_read_after_a_turn_over_a_card_and_after_an_approval(
    talk: Talk, agent: Server, pair: Pair
) -> None:
    forget_events(agent)
    talk.say("What can you do?")
    steps = [entry["metadata"]["step"] for entry in talk.history()]
    assert steps == sorted(steps, reverse=True)
    talk.say("Start maintenance on the USA dashboard in ss-dev")
    top = talk.history()[0]
    assert top["next"] == ["confirm"]
    assert top["tasks"][0]["interrupts"][0]["value"]["action_requests"]
    talk.decide(type="approve")
    top = talk.history()[0]
    assert top["next"] == []
    assert "has begun" in top["values"]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/assistants/search"),
        ("GET", "/assistants/x/graph"),
        ("GET", "/assistants/x/schemas"),
        ("POST", "/threads/x/history"),
        ("POST", "/threads/x/runs/stream"),
        ("POST", "/threads/search"),
        ("POST", "/threads/x/state"),
        ("PATCH", "/threads/x"),
        ("GET", "/info"),
    ],
)
def test_studio_may_call_each_route(agent: Server, method: str, path: str) -> None:
    headers = {
        "origin": STUDIO,
        "access-control-request-method": method,
        "access-control-request-headers": "content-type,x-auth-scheme,x-api-key,authorization",
        # A public page asks a browser for a loopback address: Chrome wants a word of consent.
        "access-control-request-private-network": "true",
    }
    answer = httpx.options(f"{agent.url}{path}", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == STUDIO
    assert "x-auth-scheme" in answer.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-private-network"] == "true"
