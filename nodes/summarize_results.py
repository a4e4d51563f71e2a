"""Shorten long results before the model reads them; the whole stays in the records."""

from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from nodes.state import State
from tools.connect import Services
from tools.results import shorten


@dataclass(frozen=True)
class SummarizeResults:
    """Replace the latest results that are longer than `limits.result_characters`."""

    services: Services

    async def __call__(self, state: State) -> State:
        """Write the shorter messages; a result never loses its structure."""
        limit = self.services.settings.limits.result_characters
        shorter: list[AnyMessage] = []
        for message in reversed(state["messages"]):
            if isinstance(message, AIMessage):
                break
            if isinstance(message, ToolMessage) and len(str(message.content)) > limit:
                result_id = (message.artifact or {}).get("result_id", "")
                content = shorten(str(message.content), limit, result_id)
                shorter.append(message.model_copy(update={"content": content}))
        return {"messages": shorter}
