"""Two users in twenty conversations at once, on one graph: nothing of one is in another."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.build import Agent, build
from tests.agent import answers
from tests.doubles import ScriptedChatModel
from tests.graph.interleaving import (
    BUSY,
    CATALOG,
    STAGES,
    Identity,
    Tab,
    marks,
    obey,
    settings,
    superset,
)
from tools.connect import Services
from tools.context import ROLES
from tools.records import AuditRow, Records

TABS, TURNS = 10, 5
USERS = Identity("olga", "operator"), Identity("boris", "admin")
APPROVE = {"decisions": [{"type": "approve"}]}
KINDS = {"read_result": "error", "look": "result", "change": "result"}


@pytest.fixture
async def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Services]:
    for role in ROLES:
        monkeypatch.setenv(f"SECRET_{role}", "s")
    services = Services(settings(tmp_path), transport=httpx.MockTransport(superset))
    yield services
    await services.aclose()


@pytest.fixture
def model() -> ScriptedChatModel:
    return ScriptedChatModel(steps=[obey] * 1000)


@pytest.fixture
def graph(services: Services, model: ScriptedChatModel) -> Agent:
    return build(
        "test",
        instructions="Help.",
        catalog=CATALOG,
        model=model,
        services=services,
        checkpointer=InMemorySaver(),
    )


def opened() -> list[Tab]:
    """Languages, environments and pages change from tab to tab, and differ between users."""
    return [
        Tab(user, number, STAGES[(number + shift) % 3], ("en", "ru")[(number + shift) % 2])
        for number in range(TABS)
        for shift, user in enumerate(USERS)
    ]


async def run(graph: Agent, tab: Tab, given: Any) -> list[Any]:
    """One run of a conversation; what it tells on the custom stream."""
    context = tab.context if isinstance(given, dict) else None
    stream = graph.astream(given, tab.config, context=context, stream_mode="custom")
    return [event async for event in stream]


def others(tab: Tab, tabs: list[Tab]) -> tuple[Tab, Tab]:
    """The next conversation of the same user, and one of the other user."""
    mine = [one for one in tabs if one.user is tab.user]
    theirs = [one for one in tabs if one.user is not tab.user]
    return mine[(tab.number + 1) % TABS], theirs[tab.number]


def asks(tab: Tab, strange: list[Tab]) -> str:
    """A read, a write, and the results of other conversations."""
    given = {"env_id": tab.env_id, "mark": tab.mark}
    foreign = [result for other in strange for result in other.results[-1:]]
    reads = [["read_result", {"result_id": result}] for result in foreign]
    return json.dumps([["look", given], ["change", given], *reads])


async def card(graph: Agent, tab: Tab) -> dict[str, Any]:
    """The one open card of a conversation."""
    (interrupt,) = (await graph.aget_state(tab.config)).interrupts
    (shown,) = interrupt.value["guardrail"]["cards"]
    return dict(shown)


@dataclass
class Room:
    """All conversations, their open cards, and the moment when each has one."""

    tabs: list[Tab]
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    all_asked: asyncio.Barrier = field(default_factory=lambda: asyncio.Barrier(TABS * len(USERS)))

    def answer_for(self, other: Tab) -> Any:
        """An approval of another conversation's card."""
        shown = self.cards[other.thread]
        yes = {"type": "approve", "id": shown["id"], "digest": shown["digest"]}
        return Command(resume={"decisions": [yes]})


