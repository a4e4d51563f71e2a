"""What is asked when a call can't be understood without the user."""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.tools import ToolException

from tools.connect import Call
from tools.messages import text
from tools.messages.markdown import escape

SHOWN = 10
"""How many candidates a question names."""


@dataclass
class Question(ToolException):
    """The call can't be understood without the user.

    Attributes:
        slot: The argument that is missing or ambiguous.
        words: What the user is asked, in their language.
    """

    slot: str
    words: str

    def __str__(self) -> str:
        return self.words


def which(
    kind: str, words: str, found: Sequence[tuple[int, str]], total: int, slot: str, call: Call
) -> Question:
    """The question which of several is meant: the text `which-<kind>`, then ids and names."""
    lines = [f"- {escape(name)} ({number})" for number, name in found[:SHOWN]]
    head = text(call.language, f"which-{kind}", name=escape(words), total=total, shown=len(lines))
    return Question(slot, "\n".join([head, *lines]))
