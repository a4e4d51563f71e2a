"""Wire the nodes into an agent. Every route of the graph is drawn here."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from graph.context_form import context_form
from graph.routes import Route, after_answer, after_decisions, after_offer, after_results
from nodes.call_model import CallModel
from nodes.check_permission import CheckPermission
from nodes.confirm import Confirm
from nodes.execute_tools import ExecuteTools
from nodes.inject_context import InjectContext
from nodes.select_tools import SelectTools
from nodes.state import Input, State
from nodes.summarize_results import SummarizeResults
from tools.catalog import Catalog
from tools.connect import Services
from tools.context import Context, User
from tools.judgement import Judge
from tools.policy import policy_version

Agent = CompiledStateGraph[State, Context, Input, State]

ROUTES = {
    "select_tools": after_offer,
    "call_model": after_answer,
    "check_permission": after_decisions,
    "confirm": after_decisions,
    "execute_tools": after_results,
}
"""How the graph goes on after the steps that lead to more than one."""


def build(
    name: str,
    *,
    instructions: str,
    catalog: Catalog,
    model: BaseChatModel,
    services: Services,
    local_user: User | None = None,
    checkpointer: Checkpointer = None,
) -> Agent:
    """Build an agent: the same nodes, with these instructions and these tools.

    Args:
        name: The graph's name.
        instructions: What the model is told of its task.
        catalog: The tools it has.
        model: The chat model.
        services: Settings, records and clients.
        local_user: Who acts when the graph runs outside a server; None denies everything there.
        checkpointer: For use outside a server; the server brings its own.
    """
    version = policy_version(services.settings, catalog.definitions.values())
    judge = Judge(version)
    form = context_form(services.settings.environments, nodes=["inject_context"])
    builder: StateGraph[State, Context, Input, State] = StateGraph(
        State, context_schema=form, input_schema=Input
    )
    nodes: dict[str, Any] = {
        "inject_context": InjectContext(instructions, services, local_user),
        "select_tools": SelectTools(catalog, services, local_user),
        "call_model": CallModel(model, catalog, services),
        "check_permission": CheckPermission(catalog, services, judge, local_user),
        "confirm": Confirm(catalog, services, judge, local_user),
        "execute_tools": ExecuteTools(catalog, services, version, local_user),
        "summarize_results": SummarizeResults(catalog, services, local_user),
    }
    for node_name, node in nodes.items():
        builder.add_node(node_name, node)
    builder.add_edge(START, "inject_context")
    builder.add_edge("inject_context", "select_tools")
    for step, choose in ROUTES.items():
        route = Route(choose)
        builder.add_conditional_edges(step, route, route.ends)
    # What was shortened can be read on: the offer is made again.
    builder.add_edge("summarize_results", "select_tools")
    return builder.compile(checkpointer=checkpointer, name=name)
