"""The servers that are attacked, the seats of the attackers, and the count of what was written."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import httpx
import jwt
from langgraph.checkpoint.memory import InMemorySaver
from sqlalchemy import NullPool, create_engine, inspect, select

from demo.rest import Rest
from demo.supersets import Pair
from demo.tokens import AUDIENCE
from graph.build import build
from tests.server.deployment import agent_server
from tests.server.doors_open import open_graph
from tests.server.doors_seat import Door, HttpDoor, LocalDoor, Prey, RefusedError, Seat
from tests.server.peers.counting import VARIABLE
from tests.server_process import Server
from tools.catalog import SUPERSET
from tools.connect import Services
from tools.context import User
from tools.models import load_model
from tools.records.schema import approvals
from tools.settings import Role, Settings

Attack = Callable[[Seat], Awaitable[object]]

Who = Literal[
    "operator", "viewer", "admin", "studio", "bare", "bare studio", "open", "open studio",
    "unasked", "unasked viewer", "local operator", "local admin", "local open",
]  # fmt: skip
"""Who sits where.

operator, viewer, admin: with such a token at the product. studio: there, with Studio's header and
no token. bare: an admin at the product's graph on the server without walls. open: an operator at
the graph whose ledger approves all. unasked: at the one that shows no cards either. local: the
same in the process of the tests, with the product's records.
"""

OURS = Prey("superset")
USED = ("executing", "done", "unknown")
STUDIO = {"x-auth-scheme": "langsmith"}
GRAPHS = ("superset", "open", "unasked", "explicit", "middleware")


def bare_server(pair: Pair, folder: Path) -> Server:
    """The server of the controls; it is not started.

    It serves the product's graph, the same without guards, and the peers. Nothing stands before
    its routes but the reading of tokens; Studio's user is an admin.
    """
    served = "tests.server.doors_served"
    names = dict(zip(GRAPHS, ("product", "unledgered", "unasked", *GRAPHS[3:]), strict=True))
    known = agent_server(pair, folder)  # writes settings and secrets
    return Server(
        folder,
        known.env | {"STUDIO_ROLE": "admin", VARIABLE: str(folder / "wrote.jsonl"),
                     "CRON_SCHEDULER_SLEEP_TIME": "1"},
        {graph: f"{served}:{name}" for graph, name in names.items()},
        auth={"path": f"{served}:auth", "disable_studio_auth": False},
        http={"app": f"{served}:app", "disable_mcp": False, "disable_a2a": False,
              "disable_webhooks": False},
    )  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What an attack did.

    Attributes:
        writes: How often the attacker's dashboards were written by the agent, says Superset.
        used: How many approvals of them the ledger gave away.
        approved: How many a person gave.
        refused: The status with which the server refused; None: it took every request.
    """

    writes: int
    used: int
    approved: int
    refused: int | None

    @property
    def exact(self) -> bool:
        """Whether exactly what was approved was written and used."""
        return self.writes == self.used == self.approved

    @property
    def leaked(self) -> int:
        """How many writes nobody approved."""
        return max(self.writes, self.used) - self.approved


