"""Agent Chat UI and Agent Inbox: their very requests, as recorded of their code, do the main job.

Agent Chat UI sends `useStream`'s requests (recorded of the hook of @langchain/langgraph-sdk 1.15.0
with the options of its `Stream.tsx`), answers one decision without an id, and over an open card
invents tool messages. Agent Inbox answers with a list of its own, or with mapped decisions, and
ignores a thread by writing its end.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest

from demo.supersets import Pair
from tests.server.deployment import forget_events, token_for
from tests.server_process import Server
from tools.clients.layout import banners
from tools.clients.superset import Account, Superset, SupersetConfig

ASK = "Start maintenance on the USA dashboard in ss-dev"
END = "End maintenance on the USA dashboard in ss-dev"


class Chat:
    """Agent Chat UI on one thread."""

    def __init__(self, server: Server, role: str = "operator") -> None:
        headers = {"x-api-key": token_for(server, role), "origin": "http://localhost:3000"}
        self.http = httpx.Client(base_url=server.url, headers=headers, timeout=60)
        self.thread = self.http.post("/threads", json={"metadata": {}}).json()["thread_id"]

    def stream(self, body: dict[str, Any]) -> str:
        """One run; then the requests that the hook sends after it."""
        path = f"/threads/{self.thread}/runs/stream"
        answer = self.http.post(path, json={"assistant_id": "superset"} | body)
        assert answer.status_code == 200, answer.text
        history = self.http.post(f"/threads/{self.thread}/history", json={"limit": 10})
        assert history.status_code == 200
        return answer.text

    def say(self, words: str, *invented: dict[str, Any]) -> str:
        """Type a message; over an open card it comes with invented tool messages."""
        human = {"id": str(uuid4()), "type": "human", "content": [{"type": "text", "text": words}]}
        return self.stream(
            {
                "input": {"messages": [*invented, human]},
                "stream_mode": ["values", "messages-tuple", "custom"],
                "stream_subgraphs": True,
                "stream_resumable": True,
                "on_disconnect": "continue",
            }
        )

    def command(self, **command: Any) -> str:
        """Approve, reject, edit or resolve."""
        return self.stream(
            {
                "input": {},
                "command": command,
                "stream_mode": ["messages-tuple", "values", "custom"],
                "stream_resumable": False,
                "on_disconnect": "cancel",
            }
        )

    def decide(self, **decision: Any) -> str:
        """One decision, without an id."""
        return self.command(resume={"decisions": [decision]})

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get(f"/threads/{self.thread}/state").json()
        return found

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.state["values"]["messages"])

    @property
    def card(self) -> dict[str, Any]:
        """The value of the one open interrupt."""
        (interrupt,) = self.state["interrupts"]
        return dict(interrupt["value"])


class Inbox(Chat):
    """Agent Inbox on a thread that waits for a person."""

    def answer(self, *response: dict[str, Any]) -> None:
        """Its own form: a run in the background with a list."""
        self._run({"resume": [*response]})

    def mapped(self, *response: dict[str, Any]) -> None:
        """Its form for LangChain's middleware: renamed types in `decisions`."""
        names = {"accept": "approve", "response": "reject"}
        decisions = [one | {"type": names.get(one["type"], one["type"])} for one in response]
        self._run({"resume": {"decisions": decisions}})

    def _run(self, command: dict[str, Any]) -> None:
        body = {"assistant_id": "superset", "command": command}
        made = self.http.post(f"/threads/{self.thread}/runs", json=body)
        assert made.status_code == 200, made.text
        self.http.get(f"/threads/{self.thread}/runs/{made.json()['run_id']}/join")

    def waiting(self) -> list[str]:
        """The threads that its list shows."""
        query = {"offset": 0, "limit": 50, "status": "interrupted"}
        return [one["thread_id"] for one in self.http.post("/threads/search", json=query).json()]

    def ignore(self) -> httpx.Response:
        """«Ignore»: the thread's end is written."""
        body = {"values": None, "as_node": "__end__"}
        return self.http.post(f"/threads/{self.thread}/state", json=body)


@pytest.fixture
def chat(agent: Server, pair: Pair) -> Iterator[Callable[..., Chat]]:
    """Open conversations on freshly seeded installations."""
    forget_events(agent)
    with ExitStack() as opened:

        def make(kind: type[Chat] = Chat, role: str = "operator") -> Chat:
            made = kind(agent, role)
            opened.callback(made.http.close)
            return made

        yield make


def layout(pair: Pair) -> dict[str, Any]:
    """The layout of the dashboard that all is about, by Superset's API."""

    async def read() -> dict[str, Any]:
        name, password = pair.dev.accounts["admin"]
        client = Superset(SupersetConfig(pair.dev.url), Account(name, password))
        try:
            return dict((await client.dashboard("usa")).layout)
        finally:
            await client.aclose()

    return asyncio.run(read())


def on_usa(pair: Pair) -> set[str]:
    return banners(layout(pair))


