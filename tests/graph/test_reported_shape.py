"""How the graph is built: faults of other agents that no conversation would show by itself."""

from typing import Any, get_type_hints

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from graph.superset import graph
from nodes.state import State
from tests.agent import asks, cards
from tools.clients.layout import banners

STEPS = {
    "inject_context", "select_tools", "call_model", "check_permission",
    "confirm", "execute_tools", "summarize_results",
}  # fmt: skip
USA = {"dashboards": ["USA"], "env_id": "ss-dev"}


def returns_command(node: Any) -> bool:
    """Whether a node declares that it may jump by itself."""
    function = node.runnable.afunc or node.runnable.func
    hints = get_type_hints(function if hasattr(function, "__name__") else function.__call__)
    return "return" not in hints or "Command" in str(hints["return"])


def jumps_with_edges(builder: StateGraph[Any, Any, Any, Any]) -> set[str]:
    """Nodes that may jump and are led on by an edge, too: then both happen."""
    led_on = {source for source, _ in builder.edges} | set(builder.branches)
    return {name for name, node in builder.nodes.items() if returns_command(node)} & led_on


def test_no_step_that_jumps_has_an_edge() -> None:
    assert set(graph.builder.nodes) == STEPS
    assert jumps_with_edges(graph.builder) == set()


class Small(TypedDict):
    x: int


async def jumps(_: Small) -> Command[Any]:
    return Command(goto=END)


async def says_nothing(_: Small):
    return {"x": 1}


async def stays(_: Small) -> Small:
    return {"x": 1}


def test_a_step_that_jumps_and_has_an_edge_is_noticed() -> None:
    builder = StateGraph(Small)
    for node in (jumps, says_nothing, stays):
        builder.add_node(node.__name__, node)
        builder.add_edge(START, node.__name__)
        builder.add_edge(node.__name__, END)
    assert jumps_with_edges(builder) == {"jumps", "says_nothing"}


def test_cards_come_from_the_root_graph() -> None:
    assert list(graph.get_subgraphs(recurse=True)) == []


def test_the_server_keeps_the_state_and_finds_the_steps_again() -> None:
    """The exported graph brings no store of its own, and the steps keep their names.

    A thread that waits for a person is stored under the name of its step: a name that changed
    would leave it there for good.
    """
    assert graph.checkpointer is None
    assert graph.store is None
    assert set(graph.nodes) - {START} == STEPS


async def test_a_card_is_found_again_by_another_process_s_graph(talk, services, dev) -> None:
    conversation = talk(asks(("start_maintenance", USA)))
    [card] = cards(await conversation.say("go"))
    before = conversation.graph
    again = talk()  # the embedded planner, the same threads: nothing else is known of the first
    again.saver = conversation.saver
    assert again.graph is not before
    (waiting,) = (await again.graph.aget_state(again.config)).interrupts
    assert waiting.value["guardrail"]["cards"] == [card]
    await again.approve()
    assert len(banners((await dev.dashboard("usa")).layout)) == 1


def plain(value: Any) -> bool:
    """Whether a value is nothing but JSON."""
    if isinstance(value, dict):
        return all(type(key) is str and plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(plain, value))
    return value is None or type(value) in (str, int, float, bool)


@pytest.mark.parametrize("approves", [False, True])
async def test_the_state_is_plain_and_is_read_without_making_objects(talk, approves) -> None:
    """With a list of allowed types that is empty, everything stored comes back as it was."""
    read = ("search_dashboards", {"env_id": "ss-dev", "limit": 100})
    conversation = talk(asks(read), asks(("start_maintenance", USA), prefix="w"), asks(read))
    await conversation.say("go", {"envId": "ss-dev", "route": "/x", "contextVersion": 1})
    if approves:
        await conversation.answer({"decisions": [{"type": "reject"}]})
    values: State = (await conversation.graph.aget_state(conversation.config)).values
    assert plain({key: value for key, value in values.items() if key != "messages"})
    for message in values["messages"]:
        kept = message.model_dump()
        assert plain(kept)
    strict = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    assert strict.loads_typed(strict.dumps_typed(values)) == values
