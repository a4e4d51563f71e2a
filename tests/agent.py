"""The agent in this process, on real Supersets: what the graph tests talk to."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from demo.settings_files import write_config
from demo.supersets import Pair
from graph.build import Agent, build
from tools.catalog import SUPERSET, Catalog
from tools.connect import Services
from tools.context import Role, User
from tools.models import load_model
from tools.settings import Settings, load_settings

PAGE = {"objectType": "dashboard", "envId": "ss-dev", "route": "/x", "contextVersion": 1}


def deploy(pair: Pair, folder: Path, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Settings:
    """The settings of a deployment on the pair; its secrets are set for this test.

    A preview has time enough on a busy machine; tests of its limit set their own.
    """
    write_config(pair, folder, f"sqlite:///{folder}/records.db")
    for name, value in dotenv_values(folder / ".env").items():
        monkeypatch.setenv(name, value or "")
    settings = load_settings(folder / "pilothouse.toml")
    limits = settings.limits.model_copy(update={"preview_timeout": 120.0})
    return settings.model_copy(update={"limits": limits} | changes)


def asks(*calls: tuple[str, dict[str, Any]], prefix: str = "c") -> AIMessage:
    """A model's message that asks for tools; the calls are `c1`, `c2`, ..."""
    return AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": args, "id": f"{prefix}{number}"}
            for number, (name, args) in enumerate(calls, start=1)
        ],
    )


@dataclass
class Conversation:
    """A thread with the agent."""

    services: Services
    model: BaseChatModel
    role: Role | None = "operator"
    user_id: str = "olga"
    thread: str = "t1"
    catalog: Catalog = SUPERSET
    environments: frozenset[str] | None = None
    roles: dict[str, Role] = field(default_factory=dict)
    until: float | None = None
    saver: InMemorySaver = field(default_factory=InMemorySaver)

    @property
    def graph(self) -> Agent:
        """The agent for this user."""
        facts: dict[str, Any] = {"environments": self.environments, "roles": self.roles}
        user = User(self.user_id, self.role, until=self.until, **facts) if self.role else None
        return build(
            "test",
            instructions="Help.",
            catalog=self.catalog,
            model=self.model,
            services=self.services,
            local_user=user,
            checkpointer=self.saver,
        )

    @property
    def config(self) -> Any:
        """The thread's configuration."""
        return {"configurable": {"thread_id": self.thread}}

    async def say(self, words: str, ui: dict[str, Any] | None = None, language: Any = None) -> Any:
        """Send a message; returns the state."""
        context = {"ui": ui, "language": language}
        given = {key: value for key, value in context.items() if value is not None}
        return await self.graph.ainvoke({"messages": [("user", words)]}, self.config, context=given)

    async def answer(self, value: Any) -> Any:
        """Answer the open cards; returns the state."""
        return await self.graph.ainvoke(Command(resume=value), self.config)

    async def events(self, given: Any, language: Any = None) -> list[Any]:
        """What a run tells on the custom stream; `given` is words, or a command."""
        input_ = {"messages": [("user", given)]} if isinstance(given, str) else given
        context = {"language": language} if language else {}
        graph, config = self.graph, self.config
        stream = graph.astream(input_, config, context=context, stream_mode="custom")
        return [event async for event in stream]

    async def approve(self) -> Any:
        """Approve the one open card."""
        return await self.answer({"decisions": [{"type": "approve"}]})


def cards(state: Any) -> list[dict[str, Any]]:
    """The open cards of a state."""
    interrupts = state.get("__interrupt__", ())
    return interrupts[0].value["guardrail"]["cards"] if interrupts else []


def answers(messages: Iterable[AnyMessage]) -> list[ToolMessage]:
    """The tool messages."""
    return [message for message in messages if isinstance(message, ToolMessage)]


def planner(settings: Settings) -> BaseChatModel:
    """The embedded planner of a deployment."""
    return load_model(settings)
