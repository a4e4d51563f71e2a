"""Cards in the ledger: asked from what was judged, shown from what was asked. Never from state."""

from dataclasses import asdict, fields, replace
from datetime import datetime

from langchain_core.messages import AIMessage

from nodes.runs import call_id
from tools.connect import Call, Services
from tools.judgement import Decision, expiry
from tools.records import BEGUN, Approval, ApprovalRequest, Records
from tools.settings import Risk

RISKS: tuple[Risk, ...] = ("safe", "guarded", "dangerous")


async def ask(decision: Decision, call: Call, user_text: str, policy_version: str) -> Approval:
    """Write the card of a call that was judged right now into the ledger."""
    request = ApprovalRequest(
        thread_id=call.thread_id,
        call_id=call.id,
        tool=decision["tool"],
        env_id=decision["env_id"],
        user_id=call.user.id,
        role=call.role_in(decision["env_id"]),
        language=call.language,
        user_text=user_text[:2000],
        requested=decision["requested"],
        arguments=decision["arguments"],
        targets=decision["targets"],
        digest=decision["digest"],
        policy_version=policy_version,
        card=dict(decision["card"] or {}),
        expires_at=datetime.fromisoformat(decision["expires_at"]),
    )
    return await call.services.store(lambda records: records.approvals.ask(request, call.now()))


async def ask_again(row: Approval, call: Call) -> Approval:
    """Give an expired card a new term: the same action, a new row."""
    names = {field.name for field in fields(ApprovalRequest)}
    facts = {name: value for name, value in asdict(row).items() if name in names}
    request = replace(ApprovalRequest(**facts), expires_at=expiry(call))
    return await call.services.store(lambda records: records.approvals.ask(request, call.now()))


async def open_rows(message: AIMessage, thread_id: str, services: Services) -> list[Approval]:
    """The cards that wait for a person, in the order of the calls of a message.

    A call that was begun has none, whatever a replayed state says.
    """

    def find(records: Records) -> list[Approval]:
        found = []
        for call in message.tool_calls:
            rows = records.approvals.for_call(thread_id, call_id(call))
            if rows and rows[-1].state in ("asked", "expired") and not _begun(rows):
                found.append(rows[-1])
        return found

    return await services.store(find)


def _begun(rows: list[Approval]) -> bool:
    return any(row.state in BEGUN for row in rows)


def raised(row: Approval, edited: Decision) -> bool:
    """Whether an edit puts more or something else at stake: then its own card must be seen."""
    card = edited["card"]
    if card is None or row.env_id != edited["env_id"]:
        return True
    if _objects(row.targets) != _objects(edited["targets"]):
        return True
    return RISKS.index(card["risk"]) > RISKS.index(row.card["risk"])


def _objects(targets: object) -> set[str]:
    """The uuids of all objects that targets name."""
    if isinstance(targets, list):
        return {uuid for item in targets for uuid in _objects(item)}
    if not isinstance(targets, dict):
        return set()
    own = {str(targets["uuid"])} if "uuid" in targets else set()
    return own.union(*(_objects(value) for value in targets.values()))
