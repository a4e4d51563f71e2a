"""Somebody who talks to the product's server, and decides the cards of others."""

from typing import Any

import httpx

from tests.server_process import Server

PEERS = """
[policy.stages.prod."*"]
approval = "peer"
"""
DESK = "/agent/approvals"


class Person:
    """Somebody with a token, and a conversation if they ask something."""

    def __init__(self, server: Server, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=server.url, headers=headers, timeout=60)
        self.thread = ""

    def run(self, **body: Any) -> Any:
        """One run to its end; its state."""
        path = f"/threads/{self.thread}/runs/wait"
        answer = self.http.post(path, json={"assistant_id": "superset"} | body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def say(self, words: str) -> Any:
        """Say something, in a new conversation where there is none."""
        self.thread = self.thread or self.http.post("/threads", json={}).json()["thread_id"]
        return self.run(input={"messages": [{"role": "user", "content": words}]})

    @property
    def state(self) -> Any:
        return self.http.get(f"/threads/{self.thread}/state").json()

    @property
    def card(self) -> dict[str, Any]:
        """The one open card of the conversation."""
        (interrupt,) = self.state["interrupts"]
        (card,) = interrupt["value"]["guardrail"]["cards"]
        return dict(card)

    @property
    def desk(self) -> list[dict[str, Any]]:
        """The cards of others that this person may decide."""
        return list(self.http.get(DESK).json()["cards"])

    def decide(self, card: dict[str, Any], decision: str = "approve", reason: str = "") -> int:
        body = {"id": card["id"], "digest": card["digest"], "decision": decision, "reason": reason}
        return self.http.post(DESK, json=body).status_code
