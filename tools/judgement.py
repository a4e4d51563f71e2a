"""Judge one tool call: may it run, must a person agree, or what is wrong with it."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast

from langchain_core.tools import ToolException
from pydantic import ValidationError
from typing_extensions import TypedDict  # schemas of the state need it before Python 3.12

from tools.cards import Card, denial, make_card
from tools.clients.http import SupersetError
from tools.connect import Call
from tools.context import Language
from tools.definition import Prepared, ToolDefinition
from tools.messages import text
from tools.policy import GuardrailDecision, decide, refused_everywhere
from tools.records import digest
from tools.resolve import Question, complete, place

Verdict = Literal["run", "confirm", "deny", "stop"]
"""run: at once; confirm: a person decides; deny: no right; stop: it can't run as it stands."""

Kind = Literal["result", "question", "denied", "cancelled", "unknown", "error"]
"""What a tool message tells: a result, a question to the user, a refusal for want of rights, a
person's or the conversation's no, a write whose outcome is not known, or a fault."""


class Decision(TypedDict):
    """What was decided of one call, as plain data for the state.

    `requested` are the arguments as the model gave them, `arguments` those that would run, with
    the `targets` they were found to mean. `message` is what is told when the call does not run.
    """

    call_id: str
    tool: str
    verdict: Verdict
    kind: Kind
    message: str
    slot: str | None
    requested: dict[str, Any]
    arguments: dict[str, Any]
    targets: dict[str, Any]
    env_id: str | None
    digest: str
    expires_at: str
    card: Card | None


@dataclass(frozen=True)
class Judge:
    """Judges calls of one agent.

    Attributes:
        policy_version: Which policy and declarations an approval is bound to.
    """

    policy_version: str

    async def __call__(
        self,
        name: str,
        definition: ToolDefinition | None,
        requested: dict[str, Any],
        call: Call,
        user_text: str,
    ) -> Decision:
        """Judge a call; it reads, and changes nothing.

        Args:
            name: The tool that the model named.
            definition: Its declaration, or None.
            requested: Its arguments, as the model or an editing person gave them.
            call: Who asks, and where.
            user_text: The words that started the turn, for the card.
        """
        never = refused_everywhere(definition, call.user, call.settings)
        if never is not None:
            return refused(name, definition, never, requested, call, None)
        assert definition is not None  # noqa: S101 - an unknown tool is refused everywhere
        problem = invalid(definition, requested, call.language)
        if problem is not None:
            return stopped(name, call.id, requested, "error", problem)
        try:
            placed = place(definition, requested, call)
        except Question as question:
            return stopped(name, call.id, requested, "question", question.words, question.slot)
        return await self._placed(definition, requested, placed, call, user_text)

    async def _placed(
        self,
        definition: ToolDefinition,
        requested: dict[str, Any],
        placed: dict[str, Any],
        call: Call,
        user_text: str,
    ) -> Decision:
        """Judge a call whose environment is known, before anything is read for it."""
        name = definition.name
        env_id = placed.get(definition.target) if definition.environment != "none" else None
        decision = decide(definition, call.user, env_id, call.settings)
        # An environment that is only missing is asked for.
        if decision["verdict"] == "deny" and decision["reason"] != "environment_needed":
            return refused(name, definition, decision, requested, call, env_id)
        try:
            arguments = await complete(definition, placed, call)
        except Question as question:
            return stopped(name, call.id, requested, "question", question.words, question.slot)
        except (ToolException, SupersetError) as error:
            return stopped(name, call.id, requested, "error", explain(error, call.language))
        if decision["verdict"] == "deny":
            return refused(name, definition, decision, requested, call, env_id)
        return await self._prepared(definition, requested, arguments, env_id, call, user_text)

    async def _prepared(
        self,
        definition: ToolDefinition,
        requested: dict[str, Any],
        arguments: dict[str, Any],
        env_id: str | None,
        call: Call,
        user_text: str,
    ) -> Decision:
        """Judge a call that is permitted, by what it means and how much it would change."""
        name, prepared = definition.name, Prepared(arguments)
        if definition.prepare is not None:
            try:
                async with asyncio.timeout(call.settings.limits.preview_timeout):
                    prepared = await definition.prepare(arguments, call)
            except Question as question:
                return stopped(name, call.id, requested, "question", question.words, question.slot)
            except (ToolException, SupersetError, TimeoutError) as error:
                return stopped(name, call.id, requested, "error", explain(error, call.language))
        decision = decide(definition, call.user, env_id, call.settings, prepared.impact)
        return self._decided(definition, decision, requested, prepared, env_id, call, user_text)

    def _decided(
        self,
        definition: ToolDefinition,
        decision: GuardrailDecision,
        requested: dict[str, Any],
        prepared: Prepared,
        env_id: str | None,
        call: Call,
        user_text: str,
    ) -> Decision:
        made = stopped(definition.name, call.id, requested, "result", "")
        made |= {"arguments": prepared.arguments, "targets": prepared.targets, "env_id": env_id}
        made["verdict"] = decision["verdict"]
        if decision["verdict"] == "confirm":
            expires = expiry(call)
            made["digest"] = self.digest(definition.name, prepared, env_id, call)
            made["expires_at"] = expires.isoformat()
            made["card"] = make_card(
                call.id,
                definition.name,
                definition,
                decision,
                language=call.language,
                settings=call.settings,
                env_id=env_id,
                prepared=prepared,
                digest=made["digest"],
                expires_at=expires,
                user_text=user_text,
            )
        return made

    def digest(self, tool: str, prepared: Prepared, env_id: str | None, call: Call) -> str:
        """SHA-256 of the canonical JSON of all that an approval is bound to."""
        return digest(
            {
                "thread": call.thread_id,
                "call": call.id,
                "tool": tool,
                "arguments": prepared.arguments,
                "targets": prepared.targets,
                "environment": env_id,
                "user": call.user.id,
                "policy": self.policy_version,
            }
        )


