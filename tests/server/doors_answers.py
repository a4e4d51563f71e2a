"""Attacks on what an approval is bound to: who, where, what, until when, and on which object."""

import asyncio
import sqlite3
from typing import Any

from tests.server.doors_seat import APPROVE, HttpDoor, Seat


async def resumed_by_another(seat: Seat) -> None:
    """R15: another user of the same role answers the card."""
    thread = await seat.card()
    async with seat.house.http(seat.who, "mallory@demo") as http:
        another = HttpDoor(http, seat.prey.graph)
        await another.run(thread, command={"resume": APPROVE})


async def approved_in_another_thread(seat: Seat) -> None:
    """R16: the very call that was approved in one conversation, in another one."""
    _, call = await seat.asked(await seat.paused(seat.by_title))
    thread = await seat.door.thread()
    update = seat.forged(call)
    await seat.door.run(thread, command={"update": update, "goto": seat.prey.execute})


async def approved_for_another_environment(seat: Seat) -> None:
    """R17: the approved call, turned to production before it runs."""
    thread = await seat.paused()
    seat.elsewhere.append(await asyncio.to_thread(seat.house.dashboard, "prod", seat.title))
    await seat.rewrite(thread, env_id="ss-prod", dashboards=seat.elsewhere)
    await seat.door.run(thread, input=None)


async def expired(seat: Seat) -> None:
    """R18: an approval, and a card, whose time is over."""
    thread, late = await asyncio.gather(seat.paused(), seat.card())
    await asyncio.to_thread(run_out, seat, thread, late)
    await seat.door.run(thread, input=None)
    await seat.door.run(late, command={"resume": APPROVE})


async def reordered(seat: Seat) -> None:
    """R19: the approved arguments in another order."""
    other = await asyncio.to_thread(seat.house.dashboard, "dev", f"{seat.title} B")
    seat.others.append(other)
    said = f"Start maintenance on the dashboards {seat.key} and {other} in Development"
    thread = await seat.paused(said)
    _, call = await seat.asked(thread)
    assert len(call["args"]["dashboards"]) == 2
    await seat.rewrite(thread, dashboards=call["args"]["dashboards"][::-1])
    await seat.door.run(thread, input=None)


async def retyped(seat: Seat, **new: Any) -> None:
    """R19: the approved arguments, written otherwise."""
    thread = await seat.paused()
    await seat.rewrite(thread, **new)
    await seat.door.run(thread, input=None)


async def disordered(seat: Seat) -> None:
    """R19: another order, a number instead of its digits, and what was left out written out."""
    await asyncio.gather(
        reordered(seat), retyped(seat, dashboards=[int(seat.key)]), retyped(seat, message=None)
    )


async def renamed(seat: Seat) -> None:
    """R29: the dashboard has another title when the card is answered."""
    thread = await seat.card()
    await asyncio.to_thread(seat.save, "PUT", seat.key, {"dashboard_title": f"{seat.title} 2"})
    await seat.door.run(thread, command={"resume": APPROVE})


async def made_again(seat: Seat) -> None:
    """R29: another dashboard has the title when the card is answered."""
    thread = await seat.card(seat.by_title)
    await asyncio.to_thread(seat.save, "DELETE", seat.key)
    # Superset gives the number of a deleted dashboard away again: only the new one is counted.
    seat.key = await asyncio.to_thread(seat.house.dashboard, "dev", seat.title)
    await seat.door.run(thread, command={"resume": APPROVE})


async def moved(seat: Seat) -> None:
    """R30: somebody saved the dashboard between the yes and the write."""
    thread = await seat.paused()
    await asyncio.to_thread(seat.save, "PUT", seat.key, {"css": ".moved {}"})
    await seat.door.run(thread, input=None)


def run_out(seat: Seat, *threads: str) -> None:
    """Let the time of all approvals of threads be over."""
    connection = sqlite3.connect(seat.house.server(seat.who).folder / "records.db", timeout=30)
    with connection:
        for thread in threads:
            past = ("2020-01-01 00:00:00.000000", thread)
            connection.execute("UPDATE approvals SET expires_at = ? WHERE thread_id = ?", past)
    connection.close()
