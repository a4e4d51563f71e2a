"""What the steps of a run read and write. Plain data only.

Titles and descriptions are what LangGraph Studio shows of a thread's state and asks in its forms.
"""

from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langgraph.graph.message import add_messages
from pydantic import Field

# Pydantic makes no schema of `typing.TypedDict` before Python 3.12: Studio would get no forms.
from typing_extensions import TypedDict

from tools.context import Language
from tools.judgement import Decision


class Input(TypedDict):
    """What a client may give a run: messages, and nothing else."""

    messages: Annotated[
        list[AnyMessage],
        Field(
            title="Messages",
            description="What you ask, as one human message, in English or Russian: "
            "“Start maintenance on the dashboard Sales”.",
        ),
        add_messages,
    ]


class State(TypedDict, total=False):
    """The conversation, and what was decided about its latest tool calls.

    No key is required, so that a step's update is a `State` too. Who the user is never stands
    here: a client could write it.
    """

    messages: Annotated[
        list[AnyMessage],
        Field(title="Messages", description="The conversation, with the tool calls and answers."),
        add_messages,
    ]
    user_text: Annotated[
        str,
        Field(
            title="User's words",
            description="The user's own words that started this turn, apart from all that was "
            "added to them.",
        ),
    ]
    language: Annotated[
        Language, Field(title="Language", description="Language of the texts of this turn.")
    ]
    page: Annotated[
        dict[str, Any] | None,
        Field(title="Page", description="The validated page the user came from, camelCase."),
    ]
    briefing: Annotated[
        str,
        Field(title="Briefing", description="What the model is told before the conversation."),
    ]
    offered: Annotated[
        list[str],
        Field(title="Offered tools", description="Names of the tools the model may see."),
    ]
    decisions: Annotated[
        dict[str, Decision],
        Field(
            title="Decisions",
            description="What was decided of the latest calls, by tool call id.",
        ),
    ]
    long: Annotated[
        bool,
        Field(
            title="Long results",
            description="Whether a result of the latest calls is longer than a model should read.",
        ),
    ]
    problem: Annotated[
        str | None,
        Field(
            title="Problem",
            description="Why the last answer to the cards was not taken; it is shown with them "
            "when they are asked again.",
        ),
    ]


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
