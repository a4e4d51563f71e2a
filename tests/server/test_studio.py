"""What LangGraph Studio reads: the graph as it is, forms, history; all from its own origin."""

from typing import Any

import httpx
import pytest

from tests.server.deployment import token_for
from tests.server_process import Server

STUDIO = "https://smith.langchain.com"


@pytest.fixture
def http(agent: Server) -> Any:
    headers = {"authorization": f"Bearer {token_for(agent, 'operator')}", "origin": STUDIO}
    with httpx.Client(base_url=agent.url, headers=headers, timeout=60) as client:
        yield client


@pytest.fixture
def assistant(http: httpx.Client) -> dict[str, Any]:
    answer = http.post("/assistants/search", json={"graph_id": "superset"})
    assert answer.headers["access-control-allow-origin"] == STUDIO
    (found,) = answer.json()
    return dict(found)


def test_the_assistant_says_what_it_is(assistant: dict[str, Any]) -> None:
    assert assistant["name"] == "superset"
    assert "Apache Superset" in assistant["description"]


@pytest.mark.parametrize("query", ["", "?xray=true"])
def test_the_drawn_graph_is_the_real_one(
    http: httpx.Client, assistant: dict[str, Any], query: str
) -> None:
    from graph.superset import graph

    drawn = http.get(f"/assistants/{assistant['assistant_id']}/graph{query}").json()
    real = graph.get_graph()
    assert {node["id"] for node in drawn["nodes"]} == set(real.nodes)
    edges = {(e["source"], e["target"], bool(e.get("conditional"))) for e in drawn["edges"]}
    assert edges == {(e.source, e.target, e.conditional) for e in real.edges}
    assert edges == {
        ("__start__", "inject_context", False),
        ("inject_context", "select_tools", False),
        ("select_tools", "call_model", False),
        ("call_model", "check_permission", True),
        ("call_model", "__end__", True),
        ("check_permission", "confirm", True),
        ("check_permission", "execute_tools", True),
        ("confirm", "confirm", True),
        ("confirm", "execute_tools", True),
        ("execute_tools", "summarize_results", True),
        ("execute_tools", "call_model", True),
        ("summarize_results", "select_tools", False),
    }


def resolved(schema: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """A part of a schema without its references, and without null."""
    while "$ref" in part:
        part = schema["$defs"][part["$ref"].rsplit("/", 1)[-1]]
    options = [one for one in part.get("anyOf", []) if one.get("type") != "null"]
    return resolved(schema, options[0]) if options else part


def test_the_context_is_a_form_with_choices(http: httpx.Client, assistant: dict[str, Any]) -> None:
    schemas = http.get(f"/assistants/{assistant['assistant_id']}/schemas").json()
    schema = schemas["context_schema"]
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
    state = schemas["state_schema"]["properties"]
    assert {"messages", "user_text", "offered", "decisions", "problem"} <= set(state)
    assert all(field["description"] for field in state.values())


def test_history_can_be_read_after_a_turn_and_over_a_card(http: httpx.Client) -> None:
    thread = http.post("/threads", json={}).json()["thread_id"]

    def run(**body: Any) -> None:
        answer = http.post(f"/threads/{thread}/runs/wait", json={"assistant_id": "superset"} | body)
        assert answer.status_code == 200, answer.text

    def say(words: str) -> None:
        run(input={"messages": [{"role": "user", "content": words}]})

    def history() -> list[dict[str, Any]]:
        answer = http.post(f"/threads/{thread}/history", json={"limit": 100})
        assert answer.headers["access-control-allow-origin"] == STUDIO
        return list(answer.json())

    say("What can you do?")
    steps = [entry["metadata"]["step"] for entry in history()]
    assert steps == sorted(steps, reverse=True)
    say("Start maintenance on the USA dashboard in ss-dev")
    top = history()[0]
    assert top["next"] == ["confirm"]
    assert top["tasks"][0]["interrupts"][0]["value"]["action_requests"]
    run(command={"resume": {"decisions": [{"type": "reject"}]}})
    assert history()[0]["next"] == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/assistants/search"),
        ("GET", "/assistants/x/graph"),
        ("GET", "/assistants/x/schemas"),
        ("POST", "/threads/x/history"),
        ("POST", "/threads/x/runs/stream"),
    ],
)
def test_studio_may_call_each_route(agent: Server, method: str, path: str) -> None:
    headers = {
        "origin": STUDIO,
        "access-control-request-method": method,
        "access-control-request-headers": "content-type,x-auth-scheme,x-api-key,authorization",
    }
    answer = httpx.options(f"{agent.url}{path}", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == STUDIO
    assert "x-auth-scheme" in answer.headers["access-control-allow-headers"]