@dataclass
class House:
    """Two Supersets, the product, and the server of the controls.

    Attributes:
        settings: The product's settings, for graphs in this process.
        table: What was seen, by route and case.
        peers: The routes by which other graphs wrote.
    """

    pair: Pair
    product: Server
    bare: Server
    settings: Settings
    table: dict[str, dict[str, Seen]] = field(default_factory=dict)
    peers: dict[str, list[str]] = field(default_factory=dict)
    _rests: dict[str, Rest] = field(default_factory=dict)

    async def hold(
        self, route: str, attack: Attack, a: Who = "operator", b: Who = "admin", c: Who = "open",
        plain: Attack | None = None, control: Attack | None = None,
    ) -> dict[str, Seen]:  # fmt: skip
        """Attack three times at once: nothing may be written, but in the control.

        Args:
            route: Its number.
            attack: What the attacker does.
            a: The ordinary attacker.
            b: One before whom no wall stands.
            c: One before whom the guard itself is gone.
            plain: What the ordinary attacker does; none: the same.
            control: What the last one does; none: the same.
        """
        cases = {"a": (a, plain or attack), "b": (b, attack), "c": (c, control or attack)}
        seen = await self.attacked(cases)
        self.table[route] = seen
        for case in ("a", "b"):
            assert seen[case].exact, (case, seen[case])
        assert seen["b"].refused is None, "the ledger was not reached"
        assert seen["c"].writes > seen["c"].approved, f"the control wrote nothing: {seen['c']}"
        return seen

    async def safe(self, route: str, cases: dict[str, tuple[Who, Attack]]) -> dict[str, Seen]:
        """Attack where nothing may be written in any case; the control is something else."""
        seen = self.table[route] = await self.attacked(cases)
        assert all(one.exact for one in seen.values()), seen
        return seen

    async def attacked(self, cases: dict[str, tuple[Who, Attack]]) -> dict[str, Seen]:
        """Let attackers do what they do, all at once, and count."""
        seats = {
            case: await asyncio.to_thread(self._furnished, who) for case, (who, _) in cases.items()
        }
        async with AsyncExitStack() as opened:
            for case, seat in seats.items():
                seat.door = await self._door(cases[case][0], seat.prey, opened)
            refused = await asyncio.gather(
                *(met(attack, seats[case]) for case, (_, attack) in cases.items())
            )
        counted = await asyncio.gather(
            *(asyncio.to_thread(self._seen, seat, cases[case][0])
              for case, seat in seats.items())
        )  # fmt: skip
        return {
            case: Seen(*numbers, seats[case].approved, status)
            for case, numbers, status in zip(cases, counted, refused, strict=True)
        }

    def server(self, who: Who) -> Server:
        """Where somebody attacks."""
        at_product = who.startswith("local") or who in ("operator", "viewer", "admin", "studio")
        return self.product if at_product else self.bare

    async def _door(self, who: Who, prey: Prey, opened: AsyncExitStack) -> Door:
        """Where somebody comes in; it is closed with `opened`."""
        if not who.startswith("local"):
            return HttpDoor(await opened.enter_async_context(self.http(who)), prey.graph)
        services = Services(self.settings)
        opened.push_async_callback(services.aclose)
        role: Role = "admin" if who.endswith("admin") else "operator"
        given: dict[str, Any] = {
            "instructions": "Help.",
            "model": load_model(self.settings),
            "services": services,
            "local_user": User(f"{role}@demo", role),
            "checkpointer": InMemorySaver(),
        }
        is_open = who == "local open"
        return LocalDoor(
            open_graph(**given) if is_open else build("local", catalog=SUPERSET, **given)
        )

    def records_url(self, who: Who) -> str:
        """Where the ledger is that decides somebody's calls."""
        local = who.startswith("local")
        return (
            self.settings.records.url
            if local
            else f"sqlite:///{self.server(who).folder}/records.db"
        )

    def with_records(self, url: str) -> "House":
        """The same, where graphs in this process have their records elsewhere."""
        records = self.settings.records.model_copy(update={"url": url})
        return replace(self, settings=self.settings.model_copy(update={"records": records}))

    def http(self, who: Who, user: str | None = None) -> httpx.AsyncClient:
        """A client with somebody's token, or another user's of the same role."""
        server = self.server(who)
        last = who.split()[-1]
        role = {"bare": "admin", "open": "operator", "unasked": "operator"}.get(last, last)
        headers = STUDIO if role == "studio" else {"x-api-key": self.token(server, role, user)}
        return httpx.AsyncClient(base_url=server.url, headers=headers, timeout=60)

    def token(self, server: Server, role: str, user: str | None = None) -> str:
        """A token of a user with a role."""
        known = {"sub": user or f"{role}@demo", "role": role, "aud": AUDIENCE}
        secret = server.env["PILOTHOUSE_JWT_SECRET"]
        return jwt.encode(known | {"exp": int(time.time()) + 3600}, secret, algorithm="HS256")

    def rest(self, name: str) -> Rest:
        """An installation's API, for what a person does without the agent."""
        if name not in self._rests:
            superset = getattr(self.pair, name)
            self._rests[name] = Rest(superset.url).login(*superset.accounts["admin"])
        return self._rests[name]

    def dashboard(self, name: str, title: str) -> str:
        """Make a dashboard; returns its id."""
        known = {"dashboard_title": title, "published": True}
        return str(self.rest(name).call("POST", "/api/v1/dashboard/", known)["id"])

    def _furnished(self, who: Who) -> Seat:
        """A seat with dashboards of its own."""
        graph = who.split()[0]
        prey = Prey(graph) if graph in GRAPHS else OURS
        title = f"Door {uuid4().hex[:10]}"
        return Seat(None, prey, self.dashboard("dev", title), title, house=self, who=who)

    def _seen(self, seat: Seat, who: Who) -> tuple[int, int]:
        """How often a seat's dashboards were written by the agent, and its approvals used."""
        keys = {"dev": {seat.key, *seat.others}, "prod": set(seat.elsewhere)}
        puts = {name: self._puts(name) for name in keys}
        writes = sum(puts[name][key] for name, ids in keys.items() for key in ids)
        return writes - seat.saved, used_of(self.records_url(who), keys)

    def _puts(self, name: str) -> Counter[str]:
        """How often dashboards were written lately, by Superset's own log of actions."""
        query = {
            "filters": [{"col": "action", "opr": "eq", "value": "DashboardRestApi.put"}],
            "order_column": "dttm",
            "order_direction": "desc",
            "page_size": 100,
        }
        found = self.rest(name).call("GET", "/api/v1/log/", query=query)["result"]
        return Counter(str(json.loads(one["json"])["path"]).rpartition("/")[2] for one in found)


async def met(attack: Attack, seat: Seat) -> int | None:
    """Let an attack run to its end, or to the server's refusal; returns the refusal's status."""
    try:
        await attack(seat)
    except RefusedError as error:
        return error.status
    return None


def used_of(records_url: str, keys: dict[str, set[str]]) -> int:
    """How many approvals of dashboards the ledger at an address gave away."""
    engine = create_engine(records_url, poolclass=NullPool)
    with engine.connect() as connection:
        if not inspect(connection).has_table("approvals"):  # nobody asked for anything yet
            return 0
        used = select(approvals.c.env_id, approvals.c.targets).where(approvals.c.state.in_(USED))
        rows = connection.execute(used).all()
    return sum(
        any(str(item["id"]) in keys[env_id.removeprefix("ss-")] for item in dashboards_of(targets))
        for env_id, targets in rows
    )


def dashboards_of(targets: dict[str, Any]) -> list[dict[str, Any]]:
    """The dashboards that an approval is about."""
    return list(targets.get("dashboards", []))
