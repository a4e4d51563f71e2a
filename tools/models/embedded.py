"""The embedded planner: a chat model without weights that turns commands into tool calls."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import ToolCall, tool_call, tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from tools.definition import ToolDefinition
from tools.intent import EnvironmentName, EnvironmentNames, Reading
from tools.intent.spoken import spoken_sql
from tools.messages import text
from tools.models.answers import answer
from tools.models.conversation import Turn, turn_of
from tools.models.following import Planned
from tools.models.guidance import refused, remarks
from tools.models.paging import direction, turned
from tools.models.planning import Plan, plan
from tools.models.replies import agrees, answered, declines, reads_as_answer
from tools.models.strict import Refusal

NAME = "embedded"
LONGEST = 200_000
"""Characters of a message that is read. Of a longer one nothing is: half of it could mislead."""

_PIECE = re.compile(r"\s*(?:\S+\s*){1,6}")


class EmbeddedPlanner(BaseChatModel):
    """Plans the calls that the user's own words ask for, and words the results. Deterministic.

    The tools are those of `bind_tools` that carry their declaration in `metadata["definition"]`.

    Attributes:
        environments: The environments of the deployment.
        known: All tools there are, offered or not.
        offered: The declarations of the bound tools.
    """

    environments: tuple[EnvironmentName, ...] = ()
    known: tuple[Any, ...] = Field(default=(), exclude=True, repr=False)
    offered: tuple[Any, ...] = Field(default=(), exclude=True, repr=False)

    @property
    def _llm_type(self) -> str:
        return NAME

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": NAME}

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """A planner that may call these tools; `tool_choice` changes nothing."""
        found = [
            tool.metadata["definition"]
            for tool in tools
            if isinstance(tool, BaseTool) and tool.metadata and "definition" in tool.metadata
        ]
        bound = self.model_copy(update={"offered": tuple(found)})
        # The schemas change nothing either; they are there for whoever reads a trace.
        schemas = [convert_to_openai_tool(tool) for tool in tools]
        return bound.bind(tools=schemas, tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await asyncio.to_thread(self._generate, messages)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._reply(messages)):
            if run_manager is not None:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        # A long text takes a while to read; the event loop is not to wait for it.
        for chunk in _chunks(await asyncio.to_thread(self._reply, messages)):
            if run_manager is not None:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _reply(self, messages: Sequence[BaseMessage]) -> AIMessage:
        """The answer to results, else the calls the words ask for, else a word of help."""
        turn = turn_of(messages)
        definitions: Mapping[str, ToolDefinition] = {d.name: d for d in self.offered}
        if turn.results:
            return _message(answer(turn, definitions))
        if len(turn.text) > LONGEST:
            return _message(text(turn.language, "planner-too-long", n=len(turn.text), most=LONGEST))
        known: Mapping[str, ToolDefinition] = {d.name: d for d in self.known}
        made, words = _planned(turn, definitions, EnvironmentNames(self.environments), known)
        return _message(words, made)


def _planned(
    turn: Turn,
    definitions: Mapping[str, ToolDefinition],
    names: EnvironmentNames,
    known: Mapping[str, ToolDefinition],
) -> tuple[list[Planned], str]:
    """The calls of a turn, and what is said beside them."""
    going_on = _going_on(turn, names, {**definitions, **known})
    if going_on is not None:
        return going_on
    made, reading = plan(turn.text, definitions, names, known)
    if agrees(reading):
        return [], text(turn.language, "planner-withdrawn" if turn.withdrawn else "planner-yes")
    if turn.withdrawn and declines(reading):
        return [], text(turn.language, "planner-cancelled")
    question = turn.question
    if question is not None and declines(reading):
        return [], text(turn.language, "planner-no")
    if question is not None and (reads_as_answer(reading, question) or _may_answer(made, reading)):
        call = answered(reading, question, definitions)
        if isinstance(call, Refusal):
            return [], refused(call, turn.language)
        if call is not None:
            return [call], ""
    return made.calls, remarks(made, turn, definitions)


def _going_on(
    turn: Turn, names: EnvironmentNames, known: Mapping[str, ToolDefinition]
) -> tuple[list[Planned], str] | None:
    """Another page of what was shown, or the SQL that was asked for; None: neither is meant."""
    way = direction(turn.text) if turn.shown is not None else None
    if way is not None and turn.shown is not None:
        another = turned(turn.shown, way, known)
        said = "" if another else text(turn.language, f"planner-no-{way}")
        return ([Planned(*another)] if another else []), said
    if turn.question is None or turn.question.slot != "sql":
        return None
    spoken, call = spoken_sql(turn.text, names.words), turn.question.call
    if spoken is None:
        return None
    return [Planned(call["name"], {**call["args"], "sql": spoken.sql})], ""


def _may_answer(made: Plan, reading: Reading) -> bool:
    """Whether words that ask for nothing may be the answer to a question."""
    asks = made.calls or made.refused or any(item.choice.kind != "none" for item in made.unclear)
    return not asks and not reading.source.text.rstrip().endswith("?")


def _message(words: str, calls: Sequence[Planned] = ()) -> AIMessage:
    made: list[ToolCall] = [
        tool_call(name=name, args=arguments, id=f"call_{uuid4().hex}") for name, arguments in calls
    ]
    reason = "tool_calls" if made else "stop"
    metadata = {"finish_reason": reason, "model_name": NAME}
    return AIMessage(words, tool_calls=made, response_metadata=metadata)


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    """A message as a stream: some words at a time, then each call, then why it ends."""
    for piece in _PIECE.findall(message.text):
        yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
    for index, call in enumerate(message.tool_calls):
        arguments = json.dumps(call["args"], ensure_ascii=False)
        part = tool_call_chunk(name=call["name"], args=arguments, id=call["id"], index=index)
        yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[part]))
    last = AIMessageChunk(
        content="", response_metadata=message.response_metadata, chunk_position="last"
    )
    yield ChatGenerationChunk(message=last)
