"""Two users with two tabs each, at once on the served product: all belongs to its own tab."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient

from demo.supersets import Pair
from tests.server.deployment import forget_events, token_for
from tests.server_process import Server
from tools.clients.superset import Account, Superset, SupersetConfig
from tools.records import AuditRow, Records

APPROVE = {"decisions": [{"type": "approve"}]}
READ = {
    "en": "Run `select '{mark}' as mark, * from customers` in the database Analytics",
    "ru": "Выполни запрос `select '{mark}' as mark, * from customers` в базе Analytics",
}
START = {
    "en": 'Start maintenance with the message "{mark}"',
    "ru": "Запусти обслуживание с сообщением «{mark}»",
}
END = {"en": "End maintenance", "ru": "Заверши обслуживание"}


@dataclass
class Tab:
    """A conversation: whose it is, where its page is, and all that was told in it."""

    user: str
    role: str
    language: str
    env_id: str
    dashboard: Any
    client: LangGraphClient
    thread: str = ""
    told: list[Any] = field(default_factory=list)
    cards: list[dict[str, Any]] = field(default_factory=list)

    @property
    def mark(self) -> str:
        return f"mark-{self.user}-{self.dashboard.id}-"

    def context(self, words: dict[str, str]) -> Any:
        """The page: SQL is run beside any dashboard, all else on one."""
        place = {"envId": self.env_id, "route": "/x", "contextVersion": 1}
        board = {"objectType": "dashboard", "objectId": str(self.dashboard.id)}
        return {"ui": place | ({} if words is READ else board), "language": self.language}

    async def run(self, **given: Any) -> Any:
        """One run; the events that its stream told, and the state after it."""
        stream = self.client.runs.stream(
            self.thread, "superset", stream_mode=["custom", "values", "messages-tuple"], **given
        )
        self.told += [(part.event, part.data) async for part in stream]
        state = await self.client.threads.get_state(self.thread)
        self.told.append(state)
        return state

    async def say(self, words: dict[str, str]) -> Any:
        text = words[self.language].replace("{mark}", self.mark)
        message = {"messages": [{"role": "user", "content": text}]}
        return await self.run(input=message, context=self.context(words))

    async def asks(self, words: dict[str, str]) -> dict[str, Any]:
        """Say what a card answers; the card."""
        state = await self.say(words)
        assert state["interrupts"], state["values"]["messages"][-1]["content"]
        [card] = state["interrupts"][0]["value"]["guardrail"]["cards"]
        self.cards.append(card)
        return dict(card)


@pytest.fixture
async def tabs(agent: Server, pair: Pair) -> AsyncIterator[list[Tab]]:
    """Users in different environments, roles and languages; each tab on another dashboard."""
    await asyncio.to_thread(forget_events, agent)
    people = [("olga", "operator", "en", "ss-dev", pair.dev)]
    people += [("boris", "admin", "ru", "ss-prod", pair.prod)]
    made: list[Tab] = []
    for *who, place in people:
        superset = Superset(SupersetConfig(place.url), Account(*place.accounts["admin"]))
        for dashboard in (await superset.search_dashboards("a", published=True, limit=2)).items:
            client = agent.client(token_for(agent, who[1], sub=who[0]))
            made.append(Tab(*who, dashboard, client))
            made[-1].thread = (await client.threads.create())["thread_id"]
        await superset.aclose()
    yield made
    for tab in made:
        await tab.client.aclose()


def marks(value: Any) -> set[str]:
    return set(re.findall(r"mark-[a-z]+-\d+-", json.dumps(value, default=str)))


async def test_all_that_is_told_belongs_to_its_own_tab(agent: Server, tabs: list[Tab]) -> None:
    await asyncio.gather(*(tab.say(READ) for tab in tabs))
    cards = await asyncio.gather(*(tab.asks(START) for tab in tabs))
    assert len({card["id"] for card in cards}) == len(tabs)

    # The other tab's card, and the other user's: the own one stays.
    for shift in (1, 2):
        others = cards[shift:] + cards[:shift]
        await asyncio.gather(*(keeps(*one) for one in zip(tabs, cards, others, strict=True)))
    await asyncio.gather(*(intrude(tab, tabs[index - 2]) for index, tab in enumerate(tabs)))

    for words in (END, None):
        await asyncio.gather(*(tab.run(command={"resume": APPROVE}) for tab in tabs))
        if words:
            await asyncio.gather(*(tab.asks(words) for tab in tabs))

    rows = await asyncio.to_thread(written, agent, tabs)
    for tab in tabs:
        check_told(tab)
        check_written(tab, [row for row in rows if row.thread_id == tab.thread])


async def keeps(tab: Tab, own: dict[str, Any], other: dict[str, Any]) -> None:
    """Answer with the card of another conversation; one's own is shown again as it was."""
    yes = {"type": "approve", "id": other["id"], "digest": other["digest"]}
    state = await tab.run(command={"resume": {"decisions": [yes]}})
    assert state["interrupts"][0]["value"]["guardrail"]["cards"] == [own]


