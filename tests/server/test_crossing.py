"""Every route of the server, tried by others with a user's ids: it tells and changes nothing."""

import asyncio
import json
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.crossing import OPEN, START, TRIES, Try
from tests.server.known_routes import Listed
from tests.server_process import Server
from tests.signing import token
from tools.context import ROLES

REFUSED = {400, 403, 404, 409, 422}
ALL = [*TRIES, *OPEN]


def http(server: Server, user: str, role: str = "admin") -> httpx.Client:
    return httpx.Client(base_url=server.url, headers={"x-api-key": token(user, role)}, timeout=60)


class Owner:
    """An admin with a thread whose run waits or is held, a stored item and an assistant.

    `secret` is in the messages, in the metadata of thread and run, and in the store.
    """

    def __init__(self, server: Server, *, hold: bool = False) -> None:
        name = uuid.uuid4().hex[:12]
        self.secret = f"canary-{name}"
        self.http = http(server, f"alice-{name}")
        thread = self.post("/threads", {"metadata": {"topic": self.secret}})["thread_id"]
        given = {"messages": [self.secret], "hold" if hold else "ask": True}
        body = START | {"input": given, "metadata": {"topic": self.secret}}
        run = self.post(f"/threads/{thread}/runs", body)["run_id"]
        item = {"namespace": ["notes"], "key": f"key-{name}", "value": {"text": self.secret}}
        self.http.put("/store/items", json=item).raise_for_status()
        assistant = self.post("/assistants", {"graph_id": "probe", "name": "mine"})
        self.ids = {
            "owner": f"alice-{name}",
            "thread": thread,
            "run": run,
            "key": item["key"],
            "assistant": assistant["assistant_id"],
            "cron": str(uuid.uuid4()),
            "secret": self.secret,
        }
        self.until("running" if hold else "success")
        state = self.http.get(f"/threads/{thread}/state").json()
        self.ids["checkpoint"] = state["checkpoint"]["checkpoint_id"]

    def post(self, path: str, body: Any) -> Any:
        return self.http.post(path, json=body).raise_for_status().json()

    def until(self, status: str) -> None:
        """Wait for the run, which must have taken its first step."""
        path = self.fill("/threads/{thread}")
        while True:
            run = self.http.get(self.fill("/threads/{thread}/runs/{run}")).json()
            state = self.http.get(f"{path}/state").json()
            if run["status"] == status and state["values"].get("seen"):
                return

    def fill(self, text: str) -> str:
        for name, value in self.ids.items():
            text = text.replace("{" + name + "}", value)
        return text

    def kept(self) -> list[Any]:
        """All that others might have changed."""
        thread = "/threads/{thread}"
        paths = [thread, f"{thread}/state", f"{thread}/history", f"{thread}/runs"]
        paths += ["/assistants/{assistant}", "/store/items?namespace=notes&key={key}"]
        answers = [self.http.get(self.fill(path)) for path in paths]
        spaces = self.http.post("/store/namespaces", json={}).text
        threads = self.http.post("/threads/count", json={}).text
        return [(answer.status_code, answer.text) for answer in answers] + [spaces, threads]

    def request(self, one: Try) -> tuple[str, Any]:
        """Path and body with the ids of this owner."""
        return self.fill(one.target), json.loads(self.fill(json.dumps(one.body)))

    def close(self) -> None:
        self.http.post(self.fill("/threads/{thread}/runs/{run}/cancel"))
        self.http.close()


@pytest.fixture(scope="module")
def owners(probe: Server) -> Iterator[list[Owner]]:
    """One whose run waits for an answer, and one whose run goes on."""
    made = [Owner(probe), Owner(probe, hold=True)]
    yield made
    for owner in made:
        owner.close()


def test_every_route_is_tried(routes: list[Listed]) -> None:
    found = {(method, path) for methods, path, _, _ in routes for method in methods}

    assert {one.route for one in ALL} == {route for route in found if route[0] != "HEAD"}
    # Each GET is sent as HEAD too.
    assert {path for method, path in found if method == "HEAD"} == {
        one.path for one in ALL if one.method == "GET"
    }


TRIED = [one for one in TRIES if one.answer != "socket"]


