"""One kill -9 of the real server while writes stand at many points, and what became of them."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from demo.rest import Rest
from demo.supersets import Pair
from tests.server.crash_points import HELD, Outcome, Point, Way
from tests.server.crash_proxy import Gate, Proxy
from tests.server.deployment import token_for
from tests.server_process import Server
from tools.clients.layout import banners
from tools.clients.superset import Account, Superset, SupersetConfig
from tools.records import Approval, Records

APPROVE = {"resume": {"decisions": [{"type": "approve"}]}}
WORDS = {"messages": [{"role": "user", "content": "Start maintenance on this dashboard"}]}
STORES = 10.0
"""Seconds after which the server stores its own state again."""
PATIENCE = 60.0


@dataclass(frozen=True)
class Write:
    """A card in a thread of its own, about a dashboard of its own.

    Attributes:
        point: Where it will be killed.
        dashboard: Its id.
        thread: The thread.
        row: The ledger's row.
        gate: What keeps it at its point, if the network does.
    """

    point: Point
    dashboard: int
    thread: str
    row: str
    gate: Gate | None


@dataclass(frozen=True)
class Crash:
    """A server on a Superset behind a proxy, which is killed and started again."""

    server: Server
    proxy: Proxy
    pair: Pair

    async def round(self, points: Sequence[Point]) -> list[Outcome]:
        """Bring a write to each point, kill the server, start it, and let everybody go on."""
        ids = await asyncio.to_thread(make_dashboards, self.pair, len(points))
        async with self.server.client(token_for(self.server, "operator")) as client:
            asking = (self.ask(client, *one) for one in zip(points, ids, strict=True))
            writes = await asyncio.gather(*asking)
            stored = [write for write in writes if write.point.stored]
            later = [write for write in writes if not write.point.stored]
            await asyncio.gather(*(bring(client, write) for write in stored))
            await asyncio.to_thread(self.wait_stored)
            await asyncio.gather(*(bring(client, write) for write in later))
        rows = await asyncio.to_thread(self.rows, writes)
        assert {row.state for row in rows} <= {"asked", "approved", "executing", "done"}
        for write, row in zip(writes, rows, strict=True):
            assert row.state == ("executing" if write.gate else write.point.kind)
        await asyncio.to_thread(self.server.kill)
        return await self.after(writes)

    async def ask(self, client: Any, point: Point, dashboard: int) -> Write:
        """Have a card for a dashboard; what will hold the write comes after it."""
        thread = (await client.threads.create())["thread_id"]
        page = {"objectType": "dashboard", "objectId": str(dashboard), "envId": "ss-dev"}
        context = {"ui": page | {"route": "/x", "contextVersion": 1}, "language": "en"}
        result = await client.runs.wait(thread, "superset", input=WORDS, context=context)
        [card] = cards_of(result["__interrupt__"])
        held = HELD.get(point.kind)
        gate = self.proxy.hold(dashboard, held) if held else None
        return Write(point, dashboard, thread, card["id"], gate)

    async def after(self, writes: Sequence[Write]) -> list[Outcome]:
        """Start the server again, let all threads go on and everything late arrive."""
        let_go(writes, late=False)
        await asyncio.to_thread(self.server.start)
        async with self.server.client(token_for(self.server, "operator")) as client:
            ways = await asyncio.gather(*(go_on(client, write) for write in writes))
            await asyncio.to_thread(let_go, writes, late=True)
            await asyncio.gather(*(press(client, write) for write in writes))
            asking = (client.threads.get_state(write.thread) for write in writes)
            states = await asyncio.gather(*asking)
        rows = await asyncio.to_thread(self.rows, writes)
        counts = await asyncio.to_thread(writes_seen, self.pair)
        standing = await self.standing(writes)
        return [
            Outcome(
                write.point,
                way,
                writes=counts[write.dashboard],
                banners=standing[write.dashboard],
                row=row,
                kinds=kinds_of(state["values"]["messages"]),
                said=state["values"]["messages"][-1]["content"],
            )
            for write, way, row, state in zip(writes, ways, rows, states, strict=True)
        ]

    def wait_stored(self) -> None:
        """Wait until the server has stored its whole state as it is now.

        Raises:
            TimeoutError: it did not in time.
        """
        begun, deadline = time.time(), time.monotonic() + 3 * STORES
        folder = self.server.folder / ".langgraph_api"
        while time.monotonic() < deadline:
            times = [path.stat().st_mtime for path in folder.glob("*.pckl")]
            if times and min(times) > begun:
                return
            time.sleep(0.1)
        raise TimeoutError("The server did not store its state")

    def rows(self, writes: Sequence[Write]) -> list[Approval]:
        """What the ledger holds of some writes."""
        with Records.open(f"sqlite:///{self.server.folder}/records.db") as records:
            found = [records.approvals.get(write.row) for write in writes]
            kept = [row for row in found if row is not None]
            assert len(kept) == len(writes)
            for row in kept:
                # Whatever was tried: nobody has got a second card for the call.
                assert len(records.approvals.for_call(row.thread_id, row.call_id)) == 1
            return kept

    async def standing(self, writes: Sequence[Write]) -> dict[int, int]:
        """How many events stand on each dashboard, by Superset's API."""
        login = Account(*self.pair.dev.accounts["admin"])
        superset = Superset(SupersetConfig(self.pair.dev.url), login)
        try:
            found = [await superset.dashboard(write.dashboard) for write in writes]
        finally:
            await superset.aclose()
        return {one.id: len(banners(one.layout)) for one in found}