def refused(
    name: str,
    definition: ToolDefinition | None,
    decision: GuardrailDecision,
    requested: dict[str, Any],
    call: Call,
    env_id: str | None,
) -> Decision:
    """A call that the rules refuse, with the card that tells of it."""
    made = stopped(name, call.id, requested, "denied", denial(decision, call.language))
    card = make_card(
        call.id,
        name,
        definition,
        decision,
        language=call.language,
        settings=call.settings,
        env_id=env_id,
    )
    return changed(made, verdict="deny", card=card, env_id=env_id)


def changed(decision: Decision, **values: Any) -> Decision:
    """A decision with other values for some keys."""
    return cast(Decision, {**decision, **values})


def stopped(
    name: str,
    call_id: str,
    requested: dict[str, Any],
    kind: Kind,
    message: str,
    slot: str | None = None,
) -> Decision:
    """A call that can't run as it stands, and what is told of it."""
    return Decision(
        call_id=call_id,
        tool=name,
        verdict="stop",
        kind=kind,
        message=message,
        slot=slot,
        requested=requested,
        arguments={},
        targets={},
        env_id=None,
        digest="",
        expires_at="",
        card=None,
    )


def invalid(
    definition: ToolDefinition, arguments: dict[str, Any], language: Language
) -> str | None:
    """What is wrong with the arguments of a call, for the model to read; None: nothing."""
    try:
        definition.arguments.model_validate(arguments)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
            for item in error.errors()[:10]
        )
        return text(language, "invalid-arguments", tool=definition.name, problems=problems)
    return None


def expiry(call: Call) -> datetime:
    """When a card shown now expires."""
    return call.now() + timedelta(minutes=call.settings.limits.card_minutes)


def explain(error: BaseException, language: Language) -> str:
    """What a person is told of a fault: never a URL, a header or a secret."""
    if isinstance(error, SupersetError):
        said = text(language, f"superset-{error.code}")
        return f"{said} ({error.detail})" if error.detail else said
    if isinstance(error, TimeoutError):
        return text(language, "timed-out")
    if isinstance(error, ToolException):
        return str(error)
    return text(language, "tool-failed", kind=type(error).__name__)
