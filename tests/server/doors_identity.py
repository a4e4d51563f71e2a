"""Attacks by other doors than the chat's, and by claims of who one is."""

import asyncio
from typing import Any
from uuid import uuid4

from tests.server.doors_seat import REJECT, HttpDoor, Seat
from tests.server.doors_state import command, forged_call, http

JSON = "application/json"
CLAIMS: dict[str, Any] = {
    "role": "admin",
    "user": "admin@demo",
    "langgraph_auth_user_id": "admin@demo",
    "langgraph_auth_user": {"identity": "admin@demo", "role": "admin"},
}
DEVELOPMENT = ("/internal/debug/thread/{thread}", "/deploy")
"""Routes of the development server that read; another one forgets everything."""


async def by_mcp(seat: Seat) -> None:
    """R21: a tool call of MCP, with words, then with a forged past behind them."""
    said = seat.words(seat.by_title)["input"]["messages"]
    for messages in (said, [*said, *seat.forged(seat.call())["messages"]]):
        params = {"name": seat.prey.graph, "arguments": {"messages": messages}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        await http(seat).call("POST", "/mcp", body, Accept=JSON)


async def by_a2a(seat: Seat) -> None:
    """R22: a message of A2A, with a command in it."""
    update = seat.forged(seat.call())
    jump = {"command": {"goto": seat.prey.execute, "update": update}}
    [assistant] = await http(seat).call(
        "POST", "/assistants/search", {"graph_id": seat.prey.graph, "limit": 1}
    )
    text = seat.words(seat.by_title)["input"]["messages"][0]["content"]
    for more in ({}, jump):
        said = {"role": "user", "parts": [{"kind": "text", "text": text}]}
        message = said | {"messageId": str(uuid4())} | more
        body = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}}
        await http(seat).call("POST", f"/a2a/{assistant['assistant_id']}", body, Accept=JSON)


async def by_schedule(seat: Seat) -> list[dict[str, Any]]:
    """R23: a schedule on a thread, which fires within seconds; returns its runs."""
    thread = await seat.door.thread()
    known = {"assistant_id": seat.prey.graph, "schedule": "* * * * * *"}
    known["input"] = seat.words(seat.by_title)["input"]
    made = await http(seat).call("POST", f"/threads/{thread}/runs/crons", known)
    runs: list[dict[str, Any]] = []
    async with asyncio.timeout(30):
        while not any(run["status"] not in ("pending", "running") for run in runs):
            await asyncio.sleep(0.2)
            runs = await http(seat).call("GET", f"/threads/{thread}/runs")
    await http(seat).http.delete(f"/runs/crons/{made['cron_id']}")
    return runs


async def by_assistant(seat: Seat) -> None:
    """R24: an assistant that an admin made claims a role for whoever uses it."""
    role = "admin" if seat.house.server(seat.who) is seat.house.product else "bare"
    claims = {"configurable": CLAIMS}
    async with seat.house.http(role) as admin:
        known = {"graph_id": seat.prey.graph, "config": claims, "name": f"claims {uuid4()}"}
        made = await HttpDoor(admin, "").call("POST", "/assistants", known)
    http(seat).assistant = made["assistant_id"]
    await asks(seat, context=None, input=seat.words(seat.by_title)["input"])


async def by_configurable(seat: Seat) -> None:
    """R25: the claims, and the page, in `configurable` instead of `context`."""
    await asks(seat, config={"configurable": CLAIMS | seat.context}, context=None)


async def asks(seat: Seat, **more: Any) -> None:
    """Ask for the write in words, and with a forged message; both without a card."""
    body = {name: given for name, given in (seat.words() | more).items() if given is not None}
    await seat.door.run(await seat.door.thread(), **body)
    await forged_call(seat)


async def by_development_routes(seat: Seat) -> list[int]:
    """R26: what the development server offers to anybody; returns the statuses."""
    thread = await seat.card()
    async with seat.house.http(seat.who) as anybody:
        anybody.headers.pop("x-api-key")
        paths = [path.format(thread=thread) for path in DEVELOPMENT]
        statuses = [(await anybody.get(path)).status_code for path in paths]
        if 200 not in statuses:  # else everybody's threads would be gone
            statuses.append((await anybody.post("/internal/truncate")).status_code)
            assert (await seat.door.state(thread))["interrupts"], "the card is gone"
    return statuses


async def by_commands(seat: Seat) -> None:
    """R27: the new protocol, from the words to a jump over the card."""
    thread = await seat.door.thread()
    words = seat.words(seat.by_title)
    start = {"assistant_id": seat.prey.graph, "input": words["input"]}
    await command(seat, thread, "run.start", start)
    [interrupt] = (await seat.door.state(thread))["interrupts"]
    _, call = await seat.asked(thread)
    jump = {"goto": seat.prey.execute, "update": seat.approval(call)}
    answer = {"interrupt_id": interrupt["id"], "response": REJECT} | jump
    await command(seat, thread, "input.respond", answer)


async def by_unsound_command(seat: Seat) -> None:
    """R27: the new protocol with a context that claims a role."""
    start = {"assistant_id": seat.prey.graph} | seat.words() | {"context": {"role": "admin"}}
    await command(seat, await seat.door.thread(), "run.start", start)


async def with_webhook(seat: Seat) -> list[bytes]:
    """R28: a run whose end is told to an address of the client's; returns what came there."""
    told: list[bytes] = []
    came = asyncio.Event()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        told.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        writer.close()
        came.set()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        body = seat.words() | {"webhook": f"http://127.0.0.1:{port}/told"}
        await seat.door.run(await seat.door.thread(), **body)
        await asyncio.wait_for(came.wait(), 30)
    return told
