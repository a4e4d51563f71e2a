"""A graph that answers with what the server tells it: a stand-in for the product's in tests."""

import asyncio
from typing import Any, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from tools.context import Context, identify
from tools.settings import load_settings

SETTINGS = load_settings()


class State(TypedDict, total=False):
    messages: list[Any]
    seen: dict[str, Any]
    ask: bool
    hold: bool
    answer: Any


async def look(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Report the user that the nodes of the product would see."""
    server_user = runtime.server_info.user if runtime.server_info else None
    user = identify(server_user, SETTINGS.studio_role)
    facts = None
    if user is not None:
        allowed = user.environments
        facts = [user.id, user.role, user.name, None if allowed is None else sorted(allowed)]
    context = runtime.context.model_dump(by_alias=True) if runtime.context else None
    return {"seen": {"user": facts, "kind": type(server_user).__name__, "context": context}}


async def ask(state: State) -> dict[str, Any]:
    """Wait for a person, or until the run is cancelled, where the input says so."""
    if state.get("hold"):
        await asyncio.Event().wait()
    return {"answer": interrupt("well?")} if state.get("ask") else {}


graph = (
    StateGraph(State, context_schema=Context)
    .add_node(look)
    .add_node(ask)
    .add_edge(START, "look")
    .add_edge("look", "ask")
    .compile()
)
