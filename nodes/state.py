"""What the steps of a run read and write. Plain data only."""

from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langgraph.graph.message import add_messages

from tools.context import Language
from tools.judgement import Decision


class Input(TypedDict):
    """What a client may give a run: messages, and nothing else."""

    messages: Annotated[list[AnyMessage], add_messages]


class State(TypedDict, total=False):
    """The conversation, and what was decided about its latest tool calls.

    No key is required, so that a step's update is a `State` too. Who the user is never stands
    here: a client could write it.
    """

    messages: Annotated[list[AnyMessage], add_messages]

    user_text: str
    """The user's own words that started this turn, apart from anything that was added."""

    language: Language
    """Language of the texts of this turn."""

    page: dict[str, Any] | None
    """The validated page the user came from, camelCase."""

    briefing: str
    """What the model is told before the conversation."""

    offered: list[str]
    """Names of the tools the model may see."""

    decisions: dict[str, Decision]
    """What was decided of the latest calls, by tool call id."""

    problem: str | None
    """Why the last answer to the cards was not taken; shown with them when they are asked again."""


def latest_call(messages: list[AnyMessage]) -> AIMessage:
    """The model's last message.

    Raises:
        TypeError: the last message is not the model's.
    """
    message = messages[-1]
    if not isinstance(message, AIMessage):
        raise TypeError(f"Expected the model's message, got {type(message).__name__}")
    return message


def turn(messages: list[AnyMessage]) -> list[AnyMessage]:
    """The messages since the user last spoke."""
    for index in range(len(messages) - 1, -1, -1):
        if isinstance(messages[index], HumanMessage):
            return messages[index + 1 :]
    return messages


def text_of(message: BaseMessage) -> str:
    """The words of a message, whatever blocks its content has."""
    return str(message.text)
