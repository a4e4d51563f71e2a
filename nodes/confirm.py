"""Ask a person about the calls that need one. No answer hides a card or poisons the thread."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from nodes.answers import SCHEMA, Answer, AnswerError, read_answers
from nodes.runs import known_user, make_call, thread_of
from nodes.state import State
from tools.cards import Card, describe
from tools.catalog import Catalog
from tools.connect import Call, Services
from tools.context import Context, Language, User
from tools.judgement import Decision, Judge, changed, expiry
from tools.messages import text
from tools.records import Approval, ApprovalRequest, LedgerError, Records
from tools.settings import Risk

RISKS: tuple[Risk, ...] = ("safe", "guarded", "dangerous")


@dataclass(frozen=True)
class Confirm:
    """One interrupt for all cards that are open; it is repeated until each is decided.

    A node runs again from its start when it is resumed: before the interrupt it only finds or
    writes the same ledger rows.
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
        opened = {
            key: one for key, one in state["decisions"].items() if one["verdict"] == "confirm"
        }
        rows = {key: await self._row(one, user, state, config) for key, one in opened.items()}
        cards = [_card(one, rows[key]) for key, one in opened.items()]
        for card in cards:
            event = {"type": "confirm_required", "id": card["id"], "digest": card["digest"]}
            runtime.stream_writer(event)
        raw = interrupt(request(cards, state.get("problem"), language), response_schema=SCHEMA)
        try:
            answers = read_answers(raw, cards, language)
        except AnswerError as error:
            return {"problem": str(error)}
        calls = {
            key: make_call(key, user, state, runtime, config, self.services) for key in answers
        }
        return await self._take(answers, rows, calls, state)

    async def _row(
        self, decision: Decision, user: User, state: State, config: RunnableConfig
    ) -> Approval:
        """The ledger row of a card, written once."""
        asked = _request(decision, user, state, thread_of(config), self.judge.policy_version)

        def find_or_ask(records: Records) -> Approval:
            for row in records.approvals.for_call(asked.thread_id, asked.call_id):
                if (row.digest, row.expires_at) == (asked.digest, asked.expires_at):
                    return row
            return records.approvals.ask(asked, self.services.clock())

        return await self.services.store(find_or_ask)

    async def _take(
        self,
        answers: dict[str, Answer],
        rows: dict[str, Approval],
        calls: dict[str, Call],
        state: State,
    ) -> State:
        """Carry out a valid answer: all edits are judged before anything is decided."""
        decisions = state["decisions"]
        edited: dict[str, Decision] = {}
        for key, answer in answers.items():
            if answer.arguments is not None:
                made = await self._edited(decisions[key], answer.arguments, calls[key], state)
                if made["verdict"] != "confirm":
                    why = made["message"]
                    language = calls[key].language
                    return {"problem": text(language, "confirm-edit-invalid", problem=why)}
                edited[key] = made
        taken: dict[str, Decision] = {}
        problem: str | None = None
        for key, answer in answers.items():
            taken[key], said = await self._decide(
                decisions[key], edited.get(key), answer, rows[key], calls[key], state
            )
            problem = said or problem
        return {"decisions": decisions | taken, "problem": problem}

    async def _edited(
        self, decision: Decision, arguments: dict[str, Any], call: Call, state: State
    ) -> Decision:
        definition = self.catalog.get(decision["tool"])
        words = state.get("user_text", "")
        made = await self.judge(decision["tool"], definition, arguments, call, words)
        if made["card"] is not None:
            made = changed(made, card={**made["card"], "edited": True})
        # The approval stays bound to the call as the model made it.
        return changed(made, requested=decision["requested"])

    async def _decide(
        self,
        decision: Decision,
        edited: Decision | None,
        answer: Answer,
        row: Approval,
        call: Call,
        state: State,
    ) -> tuple[Decision, str | None]:
        """Write one decision into the ledger; returns what stands now, and a problem if any."""
        if answer.kind in ("reject", "respond"):
            return await self._reject(decision, answer, row, call)
        if row.late(call.now()):
            return self._renewed(decision, call)
        if edited is not None:
            if _raised(decision, edited):
                return edited, text(call.language, "confirm-edit-raised")
            row = await self._again(edited, call, state)
            decision = edited
        try:
            await self.services.store(
                lambda records: records.approvals.approve(
                    row.id, row.digest, call.user.id, call.now()
                )
            )
        except LedgerError as error:
            return self._refused(decision, error, call)
        return changed(decision, verdict="run"), None

    async def _again(self, edited: Decision, call: Call, state: State) -> Approval:
        """The ledger row of edited arguments; it replaces the one of the original ones."""
        version = self.judge.policy_version
        asked = _request(edited, call.user, state, call.thread_id, version)
        return await self.services.store(lambda records: records.approvals.ask(asked, call.now()))

    async def _reject(
        self, decision: Decision, answer: Answer, row: Approval, call: Call
    ) -> tuple[Decision, str | None]:
        try:
            await self.services.store(
                lambda records: records.approvals.reject(
                    row.id, call.user.id, answer.message or answer.kind, call.now()
                )
            )
        except LedgerError as error:
            return self._refused(decision, error, call)
        key = "cancelled-reason" if answer.message else "cancelled"
        key = "responded" if answer.kind == "respond" else key
        words = text(call.language, key, reason=answer.message)
        return changed(decision, verdict="stop", kind="cancelled", message=words), None

    def _refused(
        self, decision: Decision, error: LedgerError, call: Call
    ) -> tuple[Decision, str | None]:
        """What stands when the ledger would not take an answer."""
        if error.code == "expired":
            return self._renewed(decision, call)
        if error.code == "wrong_user":
            return decision, text(call.language, "confirm-wrong-user")
        # Decided before, or gone: execute_tools finds out from the ledger what may run.
        return changed(decision, verdict="run"), None

    def _renewed(self, decision: Decision, call: Call) -> tuple[Decision, str]:
        """An expired card, to be shown again with a new term."""
        expires = expiry(call).isoformat()
        card = decision["card"]
        if card is not None:
            card = {**card, "expires_at": expires}
        renewed = changed(decision, expires_at=expires, card=card)
        return renewed, text(call.language, "confirm-expired")