async def intrude(tab: Tab, other: Tab) -> None:
    """Go on in a conversation of the other user."""
    assert tab.user != other.user
    for given in ({"command": {"resume": APPROVE}}, {"input": {}, "if_not_exists": "create"}):
        with pytest.raises(httpx.HTTPStatusError, match="404"):
            await tab.client.runs.wait(
                other.thread, "superset", context=tab.context(START), **given
            )


def check_told(tab: Tab) -> None:
    """Compare what a conversation's streams and states told with what is its own."""
    assert marks(tab.told) == {tab.mark}
    assert {card["environment"]["id"] for card in tab.cards} == {tab.env_id}
    custom = [part[1] for part in tab.told if isinstance(part, tuple) and part[0] == "custom"]
    shown = {event["id"] for event in custom if event.get("type") == "confirm_required"}
    assert shown == {card["id"] for card in tab.cards}
    values = tab.told[-1]["values"]
    assert (values["language"], values["page"]["envId"]) == (tab.language, tab.env_id)
    assert values["page"]["objectId"] == str(tab.dashboard.id)
    results = [one for one in values["messages"] if one["type"] == "tool"]
    assert [one["artifact"]["kind"] for one in results] == ["result"] * 3
    words = [one["content"] for one in values["messages"] if one["type"] == "ai"]
    assert bool(re.match("[А-Я]", words[-1])) == (tab.language == "ru")  # titles are in any


def written(agent: Server, tabs: list[Tab]) -> list[AuditRow]:
    """The audit; the records of results and cards are compared on the way."""
    records = Records.open(f"sqlite:///{agent.folder}/records.db")
    try:
        for tab in tabs:
            for card in tab.cards:
                row = records.approvals.get(card["id"])
                assert row is not None
                assert (row.thread_id, row.user_id, row.state) == (tab.thread, tab.user, "done")
                assert (row.decided_by, row.env_id, row.role) == (tab.user, tab.env_id, tab.role)
            read = next(one for one in tab.told[-1]["values"]["messages"] if one["type"] == "tool")
            result_id = json.loads(read["content"])["result_id"]
            kept = records.results.read(result_id, tab.user)
            assert kept is not None
            assert (kept.thread_id, marks(kept.content)) == (tab.thread, {tab.mark})
        return records.audit.list(limit=100_000)
    finally:
        records.close()


def check_written(tab: Tab, rows: list[AuditRow]) -> None:
    """A conversation's rows of the audit are its user's, and tell of nobody else."""
    assert {row.user_id for row in rows} == {tab.user}
    assert {row.env_id for row in rows} <= {None, tab.env_id}
    assert marks(rows) == {tab.mark}
    kinds = [row.kind for row in rows]
    assert (kinds.count("received"), kinds.count("asked"), kinds.count("decided")) == (3, 2, 2)