def is_agent_chat_interrupt(value: Any) -> bool:
    """Whether Agent Chat UI draws its form, as its `isAgentInboxInterruptSchema` decides."""
    actions, reviews = value.get("action_requests"), value.get("review_configs")
    return (
        isinstance(actions, list)
        and isinstance(reviews, list)
        and bool(actions and reviews)
        and all(isinstance(a["name"], str) and isinstance(a["args"], dict) for a in actions)
        and all(
            isinstance(r["action_name"], str)
            and set(r["allowed_decisions"]) & {"approve", "edit", "reject"}
            for r in reviews
        )
    )


def whole(messages: list[dict[str, Any]]) -> bool:
    """Whether every call has exactly one answer, right behind it."""
    answered = [m["tool_call_id"] for m in messages if m["type"] == "tool"]
    asked = [c["id"] for m in messages for c in m.get("tool_calls") or []]
    return answered == asked


def test_agent_chat_ui_does_the_main_job(chat: Any, pair: Pair) -> None:
    ui = chat()
    assert "confirm_required" in ui.say(ASK)
    assert is_agent_chat_interrupt(ui.card)
    assert "USA Births Names" in ui.card["action_requests"][0]["description"]
    assert on_usa(pair) == set()
    assert "has begun" in ui.decide(type="approve")
    assert len(on_usa(pair)) == 1
    ui.say(END)
    ui.decide(type="approve")
    assert on_usa(pair) == set()
    assert whole(ui.messages)


def test_agent_chat_ui_rejects_and_edits(chat: Any, pair: Pair) -> None:
    ui = chat()
    ui.say(ASK)
    assert "not now" in ui.decide(type="reject", message="not now")
    assert on_usa(pair) == set()
    ui.say(ASK)
    action = ui.card["action_requests"][0]
    edited = {"name": action["name"], "args": action["args"] | {"message": "Back at noon"}}
    ui.decide(type="edit", edited_action=edited)
    assert "Back at noon" in json.dumps(layout(pair))
    assert whole(ui.messages)


def test_typing_over_a_card_withdraws_it(chat: Any, pair: Pair) -> None:
    ui = chat()
    ui.say(ASK)
    (call,) = ui.messages[-1]["tool_calls"]
    ui.say(
        "What can you do?",
        {
            "type": "tool",
            "tool_call_id": call["id"],
            "id": f"do-not-render-{uuid4()}",
            "name": call["name"],
            "content": "Successfully handled tool call.",
        },
    )
    said = json.dumps(ui.messages)
    assert "Successfully handled" not in said
    assert "a new message came" in said
    assert whole(ui.messages)
    ui.decide(type="approve")
    assert on_usa(pair) == set()


def test_resolving_runs_nothing(chat: Any, pair: Pair) -> None:
    ui = chat()
    ui.say(ASK)
    ui.command(goto="__end__")
    assert on_usa(pair) == set()
    ui.say("What can you do?")
    assert whole(ui.messages)
    assert on_usa(pair) == set()


def test_a_viewer_gets_words_and_no_card(chat: Any, pair: Pair) -> None:
    ui = chat(role="viewer")
    assert "operator" in ui.say(ASK)
    assert ui.state["interrupts"] == []
    assert on_usa(pair) == set()


@pytest.mark.parametrize("form", ["answer", "mapped"])
def test_agent_inbox_does_the_main_job(chat: Any, pair: Pair, form: str) -> None:
    inbox = chat(Inbox)
    inbox.say(ASK)
    assert inbox.thread in inbox.waiting()
    getattr(inbox, form)({"type": "accept", "args": None})
    assert len(on_usa(pair)) == 1
    assert inbox.thread not in inbox.waiting()
    inbox.say(END)
    getattr(inbox, form)({"type": "accept", "args": None})
    assert on_usa(pair) == set()
    assert whole(inbox.messages)


@pytest.mark.parametrize("form", ["answer", "mapped"])
@pytest.mark.parametrize(
    ("response", "said"),
    [
        ({"type": "ignore", "args": None}, "It did not run"),
        ({"type": "response", "args": "not on a Friday"}, "not on a Friday"),
    ],
)
def test_agent_inbox_declines(
    chat: Any, pair: Pair, form: str, response: dict[str, Any], said: str
) -> None:
    inbox = chat(Inbox)
    inbox.say(ASK)
    getattr(inbox, form)(response)
    assert said in json.dumps(inbox.messages)
    assert on_usa(pair) == set()
    assert whole(inbox.messages)


def test_agent_inbox_edits(chat: Any, pair: Pair) -> None:
    inbox = chat(Inbox)
    inbox.say(ASK)
    action = inbox.card["action_requests"][0]
    arguments = action["args"] | {"message": "Back at noon"}
    inbox.answer({"type": "edit", "args": {"action": action["name"], "args": arguments}})
    assert "Back at noon" in json.dumps(layout(pair))


def test_an_ignored_thread_runs_nothing_and_lives_on(chat: Any, pair: Pair) -> None:
    inbox = chat(Inbox)
    inbox.say(ASK)
    inbox.ignore()
    inbox.answer({"type": "accept", "args": None})
    assert on_usa(pair) == set() or whole(inbox.messages)
    inbox.say("What can you do?")
    assert whole(inbox.messages)
