"""LangChain's own agent with its human-in-the-loop middleware."""

from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware

from tests.server.peers.counting import TOOLS, Obedient


def middleware_graph(checkpointer: Any = None) -> Any:
    """Build it around a model that obeys; the second tool was forgotten in the rules."""
    rules: Any = {"write_object": True}
    asks = HumanInTheLoopMiddleware(interrupt_on=rules)
    return create_agent(Obedient(), TOOLS, middleware=[asks], checkpointer=checkpointer)
