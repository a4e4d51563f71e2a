"""The write of the reference graphs: a line in a file, so that it can be counted."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from pydantic import Field

from tests.doubles import ScriptedChatModel

VARIABLE = "PEERS_WROTE"
"""Names the file."""


def _note(key: str) -> str:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(key)}\n")
    return f"wrote {key}"


@tool
def write_object(key: str, note: str = "") -> str:
    """Write an object. A person must approve it."""
    return _note(key)


@tool
def overwrite_layout(key: str) -> str:
    """Write an object, too; nobody wrote a rule for this tool."""
    return _note(key)


TOOLS = [write_object, overwrite_layout]


def written(file: Path) -> Counter[str]:
    """How often each object was written."""
    if not file.exists():
        return Counter()
    return Counter(json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())


class Obedient(ScriptedChatModel):
    """Asks for a write of what it is told to write, and says so when it was done.

    "overwrite_layout x" asks for that tool.
    """

    steps: list[Any] = Field(default_factory=list)

    def _next(self, messages: list[Any]) -> AIMessage:
        last = messages[-1]
        if not isinstance(last, HumanMessage):
            return AIMessage("Done.")
        name, _, key = str(last.text).rpartition(" ")
        call = {"name": name or "write_object", "args": {"key": key}, "id": f"call-{last.id}"}
        return AIMessage("", tool_calls=[call])
