"""Agent Chat UI and Agent Inbox: their very requests, and how each knows a card.

Agent Chat UI sends `useStream`'s requests (recorded of the hook of @langchain/langgraph-sdk 1.15.0
with the options of its `Stream.tsx`). Agent Inbox's are those of its `ThreadContext.tsx`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any
from uuid import uuid4

import httpx

from tests.server.deployment import token_for
from tests.server_process import Server

PAGE = "http://localhost:3000"
"""Where both run on a developer's machine."""

INVENTED = "Successfully handled tool call."
"""What Agent Chat UI says in a tool's name."""

SAYING = {
    "stream_mode": ["values", "messages-tuple", "custom"],
    "stream_subgraphs": True,
    "stream_resumable": True,
    "on_disconnect": "continue",
}
"""How Agent Chat UI runs what a person says."""

DECIDING = {
    "input": {},
    "stream_mode": ["messages-tuple", "values", "custom"],
    "stream_resumable": False,
    "on_disconnect": "cancel",
}
"""How it runs what a person decides."""


class Client:
    """What both are built on: a browser's page that knows a thread and an API key."""

    def __init__(self, server: Server, role: str, thread: str | None = None) -> None:
        headers = {"x-api-key": token_for(server, role), "origin": PAGE}
        self.http = httpx.Client(base_url=server.url, headers=headers, timeout=60)
        self.thread = thread or self.post("/threads", {"metadata": {}})["thread_id"]

    def post(self, path: str, body: Any) -> Any:
        """Send, and read an answer as JSON; a page may read it, too."""
        answer = self.http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        assert answer.headers["access-control-allow-origin"] == PAGE
        return answer.json()

    def stream(self, body: dict[str, Any]) -> str:
        """One run, as text of events."""
        path = f"/threads/{self.thread}/runs/stream"
        answer = self.http.post(path, json={"assistant_id": "superset"} | body)
        assert answer.status_code == 200, answer.text
        assert "event: error" not in answer.text
        return answer.text

    def listed(self, **query: Any) -> dict[str, dict[str, Any]]:
        """The threads of this graph, by id."""
        known = {"metadata": {"graph_id": "superset"}, "limit": 100}
        return {one["thread_id"]: one for one in self.post("/threads/search", known | query)}

    @property
    def state(self) -> dict[str, Any]:
        """The thread's state."""
        found: dict[str, Any] = self.http.get(f"/threads/{self.thread}/state").json()
        return found

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The thread's messages."""
        return list(self.state["values"]["messages"])

    @property
    def card(self) -> dict[str, Any]:
        """The value of the one open interrupt."""
        (interrupt,) = self.state["interrupts"]
        return dict(interrupt["value"])


class AgentChat(Client):
    """Agent Chat UI on one thread."""

    def run(self, body: dict[str, Any]) -> str:
        """One run; then the history, which the hook reads after it."""
        said = self.stream(body)
        self.post(f"/threads/{self.thread}/history", {"limit": 10})
        return said

    def typed(self, words: str) -> str:
        """Type a message; calls without an answer get the invented one before it is sent."""
        human = {"id": str(uuid4()), "type": "human", "content": [{"type": "text", "text": words}]}
        return self.run({"input": {"messages": [*self._invented(), human]}} | SAYING)

    def _invented(self) -> list[dict[str, Any]]:
        """What its `ensureToolCallsHaveResponses` makes."""
        messages = (self.state["values"] or {}).get("messages", [])
        return [
            {
                "type": "tool",
                "tool_call_id": call["id"],
                "id": f"do-not-render-{uuid4()}",
                "name": call["name"],
                "content": INVENTED,
            }
            for message, after in zip_longest(messages, messages[1:], fillvalue={})
            if message["type"] == "ai" and after.get("type") != "tool"
            for call in message["tool_calls"]
        ]

    def before(self, kind: str) -> dict[str, str]:
        """The step before the thread's last message of a kind, as the hook knows it."""
        history = self.post(f"/threads/{self.thread}/history", {"limit": 1000})
        last = next(m["id"] for m in reversed(self.messages) if m["type"] == kind)
        seen = [e for e in history if last in [m["id"] for m in e["values"].get("messages", ())]]
        checkpoint = seen[-1]["parent_checkpoint"]
        return {key: checkpoint[key] for key in ("checkpoint_id", "checkpoint_ns")}

    def regenerate(self) -> str:
        """Its button below an answer: run again from the step before the last AI message."""
        return self.run({"checkpoint": self.before("ai")} | SAYING)

    def retyped(self, words: str) -> str:
        """Its pencil at a message: the last one, with other words, from the step before it."""
        human = {"id": str(uuid4()), "type": "human", "content": words}
        known = {"input": {"messages": [human]}, "checkpoint": self.before("human")}
        return self.run(known | SAYING)

    def command(self, **command: Any) -> str:
        """Approve, reject, edit or resolve."""
        return self.run({"command": command} | DECIDING)

    @contextmanager
    def deciding(self, **decision: Any) -> Iterator[None]:
        """Send one decision; with the block its tab is closed."""
        body = {"assistant_id": "superset", "command": {"resume": {"decisions": [decision]}}}
        path = f"/threads/{self.thread}/runs/stream"
        with self.http.stream("POST", path, json=body | DECIDING) as answer:
            assert answer.status_code == 200
            yield

    def decide(self, **decision: Any) -> str:
        """One decision, without an id."""
        return self.command(resume={"decisions": [decision]})


