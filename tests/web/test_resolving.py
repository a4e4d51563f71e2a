"""A thread's end that a client writes withdraws its cards, if the server takes it."""

import json
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from web.door import Door, DoorPolicy, Rejection
from web.resolving import state_of

THREAD = "0f3ad5a2-25fe-4d0a-8a4c-2b6a6d1f0001"
STATE = f"/threads/{THREAD}/state"
END = {"values": None, "as_node": "__end__"}


@dataclass
class Served:
    """A door before a server that answers all with one status."""

    status: int = 200
    role: str = "operator"
    broken: bool = False
    seen: list[Any] = field(default_factory=list)

    async def resolve(self, thread_id: str, user_id: str) -> None:
        if self.broken:
            raise OSError("disk full")
        self.seen.append((thread_id, user_id))

    async def audit(self, rejection: Rejection) -> None:
        raise AssertionError(rejection)

    async def inner(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.seen.append("asked")
        await JSONResponse({}, self.status)(scope, receive, send)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["user"] = {"identity": "olga", "role": self.role, "environments": None}

        async def noted(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.seen.append("answered")
            await send(message)

        door = Door(self.inner, DoorPolicy({}, None, 1000, self.audit, self.resolve))
        await door(scope, receive, noted)

    async def post(self, path: str, body: Any) -> int:
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
            return (await client.post(path, content=json.dumps(body))).status_code


@pytest.mark.parametrize("role", ["operator", "admin"])
@pytest.mark.parametrize("path", [STATE, f"{STATE}/", STATE.replace(THREAD, THREAD.upper())])
async def test_the_cards_are_withdrawn_before_it_is_told(role: str, path: str) -> None:
    served = Served(role=role)
    assert await served.post(path, END) == 200
    assert served.seen == ["asked", (THREAD, "olga"), "answered"]


@pytest.mark.parametrize("status", [403, 404, 409, 500])
async def test_what_the_server_does_not_take_withdraws_nothing(status: int) -> None:
    served = Served(status)
    assert await served.post(STATE, END) == status
    assert served.seen == ["asked", "answered"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (STATE, {"values": {"problem": "x"}, "as_node": "__end__"}),
        (STATE, {"values": None, "as_node": "confirm"}),
        (STATE, END | {"checkpoint_id": "x"}),
        ("/threads", {}),
        (f"/threads/{THREAD}/history", END),
    ],
)
async def test_nothing_else_is_taken_for_an_end(path: str, body: Any) -> None:
    served = Served(role="admin")  # who may send all of it
    assert await served.post(path, body) == 200
    assert served.seen == ["asked", "answered"]


async def test_a_fault_of_the_records_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    served = Served(broken=True)
    assert await served.post(STATE, END) == 200
    assert "stay open until its next message" in caplog.text


def test_a_path_names_its_thread_as_the_ledger_does() -> None:
    assert state_of(STATE.replace(THREAD, THREAD.replace("-", ""))) == THREAD
    assert [state_of(f"/threads/{name}/state") for name in ("x", "-" * 36)] == [None, None]
