from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from demo.supersets import Pair
from tests.agent import Conversation, answers, asks, deploy, planner
from tests.doubles import ScriptedChatModel
from tests.graph.auditing import audit_command, audit_rows, audit_url  # noqa: F401 - fixtures
from tests.graph.exploring import TOOL as EXPLORE
from tests.graph.exploring import Explore
from tests.network import Network
from tools.clients.superset import Superset
from tools.connect import Services
from tools.settings import Settings


@pytest.fixture
def settings(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    return deploy(pair, tmp_path, monkeypatch)


@pytest.fixture
async def services(settings: Settings) -> AsyncIterator[Services]:
    services = Services(settings)
    yield services
    await services.aclose()


@pytest.fixture
def talk(services: Services) -> Callable[..., Conversation]:
    """Make a conversation: with a script of model messages, or with the planner."""

    def make(*steps: Any, **facts: Any) -> Conversation:
        model = ScriptedChatModel(steps=list(steps)) if steps else planner(services.settings)
        return Conversation(services, model, **facts)

    return make


@pytest.fixture
def explore(talk: Callable[..., Conversation]) -> Explore:
    """Call `superset_explore_database` through the graph; gives its message."""

    async def call(
        role: Any = "viewer",
        ui: Any = None,
        language: Any = None,
        over: Services | None = None,
        words: str = "Look",
        environments: frozenset[str] | None = None,
        **arguments: Any,
    ) -> ToolMessage:
        given = {"env_id": "ss-dev"} if ui is None else {}
        steps = asks((EXPLORE, given | arguments)), AIMessage(".")
        conversation = talk(*steps, role=role, environments=environments)
        conversation.services = over or conversation.services
        (message,) = answers((await conversation.say(words, ui, language))["messages"])
        return message

    return call


@pytest.fixture
async def dev(services: Services) -> Superset:
    return services.superset("ss-dev", "admin")


@pytest.fixture
async def usa(dev: Superset) -> dict[str, Any]:
    """The page of the dashboard that the main job is about."""
    found = await dev.dashboard("usa")
    return {
        "objectType": "dashboard",
        "objectId": str(found.id),
        "envId": "ss-dev",
        "route": "/superset/dashboard/usa/",
        "contextVersion": 1,
    }


@pytest.fixture
async def on(settings: Settings) -> AsyncIterator[Callable[..., Conversation]]:
    """Make a conversation over a network of one's own."""
    made: list[Services] = []

    def make(before: Any, *, changed: Settings | None = None) -> tuple[Conversation, Network]:
        network = Network(before)
        made.append(Services(changed or settings, transport=network))
        return Conversation(made[-1], planner(settings)), network

    yield make
    for services in made:
        await services.aclose()