class AgentInbox(Client):
    """Agent Inbox on a thread that waits for a person.

    `mapped`: the answers of today's, which knows the form of our cards; else those of before.
    `shows`: where it looks for a call's arguments.
    """

    mapped = True
    shows = "args"

    def answer(self, **response: Any) -> str:
        """Accept, edit or respond: a run with the stream of events."""
        return self.stream({"command": {"resume": self._resume(response)}, "stream_mode": "events"})

    def ignore(self) -> None:
        """Ignore: a run in the background."""
        body = {"command": {"resume": self._resume({"type": "ignore", "args": None})}}
        made = self.post(f"/threads/{self.thread}/runs", {"assistant_id": "superset"} | body)
        self.http.get(f"/threads/{self.thread}/runs/{made['run_id']}/join")

    def resolve(self) -> None:
        """Mark as resolved: the thread's end is written."""
        self.post(f"/threads/{self.thread}/state", {"values": None, "as_node": "__end__"})

    def waiting(self) -> dict[str, dict[str, Any]]:
        """The threads that its list shows, with their interrupts."""
        return self.listed(offset=0, limit=10, status="interrupted")

    def request(self) -> dict[str, Any]:
        """What its form is filled with, as `normalizeInterrupt` reads it of the list."""
        (interrupts,) = self.waiting()[self.thread]["interrupts"].values()
        value = interrupts[0]["value"]
        first = value["action_requests"][0]
        assert {"approve", "edit", "reject"} <= set(value["review_configs"][0]["allowed_decisions"])
        args = first[self.shows]
        assert all(shown is not None for shown in args.values()), "its form breaks at null"
        return {"action": first["name"], "args": args}

    def _resume(self, response: dict[str, Any]) -> Any:
        if not self.mapped:
            return [response]
        names = {"accept": "approve", "response": "reject"}
        return {"decisions": [response | {"type": names.get(response["type"], response["type"])}]}


def agent_chat_knows(value: Any) -> bool:
    """Whether Agent Chat UI draws its form, as its `isAgentInboxInterruptSchema` decides.

    Its form breaks at an argument that is null.
    """
    actions, reviews = value.get("action_requests"), value.get("review_configs")
    return (
        isinstance(actions, list)
        and isinstance(reviews, list)
        and bool(actions and reviews)
        and all(isinstance(one["name"], str) and isinstance(one["args"], dict) for one in actions)
        and None not in actions[0]["args"].values()
        and all(
            isinstance(one["action_name"], str) and isinstance(one["allowed_decisions"], list)
            for one in reviews
        )
        and {"approve", "edit", "reject"} <= set(reviews[0]["allowed_decisions"])
    )


def whole(messages: list[dict[str, Any]]) -> bool:
    """Whether every call has exactly one answer, in their order."""
    answered = [m["tool_call_id"] for m in messages if m["type"] == "tool"]
    asked = [c["id"] for m in messages for c in m.get("tool_calls") or []]
    return answered == asked
