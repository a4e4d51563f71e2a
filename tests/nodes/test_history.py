"""Every call gets exactly one tool message, in its place, by what the ledger knows."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from nodes.history import pending_calls, settle
from nodes.inject_context import InjectContext
from tests.agent import asks
from tools.connect import Services
from tools.context import User
from tools.records import ApprovalRequest
from tools.settings import Settings

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OLGA = User("olga", "operator")


@pytest.fixture
def services(tmp_path: Path) -> Services:
    url = f"sqlite:///{tmp_path}/records.db"
    settings = Settings.model_validate({"records": {"url": url}})
    return Services(settings, clock=lambda: NOW)


def request(call_id: str) -> ApprovalRequest:
    return ApprovalRequest(
        thread_id="t1", call_id=call_id, tool="x", env_id=None, user_id="olga", role="operator",
        language="en", user_text="", requested={}, arguments={}, targets={}, digest="d",
        policy_version="p", card={}, expires_at=NOW + timedelta(minutes=15),
    )  # fmt: skip


def prepare(services: Services, state: str) -> None:
    approvals = services.records().approvals
    row = approvals.ask(request("c1"), NOW)
    if state == "asked":
        return
    approvals.approve(row.id, "d", "olga", NOW)
    if state == "approved":
        return
    row = approvals.begin(
        "t1", "c1", tool="x", requested={}, user_id="olga", policy_version="p", now=NOW
    )
    if state in ("done", "failed", "unknown"):
        approvals.finish(row.id, state, None, NOW)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "kind", "word", "after"),
    [
        (None, "cancelled", "did not run", None),
        ("asked", "cancelled", "did not run", "rejected"),
        ("approved", "cancelled", "did not run", "rejected"),
        ("executing", "unknown", "unknown", "unknown"),
        ("unknown", "unknown", "unknown", "unknown"),
        ("done", "error", "ran", "done"),
        ("failed", "error", "failed", "failed"),
    ],
)
async def test_open_call_is_answered_by_what_became_of_it(services, state, kind, word, after):
    if state is not None:
        await asyncio.to_thread(prepare, services, state)
    pending = pending_calls([HumanMessage("go"), asks(("x", {}))])
    answers = await settle(pending, "t1", OLGA, "en", services)
    assert answers["c1"].artifact["kind"] == kind
    assert word in answers["c1"].text
    rows = await services.store(lambda records: records.approvals.for_call("t1", "c1"))
    assert [row.state for row in rows] == ([after] if after else [])
    await services.aclose()


async def test_answers_are_put_behind_their_calls(services):
    node = InjectContext("Help.", services, OLGA)
    first, second = asks(("x", {}), ("y", {})), asks(("z", {}), prefix="d")
    told = ToolMessage("ok", tool_call_id="c2")
    messages = [HumanMessage("a"), first, told, HumanMessage("b"), second, HumanMessage("c")]
    fixed = (await node._repaired(messages, "t1", OLGA, "en"))[1:]
    kinds = [(type(one).__name__, getattr(one, "tool_call_id", None)) for one in fixed]
    assert kinds == [
        ("HumanMessage", None),
        ("AIMessage", None),
        ("ToolMessage", "c1"),
        ("ToolMessage", "c2"),
        ("HumanMessage", None),
        ("AIMessage", None),
        ("ToolMessage", "d1"),
        ("HumanMessage", None),
    ]
    await services.aclose()


async def test_long_words_are_cut_with_a_mark_and_kept_apart(services):
    node = InjectContext("Help.", services, OLGA)
    [_, cut] = await node._repaired([HumanMessage("слово " * 40_000)], "t1", OLGA, "ru")
    assert len(cut.text) <= 100_000
    assert cut.text.endswith("[...truncated]")
    assert await node._repaired([HumanMessage("short"), AIMessage("x")], "t1", OLGA, "ru") == []
    await services.aclose()
