"""Agent Inbox's "Mark as resolved": a thread's end is written past the graph.

Its cards would stay open in the ledger until the next message, and a second person could still
agree to one. So they are withdrawn before the server's yes goes out.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from starlette.types import Message, Send

from tools.connect import Services
from tools.records import Records
from tools.wall import MARKED

log = logging.getLogger(__name__)

Resolve = Callable[[str, str], Awaitable[None]]
"""Takes a thread and who resolved it."""

_STATE = re.compile(r"/threads/([0-9a-fA-F-]{32,36})/state/?")


@dataclass(frozen=True)
class Withdrawal:
    """Withdraws the cards of a thread in the deployment's records."""

    services: Services

    async def __call__(self, thread_id: str, user_id: str) -> None:
        """Note that a user has said no to all of a thread's cards."""

        def note(records: Records) -> None:
            records.approvals.withdraw(thread_id, user_id, MARKED, self.services.clock())

        await self.services.store(note)


def state_of(path: str) -> str | None:
    """The thread whose state a path writes, as the ledger names it; None: it is no such path."""
    found = _STATE.fullmatch(path)
    try:
        return str(UUID(found[1])) if found else None
    except ValueError:
        return None


def resolving(send: Send, resolve: Resolve, thread_id: str, user_id: str) -> Send:
    """A `send` that withdraws the cards before it tells that the thread's end is written.

    Only then: whether the thread is this user's is what the server's answer says.
    """

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            try:
                await resolve(thread_id, user_id)
            except Exception:
                log.exception("the cards of a resolved thread stay open until its next message")
        await send(message)

    return told
