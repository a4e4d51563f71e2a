"""Nothing is written without approval: thirty routes, each against the real LangGraph server.

Every attack runs three times at once, each on a dashboard of its own in a real Superset. Counted
are the writes in Superset's own log and the approvals that the ledger gave away.

(a) An operator, who may write what was approved; a viewer where a role is claimed (R24, R25).
(b) Nothing but the ledger in the way: an admin, whom the rules in graph/auth.py let do all; or an
    admin at the same graph on a server without those rules and without the door ("bare"), where
    also an admin is refused (R9, R15, R21, R22); or the claimed role where no card and no ledger
    are left, only the role (R24, R25); or refused even then (R23, R26).
(c) The control: what must write, or must get through, once the guard is gone.

    R1-R8 the ledger approves all        R20 the ledger approves all: two writes
    R9 that, and Studio's user an admin  R21, R22 that, no cards, and the routes are on
    R10-R12 that, in process             R23 without the rule it is made and fires, without a role
    R13 the edit names the card's tool   R24, R25 no cards, no ledger, and a token with the role
    R14 that, and the tool is declared   R26 without the door the routes answer
    R15 that, and anybody may confirm    R27 the ledger approves all; the 422 is the door's
    R16-R18 the ledger approves all      R28 that; without the door the webhook is told
    R19 that, reordered                  R29, R30 that: names are looked up again when it writes

Strict validation stands behind the ledger in R19: a number for its digits writes in no case. R30
speaks of a branch; no tool has one yet, so an approved dashboard is saved by somebody before the
write: the same binding of targets. The races of R7 and R20 run on the server and in one process.

The last test attacks a plain explicit graph and `create_agent` with its human-in-the-loop
middleware by those routes that need no state of ours, and counts the same way.
"""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from demo.supersets import Pair
from tests.postgres import Postgres
from tests.server import doors_answers as answers
from tests.server import doors_compare as compare
from tests.server import doors_identity as identity
from tests.server import doors_state as state
from tests.server.doors_house import Attack, House, Who, bare_server
from tests.server.doors_seat import Seat
from tests.server_process import Server
from tools.settings import load_settings

LOCAL: tuple[Who, Who, Who] = ("local operator", "local admin", "local open")


