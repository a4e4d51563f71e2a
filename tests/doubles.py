"""A chat model that follows a script: what the graph is tested with instead of a real one."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

Step = AIMessage | BaseException | Callable[[list[BaseMessage]], AIMessage]
"""An answer, an error that is raised, or a function that makes an answer of the messages."""

BY_CONTENT = "by content"
"""The finish reason that an honest model gives: tool_calls with calls, stop without."""


class ScriptedChatModel(BaseChatModel):
    """Answers with the steps of its script, one a call, and remembers what it was asked.

    A step's own `response_metadata["finish_reason"]` wins over the model's `finish_reason`, also
    when it is None. Broken arguments go into a step's `invalid_tool_calls`.

    Attributes:
        steps: The script; AssertionError when a call comes after its end.
        finish_reason: Of every message; None: the stream ends without one.
        piece: Characters of text or of arguments in one chunk.
        pause: Seconds between the chunks of an async stream.
        calls: The messages of each call so far.
        tools: The tool schemas of each `bind_tools` so far.
    """

    steps: list[Any]
    finish_reason: str | None = BY_CONTENT
    piece: int = Field(default=7, ge=1)
    pause: float = 0.0
    calls: list[list[BaseMessage]] = Field(default_factory=list)
    tools: list[list[dict[str, Any]]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def offered(self) -> list[str]:
        """Names of the tools bound last."""
        return [schema["function"]["name"] for schema in self.tools[-1]] if self.tools else []

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Record the schemas of the tools; the script does not depend on them."""
        schemas = [convert_to_openai_tool(tool) for tool in tools]
        self.tools.append(schemas)
        return self.bind(tools=schemas, tool_choice=tool_choice, **kwargs)

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        turn = len(self.calls)
        self.calls.append(list(messages))
        if turn >= len(self.steps):
            raise AssertionError(f"The script has {len(self.steps)} steps, this is call {turn + 1}")
        step: Step = self.steps[turn]
        if isinstance(step, BaseException):
            raise step
        return step if isinstance(step, AIMessage) else step(list(messages))

    def _reason(self, message: AIMessage) -> str | None:
        honest = "tool_calls" if message.tool_calls or message.invalid_tool_calls else "stop"
        reason = message.response_metadata.get("finish_reason", self.finish_reason)
        return honest if reason == BY_CONTENT else reason

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        message = self._next(messages)
        metadata = {**message.response_metadata, "finish_reason": self._reason(message)}
        copy = message.model_copy(update={"response_metadata": metadata})
        return ChatResult(generations=[ChatGeneration(message=copy)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        message = self._next(messages)
        for chunk in self._chunks(message):
            generation = ChatGenerationChunk(message=chunk)
            if run_manager:
                run_manager.on_llm_new_token(str(chunk.content), chunk=generation)
            yield generation

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        message = self._next(messages)
        for chunk in self._chunks(message):
            generation = ChatGenerationChunk(message=chunk)
            if run_manager:
                await run_manager.on_llm_new_token(str(chunk.content), chunk=generation)
            yield generation
            await asyncio.sleep(self.pause)

    def _chunks(self, message: AIMessage) -> Iterator[AIMessageChunk]:
        """A message as a server streams it: text, then each call's name, then its arguments."""
        for part in _pieces(str(message.content), self.piece):
            yield AIMessageChunk(content=part, id=message.id)
        calls = [
            (c["name"], c["id"], json.dumps(c["args"], ensure_ascii=False))
            for c in message.tool_calls
        ]
        calls += [(c["name"] or "", c["id"], c["args"] or "") for c in message.invalid_tool_calls]
        for index, (name, call_id, arguments) in enumerate(calls):
            head = tool_call_chunk(name=name, id=call_id, args="", index=index)
            yield AIMessageChunk(content="", id=message.id, tool_call_chunks=[head])
            for part in _pieces(arguments, self.piece):
                rest = tool_call_chunk(args=part, index=index)
                yield AIMessageChunk(content="", id=message.id, tool_call_chunks=[rest])
        yield self._last(message)

    def _last(self, message: AIMessage) -> AIMessageChunk:
        reason = self._reason(message)
        rest = {k: v for k, v in message.response_metadata.items() if k != "finish_reason"}
        return AIMessageChunk(
            content="",
            id=message.id,
            response_metadata={**rest, "finish_reason": reason} if reason else rest,
            usage_metadata=message.usage_metadata,
            chunk_position="last" if reason else None,
        )


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
