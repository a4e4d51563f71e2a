"""What a turn puts on record of its calls: how long, how often, how many characters."""

import json
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage

from tests.agent import asks
from tests.doubles import ScriptedChatModel
from tools.connect import Services
from tools.records import AuditFilter, AuditRow, RecordsError, Stats

DEV = {"env_id": "ss-dev"}
SEARCH, START = "search_dashboards", "start_maintenance"


async def noted(services: Services, *kinds: str) -> list[AuditRow]:
    rows = await services.store(lambda records: records.audit.list(limit=1000))
    return [row for row in rows if row.kind in kinds]


async def sums(services: Services) -> Stats:
    return await services.store(lambda records: records.stats(AuditFilter()))


async def test_a_read_and_how_it_was_shortened_are_on_record(talk: Any, services: Services) -> None:
    call = DEV | {"limit": 100, "query": "password=hunter2"}
    state = await talk(asks((SEARCH, DEV | {"limit": 100})), asks((SEARCH, call), prefix="d"),
                       AIMessage(".")).say("go")  # fmt: skip
    long, short = [one for one in state["messages"] if one.type == "tool"]
    first, second = await noted(services, "executed")
    [shorter] = await noted(services, "shortened")
    assert (first.tool, first.env_id, first.user_id, first.call_id) == (
        SEARCH, "ss-dev", "olga", "c1",
    )  # fmt: skip
    assert first.detail["arguments"] == DEV | {"limit": 100}
    assert first.detail["outcome"] == "done"
    assert first.detail["attempts"] == 1
    assert {"again", "helped", "fault", "error"}.isdisjoint(first.detail)
    assert "hunter2" not in json.dumps(second.detail)
    assert shorter.detail["characters"] == first.detail["characters"]
    assert shorter.detail["sent"] == len(long.text) < first.detail["characters"]
    found = await sums(services)
    assert found.raw == first.detail["characters"] + second.detail["characters"]
    assert found.sent == len(long.text) + len(short.text)


@pytest.mark.parametrize("lasting", [False, True])
async def test_a_passing_fault_and_what_the_second_try_was_good_for(on: Any, lasting: bool) -> None:
    refused: list[str] = []

    async def busy(request: httpx.Request) -> httpx.Response | None:
        if request.url.path.endswith("/dashboard/") and (lasting or not refused):
            refused.append(request.url.path)
            return httpx.Response(429, headers={"Retry-After": "0"}, json={"message": "slow"})
        return None

    conversation, _ = on(busy)
    conversation.model = ScriptedChatModel(steps=[asks((SEARCH, DEV)), AIMessage(".")])
    await conversation.say("go")
    [row] = await noted(conversation.services, "executed")
    assert len(refused) == (2 if lasting else 1)
    expected = {
        "outcome": "failed" if lasting else "done",
        "attempts": 2,
        "fault": "busy",
        "again": 1,
        "helped": 0 if lasting else 1,
    }
    assert expected.items() <= row.detail.items()
    assert row.detail.get("error") == ("busy" if lasting else None)
    found = await sums(conversation.services)
    assert (found.met, found.saved) == (1, 0 if lasting else 1)


async def test_a_write_tells_how_it_went_with_its_outcome(talk: Any, services: Services) -> None:
    conversation = talk(asks((START, DEV | {"dashboards": ["usa"]})), AIMessage("."))
    await conversation.say("go")
    state = await conversation.approve()
    [row] = await noted(services, "outcome")
    assert row.detail["to"] == "done"
    assert row.detail["attempts"] == 1
    assert row.detail["ms"] > 0
    [answer] = [one for one in state["messages"] if one.type == "tool"]
    assert row.detail["characters"] == pytest.approx(len(answer.text), rel=0.1)
    assert await noted(services, "executed") == []


@pytest.mark.parametrize(
    ("fault", "end", "error"),
    [("refused", "failed", "ToolException"), ("lost", "unknown", "OutcomeUnknown")],
)
async def test_a_write_that_did_not_end_well_tells_the_fault(
    on: Any, fault: str, end: str, error: str
) -> None:
    async def refuse(request: httpx.Request) -> httpx.Response | None:
        if request.method != "PUT":
            return None
        if fault == "lost":
            raise httpx.ReadError("lost", request=request)
        return httpx.Response(403, json={"message": "no"})

    conversation, _ = on(refuse)
    call = asks((START, DEV | {"dashboards": ["usa"]}))
    conversation.model = ScriptedChatModel(steps=[call, AIMessage(".")])
    await conversation.say("go")
    await conversation.approve()
    [row] = await noted(conversation.services, "outcome", "unknown")
    assert {"to": end, "error": error, "attempts": 1}.items() <= row.detail.items()
    assert row.detail["ms"] >= 0
    found = await sums(conversation.services)
    assert (found.outcomes, found.errors) == ({end: 1}, {error: 1})


async def test_a_read_that_cannot_be_put_on_record_is_not_given_out(
    talk: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = await services.store(lambda records: records)
    usual = records.audit.append

    def refuse(kind: Any, **facts: Any) -> AuditRow:
        if kind == "executed":
            raise RecordsError("The records cannot be used: full")
        return usual(kind, **facts)

    monkeypatch.setattr(records.audit, "append", refuse)
    state = await talk(asks((SEARCH, DEV)), AIMessage(".")).say("go")
    [answer] = [one for one in state["messages"] if one.type == "tool"]
    assert (answer.status, answer.artifact["kind"]) == ("error", "error")
    assert "USA" not in answer.text
