"""Shorten long results before the model reads them; the whole stays in the records."""

import asyncio
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from nodes.state import State
from tools.catalog import Catalog
from tools.connect import Services
from tools.results import LONG, shorten


@dataclass(frozen=True)
class SummarizeResults:
    """Replace the latest results that are longer than their tool's limit, or the deployment's."""

    catalog: Catalog
    services: Services

    async def __call__(self, state: State) -> State:
        """Write the shorter messages; a result never loses its structure."""
        shorter: list[AnyMessage] = []
        for message in reversed(state["messages"]):
            if isinstance(message, AIMessage):
                break
            if isinstance(message, ToolMessage) and self._is_long(message):
                shorter.append(await self._shorter(message))
        return {"messages": shorter}

    def _is_long(self, message: ToolMessage) -> bool:
        """Whether a result is too long; what is told of a call without one is short already."""
        told = (message.artifact or {}).get("kind") != "result"
        return not told and len(message.text) > self._limit(message)

    def _limit(self, message: ToolMessage) -> int:
        definition = self.catalog.get(message.name or "")
        own = definition.result_characters if definition is not None else None
        return own or self.services.settings.limits.result_characters

    async def _shorter(self, message: ToolMessage) -> ToolMessage:
        content, limit = message.text, self._limit(message)
        result_id = (message.artifact or {}).get("result_id", "")
        if len(content) < LONG:
            made = shorten(content, limit, result_id)
        else:
            made = await asyncio.to_thread(shorten, content, limit, result_id)
        return message.model_copy(update={"content": made})
