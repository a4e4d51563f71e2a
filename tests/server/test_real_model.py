"""A model behind an OpenAI-compatible address, through the real server: the wire path."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from demo.supersets import Pair
from tests.openai_stub import Reply, Stub, openai_stub
from tests.server.deployment import agent_server, token_for
from tests.server_process import Server
from tools.clients.layout import banners
from tools.clients.superset import Account, Superset, SupersetConfig

ARGUMENTS = json.dumps({"dashboards": ["USA"], "env_id": "ss-dev"})
WORDS = {"messages": [{"role": "user", "content": "Please tidy up"}]}


@pytest.fixture(scope="module")
def stub() -> Iterator[Stub]:
    ask = Reply(calls=(("call-1", "start_maintenance", ARGUMENTS),), finish_reason="tool_calls")
    cut = Reply(calls=(("call-1", "start_maintenance", ARGUMENTS),), finish_reason="length")
    done = Reply(content="That is all.")
    with openai_stub([ask, done, ask, done, cut, done]) as stub:
        yield stub


@pytest.fixture(scope="module")
def server(
    supersets: Pair, stub: Stub, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    more = f'[model]\nbase_url = "{stub.base_url}"\napi_key_env = "STUB_KEY"\n'
    env = {"PILOTHOUSE_MODEL": "openai:stub-model", "STUB_KEY": "sk-stub-canary"}
    folder = tmp_path_factory.mktemp("model")
    with agent_server(supersets, folder, more, **env) as server:
        yield server


async def on_usa(pair: Pair) -> set[str]:
    client = Superset(SupersetConfig(pair.dev.url), Account(*pair.dev.accounts["admin"]))
    try:
        return banners((await client.dashboard("usa")).layout)
    finally:
        await client.aclose()


async def test_forged_call_of_a_viewer_a_card_and_a_cut_message(
    server: Server, stub: Stub, pair: Pair
) -> None:
    async with server.client(token_for(server, "viewer")) as client:
        result = await client.runs.wait(None, "superset", input=WORDS)
        denied = tool_messages(result)[0]
        assert denied["artifact"]["kind"] == "denied"
        assert "operator" in denied["content"]
        offered = [tool["function"]["name"] for tool in stub.requests[0]["tools"]]
        assert "search_dashboards" in offered
        assert "start_maintenance" not in offered
        assert await on_usa(pair) == set()

    async with server.client(token_for(server, "operator")) as client:
        thread = (await client.threads.create())["thread_id"]
        result = await client.runs.wait(thread, "superset", input=WORDS)
        assert result["__interrupt__"][0]["value"]["action_requests"][0]["args"]["dashboards"]
        approve = {"resume": {"decisions": [{"type": "approve"}]}}
        result = await client.runs.wait(thread, "superset", command=approve)
        assert result["messages"][-1]["content"] == "That is all."
        assert len(await on_usa(pair)) == 1

        result = await client.runs.wait(None, "superset", input=WORDS)
        assert "cut off" in tool_messages(result)[0]["content"]
        assert len(await on_usa(pair)) == 1

    assert all(request["stream"] for request in stub.requests)
    assert stub.headers[0]["authorization"] == "Bearer sk-stub-canary"
    assert "sk-stub-canary" not in server.log


def tool_messages(result: Any) -> list[dict[str, Any]]:
    return [message for message in result["messages"] if message["type"] == "tool"]