@pytest.mark.parametrize("one", TRIED, ids=str)
async def test_others_get_nothing_and_change_nothing(
    probe: Server, owners: list[Owner], one: Try
) -> None:
    before = [await asyncio.to_thread(owner.kept) for owner in owners]

    await asyncio.gather(*(attempt(probe, owner, role, one) for owner in owners for role in ROLES))

    assert [await asyncio.to_thread(owner.kept) for owner in owners] == before


async def attempt(server: Server, owner: Owner, role: str, one: Try) -> None:
    """Send a request as somebody of a role who has nothing, and judge what comes back."""
    headers = {"x-api-key": token(f"eve-{uuid.uuid4()}", role)}
    path, body = owner.request(one)
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=60) as stranger:
        judge(one, owner, await stranger.request(one.method, path, json=body))
        if one.method == "GET":
            assert (await stranger.head(path)).content == b""


def judge(one: Try, owner: Owner, answer: httpx.Response) -> None:
    """Compare what a stranger got with what the table says."""
    text = answer.text
    path, body = owner.request(one)
    sent = f"{path} {json.dumps(body)}"
    assert owner.secret in sent or owner.secret not in text
    if one.answer == "common":
        assert answer.is_success, text
        return
    told = {name for name, value in owner.ids.items() if value in text and value not in sent}
    assert told == set(), text
    if one.answer == "refused":
        assert is_refused(answer.status_code, text), text
        assert owner.ids["owner"] not in text
    elif one.answer == "nothing":
        assert answer.json() == one.found
    else:
        assert answer.is_success, text


def is_refused(status: int, text: str) -> bool:
    """Whether an answer is an error, however the server wraps it where it has begun to answer."""
    if status != 200:
        return status in REFUSED
    wrapped = ("event: error", '{"__error__"', '{"type":"error"')
    return text.startswith(wrapped) and "404" in text and text.count("event:") <= 1


OWNED = [one for one in TRIED if one.owned and one.answer in ("refused", "nothing")]


@pytest.mark.parametrize("one", OWNED, ids=str)
def test_its_owner_is_answered(probe: Server, one: Try) -> None:
    """The control: the same request of the owner is no error, finds, and changes."""
    owner = Owner(probe, hold="cancel" in one.path or "busy" in str(one))
    before = owner.kept()
    path, body = owner.request(one)
    with owner.http.stream(one.method, path, json=body) as answer:
        text = next(answer.iter_text(), "")

    assert not is_refused(answer.status_code, text), text
    assert answer.is_success
    if one.answer == "nothing":
        assert json.loads(text) != one.found
    if one.method in ("PATCH", "DELETE"):
        assert owner.kept() != before
    owner.close()


@pytest.mark.parametrize("one", OPEN, ids=str)
def test_what_knows_no_user_tells_of_none(probe: Server, owners: list[Owner], one: Try) -> None:
    path = one.path.replace("{thread_id}", owners[0].ids["thread"])
    with httpx.Client(base_url=probe.url) as anybody, http(probe, "eve") as stranger:
        answers = [client.request(one.method, path) for client in (anybody, stranger)]
        if one.method == "GET":
            answers += [client.head(path) for client in (anybody, stranger)]

    there = one.answer == "public"
    assert {answer.status_code < 400 for answer in answers} == {there}
    assert there or {answer.status_code for answer in answers} == {404}
    for owner in owners:
        assert not any(value in answer.text for value in owner.ids.values() for answer in answers)


async def test_the_socket_of_another_s_thread_tells_nothing(
    probe: Server, owners: list[Owner]
) -> None:
    place = f"{probe.url.replace('http', 'ws')}/threads"
    commands = [
        ("subscription.subscribe", {"channels": ["values", "input", "lifecycle"]}),
        ("run.start", START),
        ("input.respond", {"response": "yes"}),
        ("agent.getTree", {}),
    ]
    for owner, command in ((owner, command) for owner in owners for command in commands):
        before = await asyncio.to_thread(owner.kept)
        headers = {"x-api-key": token("eve", "admin")}
        url = f"{place}/{owner.ids['thread']}/stream/events"
        heard: list[str] = []
        async with connect(url, additional_headers=headers) as socket:
            with suppress(ConnectionClosed):  # the server ends it by itself
                await socket.send(json.dumps({"id": 1, "method": command[0], "params": command[1]}))
                while True:
                    heard.append(str(await socket.recv()))

        assert not any(json.loads(line).get("type") == "event" for line in heard), heard
        assert not any(value in line for value in owner.ids.values() for line in heard), heard
        assert await asyncio.to_thread(owner.kept) == before