async def take_turn(graph: Agent, tab: Tab, room: Room) -> None:
    """Ask, answer with other conversations' cards, approve; compare all that was told."""
    mine, theirs = others(tab, room.tabs)
    words = asks(tab, [mine, theirs])
    events = await run(graph, tab, {"messages": [HumanMessage(words)]})
    shown = await card(graph, tab)
    room.cards[tab.thread] = shown
    if tab.turn == 0:
        await room.all_asked.wait()
        for other in (mine, theirs):
            events += await run(graph, tab, room.answer_for(other))
            assert await card(graph, tab) == shown
        await room.all_asked.wait()
    events += await run(graph, tab, Command(resume=APPROVE))
    state = await graph.aget_state(tab.config)

    told = [event for event in events if event["type"] == "confirm_required"]
    assert {(one["id"], one["digest"]) for one in told} == {(shown["id"], shown["digest"])}
    seen = [event for event in events if event["type"] == "seen"]
    assert seen == [{"type": "seen", **tab.known}] * 3  # prepared, looked, changed
    assert (shown["arguments"]["mark"], shown["user_text"]) == (tab.mark, words)
    assert shown["environment"]["id"] == tab.env_id
    assert marks([events, shown, state.values]) == {tab.name}
    check_answers(tab, state)
    tab.turn += 1


def check_answers(tab: Tab, state: Any) -> None:
    """Compare a conversation's last results with what its user had to get."""
    assert state.interrupts == ()
    facts = {key: state.values[key] for key in ("language", "page")}
    assert facts["language"] == tab.language
    assert (facts["page"]["objectId"], facts["page"]["envId"]) == (tab.page, tab.env_id)
    words = [index for index, one in enumerate(state.values["messages"]) if one.type == "human"]
    results = answers(state.values["messages"][words[-1] :])
    assert [one.artifact["kind"] for one in results] == [KINDS[one.name] for one in results]
    looked = json.loads(results[0].text)
    assert looked["items"]["items"][0] == tab.known
    tab.results.append(looked["result_id"])
    assert json.loads(results[1].text) == {"now": tab.known, "prepared": tab.known}


async def test_no_conversation_has_anything_of_another(
    graph: Agent, services: Services, model: ScriptedChatModel
) -> None:
    room = Room(opened())
    tabs = room.tabs

    async def converse(tab: Tab) -> None:
        for _ in range(TURNS):
            await take_turn(graph, tab, room)

    await asyncio.gather(*(converse(tab) for tab in tabs))

    assert BUSY.most > 2, "they did not run at once"
    for call in model.calls:
        (name,) = marks(call)
        (tab,) = [tab for tab in tabs if tab.name == name]
        briefing = call[0].text
        assert f"Answer in {'English' if tab.language == 'en' else 'Russian'}" in briefing
        assert f'"objectId": "{tab.page}"' in briefing
    await services.store(lambda records: check_records(records, tabs))


def check_records(records: Records, tabs: list[Tab]) -> None:
    """Every row of the records is of one conversation and its user."""
    rows = records.audit.list(limit=100_000)
    assert {row.thread_id for row in rows} == {tab.thread for tab in tabs}
    for tab in tabs:
        own = [row for row in rows if row.thread_id == tab.thread]
        check_audit(tab, own)
        calls = {str(row.call_id) for row in own if row.kind == "asked"}
        approvals = [one for call in calls for one in records.approvals.for_call(tab.thread, call)]
        assert len(approvals) == TURNS
        for one in approvals:
            assert (one.user_id, one.decided_by) == (tab.user.identity, tab.user.identity)
            assert (one.role, one.language, one.env_id) == (tab.user.role, tab.language, tab.env_id)
            assert marks(one) == {tab.name}
        assert len(set(tab.results)) == TURNS
        other = next(user.identity for user in USERS if user is not tab.user)
        for result in tab.results:
            kept = records.results.read(result, tab.user.identity)
            assert kept is not None
            assert (kept.thread_id, marks(kept.content)) == (tab.thread, {tab.name})
            assert records.results.read(result, other) is None


def check_audit(tab: Tab, rows: list[AuditRow]) -> None:
    """A conversation's rows are its user's; each turn was received, asked and carried out once."""
    assert {row.user_id for row in rows} == {tab.user.identity}
    assert {row.env_id for row in rows} <= {tab.env_id, None}
    assert marks(rows) <= {tab.name}
    kinds = [row.kind for row in rows]
    assert [kinds.count(kind) for kind in ("received", "asked", "decided")] == [TURNS] * 3
