"""Agent Inbox does the main job; what else it may send is safe, and told in clear words."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from demo.supersets import Pair
from tests.server.chat_clients import AgentChat, AgentInbox, whole
from tests.server.deployment import layout, on_usa
from tests.server.test_chat_clients import ASK, END
from tests.server_process import Server


class OlderInbox(AgentInbox):
    """Agent Inbox of August 2026: it shows `arguments`, and answers with a list."""

    mapped = False
    shows = "arguments"


@pytest.fixture
def waits(client: Callable[..., Any]) -> Callable[..., AgentInbox]:
    """Ask for something in a chat; the inbox then holds the thread."""

    def make(kind: type[AgentInbox] = AgentInbox, words: str = ASK) -> AgentInbox:
        chat = client(AgentChat)
        chat.typed(words)
        inbox: AgentInbox = client(kind, "operator", chat.thread)
        return inbox

    return make


def test_it_finds_the_server_before_it_has_a_key(agent: Server) -> None:
    answer = httpx.get(f"{agent.url}/info", headers={"origin": "http://localhost:3000"})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "http://localhost:3000"


@pytest.mark.parametrize("kind", [AgentInbox, OlderInbox])
def test_the_main_job(waits: Any, client: Any, pair: Pair, kind: type[AgentInbox]) -> None:
    inbox = waits(kind)
    assert inbox.request()["action"] == "start_maintenance"
    # What was not edited is accepted with the arguments that were shown.
    assert "error" not in inbox.answer(type="accept", args=inbox.request())
    assert len(on_usa(pair)) == 1
    assert inbox.thread not in inbox.waiting()
    assert inbox.http.get(f"/threads/{inbox.thread}").json()["status"] == "idle"
    client(AgentChat, "operator", inbox.thread).typed(END)
    inbox.answer(type="accept", args=inbox.request())
    assert on_usa(pair) == set()
    assert whole(inbox.messages)


def test_what_comes_with_an_approval_changes_nothing(waits: Any, pair: Pair) -> None:
    inbox = waits()
    shown = inbox.request()
    inbox.answer(type="accept", args=shown | {"args": shown["args"] | {"message": "Sneaked in"}})
    assert len(on_usa(pair)) == 1
    assert "Sneaked in" not in json.dumps(layout(pair))


@pytest.mark.parametrize("kind", [AgentInbox, OlderInbox])
def test_no_is_told(waits: Any, pair: Pair, kind: type[AgentInbox]) -> None:
    inbox = waits(kind)
    inbox.answer(type="response", args="not on a Friday")
    assert "not on a Friday" in json.dumps(inbox.messages)
    ignored = waits(kind)
    ignored.ignore()
    assert "It did not run" in json.dumps(ignored.messages)
    assert on_usa(pair) == set()
    assert whole(inbox.messages)
    assert whole(ignored.messages)
    assert not {inbox.thread, ignored.thread} & set(inbox.waiting())


@pytest.mark.parametrize("kind", [AgentInbox, OlderInbox])
def test_an_edit_is_what_runs(waits: Any, pair: Pair, kind: type[AgentInbox]) -> None:
    inbox = waits(kind)
    shown = inbox.request()
    typed = {"dashboards": json.dumps(shown["args"]["dashboards"]), "message": "Back at noon"}
    inbox.answer(type="edit", args=shown | {"args": shown["args"] | typed})
    assert "Back at noon" in json.dumps(layout(pair))
    assert whole(inbox.messages)


def test_a_resolved_thread_runs_nothing_and_lives_on(waits: Any, client: Any, pair: Pair) -> None:
    inbox = waits()
    shown = inbox.request()
    inbox.resolve()
    assert inbox.thread not in inbox.waiting()
    inbox.answer(type="accept", args=shown)
    assert on_usa(pair) == set()
    client(AgentChat, "operator", inbox.thread).typed("What can you do?")
    assert whole(inbox.messages)
    assert on_usa(pair) == set()
