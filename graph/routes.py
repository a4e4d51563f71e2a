"""Where the graph goes on after a step, by what the step left in the state."""

from collections.abc import Callable
from typing import Any, Literal, get_args

from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableConfig

from nodes.state import State


def after_offer(state: State) -> Literal["call_model", "confirm"]:
    """Ask the model, or go on with calls that waited for a second person: then they come last."""
    message = state["messages"][-1]
    return "confirm" if isinstance(message, AIMessage) and message.tool_calls else "call_model"


def after_answer(state: State) -> Literal["check_permission", "__end__"]:
    """Check the calls the model asks for, or end with its answer."""
    message = state["messages"][-1]
    asks = isinstance(message, AIMessage) and (message.tool_calls or message.invalid_tool_calls)
    return "check_permission" if asks else "__end__"


def after_decisions(state: State) -> Literal["confirm", "execute_tools"]:
    """Ask a person while any call is undecided; nothing runs before all are decided."""
    verdicts = {decision["verdict"] for decision in state["decisions"].values()}
    return "confirm" if "confirm" in verdicts else "execute_tools"


def after_results(state: State) -> Literal["summarize_results", "call_model"]:
    """Shorten long results; short ones go to the model as they are."""
    return "summarize_results" if state.get("long") else "call_model"


class Route(Runnable[State, str]):
    """A function that chooses, as LangGraph takes it: of a plain one it would trace each call.

    Attributes:
        ends: All steps it may choose, by its declaration.
    """

    def __init__(self, choose: Callable[[State], str]) -> None:
        """Take the function; its return type is a `Literal` of steps."""
        self.name = choose.__name__
        self.ends: list[str] = list(get_args(choose.__annotations__["return"]))
        self._choose = choose

    def invoke(self, input: State, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002
        """The step to go on with."""
        return self._choose(input)

    async def ainvoke(self, input: State, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002
        """The same; choosing takes no time."""
        return self._choose(input)
