"""Ask a person about the calls that need one. No answer hides a card or poisons the thread."""

import logging
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from nodes.answers import SCHEMA, Answer, AnswerError, read_answers
from nodes.asking import ask, ask_again, open_rows, raised
from nodes.denials import denied
from nodes.faults import for_log
from nodes.runs import known_user, make_call, thread_of
from nodes.state import State, latest_call
from tools.cards import Card, card_of, describe, edits
from tools.catalog import Catalog
from tools.connect import Call, Services
from tools.context import Context, Language, User
from tools.judgement import Decision, Judge, changed, stopped
from tools.messages import text
from tools.messages.markdown import escape
from tools.policy import decide
from tools.records import Approval, LedgerError

logger = logging.getLogger(__name__)

Taken = tuple[Decision, str | None]
"""What stands after an answer to a card, and what the person must be told of it."""


@dataclass(frozen=True)
class Confirm:
    """One interrupt for all cards that are open; it is repeated until each is decided.

    The cards come from the ledger, where `check_permission` wrote them: what the state says of
    them is not read. A node runs again from its start when it is resumed, so nothing is written
    before the interrupt.
    """

    catalog: Catalog
    services: Services
    judge: Judge
    local_user: User | None = None

    async def __call__(
        self, state: State, runtime: Runtime[Context], config: RunnableConfig
    ) -> State:
        """Show the open cards, take the answer, and note what was decided.

        Raises:
            PermissionError: the user is not known.
        """
        language = state.get("language", self.services.settings.language)
        user = known_user(runtime, self.services, self.local_user, language)
        message = latest_call(state["messages"])
        rows = await open_rows(message, thread_of(config), self.services)
        if not rows:
            return {"decisions": settled(state), "problem": None}
        cards = [card_of(row) for row in rows]
        for card in cards:
            event = {"type": "confirm_required", "id": card["id"], "digest": card["digest"]}
            runtime.stream_writer(event)
        raw = interrupt(request(cards, state.get("problem"), language), response_schema=SCHEMA)
        try:
            answers = read_answers(raw, cards, language)
            calls = {
                key: make_call(key, user, state, runtime, config, self.services) for key in answers
            }
            return await self._take(answers, {row.call_id: row for row in rows}, calls, state)
        except AnswerError as error:
            return {"problem": str(error)}
        except Exception as error:  # noqa: BLE001 - as below
            # An exception would be replayed with every later answer and hide the card for good.
            fault = await for_log(error, self.services.settings)
            logger.error("An answer to a card failed\n%s", fault)  # noqa: TRY400 - cleared
            return {"problem": text(language, "confirm-failed")}

    async def _take(
        self,
        answers: dict[str, Answer],
        rows: dict[str, Approval],
        calls: dict[str, Call],
        state: State,
    ) -> State:
        """Carry out a valid answer: all edits are judged before anything is decided."""
        edited: dict[str, Decision] = {}
        for key, answer in answers.items():
            if answer.arguments is not None:
                edited[key] = await self._edited(rows[key], answer.arguments, calls[key])
        taken: dict[str, Decision] = {}
        problem: str | None = None
        for key, answer in answers.items():
            taken[key], said = await self._decide(rows[key], edited.get(key), answer, calls[key])
            problem = said or problem
        decisions = state.get("decisions", {}) | taken
        return {"decisions": decisions, "problem": problem}

    async def _edited(self, row: Approval, arguments: dict[str, Any], call: Call) -> Decision:
        """Judge edited arguments as if the model had sent them.

        Raises:
            AnswerError: they can't be run as they stand.
        """
        definition = self.catalog.get(row.tool)
        made = await self.judge(row.tool, definition, arguments, call, row.user_text)
        if made["verdict"] != "confirm" or made["card"] is None:
            words = text(call.language, "confirm-edit-invalid", problem=made["message"])
            raise AnswerError(words)
        changes = edits(row.arguments, made["arguments"], call.language)
        card = made["card"] | {"edited": True, "differences": made["card"]["differences"] + changes}
        # The approval stays bound to the call as the model made it.
        return changed(made, requested=row.requested, card=card)

    async def _decide(
        self, row: Approval, edited: Decision | None, answer: Answer, call: Call
    ) -> Taken:
        """Write one decision into the ledger."""
        if answer.kind in ("reject", "respond"):
            return await self._reject(row, answer, call)
        if row.late(call.now()):
            await ask_again(row, call)
            return waiting(row), text(call.language, "confirm-expired")
        definition = self.catalog.get(row.tool)
        judged = decide(definition, call.user, row.env_id, call.settings)
        if judged["verdict"] == "deny":
            made = await denied(row.tool, definition, judged, row.requested, call, row.env_id)
            await self._close(row, made["message"], call)
            return made, None
        if edited is not None:
            more = raised(row, edited)
            row = await ask(edited, call, row.user_text, self.judge.policy_version)
            if more:
                return waiting(row), text(call.language, "confirm-edit-raised")
        return await self._approve(row, call)

    async def _approve(self, row: Approval, call: Call) -> Taken:
        try:
            await self.services.store(
                lambda records: records.approvals.approve(
                    row.id, row.digest, call.user.id, call.now()
                )
            )
        except LedgerError as error:
            if error.code == "wrong_user":
                key = "confirm-peer-waits" if row.peer else "confirm-wrong-user"
                return waiting(row), text(call.language, key)
            # Decided before, or gone: execute_tools finds out from the ledger what may run.
        return changed(waiting(row), verdict="run"), None

    async def _reject(self, row: Approval, answer: Answer, call: Call) -> Taken:
        await self._close(row, answer.message or answer.kind, call)
        key = "cancelled-reason" if answer.message else "cancelled"
        key = "responded" if answer.kind == "respond" else key
        words = text(call.language, key, reason=escape(answer.message))
        return stopped(row.tool, row.call_id, row.requested, "cancelled", words), None

    async def _close(self, row: Approval, reason: str, call: Call) -> None:
        """Note a no; where time or somebody else was faster there is nothing to note."""
        try:
            await self.services.store(
                lambda records: records.approvals.reject(
                    row.id, call.user.id, reason[:2000], call.now()
                )
            )
        except LedgerError as error:
            logger.info("A card was closed before: %s", error.code)


def waiting(row: Approval) -> Decision:
    """A call whose card is open."""
    made = stopped(row.tool, row.call_id, row.requested, "result", "")
    return changed(made, verdict="confirm", env_id=row.env_id, arguments=row.arguments)


def settled(state: State) -> dict[str, Decision]:
    """The decisions when no card is open: the ledger says what may run."""
    return {
        key: changed(one, verdict="run") if one["verdict"] == "confirm" else one
        for key, one in state.get("decisions", {}).items()
    }


def request(cards: list[Card], problem: str | None, language: Language) -> dict[str, Any]:
    """The interrupt's value: LangChain's human-in-the-loop form, and our cards beside it.

    `arguments` is what Agent Inbox looks for: without it a person would see and edit nothing there.
    """
    return {
        "action_requests": [
            {
                "name": card["tool"],
                "args": card["arguments"],
                "arguments": card["arguments"],
                "description": "\n\n".join(filter(None, [problem, describe(card, language)])),
            }
            for card in cards
        ],
        "review_configs": [
            {
                "action_name": card["tool"],
                "allowed_decisions": ["approve", "edit", "reject", "respond"],
            }
            for card in cards
        ],
        "guardrail": {"cards": cards, "problem": problem, "language": language},
    }
