"""A user with secrets who does everything that the product can, well and badly."""

import json
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from tests.openai_stub import Reply, Stub
from tests.server.deployment import token_for
from tests.server.person import DESK
from tests.server_process import Server

MODES = [
    "values",
    "updates",
    "debug",
    "custom",
    "messages",
    "messages-tuple",
    "events",
    "tasks",
    "checkpoints",
]
DONE = Reply("All is done.")
DEV = {"env_id": "ss-dev"}
START, SEARCH, SQL = "start_maintenance", "search_dashboards", "superset_execute_sql"

HEADERS = {
    "Cookie": "session=header-canary-cookie-7f1a",
    "Proxy-Authorization": "Basic header-canary-proxy-2c9e",
    "X-Forwarded-Access-Token": "header-canary-forwarded-51bd",
    "X-Auth-Token": "header-canary-auth-8e20",
}
"""What a proxy before the product may add to each request."""


def secret_headers() -> list[str]:
    """Their values, without the words around."""
    return [value.split()[-1].removeprefix("session=") for value in HEADERS.values()]


@dataclass
class Job:
    """One conversation of the user.

    Attributes:
        server: The product.
        stub: Its model.
        mark: Stands where nothing forbids it: the user's id and words.
        typed: What the user types by mistake where it does not belong.
        told: What each route answered, by method and path as they are declared, or by a name.
    """

    server: Server
    stub: Stub
    mark: str = field(default_factory=lambda: f"mark-{uuid4().hex}")
    typed: str = field(default_factory=lambda: f"typed-{uuid4().hex}")
    told: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bearer = token_for(self.server, "admin", sub=self.mark, name="Canary B.")
        self.key = token_for(self.server, "admin", sub=self.mark, name="Canary K.")
        self.peer = token_for(self.server, "admin", sub="peer")
        self.http = self.client(Authorization=f"Bearer {self.bearer}")
        self.thread = self.post("/threads", {"metadata": {"topic": self.mark}})["thread_id"]

    def close(self) -> None:
        self.http.close()

    def client(self, **headers: str) -> httpx.Client:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.Client(base_url=self.server.url, headers=HEADERS | sent, timeout=60)

    def hear(self, place: str, content: bytes) -> None:
        """Keep what was told somewhere."""
        self.told[place] = self.told.get(place, b"") + b"\n" + content

    def post(self, path: str, body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    # Turns --------------------------------------------------------------------------------------

    def script(self, *replies: Reply) -> None:
        """What the model says next; afterwards it is always done."""
        said = self.stub.replies[: len(self.stub.requests)]
        said += [DONE] * (len(self.stub.requests) - len(said))
        self.stub.replies = [*said, *replies, *[DONE] * 500]

    def ask(self, tool: str, **arguments: Any) -> Any:
        """A turn in which the model calls a tool; the state after it."""
        self.script(Reply(calls=((uuid4().hex, tool, json.dumps(arguments)),)))
        return self.say(f"Please, {self.mark}")

    def say(self, words: str) -> Any:
        return self.run(input={"messages": [{"role": "user", "content": words}]})

    def answer(self, **decision: Any) -> Any:
        """Answer the one open card."""
        return self.run(command={"resume": {"decisions": [decision]}})

    def run(self, **body: Any) -> Any:
        """One run on the thread, streamed in every mode and kept for those who join it."""
        asked = {
            "assistant_id": "superset",
            "stream_mode": MODES,
            "stream_resumable": True,
            "stream_subgraphs": True,
        }
        if "input" in body:
            body["context"] = {"language": "en"}
        answer = self.http.post(f"/threads/{self.thread}/runs/stream", json=asked | body)
        assert answer.status_code == 200, answer.text
        for event in answer.text.replace("\r\n", "\n").split("\n\n"):
            name = event.partition("\n")[0].removeprefix("event: ").partition("|")[0]
            self.hear(f"stream {name}", event.encode())
        return self.state

    @property
    def state(self) -> Any:
        return self.http.get(f"/threads/{self.thread}/state").json()

    def cards(self, state: Any) -> list[dict[str, Any]]:
        found = [one["value"]["guardrail"]["cards"] for one in state["interrupts"]]
        return found[0] if found else []

    def result(self, state: Any) -> dict[str, Any]:
        """The last tool message."""
        return [one for one in state["values"]["messages"] if one["type"] == "tool"][-1]

    # The whole ----------------------------------------------------------------------------------

    def work(self) -> None:
        """Everything, one after the other; each does what it is meant to do."""
        self.reads()
        self.writes()
        self.second_person()
        self.faults()
        self.strangers()
        assert self.cards(self.ask(START, dashboards=["USA"], **DEV))  # stays open

    def reads(self) -> None:
        self.say(f"My password: {self.typed} and {self.mark}")
        state = self.ask(SEARCH, query=f"password={self.typed} {self.mark}", **DEV)
        assert self.result(state)["artifact"]["kind"] == "result"
        long = self.result(self.ask(SEARCH, limit=100, **DEV))
        found = self.ask("read_result", result_id=long["artifact"]["result_id"])
        assert self.result(found)["artifact"]["kind"] == "result"
        assert self.result(self.ask("get_task_status"))["artifact"]["kind"] == "result"
        self.ask("get_health_summary", **DEV)

    def writes(self) -> None:
        banner = {"dashboards": ["USA"], "message": f"password: {self.typed}"} | DEV
        [card] = self.cards(self.ask(START, **banner))
        self.hear("card", json.dumps(card).encode())
        state = self.answer(type=f"perhaps, token={self.typed}")
        assert self.cards(state)[0]["digest"] == card["digest"]
        state = self.answer(type="edit", edited_action={"name": START, "args": banner | {
            "message": f"Until noon, token={self.typed}"}})  # fmt: skip
        for _ in self.cards(state):
            state = self.answer(type="approve")
        assert self.result(state)["artifact"]["kind"] == "result", self.result(state)
        assert self.cards(self.ask("end_maintenance", **DEV))
        state = self.answer(type="reject", message=f"No: password: {self.typed}")
        assert self.result(state)["artifact"]["kind"] != "result"

    def second_person(self) -> None:
        """A card for a second person, who refuses it with a reason."""
        assert self.cards(self.ask(START, dashboards=["USA"], env_id="ss-prod"))
        with self.client(x_api_key=self.peer) as peer:
            desk = peer.get(DESK)
            self.hear(f"GET {DESK} of a peer", desk.content)
            [card] = desk.json()["cards"]
            body = {"id": card["id"], "digest": card["digest"], "decision": "reject"}
            answer = peer.post(DESK, json=body | {"reason": f"token={self.typed}"})
            assert answer.status_code == 200, answer.text
        self.say("continue")

    def faults(self) -> None:
        """Errors of Superset, of its database, of the model, and of what a client sends."""
        query = f'SELECT * FROM "token={self.typed}"'
        state = self.ask(SQL, sql=query, database="Analytics", **DEV)
        self.hear("error", self.result(state)["content"].encode())
        assert self.result(state)["artifact"]["kind"] == "error"
        for env_id in ("ss-key", "ss-cookie", "ss-wrong", "ss-echo"):
            state = self.ask(SEARCH, env_id=env_id)
            self.hear("error", self.result(state)["content"].encode())
            assert self.result(state)["artifact"]["kind"] == "error", self.result(state)
        assert self.result(self.ask(f"tool-{self.mark}", **DEV))["artifact"]["kind"] == "denied"
        absent = self.ask(START, dashboards=[f"No {self.mark}"], **DEV)
        self.hear("error", self.result(absent)["content"].encode())
        self.script(Reply(status=401, error=f"Incorrect API key provided: {self.model_key}"))
        self.say("Fail")
        bad = {"assistant_id": "superset", "context": {"ui": {"route": "/x", "token": self.typed}}}
        answer = self.http.post(f"/threads/{self.thread}/runs/wait", json=bad | {"input": None})
        assert answer.status_code == 422
        self.hear("refused context", answer.content)

    @property
    def model_key(self) -> str:
        return self.server.env["CANARY_MODEL"]

    def strangers(self) -> None:
        """Those who are not let in."""
        known = self.bearer.rsplit(".", 1)[0]
        self.outsider = token_for(self.server, "root", sub="root")
        for sent in (f"{known}.{'A' * 43}", self.outsider):
            with self.client(x_api_key=sent) as stranger:
                answer = stranger.get(f"/threads/{self.thread}?topic={self.mark}")
                assert answer.status_code in (401, 403)
                self.hear("refused token", answer.content)
