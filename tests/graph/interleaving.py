"""An agent whose tools tell who called them from where, and a Superset that tells its account."""

import base64
import json
import re
from dataclasses import dataclass, field
from typing import Any

import httpx
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from tools.catalog import Catalog
from tools.connect import Call
from tools.context import ROLES, Language, Role
from tools.definition import EVERYONE, OPERATORS, Impact, Lexicon, Prepared, Toolset
from tools.settings import Settings, parse_settings
from tools.toolsets.results import RESULTS

STAGES = ("dev", "staging", "prod")
TOOLS = Toolset("interleaving")
WORDS: dict[str, Any] = {"lexicon": Lexicon(("thing",)), "ru": "Взгляни", "en": "Look"}


def settings(folder: Any) -> Settings:
    """An environment of each stage, with an account for each role."""

    def environment(stage: str) -> dict[str, Any]:
        accounts = [
            {"roles": [role], "username": f"{role}-of-{stage}", "password_env": f"SECRET_{role}"}
            for role in ROLES
        ]
        url = f"http://{stage}.invalid"
        return {"title": stage, "stage": stage, "url": url, "credentials": accounts}

    places = {stage: environment(stage) for stage in STAGES}
    records = {"url": f"sqlite:///{folder}/records.db"}
    return parse_settings({"environments": places, "records": records})


def superset(request: httpx.Request) -> httpx.Response:
    """Sign anybody in; every other answer is where it is, and the account of the token."""
    if request.url.path.endswith("/login"):
        name = json.loads(request.content)["username"]
        claims = json.dumps({"iat": 1000, "exp": 1900, "name": name}).encode()
        token = f"h.{base64.urlsafe_b64encode(claims).decode().rstrip('=')}.s"
        return httpx.Response(200, json={"access_token": token, "refresh_token": "r"})
    part = request.headers["authorization"].split(".")[1]
    name = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))["name"]
    return httpx.Response(200, json={"host": request.url.host, "account": name})


@dataclass
class Busy:
    """How many calls of tools ran at once, at most."""

    now: int = 0
    most: int = 0


BUSY = Busy()


async def facts(env_id: str, mark: str, call: Call) -> dict[str, Any]:
    """What a call knows of its user, read over the network in between."""
    BUSY.now += 1
    BUSY.most = max(BUSY.most, BUSY.now)
    there = await call.superset(env_id).request_json("GET", "/api/v1/thing")
    BUSY.now -= 1
    page = call.page.object_id if call.page else None
    who = {"user": call.user.id, "role": call.user.role, "thread": call.thread_id}
    known = who | {"language": call.language, "page": page, "mark": mark} | there
    call.emit({"type": "seen", **known})
    return known


@TOOLS.tool(effect="read", roles=EVERYONE, **WORDS)
async def look(env_id: str, mark: str, call: Call) -> Any:
    """Look; the answer is long, so that its whole is kept apart.

    Args:
        env_id: Where.
        mark: What only this turn says.
    """
    known = await facts(env_id, mark, call)
    return {"items": [known] * 30}


async def prepare(arguments: dict[str, Any], call: Call) -> Prepared:
    """Count over the network; what is found is the mark's."""
    known = await facts(arguments["env_id"], arguments["mark"], call)
    return Prepared(arguments, targets=known, impact=Impact(1), shown=(arguments["mark"],))


@TOOLS.tool(effect="write", roles=OPERATORS, prepare=prepare, **WORDS)
async def change(env_id: str, mark: str, call: Call) -> Any:
    """Change something.

    Args:
        env_id: Where.
        mark: What only this turn says.
    """
    return {"now": await facts(env_id, mark, call), "prepared": dict(call.targets)}


CATALOG = Catalog.of(TOOLS, RESULTS)


def obey(messages: list[BaseMessage]) -> AIMessage:
    """Make the calls that the last words are; all threads use the same ids of calls."""
    if isinstance(messages[-1], ToolMessage):
        return AIMessage("Done.")
    words = next(one for one in reversed(messages) if isinstance(one, HumanMessage))
    calls = json.loads(words.text)
    return AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": arguments, "id": f"c{number}"}
            for number, (name, arguments) in enumerate(calls)
        ],
    )


@dataclass(frozen=True)
class Identity:
    """A user as the server's authentication puts them into a run."""

    identity: str
    role: Role
    display_name: str = ""
    environments: None = None
    environment_roles: dict[str, Role] = field(default_factory=dict)
    is_authenticated: bool = True
    permissions: tuple[str, ...] = ()


@dataclass
class Tab:
    """A conversation of one user, with a language, a page and an environment of its own."""

    user: Identity
    number: int
    env_id: str
    language: Language
    turn: int = 0
    results: list[str] = field(default_factory=list)

    @property
    def thread(self) -> str:
        return f"thread-{self.user.identity}-{self.number}"

    @property
    def name(self) -> str:
        """How every mark of this conversation begins."""
        return f"mark-{self.user.identity}-{self.number}-"

    @property
    def mark(self) -> str:
        """What only this turn says."""
        return f"{self.name}{self.turn}"

    @property
    def page(self) -> str:
        return f"{self.number}0{len(self.user.identity)}"

    @property
    def context(self) -> dict[str, Any]:
        ui = {"objectType": "dashboard", "objectId": self.page, "envId": self.env_id}
        return {"ui": ui | {"route": "/x", "contextVersion": 1}, "language": self.language}

    @property
    def config(self) -> Any:
        return {"configurable": {"thread_id": self.thread, "langgraph_auth_user": self.user}}

    @property
    def known(self) -> dict[str, Any]:
        """What every call of this turn must know."""
        return {
            "user": self.user.identity,
            "role": self.user.role,
            "thread": self.thread,
            "language": self.language,
            "page": self.page,
            "mark": self.mark,
            "host": f"{self.env_id}.invalid",
            "account": f"{self.user.role}-of-{self.env_id}",
        }


def marks(value: Any) -> set[str]:
    """The conversations whose marks are in a value."""
    return set(re.findall(r"mark-[a-z]+-\d+-", str(value)))