async def bring(client: Any, write: Write) -> None:
    """Say yes to a card, where there was one, and return when its write stands at its point."""
    kind, gate = write.point.kind, write.gate
    if gate is not None:
        await client.runs.create(write.thread, "superset", command=APPROVE)
        assert await asyncio.to_thread(gate.reached.wait, PATIENCE)
    elif kind == "approved":
        stop = {"interrupt_before": ["execute_tools"]}
        await client.runs.wait(write.thread, "superset", command=APPROVE, **stop)
    elif kind == "done":
        await client.runs.wait(write.thread, "superset", command=APPROVE)


async def go_on(client: Any, write: Write) -> Way:
    """Go on with a thread as its user would; returns how it went on."""
    again = await idle(client, write.thread)
    state = await client.threads.get_state(write.thread)
    if state["interrupts"]:
        [card] = cards_of(state["interrupts"])
        assert card["id"] == write.row
        await client.runs.wait(write.thread, "superset", command=APPROVE)
        return "card"
    if state["next"]:
        await client.runs.wait(write.thread, "superset", input=None)
        return "continued"
    return "re-run" if again else "ended"


async def press(client: Any, write: Write) -> None:
    """Approve once more what is over: a second tab that still shows the card."""
    await client.runs.wait(write.thread, "superset", command=APPROVE, raise_error=False)


async def idle(client: Any, thread: str) -> bool:
    """Wait until no run of a thread is under way; returns whether one was after the restart."""
    deadline = time.monotonic() + PATIENCE
    again = False
    while time.monotonic() < deadline:
        runs = await client.runs.list(thread)
        if not [run for run in runs if run["status"] in ("pending", "running")]:
            return again
        again = True
        await asyncio.sleep(0.2)
    raise TimeoutError("The run did not end")


def let_go(writes: Sequence[Write], *, late: bool) -> None:
    """Let what is late arrive at Superset, or else lose what was on its way; return when it has."""
    for write in writes:
        if write.gate is not None and write.point.late == late:
            write.gate.let_go(passes=late)
            assert write.gate.over.wait(PATIENCE)


def make_dashboards(pair: Pair, count: int) -> list[int]:
    """Empty dashboards of the operator; returns their ids."""
    superset = Rest(pair.dev.url).login(*pair.dev.accounts["operator"])
    title = {"dashboard_title": "Killed"}
    made = [superset.call("POST", "/api/v1/dashboard/", title) for _ in range(count)]
    return [int(one["id"]) for one in made]


def writes_seen(pair: Pair) -> Counter[int]:
    """How often each dashboard was written, by Superset's own log of actions."""
    superset = Rest(pair.dev.url).login(*pair.dev.accounts["admin"])
    wanted = {"col": "action", "opr": "eq", "value": "DashboardRestApi.put"}
    found = superset.call("GET", "/api/v1/log/", query={"filters": [wanted], "page_size": 100})
    assert found["count"] == len(found["result"])
    return Counter(int(path_of(one).rpartition("/")[2]) for one in found["result"])


def path_of(line: dict[str, Any]) -> str:
    """The address that a line of Superset's log is about."""
    return str(json.loads(line["json"])["path"])


def cards_of(interrupts: Any) -> list[dict[str, Any]]:
    """The cards of the one interrupt that is open."""
    [interrupt] = interrupts
    return list(interrupt["value"]["guardrail"]["cards"])


def kinds_of(messages: Any) -> tuple[str, ...]:
    """Which kind of answer each tool message is."""
    tools = [message for message in messages if message["type"] == "tool"]
    return tuple(message["artifact"]["kind"] for message in tools)
