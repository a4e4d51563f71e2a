"""Agent Chat UI does the main job; what else it may send is safe, and told in clear words."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from demo.supersets import Pair
from tests.server.chat_clients import INVENTED, AgentChat, agent_chat_knows, whole
from tests.server.deployment import layout, on_usa

ASK = "Start maintenance on the USA dashboard in ss-dev"
END = "End maintenance on the USA dashboard in ss-dev"

Opens = Callable[..., AgentChat]


@pytest.fixture
def opens(client: Callable[..., Any]) -> Opens:
    return lambda role="operator": client(AgentChat, role)


def test_the_main_job(opens: Opens, pair: Pair) -> None:
    ui = opens()
    assert ui.http.get("/info").status_code == 200
    assert "confirm_required" in ui.typed(ASK)
    assert agent_chat_knows(ui.card)
    assert "USA Births Names" in ui.card["action_requests"][0]["description"]
    assert on_usa(pair) == set()
    assert "has begun" in ui.decide(type="approve")
    assert len(on_usa(pair)) == 1
    ui.typed(END)
    ui.decide(type="approve")
    assert on_usa(pair) == set()
    assert whole(ui.messages)
    assert ui.thread in ui.listed()


def test_a_rejection_reaches_the_user_and_an_edit_is_what_runs(opens: Opens, pair: Pair) -> None:
    ui = opens()
    ui.typed(ASK)
    assert "not now" in ui.decide(type="reject", message="not now")
    assert on_usa(pair) == set()
    ui.typed(ASK)
    action = ui.card["action_requests"][0]
    # Every argument that was touched comes back as text, the list, too.
    typed = {"dashboards": json.dumps(action["args"]["dashboards"]), "message": "Back at noon"}
    edited = {"name": action["name"], "args": action["args"] | typed}
    ui.decide(type="edit", edited_action=edited)
    assert "Back at noon" in json.dumps(layout(pair))
    assert whole(ui.messages)


def test_an_edit_that_is_no_list_is_refused_with_words_on_the_card(
    opens: Opens, pair: Pair
) -> None:
    ui = opens()
    ui.typed(ASK)
    action = ui.card["action_requests"][0]
    edited = {"name": action["name"], "args": action["args"] | {"dashboards": "1, 2"}}
    ui.decide(type="edit", edited_action=edited)
    assert agent_chat_knows(ui.card)
    assert "not valid" in ui.card["action_requests"][0]["description"]
    assert on_usa(pair) == set()


def test_typing_over_a_card_withdraws_it(opens: Opens, pair: Pair) -> None:
    ui = opens()
    ui.typed(ASK)
    ui.typed("What can you do?")
    said = json.dumps(ui.messages)
    assert INVENTED not in said
    assert "a new message came" in said
    assert whole(ui.messages)
    ui.decide(type="approve")
    assert on_usa(pair) == set()


def test_resolving_is_a_no_that_is_told(opens: Opens, pair: Pair) -> None:
    ui = opens()
    ui.typed(ASK)
    assert "It did not run" in ui.command(goto="__end__")
    assert ui.state["interrupts"] == []
    assert whole(ui.messages)
    assert ui.messages[-1]["type"] == "ai"
    ui.decide(type="approve")
    assert on_usa(pair) == set()


def test_resolving_what_waits_for_nobody_changes_nothing(opens: Opens, pair: Pair) -> None:
    ui = opens()
    ui.typed("What can you do?")
    before = ui.messages
    ui.command(goto="__end__")
    assert ui.messages == before


@pytest.mark.parametrize(
    "command",
    [
        {"goto": "execute_tools"},
        {"goto": "confirm"},
        {"goto": ["__end__", "execute_tools"]},
        {"goto": "__end__", "update": {"problem": "x"}},
    ],
)
def test_another_jump_decides_nothing(opens: Opens, pair: Pair, command: dict[str, Any]) -> None:
    ui = opens("admin")  # for others it is refused
    ui.typed(ASK)
    card = ui.card["guardrail"]["cards"][0]
    ui.stream({"input": {}, "command": command})
    assert on_usa(pair) == set()
    assert ui.card["guardrail"]["cards"][0] == card


def test_regenerating_asks_again_and_writes_once(opens: Opens, pair: Pair) -> None:
    ui = opens()
    ui.typed(ASK)
    first = ui.card["guardrail"]["cards"][0]["id"]
    ui.regenerate()
    assert ui.card["guardrail"]["cards"][0]["id"] != first
    assert on_usa(pair) == set()
    ui.decide(type="approve")
    placed = on_usa(pair)
    assert len(placed) == 1
    ui.regenerate()
    assert on_usa(pair) == placed
    assert ui.state["interrupts"] == []
    assert whole(ui.messages)


def test_a_message_that_is_changed_afterwards_asks_again(opens: Opens, pair: Pair) -> None:
    ui = opens()
    ui.typed(ASK)
    ui.decide(type="approve")
    placed = on_usa(pair)
    ui.retyped(END)
    assert ui.card["action_requests"][0]["name"] == "end_maintenance"
    assert on_usa(pair) == placed
    ui.decide(type="approve")
    assert on_usa(pair) == set()
    assert [m["type"] for m in ui.messages].count("human") == 1
    assert whole(ui.messages)


def test_a_viewer_gets_words_and_no_card(opens: Opens, pair: Pair) -> None:
    ui = opens("viewer")
    assert "operator" in ui.typed(ASK)
    assert ui.state["interrupts"] == []
    assert on_usa(pair) == set()
