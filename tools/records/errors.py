"""What can go wrong with the records, as one tree.

No text holds a value of a row, an address with a password, or SQL.
"""

from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from tools.records.ledger import Approval

LedgerCode = Literal[
    "not_found",
    "none",
    "wrong_user",
    "wrong_digest",
    "wrong_policy",
    "wrong_state",
    "expired",
    "already",
    "unknown",
]
"""Why the ledger refuses.

not_found: no approval has this id. none: nobody was ever asked about this call. wrong_user: another
user asked. wrong_digest: the action is not the one on the card. wrong_policy: the rules changed
since the card was made. wrong_state: the step is not possible from the approval's state. expired:
its time ran out. already: the call was run before, and how that ended is known. unknown: the call
was begun before, and nobody knows whether it happened.
"""


TicketCode = Literal["not_found", "wrong_user", "expired", "already"]
"""Why a ticket cannot be taken; already: another run took it."""

ItemCode = Literal["not_found", "twice", "already", "wrong_state"]
"""Why a step of the work on one object is not possible; already: it was begun or skipped."""


class RecordsError(Exception):
    """The records cannot be opened, read or written; the text is for an operator, in English."""


class RowNotFoundError(RecordsError):
    """There is no such task, event or banner."""


class TaskStateError(RecordsError):
    """A task that has ended was ended again."""


class TicketError(RecordsError):
    """Nothing may start: its ticket is not good."""

    def __init__(self, code: TicketCode) -> None:
        super().__init__(f"The ticket cannot be taken: {code}")
        self.code = code


class ItemError(RecordsError):
    """The work on one object cannot take this step; nothing may be sent."""

    def __init__(self, code: ItemCode) -> None:
        super().__init__(f"The work on the object cannot take this step: {code}")
        self.code = code


class LedgerError(RecordsError):
    """The ledger refuses a step; nothing may be sent.

    Attributes:
        code: Why, so that callers can write it in the user's language.
        approval: The row as it is now stored, where there is one.
    """

    code: ClassVar[LedgerCode]
    says: ClassVar[str]

    def __init__(self, approval: "Approval | None" = None) -> None:
        super().__init__(self.says)
        self.approval = approval


class ApprovalNotFoundError(LedgerError):
    """No approval has this id."""

    code = "not_found"
    says = "There is no such approval"


class NoApprovalError(LedgerError):
    """Nobody was ever asked about this call."""

    code = "none"
    says = "Nobody was asked to approve this call"


class WrongUserError(LedgerError):
    """The approval belongs to another user."""

    code = "wrong_user"
    says = "The approval belongs to another user"


class WrongDigestError(LedgerError):
    """The action is not the one that was shown."""

    code = "wrong_digest"
    says = "The action differs from the one on the card"


class WrongPolicyError(LedgerError):
    """The rules changed after the card was made."""

    code = "wrong_policy"
    says = "The policy changed after the card was made"


class WrongStateError(LedgerError):
    """The step is not possible from the state the approval is in."""

    code = "wrong_state"
    says = "The approval is in a state that does not allow this"


class ExpiredError(LedgerError):
    """The approval's time ran out."""

    code = "expired"
    says = "The approval has expired"


class AlreadyUsedError(LedgerError):
    """The call ran before; a call runs at most once."""

    code = "already"
    says = "The call was run before"


class UnknownOutcomeError(LedgerError):
    """The call was begun before and may have happened; it is never sent again."""

    code = "unknown"
    says = "The call was begun before and its outcome is unknown"
