"""A write, at most once: the ledger says it starts before the request leaves."""

import asyncio
import json
import logging
from dataclasses import dataclass, replace
from typing import Any, Literal

from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException

from nodes.course import Course
from nodes.denials import denial_message, denied
from nodes.faults import for_log
from nodes.history import tool_message
from nodes.outcomes import invoke, result_message, target_of
from tools.cards import title_of
from tools.clients.http import SupersetError
from tools.connect import Call, Services
from tools.definition import OutcomeUnknown, ToolDefinition
from tools.judgement import explain, invalid
from tools.messages import text
from tools.messages.markdown import escape
from tools.policy import decide
from tools.records import Approval, LedgerError, Records
from tools.results import LONG, size

logger = logging.getLogger(__name__)

End = Literal["done", "failed", "unknown"]
"""How a write ended: it happened; it did not, provably; nobody can tell."""


@dataclass(frozen=True)
class Writes:
    """Runs approved calls with what the ledger holds, not with what the state says."""

    services: Services
    policy_version: str

    async def run(self, requested: Any, definition: ToolDefinition, call: Call) -> ToolMessage:
        """Use up the approval of a call and run it; without one, say why it did not run."""
        try:
            row, task_id = await self._begin(requested, definition, call)
        except LedgerError as error:
            return await self._not_run(definition, error, call)
        refusal = await self._changed(row, definition, call)
        if refusal is not None:
            await self._finish(row, task_id, "failed", {"error": refusal.text}, call)
            return refusal
        return await self._run(row, task_id, definition, call)

    async def _begin(
        self, requested: Any, definition: ToolDefinition, call: Call
    ) -> tuple[Approval, int]:
        """Use up the approval, and open the task by which the user can ask how the write went."""

        def begin(records: Records) -> tuple[Approval, int]:
            # Both or neither: an approval whose task could not be opened is still good.
            with records.together():
                row = records.approvals.begin(
                    call.thread_id,
                    call.id,
                    tool=requested["name"],
                    requested=requested["args"],
                    user_id=call.user.id,
                    policy_version=self.policy_version,
                    now=call.now(),
                )
                task = records.tasks.start(
                    definition.name,
                    env_id=row.env_id,
                    thread_id=call.thread_id,
                    user_id=call.user.id,
                    title=title_of(definition.name, call.language),
                    total=1,
                    now=call.now(),
                )
            return row, task.id

        return await self.services.store(begin)

    async def _not_run(
        self, definition: ToolDefinition, error: LedgerError, call: Call
    ) -> ToolMessage:
        """Why a call does not run now; one that ran before is told as it ended then."""
        ended = error.approval.outcome if error.code == "already" and error.approval else None
        if ended is not None and "result" in ended:
            return await result_message(definition, ended["result"], call)
        if ended is not None and "error" in ended:
            return tool_message(call.id, definition.name, str(ended["error"]), "error")
        row = error.approval
        if row is not None and row.state == "rejected" and row.decided_by is not None:
            return tool_message(call.id, definition.name, _rejected(row, call), "cancelled")
        if error.code == "unknown":
            words = text(call.language, "unknown-outcome", detail="").strip()
            return tool_message(call.id, definition.name, words, "unknown")
        words = text(call.language, "no-approval", code=error.code)
        return tool_message(call.id, definition.name, words, "denied")

    async def _changed(
        self, row: Approval, definition: ToolDefinition, call: Call
    ) -> ToolMessage | None:
        """Check the approved call again, as if it came now; None: it may still run."""
        env_id = target_of(definition, row.arguments)
        judged = decide(definition, call.user, env_id, call.settings)
        if judged["verdict"] == "deny":
            made = await denied(row.tool, definition, judged, row.requested, call, env_id)
            return denial_message(made)
        if env_id != row.env_id:
            words: str | None = text(call.language, "no-approval", code="environment")
        else:
            words = invalid(definition, row.arguments, call.language)
        return tool_message(call.id, definition.name, words, "denied") if words else None

    async def _run(
        self, row: Approval, task_id: int, definition: ToolDefinition, call: Call
    ) -> ToolMessage:
        call = replace(call, targets=row.targets, ledger_id=row.id, task_id=task_id)
        limit = definition.timeout or call.settings.limits.tool_timeout
        course = Course()
        try:
            with course.watched():
                async with asyncio.timeout(limit):
                    result = await invoke(definition, row.arguments, call)
        except asyncio.CancelledError:
            # The request may be on its way: that must be on record before the run ends.
            await asyncio.shield(
                self._finish(row, task_id, "unknown", {"reason": "cancelled"}, call, course)
            )
            raise
        except Exception as error:  # noqa: BLE001 - every fault of a write is told by its message
            return await self._failed(row, task_id, definition, error, call, course)
        course.characters = size(result, LONG)
        await self._finish(row, task_id, "done", {"result": result}, call, course)
        if row.card.get("edited") and isinstance(result, dict):
            arguments = json.dumps(row.arguments, ensure_ascii=False)
            result = result | {"note": text(call.language, "edited", arguments=arguments)}
        return await result_message(definition, result, call)

    async def _failed(
        self,
        row: Approval,
        task_id: int,
        definition: ToolDefinition,
        error: Exception,
        call: Call,
        course: Course,
    ) -> ToolMessage:
        """A write that raised: it is either proven that nothing was done, or unknown."""
        words = explain(error, call.language)
        if not isinstance(error, (ToolException, SupersetError, TimeoutError)):
            fault = await for_log(error, call.settings)
            logger.error("%s failed\n%s", definition.name, fault)
        if not _nothing_done(error):
            result = error.result if isinstance(error, OutcomeUnknown) else None
            outcome = {"error": words, "result": result}
            await self._finish(row, task_id, "unknown", outcome, call, course)
            check = text(call.language, "unknown-check", task=task_id)
            told = text(call.language, "unknown-outcome", detail=f"{words} {check}")
            return tool_message(call.id, definition.name, told, "unknown", {"task_id": task_id})
        await self._finish(row, task_id, "failed", {"error": words}, call, course)
        return tool_message(call.id, definition.name, words, "error", {"task_id": task_id})

    async def _finish(
        self,
        row: Approval,
        task_id: int | None,
        end: End,
        outcome: dict[str, Any],
        call: Call,
        course: Course | None = None,
    ) -> None:
        """Close the row and the task; `course` is None where nothing was tried."""
        facts = course.facts() if course is not None else {}

        def finish(records: Records) -> None:
            with records.together():
                records.approvals.finish(row.id, end, outcome, call.now(), facts)
                if task_id is not None:
                    records.tasks.end(
                        task_id,
                        end,
                        result=outcome.get("result"),
                        error=outcome.get("error"),
                        now=call.now(),
                    )

        await self.services.store(finish)


def _nothing_done(error: Exception) -> bool:
    """Whether a fault proves that the write did not happen; what proves nothing is unknown."""
    if isinstance(error, SupersetError):
        return error.nothing_done
    return isinstance(error, ToolException) and not isinstance(error, OutcomeUnknown)


def _rejected(row: Approval, call: Call) -> str:
    """What is told of a no that came from elsewhere: another tab, or another person."""
    if row.decided_by == row.user_id:
        return text(call.language, "cancelled")
    who, reason = escape(str(row.decided_by)), escape(row.reason or "")
    return text(call.language, "peer-rejected", who=who, reason=reason).strip()
