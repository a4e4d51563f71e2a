"""Every call gets exactly one tool message: also after a crash, a cancel, or a new message."""

from dataclasses import dataclass
from typing import Any, TypeGuard

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from tools.connect import Services
from tools.context import Language, User
from tools.judgement import Kind
from tools.messages import text
from tools.records import BEGUN, Approval, LedgerError, Records
from tools.results import cut, whole
from tools.wall import MARKED

WORDS = 4000
"""Characters of what is told of a call that gave no result."""


@dataclass(frozen=True)
class Pending:
    """A call of an earlier message that has no answer."""

    call_id: str
    tool: str


def tool_message(
    call_id: str, tool: str, content: str, kind: Kind, artifact: dict[str, Any] | None = None
) -> ToolMessage:
    """The one answer to a call; its artifact says which kind of answer it is.

    What is no result is words for people, and not many.
    """
    return ToolMessage(
        content if kind == "result" else cut(whole(content), WORDS),
        name=tool,
        tool_call_id=call_id,
        status="success" if kind == "result" else "error",
        artifact={"kind": kind} | (artifact or {}),
    )


def ours(message: AnyMessage) -> TypeGuard[ToolMessage]:
    """Whether a tool message is one of this agent's; chat clients invent others."""
    return isinstance(message, ToolMessage) and "kind" in (message.artifact or {})


def pending_calls(messages: list[AnyMessage]) -> list[Pending]:
    """The calls without a tool message."""
    answered = {message.tool_call_id for message in messages if ours(message)}
    return [
        Pending(str(call["id"]), call["name"])
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
        if call["id"] not in answered
    ]


async def settle(
    pending: list[Pending], thread_id: str, user: User, language: Language, services: Services
) -> dict[str, ToolMessage]:
    """Answer calls that were left open, by what the ledger knows of them.

    A card that is still open is cancelled; a write that was in flight is unknown.
    """

    def ended(records: Records) -> dict[str, Approval]:
        found = {}
        for item in pending:
            rows = records.approvals.for_call(thread_id, item.call_id)
            if rows:
                begun = [row for row in rows if row.state in BEGUN]
                found[item.call_id] = _end((begun or rows)[-1], user, records, services)
        return found

    approvals = await services.store(ended)
    return {item.call_id: _answer(item, approvals.get(item.call_id), language) for item in pending}


def _end(row: Approval, user: User, records: Records, services: Services) -> Approval:
    """Close a row that the conversation has left behind."""
    now = services.clock()
    try:
        if row.state in ("asked", "approved"):
            return records.approvals.reject(row.id, user.id, "new message", now)
        if row.state == "executing":
            return records.approvals.finish(row.id, "unknown", {"reason": "interrupted"}, now)
    except LedgerError as error:  # another worker was faster: what it wrote stands
        return error.approval or row
    return row


def _answer(item: Pending, row: Approval | None, language: Language) -> ToolMessage:
    if row is None:
        return tool_message(item.call_id, item.tool, text(language, "message-not-run"), "cancelled")
    if row.state in ("unknown", "executing"):
        words = text(language, "unknown-outcome", detail="")
        return tool_message(item.call_id, item.tool, words.strip(), "unknown")
    if row.state in ("done", "failed"):
        words = text(language, "message-ran" if row.state == "done" else "message-failed")
        return tool_message(item.call_id, item.tool, words, "error")
    key = "cancelled" if row.reason == MARKED else "cancelled-new-message"
    return tool_message(item.call_id, item.tool, text(language, key), "cancelled")
