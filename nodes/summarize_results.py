"""Shorten long results before the model reads them; the whole stays in the records."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from nodes.runs import thread_of, user_of
from nodes.state import State
from tools.catalog import Catalog
from tools.connect import Services
from tools.context import Context, User
from tools.records import Records
from tools.results import LONG, shorten


@dataclass(frozen=True)
class SummarizeResults:
    """Replace the latest results that are longer than their tool's limit, or the deployment's."""

    catalog: Catalog
    services: Services
    local_user: User | None = None

    async def __call__(
        self, state: State, runtime: Runtime[Context], config: RunnableConfig
    ) -> State:
        """Write the shorter messages; a result never loses its structure."""
        shorter: list[ToolMessage] = []
        told: list[ToolMessage] = []
        for message in _latest(state):
            read = await self._shorter(message) if self._is_long(message) else message
            if read is not message:
                shorter.append(read)
            if "result_id" in (read.artifact or {}):
                told.append(read)
        user = user_of(runtime, self.services, self.local_user)
        if told and user is not None:
            await self._note(told, user, thread_of(config))
        return {"messages": [*shorter]}

    async def _note(self, told: list[ToolMessage], user: User, thread_id: str) -> None:
        """Put on record how much of each long result the model reads."""

        def append(records: Records) -> None:
            with records.together():
                for message in told:
                    sizes = {"characters": message.artifact.get("characters")}
                    records.audit.append(
                        "shortened",
                        user_id=user.id,
                        thread_id=thread_id,
                        call_id=message.tool_call_id,
                        tool=message.name,
                        detail=sizes | {"sent": len(message.text)},
                        now=self.services.clock(),
                    )

        await self.services.store(append)

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


def _latest(state: State) -> Iterator[ToolMessage]:
    """The answers to the latest calls, the last one first."""
    for message in reversed(state["messages"]):
        if isinstance(message, AIMessage):
            return
        if isinstance(message, ToolMessage):
            yield message
