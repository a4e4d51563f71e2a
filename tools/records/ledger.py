"""What an approval is, and the states it goes through."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

ApprovalState = Literal[
    "asked",
    "approved",
    "rejected",
    "expired",
    "executing",
    "done",
    "failed",
    "unknown",
    "handed_over",
]
"""Where an approval stands.

asked: a card waits for a person. approved: the person said yes, nothing was sent. rejected: the
person said no, or a newer card for the same call took its place. expired: its time ran out before
it was used. executing: the request is about to leave or has left. done: it was carried out.
failed: it was proven not to be carried out. unknown: it may have been carried out; it is never
sent again by us. handed_over: a task carries it on, object by object (`work`); it ends as one of
the three before when all of them have ended.
"""

FinalState = Literal["done", "failed", "unknown"]
"""How a call that was begun ends; see ApprovalState."""

OPEN: frozenset[ApprovalState] = frozenset({"asked", "approved"})
"""Not used yet: these expire, and a newer card takes their place."""

BEGUN: frozenset[ApprovalState] = frozenset(
    {"executing", "done", "failed", "unknown", "handed_over"}
)
"""The call was begun: it is never begun again, whatever other cards say."""


@dataclass(frozen=True, kw_only=True)
class ApprovalRequest:
    """One action as it is put before a person.

    Attributes:
        thread_id: The conversation.
        call_id: The tool call's id in the model's message.
        tool: Name of the tool.
        env_id: The environment it acts on; None where it acts on none.
        user_id: Who asked for it: the only one who may use it, and approve it unless `peer`.
        role: The role of that user at this moment.
        language: Language of the card.
        user_text: The words that started the turn.
        requested: The arguments exactly as in the model's message.
        arguments: What runs: resolved, defaults filled in, perhaps edited.
        targets: The objects the arguments mean.
        digest: SHA-256 of the action, as on the card.
        policy_version: The rules by which it was judged.
        card: What the person sees.
        expires_at: From this moment on it can be neither approved nor used.
    """

    thread_id: str
    call_id: str
    tool: str
    env_id: str | None
    user_id: str
    role: str
    language: str
    user_text: str
    requested: dict[str, Any]
    arguments: dict[str, Any]
    targets: dict[str, Any]
    digest: str
    policy_version: str
    card: dict[str, Any]
    expires_at: datetime

    @property
    def peer(self) -> bool:
        """Whether another user than the asker must approve it (four eyes)."""
        return self.card.get("approval") == "peer"


@dataclass(frozen=True, kw_only=True)
class Approval(ApprovalRequest):
    """An action with what became of it. Times are in UTC.

    Attributes:
        id: 32 hexadecimal digits.
        decided_by: Who approved or rejected; None when time or a newer card did.
        reason: Words of the one who rejected, or "superseded".
        started_at: When it was marked `executing`.
        outcome: What is known of the end, None before it.
    """

    id: str
    state: ApprovalState
    asked_at: datetime
    decided_at: datetime | None = None
    decided_by: str | None = None
    reason: str | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    outcome: dict[str, Any] | None = field(default=None)

    def late(self, now: datetime) -> bool:
        """Whether its time has run out."""
        return now >= self.expires_at


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What someone who wants to run a call says it is; compared with the approval."""

    thread_id: str
    call_id: str
    tool: str
    requested: Mapping[str, Any]
    user_id: str
    policy_version: str
