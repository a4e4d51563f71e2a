"""The main job through a real LangGraph server, with its SDK, on a real Superset."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from demo.supersets import Pair
from tests.server.deployment import agent_server, token_for
from tests.server_process import Server
from tools.clients.layout import banners, layout_hash
from tools.clients.superset import Account, Superset, SupersetConfig

APPROVE = {"resume": {"decisions": [{"type": "approve"}]}}


@pytest.fixture(scope="module")
def server(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with agent_server(supersets, tmp_path_factory.mktemp("agent")) as server:
        yield server


@pytest.fixture
def token(server: Server) -> Any:
    return lambda role: token_for(server, role)


@pytest.fixture
async def dev(pair: Pair) -> Any:
    name, password = pair.dev.accounts["admin"]
    client = Superset(SupersetConfig(pair.dev.url), Account(name, password))
    yield client
    await client.aclose()


@pytest.fixture
async def context(dev: Superset) -> dict[str, Any]:
    usa = await dev.dashboard("usa")
    ui = {"objectType": "dashboard", "objectId": str(usa.id), "envId": "ss-dev"}
    return {"ui": ui | {"route": "/superset/dashboard/usa/", "contextVersion": 1}}


async def on_usa(dev: Superset) -> set[str]:
    return banners((await dev.dashboard("usa")).layout)


async def say(client: Any, thread: str, words: str, context: dict[str, Any]) -> Any:
    message = {"messages": [{"role": "user", "content": words}]}
    return await client.runs.wait(thread, "superset", input=message, context=context)


@pytest.mark.parametrize(
    ("begin", "finish", "language"),
    [
        ("Запусти обслуживание на дашборде USA", "Заверши обслуживание", "ru"),
        ("Start maintenance on the USA dashboard", "End maintenance", "en"),
    ],
)
async def test_banner_up_and_down(server, token, dev, context, begin, finish, language):
    before = layout_hash((await dev.dashboard("usa")).layout)
    async with server.client(token("operator")) as client:
        thread = (await client.threads.create())["thread_id"]
        result = await say(client, thread, begin, context | {"language": language})
        value = result["__interrupt__"][0]["value"]
        assert value["action_requests"][0]["name"] == "start_maintenance"
        assert value["review_configs"][0]["allowed_decisions"]
        state = await client.threads.get_state(thread)
        [shown] = state["interrupts"][0]["value"]["guardrail"]["cards"]
        [card] = value["guardrail"]["cards"]
        assert (shown["id"], shown["digest"]) == (card["id"], card["digest"])
        assert await on_usa(dev) == set()

        result = await client.runs.wait(thread, "superset", command=APPROVE)
        [event] = await on_usa(dev)
        assert event in result["messages"][-1]["content"]

        await say(client, thread, finish, context | {"language": language})
        await client.runs.wait(thread, "superset", command=APPROVE)
        assert layout_hash((await dev.dashboard("usa")).layout) == before


async def test_card_survives_a_restart_and_a_bad_answer(server, token, dev, context):
    async with server.client(token("operator")) as client:
        thread = (await client.threads.create())["thread_id"]
        await say(client, thread, "Запусти обслуживание", context)
        bad = {"resume": {"decisions": [{"type": "perhaps"}]}}
        await client.runs.wait(thread, "superset", command=bad)
        assert (await client.threads.get(thread))["status"] == "interrupted"
        [before] = await open_cards(client, thread)
    await asyncio.to_thread(server.restart)
    async with server.client(token("operator")) as client:
        [after] = await open_cards(client, thread)
        assert (after["id"], after["digest"]) == (before["id"], before["digest"])
        await client.runs.wait(thread, "superset", command=APPROVE)
        assert len(await on_usa(dev)) == 1


async def open_cards(client: Any, thread: str) -> Any:
    state = await client.threads.get_state(thread)
    return state["interrupts"][0]["value"]["guardrail"]["cards"]


async def test_double_click_runs_once(server, token, dev, context):
    async with server.client(token("operator")) as client:
        thread = (await client.threads.create())["thread_id"]
        await say(client, thread, "Запусти обслуживание", context)
        answers = [client.runs.wait(thread, "superset", command=APPROVE) for _ in range(2)]
        await asyncio.gather(*answers, return_exceptions=True)
        assert len(await on_usa(dev)) == 1


async def test_viewer_is_told_what_is_offered(server, token, context):
    async with server.client(token("viewer")) as client:
        result = await client.runs.wait(
            None,
            "superset",
            input={"messages": [{"role": "user", "content": "Что ты умеешь?"}]},
            context=context,
        )
    assert "обслуживание" in result["messages"][-1]["content"]
    assert "start_maintenance" not in result["offered"]


@pytest.mark.parametrize("mode", ["values", "updates", "messages", "messages-tuple", "custom"])
async def test_card_and_answer_stream_in_every_mode(server, token, context, mode):
    async with server.client(token("operator")) as client:
        thread = (await client.threads.create())["thread_id"]
        message = {"messages": [{"role": "user", "content": "Запусти обслуживание"}]}
        parts = [
            part
            async for part in client.runs.stream(
                thread, "superset", input=message, context=context, stream_mode=[mode, "updates"]
            )
        ]
        assert not [part for part in parts if part.event == "error"]
        assert any(
            "__interrupt__" in (part.data or {}) for part in parts if part.event == "updates"
        )
        assert any(part.event.startswith(mode.split("-")[0]) for part in parts)


async def test_studio_gets_the_role_it_was_given_and_no_more(server, context):
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        body = {
            "assistant_id": "superset",
            "input": {"messages": [{"role": "user", "content": "Start maintenance"}]},
            "context": context,
        }
        answer = await http.post("/runs/wait", json=body, headers={"x-auth-scheme": "langsmith"})
    assert answer.status_code == 200
    assert "search_dashboards" in answer.json()["offered"]
    assert "start_maintenance" not in answer.json()["offered"]
    assert "__interrupt__" not in answer.json()


async def test_unauthenticated_is_401_and_bad_context_422_before_a_run(server, token, context):
    async with httpx.AsyncClient(base_url=server.url) as http:
        body = {"assistant_id": "superset", "input": {"messages": []}}
        assert (await http.post("/runs/wait", json=body)).status_code == 401
        headers = {"x-api-key": token("operator")}
        bad = body | {"context": {"role": "admin"}}
        answer = await http.post("/runs/wait", json=bad, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"][-1] == "role"


async def test_no_secret_reaches_the_log_or_the_state(server, token, dev, context, supersets):
    operator = token("operator")
    async with server.client(operator) as client:
        thread = (await client.threads.create())["thread_id"]
        await say(client, thread, "Запусти обслуживание", context)
        await client.runs.wait(thread, "superset", command=APPROVE)
        told = str(await client.threads.get_state(thread)) + str(
            await client.threads.get_history(thread)
        )
        told += str(await client.runs.list(thread))
    stored = await asyncio.to_thread(files_of, server.folder)
    secrets = [
        password for one in (supersets.dev, supersets.prod) for _, password in one.accounts.values()
    ]
    for secret in [operator, server.env["PILOTHOUSE_JWT_SECRET"], *secrets]:
        assert secret not in server.log
        assert secret not in told
        assert secret.encode() not in stored


def files_of(folder: Path) -> bytes:
    """All that the server wrote, but for the secrets it was given."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".env"]
    return b"".join(path.read_bytes() for path in files)
