"""What a user may try with another user's ids: at least one request for each route of the server.

`{thread}`, `{run}`, ... in a path or body stand for the ids of the owner.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from tests.server.known_routes import HIDDEN_ROUTES, META_ROUTES, PAGE_ROUTES

Answer = Literal["refused", "nothing", "own", "common", "public", "hidden", "socket"]
"""What a stranger gets.

    refused: an error that tells of nothing, as for ids that nobody has.
    nothing: `found`, which is what somebody without threads gets.
    own: something of the stranger's, made with the owner's ids beside.
    common: what the deployment shows to every user.
    public: what it shows to anybody.
    hidden: no route at all.
    socket: see the test of the socket.
"""

Route = tuple[str, str]


@dataclass(frozen=True)
class Try:
    """One request with ids of the owner.

    Attributes:
        method: Of HTTP.
        path: As the server declares it, so that it can be compared with the server's list.
        answer: What a stranger gets.
        body: JSON.
        query: Appended to the path.
        found: The JSON of an answer with nothing in it.
        owned: Whether the owner would be answered: not where nobody may do it.
    """

    method: str
    path: str
    answer: Answer = "refused"
    body: Any = None
    query: str = ""
    found: Any = None
    owned: bool = True

    @property
    def route(self) -> Route:
        """What it tries."""
        return self.method, self.path

    @property
    def target(self) -> str:
        """Path and query, with the placeholders of our ids."""
        path = self.path.replace("_id}", "}").replace("{namespace}", "x")
        return path + self.query

    def __str__(self) -> str:
        """Name of a test: the route, and what tells it from others."""
        return " ".join([*self.route, self.query, str(self.body or "")[:90]]).strip()


THREAD, RUN, ASSISTANT = "/threads/{thread_id}", "/runs/{run_id}", "/assistants/{assistant_id}"
START = {"assistant_id": "probe", "input": {}}
RESUME = {"assistant_id": "probe", "command": {"resume": "yes"}}
SCHEDULE = START | {"schedule": "* * * * *"}
PLACE = {"thread_id": "{thread}", "checkpoint_id": "{checkpoint}"}
ELSEWHERE = [
    {"config": {"configurable": PLACE | {"checkpoint_ns": ""}}},
    {"checkpoint": PLACE},
    {"checkpoint_id": "{checkpoint}"},
    {"thread_id": "{thread}", "if_not_exists": "create"},
    {"metadata": PLACE},
]
"""Ways to name a place that is not in the path: a run without a thread must go to none of them."""

STRATEGIES: list[dict[str, Any]] = [
    {},
    *({"multitask_strategy": name} for name in ("reject", "rollback", "interrupt", "enqueue")),
    {"checkpoint_id": "{checkpoint}"},
    {"if_not_exists": "create"},
    {"if_not_exists": "create", "multitask_strategy": "rollback"},
]
FILTERS: list[dict[str, Any]] = [
    {"metadata": {"owner": "{owner}"}},
    {"metadata": {"topic": "{secret}"}},
    {"ids": ["{thread}"]},
    {"status": "interrupted"},
    {"status": "busy"},
]
"""Threads that only the owner has."""

WAYS = [
    *(("", how) for how in STRATEGIES),
    *product(["/wait", "/stream"], ({}, STRATEGIES[2], STRATEGIES[-1])),
]
"""All of these take the same path in the server; a run that is waited for takes a second."""

RUNS = [
    *(Try("POST", f"{THREAD}/runs{way}", body=START | how) for way, how in WAYS),
    *(Try("POST", f"{THREAD}/runs{way}", body=RESUME) for way in ("", "/wait", "/stream")),
    *(
        Try("POST", f"/runs{way}", "own", START | place)
        for way, place in product(["", "/wait", "/stream"], ELSEWHERE)
    ),
    Try("POST", "/runs/batch", "own", [START | place for place in ELSEWHERE]),
    Try("POST", "/runs/wait", body=RESUME | ELSEWHERE[0], owned=False),
    Try("GET", f"{THREAD}/runs"),
    Try("GET", f"{THREAD}{RUN}"),
    Try("DELETE", f"{THREAD}{RUN}"),
    Try("GET", f"{THREAD}{RUN}/join"),
    Try("GET", f"{THREAD}{RUN}/stream"),
    Try("POST", f"{THREAD}{RUN}/cancel"),
    Try("POST", f"{THREAD}{RUN}/cancel", query="?action=rollback"),
    Try("POST", "/runs/cancel", body={"thread_id": "{thread}", "run_ids": ["{run}"]}),
    Try("POST", "/runs/cancel", body={"status": "all"}),
]

THREADS = [
    Try("POST", "/threads", "own", {"metadata": {"owner": "{owner}"}}),
    *(
        Try("POST", "/threads", body={"thread_id": "{thread}", "if_exists": then}, owned=False)
        for then in ("raise", "do_nothing")
    ),
    *(Try("POST", "/threads/search", "nothing", body, found=[]) for body in FILTERS),
    *(Try("POST", "/threads/count", "nothing", body, found=0) for body in FILTERS),
    Try("POST", "/threads/search", "own", {"limit": 1000}),
    Try("POST", "/threads/prune", body={"thread_ids": ["{thread}"]}),
    Try("GET", THREAD),
    Try("PATCH", THREAD, body={"metadata": {"owner": "eve"}}),
    Try("DELETE", THREAD),
    Try("POST", f"{THREAD}/copy"),
    Try("GET", f"{THREAD}/history"),
    Try("POST", f"{THREAD}/history", body={}),
    Try("GET", f"{THREAD}/state"),
    Try("GET", f"{THREAD}/state/{{checkpoint_id}}"),
    Try("POST", f"{THREAD}/state/checkpoint", body={"checkpoint": PLACE}),
    Try("POST", f"{THREAD}/state", body={"values": {"ask": False}, "as_node": "look"}),
    Try("GET", f"{THREAD}/storage"),
    Try("GET", f"{THREAD}/stream"),
    Try("POST", f"{THREAD}/commands", body={"id": 1, "method": "run.start", "params": START}),
    Try("POST", f"{THREAD}/stream/events", "own", {"channels": ["values", "input", "lifecycle"]}),
    Try("WEBSOCKET", f"{THREAD}/stream/events", "socket"),
]

CRONS = [
    # There are none: nobody's role would be theirs.
    Try("POST", "/runs/crons", body=SCHEDULE | {"thread_id": "{thread}"}, owned=False),
    Try("POST", f"{THREAD}/runs/crons", body=SCHEDULE, owned=False),
    Try("POST", "/runs/crons/search", "nothing", {"thread_id": "{thread}"}, found=[], owned=False),
    Try("POST", "/runs/crons/count", "nothing", {"thread_id": "{thread}"}, found=0, owned=False),
    Try("GET", "/runs/crons/{cron_id}", owned=False),
    Try("PATCH", "/runs/crons/{cron_id}", body={"enabled": False}, owned=False),
    Try("DELETE", "/runs/crons/{cron_id}", owned=False),
]

ITEM = {"namespace": ["users", "{owner}", "notes"], "key": "{key}"}
SPACE: dict[str, Any] = {"namespace_prefix": ["users", "{owner}"]}
STORE = [
    Try("GET", "/store/items", "nothing", query="?namespace=users.{owner}.notes&key={key}"),
    Try("GET", "/store/items", "nothing", query="?namespace=notes&key={key}"),
    Try("POST", "/store/items/search", "nothing", SPACE, found={"items": []}),
    Try("POST", "/store/items/search", "own", {"namespace_prefix": []}),
    Try("POST", "/store/namespaces", "own", {}),
    Try("POST", "/store/namespaces", "own", {"prefix": ["users", "{owner}"]}),
    Try("DELETE", "/store/items", "own", ITEM),
    Try("PUT", "/store/items", "own", ITEM | {"key": "k", "value": {"by": "a stranger"}}),
    Try("PUT", "/store/items", "own", ITEM | {"value": {"by": "a stranger"}}),
    Try("DELETE", "/store/items", "own", ITEM),
]

FAKE: dict[str, Any] = {"graph_id": "probe", "assistant_id": "{assistant}"}
ASSISTANTS = [
    # They are the deployment's: everybody reads them, and only their maker changes them.
    Try("POST", "/assistants", body=FAKE, owned=False),
    Try("POST", "/assistants", body=FAKE | {"if_exists": "do_nothing"}),
    Try("POST", "/assistants/search", "common", {}),
    Try("POST", "/assistants/count", "common", {}),
    Try("GET", ASSISTANT, "common"),
    *(Try("GET", f"{ASSISTANT}/{part}", "common") for part in ("graph", "schemas", "subgraphs")),
    Try("GET", f"{ASSISTANT}/subgraphs/{{namespace}}", "common"),
    Try("POST", f"{ASSISTANT}/versions", "common", {}),
    Try("PATCH", ASSISTANT, body={"name": "taken"}),
    Try("POST", f"{ASSISTANT}/latest", body={"version": 1}),
    Try("DELETE", ASSISTANT),
]

DESK = [
    # Ids of cards: tests of the product's own server try real ones.
    Try("GET", "/agent/approvals", "own", query="?card={run}"),
    Try(
        "POST",
        "/agent/approvals",
        body={"id": "{run}", "digest": "x", "decision": "approve"},
        owned=False,
    ),
]

TRIES = [*RUNS, *THREADS, *CRONS, *STORE, *ASSISTANTS, *DESK]


def open_routes() -> Iterator[Try]:
    """Routes that know no user."""
    for path in META_ROUTES | PAGE_ROUTES:
        yield Try("GET", path, "public")
    for path in HIDDEN_ROUTES - {"/internal/truncate"}:
        yield Try("GET", path, "hidden")
    for path in ("/deploy", "/internal/truncate"):
        yield Try("POST", path, "hidden", {})


OPEN = sorted(open_routes(), key=str)
