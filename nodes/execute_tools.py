"""Run the calls that may run. It trusts no state: only the user, the arguments, the ledger."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from nodes.course import Course
from nodes.denials import denial_message, denied
from nodes.faults import for_log
from nodes.history import tool_message
from nodes.outcomes import invoke, result_message, target_of
from nodes.runs import call_id, make_call, user_of
from nodes.state import State, latest_call
from nodes.writes import Writes
from tools.catalog import Catalog
from tools.connect import Call, Services
from tools.context import Context, User
from tools.definition import ToolDefinition
from tools.judgement import Decision, changed, explain, invalid
from tools.messages import text
from tools.policy import decide
from tools.records import RecordsError
from tools.records.redact import redacted

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ExecuteTools:
    """Reads run together, writes one by one in the order of the message.

    A write runs only with an unused approval of exactly that call in the ledger. A failed or
    unknown write stops the later ones. Every call gets one tool message, whatever happens.
    """

    catalog: Catalog
    services: Services
    policy_version: str
    local_user: User | None = None

    async def __call__(
        self, state: State, runtime: Runtime[Context], config: RunnableConfig
    ) -> State:
        """Append the tool messages of the latest calls."""
        message = latest_call(state["messages"])
        user = user_of(runtime, self.services, self.local_user)
        offered = self.catalog.named(state.get("offered", []))
        answers: list[ToolMessage] = []
        stop = False
        for writes, group in groupby(message.tool_calls, self._writes):
            tasks = []
            for requested in group:
                call = None
                if user is not None:
                    key = call_id(requested)
                    call = make_call(key, user, state, runtime, config, self.services, offered)
                decision = state.get("decisions", {}).get(call_id(requested))
                tasks.append((requested, call, decision))
            if not writes:
                answers += await asyncio.gather(*(self._read(*task) for task in tasks))
                continue
            for task in tasks:
                answer = self._stopped(task[0], state) if stop else await self._write(*task)
                stop = stop or answer.artifact["kind"] in ("error", "unknown")
                answers.append(answer)
        answers += self._unreadable(message, state)
        long = any("result_id" in answer.artifact for answer in answers)
        return {"messages": [*answers], "long": long}

    def _writes(self, requested: Any) -> bool:
        definition = self.catalog.get(requested["name"])
        return definition is None or definition.effect == "write"

    async def _read(
        self, requested: Any, call: Call | None, decision: Decision | None
    ) -> ToolMessage:
        """Run a read, if this user may call it now with these arguments."""
        name, definition = requested["name"], self.catalog.get(requested["name"])
        refusal = await self._refusal(requested, call, decision)
        if refusal is not None or call is None or definition is None or decision is None:
            return refusal or self._unknown(requested)
        if decision["verdict"] == "confirm" or self._asks(definition, decision, call):
            return await Writes(self.services, self.policy_version).run(requested, definition, call)
        arguments = decision["arguments"]
        problem = invalid(definition, arguments, call.language)
        if problem is not None:
            return tool_message(call.id, name, problem, "error")
        return await run_read(definition, arguments, call)

    def _asks(self, definition: ToolDefinition, decision: Decision, call: Call) -> bool:
        """Whether a person must agree to a read."""
        env_id = target_of(definition, decision["arguments"])
        judged = decide(definition, call.user, env_id, call.settings)
        return judged["verdict"] == "confirm"

    async def _write(
        self, requested: Any, call: Call | None, decision: Decision | None
    ) -> ToolMessage:
        """Run a write, if the ledger holds an unused approval of exactly this call."""
        definition = self.catalog.get(requested["name"])
        refusal = await self._refusal(requested, call, decision)
        if refusal is not None or call is None or definition is None:
            return refusal or self._unknown(requested)
        return await Writes(self.services, self.policy_version).run(requested, definition, call)

    async def _refusal(
        self, requested: Any, call: Call | None, decision: Decision | None
    ) -> ToolMessage | None:
        """Why a call does not run: it was stopped, or this user may not; None: it may."""
        if call is None:
            return self._unknown(requested)
        name, definition = requested["name"], self.catalog.get(requested["name"])
        if not call.user.is_signed_in(call.now()):
            # Nothing is consumed: the approval stays good for the signed-in user.
            return tool_message(call.id, name, text(call.language, "session-over"), "denied")
        if decision is not None and decision["verdict"] in ("stop", "deny"):
            return denial_message(changed(decision, call_id=call.id, tool=name))
        env_id = target_of(definition, decision["arguments"]) if decision is not None else None
        judged = decide(definition, call.user, env_id, call.settings)
        if judged["verdict"] == "deny":
            made = await denied(name, definition, judged, requested["args"], call, env_id)
            return denial_message(made)
        return None

    def _unknown(self, requested: Any) -> ToolMessage:
        """Nobody is signed in, or nothing was decided of the call: it does not run."""
        words = text(self.services.settings.language, "no-approval", code="unknown_user")
        return tool_message(call_id(requested), requested["name"], words, "denied")

    def _stopped(self, requested: Any, state: State) -> ToolMessage:
        language = state.get("language", self.services.settings.language)
        words = text(language, "stopped-earlier")
        return tool_message(call_id(requested), requested["name"], words, "cancelled")

    def _unreadable(self, message: AIMessage, state: State) -> Iterator[ToolMessage]:
        """Calls that the model garbled have no arguments to run; they are answered too."""
        language = state.get("language", self.services.settings.language)
        for broken in message.invalid_tool_calls:
            if broken["id"]:
                name = broken["name"] or "-"
                problem = text(language, "invalid-arguments", tool=name, problems="JSON")
                yield tool_message(broken["id"], name, problem, "error")


async def run_read(
    definition: ToolDefinition, arguments: dict[str, Any], call: Call
) -> ToolMessage:
    """Run a read within its time, put it on record, and make a message of whatever happens.

    What cannot be put on record is not given out.
    """
    course = Course()
    answer = await _answer(definition, arguments, call, course)
    try:
        await _note(definition, arguments, call, course, answer)
    except RecordsError as error:
        logger.warning("%s is not on record", definition.name, exc_info=True)
        return tool_message(call.id, definition.name, explain(error, call.language), "error")
    return answer


async def _answer(
    definition: ToolDefinition, arguments: dict[str, Any], call: Call, course: Course
) -> ToolMessage:
    limit = definition.timeout or call.settings.limits.tool_timeout
    try:
        with course.watched():
            async with asyncio.timeout(limit):
                result = await invoke(definition, arguments, call)
            return await result_message(definition, result, call)
    except Exception as error:  # noqa: BLE001 - as below
        # One call's fault is that call's answer: the conversation goes on.
        if not isinstance(error, TimeoutError):
            fault = await for_log(error, call.settings)
            logger.warning("%s failed: %s", definition.name, fault)
        words = explain(error, call.language)
        return tool_message(call.id, definition.name, words, "error")


async def _note(
    definition: ToolDefinition,
    arguments: dict[str, Any],
    call: Call,
    course: Course,
    answer: ToolMessage,
) -> None:
    """Put on record that a read ran, and how."""
    course.characters = answer.artifact.get("characters")
    facts = {"outcome": "failed" if course.error else "done", "arguments": redacted(arguments)}
    await call.services.store(
        lambda records: records.audit.append(
            "executed",
            user_id=call.user.id,
            thread_id=call.thread_id,
            call_id=call.id,
            tool=definition.name,
            env_id=target_of(definition, arguments),
            detail=facts | course.facts(),
            now=call.now(),
        )
    )
