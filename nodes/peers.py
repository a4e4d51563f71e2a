"""A conversation that waits for a second person's yes, and how its asker goes on with it."""

import re
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from nodes.history import ours
from nodes.runs import call_id
from tools.connect import Services
from tools.records import Approval, Records

GO_ON = frozenset(
    {
        *("continue", "go on", "proceed", "resume", "carry on"),
        *("продолжай", "продолжить", "продолжи", "продолжайте", "продолжим", "дальше"),
    }
)
"""Whole messages that ask to go on; all others withdraw what is open."""


@dataclass(frozen=True)
class Awaited:
    """Calls that were put before a second person.

    Attributes:
        messages: The conversation with the message of these calls at its end, as if it came now.
        user_text: The words that started them.
        waits: Whether nobody has decided yet.
    """

    messages: list[AnyMessage]
    user_text: str
    waits: bool


async def awaited(
    messages: list[AnyMessage], words: str, thread_id: str, services: Services
) -> Awaited | None:
    """The calls to go on with, where the words ask for that; None: there are none.

    The ledger says what may run: this only keeps the calls from being withdrawn.
    """
    if re.sub(r"[^\w\s]", "", words).strip().casefold() not in GO_ON:
        return None
    known = [one for one in messages if ours(one) or not isinstance(one, ToolMessage)]
    asked, said = known[-2:] if len(known) > 1 else (None, None)
    if not isinstance(said, HumanMessage) or not isinstance(asked, AIMessage):
        return None
    ids = [call_id(call) for call in asked.tool_calls]

    def find(records: Records) -> list[Approval]:
        rows = [row for one in ids for row in records.approvals.for_call(thread_id, one)]
        return [row for row in rows if row.peer]

    peers = await services.store(find)
    if not peers:
        return None
    waits = any(row.state == "asked" for row in peers)
    return Awaited([*known[:-2], said, asked], peers[-1].user_text, waits)