def request(cards: list[Card], problem: str | None, language: Language) -> dict[str, Any]:
    """The interrupt's value: LangChain's human-in-the-loop form, and our cards beside it."""
    return {
        "action_requests": [
            {
                "name": card["tool"],
                "args": card["arguments"],
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


def _card(decision: Decision, row: Approval) -> Card:
    card = decision["card"]
    if card is None:
        raise ValueError(f"The call {decision['call_id']} has no card")
    return {**card, "id": row.id}


def _request(
    decision: Decision, user: User, state: State, thread_id: str, version: str
) -> ApprovalRequest:
    return ApprovalRequest(
        thread_id=thread_id,
        call_id=decision["call_id"],
        tool=decision["tool"],
        env_id=decision["env_id"],
        user_id=user.id,
        role=user.role,
        language=state.get("language", "en"),
        user_text=state.get("user_text", "")[:2000],
        requested=decision["requested"],
        arguments=decision["arguments"],
        targets=decision["targets"],
        digest=decision["digest"],
        policy_version=version,
        card=dict(decision["card"] or {}),
        expires_at=datetime.fromisoformat(decision["expires_at"]),
    )


def _raised(before: Decision, after: Decision) -> bool:
    """Whether an edit puts more or something else at stake: then its own card must be seen."""
    old, new = before["card"], after["card"]
    if old is None or new is None or before["env_id"] != after["env_id"]:
        return True
    if _objects(before["targets"]) != _objects(after["targets"]):
        return True
    return RISKS.index(new["risk"]) > RISKS.index(old["risk"])


def _objects(targets: Any) -> set[str]:
    """The uuids of all objects that targets name."""
    if isinstance(targets, list):
        return {uuid for item in targets for uuid in _objects(item)}
    if not isinstance(targets, dict):
        return set()
    own = {str(targets["uuid"])} if "uuid" in targets else set()
    return own.union(*(_objects(value) for value in targets.values()))
