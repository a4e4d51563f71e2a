"""The same attacks on our graph and on two usual ones; how many of them wrote."""

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from tests.server import doors_identity as identity
from tests.server import doors_state as state
from tests.server.doors_house import Attack, House, Who
from tests.server.doors_seat import HttpDoor, LocalDoor, Prey, Seat
from tests.server.peers.counting import VARIABLE, written
from tests.server.peers.explicit import explicit_graph
from tests.server.peers.middleware import middleware_graph

ON_SERVER: dict[str, Attack] = {
    "R1": state.goto_execute,
    "R2": state.forged_call,
    "R3": state.written_state,
    "R4": state.given_past,
    "R5": state.stateless,
    "R6": state.edited_behind_the_card,
    "R7": state.resumed_again,
    "R8": state.rejected_and_reached,
    "R13": state.edited_to_another_tool,
    "R14": state.unruled_tool,
    "R20": state.two_clicks,
    "R21": identity.by_mcp,
    "R22": identity.by_a2a,
    "R27": identity.by_commands,
    "R28": state.answered_in_a_copy,
}
"""The attacks that need no state of ours."""

IN_PROCESS: dict[str, Attack] = {
    "R10": state.forged_call,
    "R11": state.written_state,
    "R12": state.resumed_again,
}
LOCAL = {"explicit": explicit_graph, "middleware": middleware_graph}
PEERS = {
    "plain explicit graph": Prey(
        "explicit",
        "write_object",
        execute="execute",
        ours=False,
        forged={"approved": True},
    ),
    "create_agent + human in the loop": Prey(
        "middleware",
        "write_object",
        execute="tools",
        confirm="HumanInTheLoopMiddleware.after_model",
        ours=False,
    ),
}
ROUTES = ON_SERVER | IN_PROCESS


async def ours(house: House) -> list[str]:
    """The routes by which our graph wrote without approval, on a server without walls."""
    on_server: dict[str, tuple[Who, Attack]] = {r: ("bare", a) for r, a in ON_SERVER.items()}
    local: dict[str, tuple[Who, Attack]] = {r: ("local admin", a) for r, a in IN_PROCESS.items()}
    seen = await house.attacked(on_server | local)
    return [route for route, one in seen.items() if one.leaked]


async def theirs(house: House, prey: Prey) -> list[str]:
    """The routes by which a peer wrote without approval."""
    async with AsyncExitStack() as opened:
        http = await opened.enter_async_context(house.http("bare"))
        seats = {route: Seat(None, prey, f"{prey.graph}-{route}") for route in ROUTES}
        for route, seat in seats.items():
            local = route in IN_PROCESS
            saver = InMemorySaver()
            seat.door = LocalDoor(LOCAL[prey.graph](saver)) if local else HttpDoor(http, prey.graph)
        await asyncio.gather(*(tried(ROUTES[route], seat) for route, seat in seats.items()))
    wrote = await asyncio.to_thread(written, Path(house.bare.env[VARIABLE]))
    return [route for route, seat in seats.items() if wrote[seat.key] > seat.approved]


async def tried(attack: Attack, seat: Seat) -> None:
    """Run an attack; a peer may fall over it, what counts is what it wrote."""
    with suppress(Exception):
        await attack(seat)


class Summary:
    """Says after the tests what the attacks did; with -v by route."""

    def __init__(self, house: House) -> None:
        self.house = house

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Write the lines."""
        table = self.house.table
        leaks = [route for route, seen in table.items() if seen["a"].leaked or seen["b"].leaked]
        lines = [
            f"Doors: without approval, this agent wrote by {len(leaks)} of {len(table)} routes"
        ]
        lines += [
            f"Doors: {name} wrote by {len(wrote)} of {len(ROUTES)} routes: {', '.join(wrote)}"
            for name, wrote in self.house.peers.items()
        ]
        if terminalreporter.config.get_verbosity() > 0:
            lines += [
                "  ".join([f"{route:4}", *(f"{case}: {one}" for case, one in seen.items())])
                for route, seen in table.items()
            ]
        for line in lines:
            terminalreporter.write_line(line)
