"""Ask the model for the next step."""

import logging
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, SystemMessage, ToolMessage
from langchain_core.runnables import RunnableConfig

from nodes.faults import for_log
from nodes.state import State, turn
from tools.catalog import Catalog
from tools.connect import Services
from tools.context import Language
from tools.messages import text
from tools.models.answers import told
from tools.models.wire import storable, with_ids

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CallModel:
    """Call the model with the offered tools bound; it always streams."""

    model: BaseChatModel
    catalog: Catalog
    services: Services

    async def __call__(self, state: State, config: RunnableConfig) -> State:
        """Append the model's answer; the turn ends with words when there were too many calls."""
        language = state.get("language", self.services.settings.language)
        limit = self.services.settings.limits.model_calls
        asked = sum(isinstance(message, AIMessage) for message in turn(state["messages"]))
        if asked >= limit:
            return {"messages": [AIMessage(text(language, "too-many-rounds", n=limit))]}
        try:
            message = await self._ask(state, config)
        except Exception as error:  # noqa: BLE001 - as below
            # A model that fails must not take the conversation with it; the log has the details.
            fault = await for_log(error, self.services.settings)
            logger.error("The model call failed\n%s", fault)  # noqa: TRY400 - no key in the log
            return {"messages": [AIMessage(self._failed(error, state, language))]}
        return {"messages": [storable(with_ids(message, state["messages"]))]}

    def _failed(self, error: Exception, state: State, language: Language) -> str:
        """What is told when the model fails: never that nothing ran when something did."""
        kind = type(error).__name__
        ran = [one for one in turn(state["messages"]) if isinstance(one, ToolMessage)]
        if not ran:
            return text(language, "model-failed", kind=kind)
        known = self.catalog.definitions
        parts = [told(one, one.name or "", language, known) for one in ran]
        return "\n\n".join([text(language, "model-failed-after", kind=kind), *parts])

    async def _ask(self, state: State, config: RunnableConfig) -> AIMessage:
        offered = self.catalog.tools(state.get("offered", []))
        model = self.model.bind_tools(offered) if offered else self.model
        whole: AIMessageChunk | None = None
        async for chunk in model.astream([self._briefing(state), *state["messages"]], config):
            if not isinstance(chunk, AIMessageChunk):
                raise TypeError(f"The model streamed a {type(chunk).__name__}")
            whole = chunk if whole is None else whole + chunk
        if whole is None:
            raise ValueError("The model streamed nothing")
        return AIMessage(**whole.model_dump(exclude={"type", "tool_call_chunks", "chunk_position"}))

    def _briefing(self, state: State) -> SystemMessage:
        """The briefing; the embedded planner reads its facts instead of parsing it."""
        facts = {
            "language": state.get("language"),
            "user_text": state.get("user_text", ""),
            "page": state.get("page"),
        }
        return SystemMessage(state.get("briefing", ""), additional_kwargs={"pilothouse": facts})
