"""What every route tells its owner: the table of `crossing`, sent to the product."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
from websockets.sync.client import connect

from tests.server.canary_job import HEADERS, Job
from tests.server.crossing import OPEN, TRIES, Try

ENDLESS = ("/threads/{thread_id}/stream", "/threads/{thread_id}/stream/events")
"""Streams that go on until one leaves."""

HISTORY, RUN = "/threads/{thread_id}/history", "/threads/{thread_id}/runs/{run_id}"
JOINED = f"{RUN}/stream"


def ends(one: Try) -> bool:
    """Whether a request takes something away; these come last."""
    return one.method == "DELETE" or "cancel" in one.path or "prune" in one.path


class Routes:
    """Sends requests in the name of a job's user, and keeps every answer."""

    def __init__(self, job: Job) -> None:
        self.job = job
        made = job.post("/assistants", {"graph_id": "superset", "metadata": {"topic": job.mark}})
        [run, *_] = job.http.get(f"/threads/{job.thread}/runs").json()
        item = {"namespace": ["notes"], "key": "k", "value": {"text": job.mark}}
        job.http.put("/store/items", json=item).raise_for_status()
        self.ids = {
            "owner": job.mark,
            "thread": job.thread,
            "run": run["run_id"],
            "checkpoint": job.state["checkpoint"]["checkpoint_id"],
            "assistant": made["assistant_id"],
            "cron": made["assistant_id"],
            "key": "k",
            "secret": job.mark,
        }

    def everything(self) -> None:
        """Read in full what holds much, then go through the table."""
        path = "/threads/{thread}"
        runs = self.job.http.get(f"/threads/{self.job.thread}/runs?limit=100").json()
        full = [
            Try("GET", HISTORY, query="?limit=1000"),
            Try("POST", HISTORY, body={"limit": 1000}),
            Try("GET", "/threads/{thread_id}/runs", query="?limit=100"),
        ]
        self.hear("GET", RUN, json.dumps(runs).encode())
        for run in runs:
            target = f"{path}/runs/{run['run_id']}/stream"
            full.append(Try("GET", target))
        table = [*full, *(one for one in TRIES if one.answer != "socket")]
        self.socket()
        # Not one after the other: many answers wait for a run.
        with ThreadPoolExecutor(8) as pool:
            for one, heard in pool.map(self.send, [one for one in table if not ends(one)]):
                self.hear(one.method, JOINED if one in full[3:] else one.path, heard)
        for one, heard in map(self.send, filter(ends, table)):
            self.hear(one.method, one.path, heard)
        with self.job.client() as anybody:
            for one in OPEN:
                path = one.path.replace("{thread_id}", self.job.thread)
                answer = anybody.request(one.method, path, json=one.body)
                self.hear(one.method, one.path, answer.content)

    def hear(self, method: str, path: str, content: bytes) -> None:
        self.job.hear(f"{method} {path}", content)

    def send(self, one: Try) -> tuple[Try, bytes]:
        """Send a request; of what has no end a moment is kept."""
        text = json.loads(self.fill(json.dumps(one.body)).replace('"probe"', '"superset"'))
        seconds = 0.5 if one.path in ENDLESS else 60
        heard = b""
        key = {"x-api-key": self.job.key, "Last-Event-ID": "-1"}
        with (
            httpx.Client(base_url=self.job.server.url, headers=HEADERS | key) as http,
            suppress(httpx.ReadTimeout),
            http.stream(one.method, self.fill(one.target), json=text, timeout=seconds) as answer,
        ):
            heard += repr(answer.headers.multi_items()).encode()
            for part in answer.iter_bytes():
                heard += part
        return one, heard

    def fill(self, text: str) -> str:
        for name, value in self.ids.items():
            text = text.replace("{" + name + "}", value)
        return text

    def socket(self) -> None:
        """What the thread's socket tells."""
        place = self.job.server.url.replace("http", "ws")
        url = f"{place}/threads/{self.job.thread}/stream/events"
        with connect(url, additional_headers=HEADERS | {"x-api-key": self.job.key}) as socket:
            asked = {"channels": ["values", "input", "lifecycle", "updates", "messages"]}
            for number, (method, given) in enumerate(
                [("subscription.subscribe", asked), ("agent.getTree", {})]
            ):
                socket.send(json.dumps({"id": number, "method": method, "params": given}))
            with suppress(TimeoutError):
                while True:
                    heard = socket.recv(timeout=0.5)
                    self.hear("WEBSOCKET", "socket", str(heard).encode())
