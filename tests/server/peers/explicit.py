"""The usual explicit graph: a model, a permission step, a card, and the step that executes.

It is written as guides write it: the yes of a person is a flag in the state.
"""

from typing import Annotated, Any

from langchain_core.messages import AnyMessage, ToolMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt
from typing_extensions import TypedDict

from tests.server.peers.counting import TOOLS, Obedient

BY_NAME = {one.name: one for one in TOOLS}


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    approved: bool


def explicit_graph(checkpointer: Any = None) -> Any:
    """Build it around a model that obeys."""
    model = Obedient()

    async def agent(state: State) -> State:
        return {"messages": [await model.ainvoke(state["messages"])]}

    async def permission(state: State) -> State:
        return {"approved": False}

    async def confirm(state: State) -> State:
        answer = interrupt([{"name": one["name"], "args": one["args"]} for one in calls_of(state)])
        return {"approved": answer["decisions"][0]["type"] == "approve"}

    async def execute(state: State) -> State:
        return {"messages": [await run(call) for call in calls_of(state)]}

    def after_agent(state: State) -> str:
        return "permission" if calls_of(state) else END

    def after_confirm(state: State) -> str:
        return "execute" if state["approved"] else END

    builder = StateGraph(State)
    for node in (agent, permission, confirm, execute):
        builder.add_node(node)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", after_agent, ["permission", END])
    builder.add_edge("permission", "confirm")
    builder.add_conditional_edges("confirm", after_confirm, ["execute", END])
    builder.add_edge("execute", "agent")
    return builder.compile(checkpointer=checkpointer)


def calls_of(state: State) -> list[Any]:
    """The calls of the last message."""
    return list(getattr(state["messages"][-1], "tool_calls", []))


async def run(call: Any) -> ToolMessage:
    """Run one call."""
    content = await BY_NAME[call["name"]].ainvoke(call["args"])
    return ToolMessage(content, tool_call_id=call["id"])
