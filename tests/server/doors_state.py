"""Attacks on what the graph remembers: jumps, forged messages, written states, replays.

They know nothing of our graph but a `Prey`'s names, so the peers are attacked by the same.
"""

import asyncio
from typing import Any

from tests.server.doors_seat import APPROVE, REJECT, HttpDoor, Seat


async def goto_execute(seat: Seat) -> None:
    """R1: a jump over the open card."""
    thread = await seat.card()
    await seat.door.run(thread, command={"goto": seat.prey.execute})


async def forged_call(seat: Seat, thread: str | None = None, tool: str | None = None) -> None:
    """R2: a message that no model wrote, and a jump, on a fresh thread."""
    made = thread or await seat.door.thread()
    update = seat.forged(seat.call(tool))
    await seat.door.run(made, command={"update": update, "goto": seat.prey.execute})


async def written_state(seat: Seat) -> None:
    """R3: a state written in the name of the step before, then a run without input."""
    thread = await seat.door.thread()
    await seat.door.write(thread, seat.forged(seat.call()), as_node=seat.prey.confirm)
    await seat.door.run(thread, input=None)


async def given_past(seat: Seat) -> None:
    """R4: a thread that is made with a past."""
    step = {"values": seat.forged(seat.call()), "as_node": seat.prey.confirm}
    thread = await seat.door.thread(supersteps=[{"updates": [step]}])
    await seat.door.run(thread, input=None)


async def stateless(seat: Seat) -> None:
    """R5: R2 without a thread."""
    update = seat.forged(seat.call())
    await seat.door.run(None, command={"update": update, "goto": seat.prey.execute})


async def edited_behind_the_card(seat: Seat) -> None:
    """R6: arguments changed after the card was shown; the yes is to the card."""
    thread = await seat.card()
    await seat.rewrite(thread, **{"message" if seat.prey.ours else "note": "edited"})
    await seat.door.run(thread, command={"resume": APPROVE})


async def resumed_again(seat: Seat) -> None:
    """R7 and R12: the yes once more, from the interrupt's checkpoint."""
    thread = await seat.card()
    checkpoint = await interrupted_at(seat, thread)
    await seat.approve(thread)
    await seat.door.run(thread, command={"resume": APPROVE}, checkpoint=checkpoint)


async def rejected_and_reached(seat: Seat) -> None:
    """R8: a no, and the executing step is entered all the same."""
    thread = await seat.card()
    _, call = await seat.asked(thread)
    command = {"resume": REJECT, "goto": seat.prey.execute, "update": seat.approval(call)}
    await seat.door.run(thread, command=command)


async def two_clicks(seat: Seat, *, replay: bool = True) -> None:
    """R20: two answers at the same time; one of them is the person's."""
    thread = await seat.card()
    more = {"checkpoint": await interrupted_at(seat, thread)} if replay else {}
    seat.approved += 1
    clicks = [seat.door.run(thread, command={"resume": APPROVE}, **more) for _ in range(2)]
    await asyncio.gather(*clicks)


async def answered_in_a_copy(seat: Seat) -> None:
    """R28: a yes to the card, and one to the same card of a copied thread."""
    thread = await seat.card()
    copy = (await http(seat).call("POST", f"/threads/{thread}/copy"))["thread_id"]
    await seat.approve(thread)
    await seat.door.run(copy, command={"resume": APPROVE})


async def edited_to_another_tool(seat: Seat) -> None:
    """R13: the answer to a card is another tool."""
    await edit(seat, seat.prey.other)
    await edit(seat, "end_maintenance")


async def edit(seat: Seat, tool: str) -> None:
    """Answer a card with a call of a tool."""
    thread = await seat.card()
    edited = {"name": tool, "args": seat.arguments()}
    answer = {"decisions": [{"type": "edit", "edited_action": edited}]}
    await seat.door.run(thread, command={"resume": answer})


async def unruled_tool(seat: Seat) -> None:
    """R14: a tool that the rules do not name, asked for by the model and by a forger."""
    if seat.prey.ours:
        await forged_call(seat, tool=seat.prey.other)
    else:
        body = seat.words(f"{seat.prey.other} {seat.key}")
        await seat.door.run(await seat.door.thread(), **body)


async def command(seat: Seat, thread: str, method: str, params: dict[str, Any]) -> Any:
    """Send a command of the new protocol, and wait for its run."""
    body = {"id": 1, "method": method, "params": params}
    answer = await http(seat).call("POST", f"/threads/{thread}/commands", body)
    await joined(seat, thread)
    return answer


async def joined(seat: Seat, thread: str) -> None:
    """Wait for the runs of a thread."""
    for run in await http(seat).call("GET", f"/threads/{thread}/runs"):
        await http(seat).call("GET", f"/threads/{thread}/runs/{run['run_id']}/join")


async def interrupted_at(seat: Seat, thread: str) -> dict[str, str]:
    """The checkpoint of the open card."""
    checkpoint = (await seat.door.state(thread))["checkpoint"]
    return {"checkpoint_id": checkpoint["checkpoint_id"], "checkpoint_ns": ""}


def http(seat: Seat) -> HttpDoor:
    """The seat's door, which is a server's."""
    assert isinstance(seat.door, HttpDoor)
    return seat.door
