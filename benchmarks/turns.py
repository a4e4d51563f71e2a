"""One turn with an approval: this graph against `create_agent` with its human-in-the-loop step.

Both get the same scripted model, the same tool, the in-memory checkpointer and one event loop, and
take turns. The time is that of the processor, of all threads. "Records apart" leaves out what the
ledger's and audit's own work costs (the time of their threads), and keeps their file in memory
where the system offers that: after a wait for a disk, all that follows is slower. The other figure
is the whole.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from benchmarks.guardrails import SETTINGS, USER
from benchmarks.measure import Figure, figure, no_garbage
from graph.build import build
from tools.catalog import Catalog
from tools.connect import Call, Services, T
from tools.definition import OPERATORS, Impact, Lexicon, Prepared, Toolset
from tools.records import Records
from tools.settings import Settings

ROUNDS = 150
WORDS = "Start maintenance on prod"
GOAL = 1.25
TOOLS = Toolset("maintenance")
MEMORY = Path("/dev/shm")  # noqa: S108 - the folder made there is private
Turn = Callable[[str], Awaitable[None]]


async def prepare(arguments: dict[str, Any], call: Call) -> Prepared:
    """Nothing to look up: the peer looks nothing up either."""
    return Prepared(arguments, {"uuid": "1"}, Impact(1))


@TOOLS.tool(
    effect="write", roles=OPERATORS, lexicon=Lexicon(("maintenance",)), ru=".", en=".",
    prepare=prepare,
)  # fmt: skip
async def start_maintenance(message: str, env_id: str) -> dict[str, Any]:
    """Start maintenance.

    Args:
        message: What people read.
        env_id: The environment.
    """
    return {"ok": True, "message": message, "env_id": env_id}


class Scripted(BaseChatModel):
    """Asks for the tool, or answers when it has run; one chunk a message, so it costs little."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> "Scripted":  # type: ignore[override]
        """The script needs no tools."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=_next(messages))])

    async def _agenerate(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> ChatResult:
        return self._generate(messages)

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        message = _next(messages)
        chunk = AIMessageChunk(
            message.content,
            tool_calls=message.tool_calls,
            response_metadata=message.response_metadata,
            chunk_position="last",
        )
        yield ChatGenerationChunk(message=chunk)


def _next(messages: list[BaseMessage]) -> AIMessage:
    if isinstance(messages[-1], ToolMessage):
        return AIMessage("Done.", response_metadata={"finish_reason": "stop"})
    call = {
        "name": start_maintenance.__name__,
        "args": {"message": "Back at noon", "env_id": "prod"},
        "id": "c1",
    }
    return AIMessage("", tool_calls=[call], response_metadata={"finish_reason": "tool_calls"})


@dataclass(frozen=True)
class Apart(Services):
    """Services whose records work at once, without a thread, and whose time is added up."""

    spent: list[float] = field(default_factory=list)

    async def store(self, action: Callable[[Records], T]) -> T:
        """Run an action on the records, and keep its time."""
        start = time.thread_time()
        try:
            return action(self.records())
        finally:
            self.spent.append(time.thread_time() - start)


def turns() -> Iterator[Figure]:
    """One turn with an approval, against the peer's."""
    with (
        tempfile.TemporaryDirectory() as disk,
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as memory,
        asyncio.Runner() as runner,
    ):
        whole, apart = Services(_settings(disk)), Apart(_settings(memory))
        rows = runner.run(_rounds(whole, apart))
        for services in (whole, apart):
            runner.run(services.aclose())
    all_of_it, ours, peer = (statistics.median(column) for column in zip(*rows, strict=True))
    yield figure("turn", ours, "ms", "one turn with an approval, records apart")
    yield figure("turn_with_records", all_of_it, "ms", "the same with the ledger and the audit")
    yield figure("turn_of_create_agent", peer, "ms", "the same turn of create_agent")
    ratio = statistics.median(row[1] / row[2] for row in rows)
    what = "one turn with an approval, records apart, against create_agent"
    yield Figure("turn_vs_create_agent_memory", ratio, "ratio", what, GOAL)
    ratio = statistics.median(row[0] / row[2] for row in rows)
    what = "the same with the ledger and the audit on disk"
    yield Figure("turn_with_records_vs_create_agent_memory", ratio, "ratio", what)


def _settings(folder: str) -> Settings:
    records = SETTINGS.records.model_copy(update={"url": f"sqlite:///{folder}/records.db"})
    return SETTINGS.model_copy(update={"records": records})


async def _rounds(whole: Services, apart: Apart) -> list[tuple[float, float, float]]:
    """Of each round: our whole time, ours with the records apart, the peer's; seconds."""
    all_of_it, ours, peer = _ours(whole), _ours(apart), _peer()
    for number, turn in enumerate((all_of_it, ours, peer)):
        await turn(f"warm-{number}")
    rows = []
    with no_garbage():
        for number in range(ROUNDS):
            apart.spent.clear()
            seconds = await _timed(ours, f"ours-{number}") - sum(apart.spent)
            theirs = await _timed(peer, f"peer-{number}")
            rows.append((await _timed(all_of_it, f"whole-{number}"), seconds, theirs))
    return rows


async def _timed(turn: Turn, thread: str) -> float:
    start = time.process_time()
    await turn(thread)
    return time.process_time() - start


def _ours(services: Services) -> Turn:
    graph = build(
        "bench",
        instructions="Help.",
        catalog=Catalog.of(TOOLS),
        model=Scripted(),
        services=services,
        local_user=USER,
        checkpointer=InMemorySaver(),
    )
    return _turn(graph)


def _peer() -> Turn:
    tool = Catalog.of(TOOLS).definitions[start_maintenance.__name__].tool
    gate = HumanInTheLoopMiddleware(interrupt_on={start_maintenance.__name__: True})
    graph = create_agent(Scripted(), [tool], middleware=[gate], checkpointer=InMemorySaver())
    return _turn(graph)


def _turn(graph: Any) -> Turn:
    async def turn(thread: str) -> None:
        config: RunnableConfig = {"configurable": {"thread_id": thread}}
        asked = await graph.ainvoke({"messages": [("user", WORDS)]}, config)
        if not asked.get("__interrupt__"):
            raise AssertionError("no card was shown")
        done = await graph.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
        answer, result = done["messages"][-1], done["messages"][-2]
        if answer.text != "Done." or "Back at noon" not in result.text:
            raise AssertionError("the approved call did not run")

    return turn


BENCHMARKS = (turns,)
