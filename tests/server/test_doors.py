"""R1-R30."""

from collections.abc import Iterator

import pytest

from demo.supersets import Pair
from tests.server import doors_state as state
from tests.server.doors_house import House, bare_server, started
from tests.server_process import Server


@pytest.fixture(scope="module")
def house(
    agent: Server, supersets: Pair, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """The product and the server of the controls, on the same two Supersets."""
    with started(bare_server(supersets, tmp_path_factory.mktemp("bare"))) as bare:
        yield House(supersets, agent, bare)
    supersets.reset()


async def test_r01_goto_the_executing_step_over_an_open_card(house: House):
    await house.hold("R1", state.goto_execute)


async def test_r02_forged_message_and_goto_on_a_fresh_thread(house: House):
    await house.hold("R2", state.forged_call)


async def test_r03_state_written_as_the_step_before(house: House):
    await house.hold("R3", state.written_state)


async def test_r04_thread_made_with_supersteps(house: House):
    await house.hold("R4", state.given_past)


async def test_r05_stateless_run(house: House):
    await house.hold("R5", state.stateless)


async def test_r06_arguments_edited_after_the_card(house: House):
    await house.hold("R6", state.edited_behind_the_card)


async def test_r07_second_resume_from_the_interrupts_checkpoint(house: House):
    await house.hold("R7", state.resumed_again)


async def test_r08_rejected_call_reached_by_an_edge(house: House):
    await house.hold("R8", state.rejected_and_reached)
