"""Judge the tool calls the model asks for."""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from nodes.asking import ask
from nodes.denials import tell_denied
from nodes.runs import call_id, known_user, make_call
from nodes.state import State, latest_call, turn
from tools.cards import title_of
from tools.catalog import Catalog
from tools.connect import Call, Services
from tools.context import Context, User
from tools.judgement import Decision, Judge, stopped
from tools.messages import text
from tools.models.wire import cut_off


@dataclass(frozen=True)
class CheckPermission:
    """Decide every call again at invocation, whatever was offered."""

    catalog: Catalog
    services: Services
    judge: Judge
    local_user: User | None = None

    async def __call__(
        self, state: State, runtime: Runtime[Context], config: RunnableConfig
    ) -> State:
        """Record a decision for each call of the last message.

        Raises:
            PermissionError: the user is not known.
        """
        message = latest_call(state["messages"])
        language = state.get("language", self.services.settings.language)
        user = known_user(runtime, self.services, self.local_user, language)
        decisions: dict[str, Decision] = {}
        for requested in message.tool_calls:
            call = make_call(call_id(requested), user, state, runtime, config, self.services)
            decision = await self._decide(requested, message, state, call)
            if decision["verdict"] == "confirm":
                # The card is written from what was judged here: later steps read only the ledger.
                await ask(decision, call, state.get("user_text", ""), self.judge.policy_version)
            decisions[call.id] = decision
            if decision["kind"] == "denied":
                await tell_denied(decision, call)
        return {"decisions": decisions, "problem": None}

    async def _decide(
        self, requested: Any, message: AIMessage, state: State, call: Call
    ) -> Decision:
        name, arguments = requested["name"], requested["args"]
        definition = self.catalog.get(name)
        writes = definition is None or definition.effect == "write"
        if writes and cut_off(message):
            words = text(call.language, "truncated")
            return stopped(name, call.id, arguments, "error", words)
        before = _same_before(requested, turn(state["messages"]))
        if writes and before > 0:
            words = text(call.language, "repeated-write")
            return stopped(name, call.id, arguments, "cancelled", words)
        if before >= call.settings.limits.identical_reads:
            words = text(call.language, "repeated-read", n=before)
            return stopped(name, call.id, arguments, "error", words)
        decision = await self.judge(name, definition, arguments, call, state.get("user_text", ""))
        if decision["verdict"] == "deny" or name in state.get("offered", []):
            return decision
        late = definition is not None and definition.when == "shortened"
        key = "nothing-shortened" if late else "not-offered"
        words = text(call.language, key, title=title_of(name, call.language))
        return stopped(name, call.id, arguments, "error", words)


def _same_before(requested: Any, messages: list[AnyMessage]) -> int:
    """How often the turn already asked for the same call: earlier messages, earlier calls."""
    calls = [
        call
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    ]
    earlier = calls[: next(i for i, call in enumerate(calls) if call["id"] == requested["id"])]
    return sum(
        (call["name"], call["args"]) == (requested["name"], requested["args"]) for call in earlier
    )
