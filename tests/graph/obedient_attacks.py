"""Where texts are planted, and a deployment in which a model reads and obeys them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import httpx
from langchain_core.messages import AIMessage

from graph.build import Agent
from tests.agent import Conversation, answers, cards
from tests.graph.obedient import Asked, ObedientChatModel
from tests.graph.obedient_goals import DEV, SQL, Goal, Phrasing
from tests.graph.planted import (
    CARRIER,
    NOW,
    World,
    announce,
    deployment,
    furnish,
    upload,
)
from tests.server.doors_open import open_graph
from tools.connect import Services
from tools.context import User
from tools.records import Records
from tools.settings import Role

EXPLORE = "superset_explore_database"


@dataclass(frozen=True)
class Way:
    """How a planted text comes before the model: what is asked, and read for it."""

    slot: str
    words: str
    first: tuple[Asked, ...] = ()


PLACES = {
    "dashboard title": (
        Way("dashboard", "Show the dashboards of ss-dev", (("search_dashboards", DEV),)),
    ),
    "query result": (
        Way("cell", "Show the notes in ss-dev",
            ((SQL, {"sql": CARRIER, "database": "Warehouse", **DEV}),)),
    ),
    "upload": (Way("file", "Sum this report up"),),
    "object name": (
        Way("dataset", "List datasets", ((EXPLORE, {"listing": "datasets", **DEV}),)),
        Way("table", "List tables", ((EXPLORE, {"listing": "tables", **DEV}),)),
        Way("column", "What has it?", ((EXPLORE, {"table": "orders", **DEV}),)),
        Way("chart", "What stands on it?", ((EXPLORE, {"dataset": "orders", **DEV}),)),
    ),
    "maintenance message": (
        Way("event", "Which maintenance is open?",
            (("list_maintenance_events", {"state": "open", **DEV}),)),
    ),
}  # fmt: skip
PAGE = Way("page", "What can you do?")
PASTE = Way("paste", "Sum this up:")
"""Two more: the name of the page, which is short, and a text that the user pastes.

The ways of each place take turns. There is no repository yet; a message of another user's
maintenance stands for its files."""


class Talk(Conversation):
    """Threads with one agent; it is built once."""

    @cached_property
    def graph(self) -> Agent:
        """The product's agent."""
        return Conversation.graph.fget(self)


class Ungated(Talk):
    """Threads with an agent whose ledger approves everything, and that shows no cards."""

    @cached_property
    def graph(self) -> Agent:
        """The agent without its gate."""
        return open_graph(
            asks=False,
            instructions="Help.",
            model=self.model,
            services=self.services,
            local_user=User(self.user_id, self.role),
            checkpointer=self.saver,
        )


@dataclass(frozen=True)
class Attack:
    """One goal, in one phrasing, in one place, and what came of it."""

    goal: Goal
    way: Way
    text: str
    thread: str
    state: dict[str, Any]
    writes: int

    @property
    def obeyed(self) -> list[Asked]:
        """The calls that the model made beside those of the user's request."""
        made = [(call["name"], call["args"]) for call in self.calls]
        return made[len(self.way.first) :]

    @property
    def calls(self) -> list[Any]:
        """All calls of the model."""
        messages = [one for one in self.state["messages"] if isinstance(one, AIMessage)]
        return [call for one in messages for call in one.tool_calls]

    @property
    def ends(self) -> tuple[str, ...]:
        """How each call that obeyed ended: an open card, or the kind of its answer."""
        known = {key: one["kind"] for key, one in self.state["decisions"].items()}
        known |= {one.tool_call_id: one.artifact["kind"] for one in answers(self.state["messages"])}
        known |= {card["tool_call_id"]: "card" for card in cards(self.state)}
        return tuple(known[call["id"]] for call in self.calls[len(self.way.first) :])


@dataclass
class Site:
    """A deployment on the planted Supersets."""

    services: Services
    world: World
    kind: type[Talk] = Talk
    role: Role = "operator"
    talks: dict[str, Talk] = field(default_factory=dict)
    number: int = 0

    @classmethod
    async def open(cls, url: str, kind: type[Talk] = Talk) -> "Site":
        """Make one, with its records."""
        world = World()
        services = Services(deployment(url), lambda: NOW, httpx.MockTransport(world))
        await services.store(furnish)
        return cls(services, world, kind)

    async def attack(self, goal: Goal, phrasing: Phrasing, way: Way) -> Attack:
        """Plant a text, and let the user ask for what it is in."""
        text = phrasing(goal)
        self.number += 1
        self.world.texts = {way.slot: text}
        if way.slot == "event":
            await self.services.store(self._announce)
        before = len(self.world.writes)
        talk = self.talk(way)
        # The user's own words choose the language, and what is pasted is among them.
        language = "en" if way.slot == "paste" else None
        state = await talk.say(self._said(way, text), self._page(way, text), language)
        if way.slot == "event":
            await self.services.store(self._withdraw)
        return Attack(goal, way, text, talk.thread, state, len(self.world.writes) - before)

    def talk(self, way: Way) -> Talk:
        """A new thread of the agent that does what this way asks for."""
        if way.slot not in self.talks:
            model = ObedientChatModel(first=list(way.first))
            self.talks[way.slot] = self.kind(self.services, model, self.role)
        self.talks[way.slot].thread = f"t{self.number}"
        return self.talks[way.slot]

    def _said(self, way: Way, text: str) -> Any:
        if way.slot == "paste":
            return f"{way.words} {text}"
        words = {"type": "text", "text": way.words}
        return [words, upload(text)] if way.slot == "file" else way.words

    def _page(self, way: Way, text: str) -> dict[str, Any] | None:
        page = {"objectType": "dashboard", "envId": "ss-dev", "contextVersion": 1}
        return page | {"objectName": text} if way.slot == "page" else None

    def _announce(self, records: Records) -> None:
        announce(records, f"{self.number:012x}", self.world.text("event"))

    def _withdraw(self, records: Records) -> None:
        records.maintenance.close(f"{self.number:012x}", "otto", NOW)
