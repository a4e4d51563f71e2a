"""A refusal for want of rights: told at once on the custom stream, and kept in the audit."""

from typing import Any

from langchain_core.messages import ToolMessage

from nodes.history import tool_message
from tools.connect import Call
from tools.definition import ToolDefinition
from tools.judgement import Decision, refused
from tools.policy import GuardrailDecision


async def tell_denied(decision: Decision, call: Call) -> None:
    """Say at once, and on record, that a call was refused."""
    call.emit({"type": "permission_denied", "tool": decision["tool"], "card": decision["card"]})
    await call.services.store(
        lambda records: records.audit.append(
            "denied",
            user_id=call.user.id,
            thread_id=call.thread_id,
            call_id=call.id,
            tool=decision["tool"],
            env_id=decision["env_id"],
            detail={"message": decision["message"]},
            now=call.now(),
        )
    )


async def denied(
    name: str,
    definition: ToolDefinition | None,
    judged: GuardrailDecision,
    requested: dict[str, Any],
    call: Call,
    env_id: str | None,
) -> Decision:
    """A call that the rules refuse now, whatever they said before; it is told already."""
    decision = refused(name, definition, judged, requested, call, env_id)
    await tell_denied(decision, call)
    return decision


def denial_message(decision: Decision) -> ToolMessage:
    """The answer to a call that does not run; the card stays with it, so that a reload shows it."""
    more = {"slot": decision["slot"], "card": decision["card"]}
    return tool_message(
        decision["call_id"], decision["tool"], decision["message"], decision["kind"], more
    )
