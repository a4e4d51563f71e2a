"""Which model a deployment gets, and what it says when it cannot have it."""

import asyncio
from importlib.machinery import ModuleSpec
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.messages.ai import add_ai_message_chunks

from tests.openai_stub import Reply, openai_stub
from tests.tools.planner_tools import MINI
from tools.models import EmbeddedPlanner, EnvironmentName, load_model
from tools.models import loader as loading
from tools.settings import Settings, SettingsError, parse_settings

ENVIRONMENT = {"title": "Development", "stage": "dev", "url": "http://127.0.0.1:1"}


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PILOTHOUSE_MODEL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "STUB_KEY"):
        monkeypatch.delenv(name, raising=False)


def settings(**model: Any) -> Settings:
    return parse_settings({"model": model, "environments": {"dev": ENVIRONMENT}})


def test_no_name_is_the_embedded_planner() -> None:
    model = load_model(settings())
    assert isinstance(model, EmbeddedPlanner)
    assert model.environments == (EnvironmentName("dev", "Development", "dev"),)
    assert model.known == ()


def test_the_planner_knows_the_tools_that_are_not_offered() -> None:
    model = load_model(settings(), tuple(MINI))
    assert isinstance(model, EmbeddedPlanner)
    assert model.known == tuple(MINI)


async def test_a_streamed_tool_call_over_the_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", "sesame")
    call = ("call_1", "start_maintenance", '{"dashboards": ["Продажи"]}')
    replies = [Reply("So be it", (call,), "tool_calls"), Reply("Готово")]
    with openai_stub(replies) as stub:
        facts = settings(name="openai:stub-model", base_url=stub.base_url, api_key_env="STUB_KEY")
        model = await asyncio.to_thread(load_model, facts)
        bound = model.bind_tools([definition.tool for definition in MINI])
        chunks: list[Any] = [chunk async for chunk in bound.astream([HumanMessage("Запусти")])]
        total = add_ai_message_chunks(*chunks)
        assert (await model.ainvoke("спасибо")).content == "Готово"
    assert len(chunks) > 3
    assert total.content == "So be it"
    assert total.tool_calls[0]["args"] == {"dashboards": ["Продажи"]}
    assert total.response_metadata["finish_reason"] == "tool_calls"
    assert stub.headers[0]["authorization"] == "Bearer sesame"
    assert stub.requests[0]["model"] == "stub-model"
    assert stub.requests[0]["stream"] is True
    offered = [tool["function"]["name"] for tool in stub.requests[0]["tools"]]
    assert offered == [definition.name for definition in MINI]


def test_the_variable_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTHOUSE_MODEL", "openai:other")
    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    model: Any = load_model(settings(name="openai:stub-model"))
    assert model.model_name == "other"
    assert model.request_timeout == 120.0
    assert model.max_retries == 2


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ({"name": "openai:m"}, "set OPENAI_API_KEY"),
        ({"name": "anthropic:m"}, r"pip install langchain-anthropic"),
        ({"name": "openai:m", "api_key_env": "STUB_KEY"}, "variable STUB_KEY is not set"),
        ({"name": "nobody:m"}, "nobody"),
    ],
)
def test_what_is_missing_is_said(
    model: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_openai(module: str) -> ModuleSpec | None:
        return ModuleSpec(module, None) if module == "langchain_openai" else None

    monkeypatch.setattr(loading, "find_spec", only_openai)
    with pytest.raises(SettingsError, match=words):
        load_model(settings(**model))


def test_a_name_without_a_provider_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTHOUSE_MODEL", "just-a-model")
    with pytest.raises(SettingsError, match="provider:model"):
        load_model(settings())
