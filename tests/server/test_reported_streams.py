"""Faults of streams and tokens around a card that users of other agents reported: none here."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from demo.supersets import Pair
from tests.server.deployment import forget_events, on_usa, token_for
from tests.server_process import Server

WORDS = "Start maintenance on the USA dashboard in ss-dev"
ASK = {"input": {"messages": [{"role": "user", "content": WORDS}]}}
APPROVE = {"command": {"resume": {"decisions": [{"type": "approve"}]}}}


@pytest.fixture
async def client(agent: Server, pair: Pair) -> AsyncIterator[Any]:
    await asyncio.to_thread(forget_events, agent)
    async with agent.client(token_for(agent, "operator")) as client:
        yield client


async def streamed(client: Any, thread: str, mode: str, given: Any) -> list[Any]:
    """What one run tells in one mode alone."""
    stream = client.runs.stream(thread, "superset", stream_mode=mode, **given)
    return [part.data async for part in stream if part.event == mode]


async def shown(client: Any, thread: str) -> list[dict[str, Any]]:
    """The open cards, as a client finds them that has just been opened."""
    state = await client.threads.get_state(thread)
    return [card for one in state["interrupts"] for card in one["value"]["guardrail"]["cards"]]


def told(parts: list[Any], mode: str) -> set[tuple[str, str]]:
    """Ids and digests of the cards that a stream told of."""
    if mode == "custom":
        cards = [part for part in parts if part["type"] == "confirm_required"]
    else:
        values = [one["value"] for part in parts for one in part.get("__interrupt__", ())]
        cards = [card for value in values for card in value["guardrail"]["cards"]]
    return {(card["id"], card["digest"]) for card in cards}


@pytest.mark.parametrize("mode", ["values", "updates", "custom"])
async def test_each_mode_alone_tells_of_the_card_and_of_what_follows_the_answer(
    client: Any, pair: Pair, mode: str
) -> None:
    thread = (await client.threads.create())["thread_id"]
    parts = await streamed(client, thread, mode, ASK)
    [card] = await shown(client, thread)
    assert told(parts, mode) == {(card["id"], card["digest"])}

    after = await streamed(client, thread, mode, APPROVE)
    if mode == "updates":
        steps = [step for part in after for step in part]
        assert steps == ["confirm", "execute_tools", "call_model"]
    elif mode == "values":
        assert "has begun" in after[-1]["messages"][-1]["content"]
    assert await shown(client, thread) == []


def test_a_token_that_expires_while_a_card_is_open_uses_up_nothing(
    agent: Server, pair: Pair
) -> None:
    forget_events(agent)
    late = token_for(agent, "operator", sub="olga", exp=time.time() - 60)
    fresh = token_for(agent, "operator", sub="olga")
    with httpx.Client(base_url=agent.url, timeout=60) as http:

        def call(path: str, body: Any = None, token: str = fresh) -> httpx.Response:
            method = "GET" if body is None else "POST"
            return http.request(method, path, json=body, headers={"x-api-key": token})

        path = f"/threads/{call('/threads', {}).json()['thread_id']}"
        graph = {"assistant_id": "superset"}
        assert "__interrupt__" in call(f"{path}/runs/wait", graph | ASK).json()
        before = [call(f"{path}/{part}").json() for part in ("state", "runs")]

        answer = call(f"{path}/runs/wait", graph | APPROVE, late)
        assert (answer.status_code, "sign in again" in answer.text) == (401, True)
        assert [call(f"{path}/{part}").json() for part in ("state", "runs")] == before
        assert on_usa(pair) == set()

        # The same card is still good for who signs in again.
        assert call(f"{path}/runs/wait", graph | APPROVE).status_code == 200
    assert len(on_usa(pair)) == 1