@pytest.fixture(scope="module")
def house(
    agent: Server,
    supersets: Pair,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[House]:
    """The product and the server of the controls, on the same two Supersets."""
    served = bare_server(supersets, tmp_path_factory.mktemp("bare"))
    with served as bare, pytest.MonkeyPatch.context() as patch:
        for name, value in (bare.env | agent.env).items():
            patch.setenv(name, value)
        settings = load_settings(agent.folder / "pilothouse.toml")
        house = House(supersets, agent, bare, settings)
        request.config.pluginmanager.register(compare.Summary(house))
        yield house
    supersets.reset()


def both(attack: Attack, control: Who) -> dict[str, tuple[Who, Attack]]:
    """One attack by the operator, the admin, and one before whom the wall is gone."""
    return {"a": ("operator", attack), "b": ("admin", attack), "c": (control, attack)}


async def race(house: House, route: str) -> None:
    """Two answers at once in one process.

    In the control one comes after the other: at once, the second could still find the dashboard
    changed by the first.
    """
    await house.hold(route, state.two_clicks, *LOCAL, control=state.resumed_again)


async def walled(house: House, route: str, attack: Attack) -> None:
    """An attack that the second wall refuses to whoever is no admin."""
    assert (await house.hold(route, attack))["a"].refused == 403


async def test_r01_goto_the_executing_step_over_an_open_card(house: House):
    await walled(house, "R1", state.goto_execute)


async def test_r02_forged_message_and_goto_on_a_fresh_thread(house: House):
    await walled(house, "R2", state.forged_call)


async def test_r03_state_written_as_the_step_before(house: House):
    await walled(house, "R3", state.written_state)


async def test_r04_thread_made_with_supersteps(house: House):
    await walled(house, "R4", state.given_past)


async def test_r05_stateless_run(house: House):
    await walled(house, "R5", state.stateless)


async def test_r06_arguments_edited_after_the_card(house: House):
    await walled(house, "R6", state.edited_behind_the_card)


async def test_r07_second_resume_from_the_interrupts_checkpoint(house: House):
    await walled(house, "R7", state.resumed_again)


async def test_r08_rejected_call_reached_by_an_edge(house: House):
    await house.hold("R8", state.rejected_and_reached)


async def test_r09_studios_header_without_a_token(house: House):
    await house.hold("R9", state.forged_call, "studio", "bare studio", "open studio")


async def test_r10_goto_in_process(house: House):
    await house.hold("R10", state.forged_call, *LOCAL)


async def test_r11_update_state_as_node_in_process(house: House):
    await house.hold("R11", state.written_state, *LOCAL)


async def test_r12_replay_in_process(house: House):
    await house.hold("R12", state.resumed_again, *LOCAL)


async def test_r13_edit_to_another_tool(house: House):
    same_tool = partial(state.edit, tool="start_maintenance")
    await house.hold("R13", state.edited_to_another_tool, control=same_tool)


async def test_r14_tool_that_the_policy_does_not_name(house: House):
    await house.hold("R14", state.unruled_tool)


async def test_r15_resume_by_another_user(house: House):
    seen = await house.hold("R15", answers.resumed_by_another, b="bare")
    assert seen["a"].refused == 404


async def test_r16_approval_of_another_thread(house: House):
    await house.hold("R16", answers.approved_in_another_thread)


async def test_r17_approval_for_another_environment(house: House):
    await house.hold("R17", answers.approved_for_another_environment)


async def test_r18_expired_approval_and_card(house: House):
    await house.hold("R18", answers.expired)


async def test_r19_reordered_and_retyped_arguments(house: House):
    await house.hold("R19", answers.disordered, control=answers.reordered)


async def test_r20_double_click_writes_once(house: House):
    await house.hold("R20", state.two_clicks, plain=partial(state.two_clicks, replay=False))
    await race(house, "R20b")


async def test_r07_and_r20_with_records_in_postgresql(house: House, postgres: Postgres):
    url = postgres.clean().render_as_string(hide_password=False)
    there = house.with_records(url)
    await there.hold("R7p", state.resumed_again, *LOCAL)
    await race(there, "R20p")


async def test_r21_mcp_call(house: House):
    seen = await house.hold("R21", identity.by_mcp, b="bare", c="unasked")
    assert seen["a"].refused == 404


async def test_r22_a2a_message(house: House):
    seen = await house.hold("R22", identity.by_a2a, b="bare", c="unasked")
    assert seen["a"].refused == 404


async def test_r23_cron(house: House):
    fired: list[Any] = []

    async def schedule(seat: Seat) -> None:
        fired.extend(await identity.by_schedule(seat))

    seen = await house.safe("R23", both(schedule, "bare"))
    assert (seen["a"].refused, seen["b"].refused) == (403, 403)
    assert {run["status"] for run in fired} == {"error"}, "where it may be made, it fires"


async def test_r24_assistant_that_claims_a_role(house: House):
    await house.hold("R24", identity.by_assistant, "viewer", "unasked viewer", "unasked")


async def test_r25_role_in_configurable(house: House):
    await house.hold("R25", identity.by_configurable, "viewer", "unasked viewer", "unasked")


async def test_r26_development_routes(house: House):
    statuses: dict[str, list[int]] = {}

    async def call(seat: Seat) -> None:
        statuses[seat.who] = await identity.by_development_routes(seat)

    await house.safe("R26", both(call, "bare"))
    assert statuses["bare"] == [200, 200], "without the door they are there"
    assert statuses["operator"] == statuses["admin"] == [404, 404, 404]


async def test_r27_commands_of_the_new_protocol(house: House):
    await house.hold("R27", identity.by_commands)
    seen = await house.safe("R27b", both(identity.by_unsound_command, "bare"))
    assert [seen[case].refused for case in "abc"] == [422, 422, None]


async def test_r28_copied_thread_and_webhook(house: House):
    await house.hold("R28", state.answered_in_a_copy)
    told: list[bytes] = []

    async def tell(seat: Seat) -> None:
        told.extend(await identity.with_webhook(seat))

    seen = await house.safe("R28b", both(tell, "bare"))
    assert (seen["a"].refused, seen["b"].refused) == (422, 422)
    assert len(told) == 1, "where it may be named, it is told"


async def test_r29_dashboard_renamed_after_the_card(house: House):
    await asyncio.gather(house.hold("R29", answers.renamed), house.hold("R29b", answers.made_again))


async def test_r30_object_moved_after_the_card(house: House):
    await house.hold("R30", answers.moved)


async def test_the_same_attacks_on_other_graphs(house: House):
    assert await compare.ours(house) == []
    for name, prey in compare.PEERS.items():
        house.peers[name] = await compare.theirs(house, prey)
        assert house.peers[name], f"nothing was proved with {name}"
