"""The second person's desk at /agent/approvals: which cards wait for them, and their yes or no.

It touches the ledger and nothing else: what was approved runs in its asker's own conversation,
where all of it is judged again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tools.cards import card_of, denial
from tools.connect import Services
from tools.context import Language, User
from tools.definition import ToolDefinition
from tools.messages import LANGUAGES, text
from tools.policy import GuardrailDecision, decide, policy_version
from tools.records import Approval, LedgerError, Records, WrongDigestError
from web.signing_in import SignIn, verifier_of

PATH = "/agent/approvals"
SHOWN = 50
"""How many cards one answer has, and how many of one's own may be asked about."""


class Answer(BaseModel):
    """A second person's decision; the digest is that of the card they saw."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(max_length=64)
    digest: str = Field(max_length=64)
    decision: Literal["approve", "reject"]
    reason: str = Field(default="", max_length=2000)


class Refusal(NamedTuple):
    """Why a decision was not taken."""

    status: int
    words: str


@dataclass(frozen=True)
class Desk:
    """Looks up and decides cards that wait for a second person.

    Attributes:
        services: The deployment.
        definitions: The tools by their name.
        version: The rules in force: a card of other rules would not run any more.
    """

    services: Services
    definitions: Mapping[str, ToolDefinition]
    version: str

    async def read(self, request: Request) -> JSONResponse:
        """The cards that this user may decide, and where own cards stand that were asked about."""
        user: User = request.user
        asked = request.query_params.getlist("card")[:SHOWN]

        def find(records: Records) -> tuple[list[Approval], list[Approval]]:
            own = [row for one in asked if (row := records.approvals.get(one)) is not None]
            return records.approvals.for_peers(self.services.clock()), own

        waiting, own = await self.services.store(find)
        cards = [
            {**card_of(row), "note": "", "asker": row.user_id}
            for row in waiting
            if row.user_id != user.id and self._judged(user, row)["verdict"] != "deny"
            if row.policy_version == self.version
        ]
        mine = {row.id: row.state for row in own if row.user_id == user.id}
        return _answer({"four_eyes": self._wanted(), "cards": cards[:SHOWN], "mine": mine})

    async def write(self, request: Request) -> JSONResponse:
        """Take a decision of one card."""
        language = _language(request, self.services.settings.language)
        try:
            answer = Answer.model_validate_json(await request.body())
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False, include_input=False)
            return _answer({"detail": problems}, 422)
        row = await self.services.store(lambda records: records.approvals.get(answer.id))
        refusal = self._refusal(row, request.user, language)
        if row is None or refusal is not None:
            status, words = refusal or Refusal(404, text(language, "approval-gone"))
            if row is not None and status == 403:
                await self._note_denied(row, request.user, words)
            return _answer({"detail": words}, status)
        try:
            done = await self._decide(row, answer, request.user)
        except LedgerError as error:
            key = {"wrong_digest": "confirm-wrong-digest", "expired": "approval-late"}
            words = text(language, key.get(error.code, "approval-gone"))
            return _answer({"detail": words, "code": error.code}, 409)
        return _answer({"id": done.id, "state": done.state})

    async def _decide(self, row: Approval, answer: Answer, user: User) -> Approval:
        """Write a decision into the ledger, which checks it again."""

        def note(records: Records) -> Approval:
            now = self.services.clock()
            if answer.decision == "approve":
                return records.approvals.approve(row.id, answer.digest, user.id, now)
            if answer.digest != row.digest:
                raise WrongDigestError(row)
            return records.approvals.reject(row.id, user.id, answer.reason, now)

        return await self.services.store(note)

    async def _note_denied(self, row: Approval, user: User, words: str) -> None:
        """Put on record that somebody tried to decide what is not theirs to decide."""
        await self.services.store(
            lambda records: records.audit.append(
                "denied",
                user_id=user.id,
                thread_id=row.thread_id,
                call_id=row.call_id,
                tool=row.tool,
                env_id=row.env_id,
                detail={"message": words, "approval": row.id},
                now=self.services.clock(),
            )
        )

    def _refusal(self, row: Approval | None, user: User, language: Language) -> Refusal | None:
        """Why this user may not decide a card; None: they may."""
        if row is None or not row.peer:
            return Refusal(404, text(language, "approval-gone"))
        if row.user_id == user.id:
            return Refusal(403, text(language, "confirm-peer-only"))
        judged = self._judged(user, row)
        if judged["verdict"] == "deny":
            return Refusal(403, denial(judged, language))
        if row.policy_version != self.version:
            return Refusal(409, text(language, "approval-rules"))
        return None

    def _judged(self, user: User, row: Approval) -> GuardrailDecision:
        """What the rules would say if this user made the call."""
        definition = self.definitions.get(row.tool)
        return decide(definition, user, row.env_id, self.services.settings)

    def _wanted(self) -> bool:
        """Whether this deployment asks for second persons at all."""
        policy = self.services.settings.policy
        sections = [policy.tools, *policy.stages.values(), *policy.environments.values()]
        return any(entry.approval == "peer" for tools in sections for entry in tools.values())


def approval_routes(services: Services, definitions: Mapping[str, ToolDefinition]) -> list[Route]:
    """The routes of the desk; each app needs its own, because the server wraps them."""
    version = policy_version(services.settings, definitions.values())
    desk = Desk(services, definitions, version)
    behind = [Middleware(SignIn, verifier=verifier_of(services.settings.auth))]
    return [
        Route(PATH, desk.read, methods=["GET"], middleware=behind),
        Route(PATH, desk.write, methods=["POST"], middleware=behind),
    ]


def _language(request: Request, usual: Language) -> Language:
    asked = request.query_params.get("lang")
    return next((language for language in LANGUAGES if language == asked), usual)


def _answer(content: Any, status: int = 200) -> JSONResponse:
    return JSONResponse(content, status, {"Cache-Control": "no-store"})
