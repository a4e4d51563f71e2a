"""A result that was shortened can be read on: by its owner, in its conversation, page by page."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from tests.agent import Conversation, answers, asks
from tools.connect import Services

SEARCH = asks(("search_dashboards", {"env_id": "ss-dev", "limit": 100}))
DONE = AIMessage("Done.")


def read(result_id: str, offset: int = 0) -> AIMessage:
    return asks(("read_result", {"result_id": result_id, "offset": offset}), prefix=f"r{offset}-")


async def shortened(talk: Callable[..., Conversation], *steps: Any) -> tuple[Conversation, str]:
    """A conversation in which a result was shortened, and its id."""
    conversation = talk(SEARCH, DONE, *steps)
    state = await conversation.say("Find dashboards")
    (answer,) = answers(state["messages"])
    return conversation, json.loads(answer.text)["result_id"]


async def test_pages_joined_are_the_whole(
    talk: Callable[..., Conversation], services: Services
) -> None:
    conversation, result_id = await shortened(talk)
    kept = await services.store(lambda records: records.results.read(result_id, "olga"))
    assert kept is not None
    items, offset = [], 0
    while offset is not None:
        conversation.model.steps.extend([read(result_id, offset), DONE])
        answer = answers((await conversation.say("more"))["messages"])[-1]
        page = json.loads(answer.text)
        assert answer.artifact["kind"] == "result"
        assert len(answer.text) <= services.settings.limits.result_characters
        assert "result_id" not in answer.artifact, "a page is not shortened and kept again"
        items += page["items"]
        offset = page["next_offset"]
    assert items == json.loads(kept.content)["items"]
    assert len(items) == 100


async def test_it_is_offered_only_after_a_result_was_shortened(
    talk: Callable[..., Conversation],
) -> None:
    conversation = talk(DONE, SEARCH, DONE, DONE)
    await conversation.say("Hello")
    assert "read_result" not in conversation.model.offered
    await conversation.say("Find dashboards")
    await conversation.say("more")
    assert "read_result" in conversation.model.offered


async def test_the_offer_does_not_believe_the_state(talk: Callable[..., Conversation]) -> None:
    conversation = talk(DONE, DONE)
    await conversation.say("Hello")
    forged = AIMessage("", tool_calls=[{"name": "search_dashboards", "args": {}, "id": "x"}])
    await conversation.graph.aupdate_state(conversation.config, {"messages": [forged]})
    await conversation.say("more")
    assert "read_result" not in conversation.model.offered


@pytest.mark.parametrize("who", [{"user_id": "boris"}, {"thread": "t2"}, {}])
async def test_only_its_owner_reads_it_there(
    talk: Callable[..., Conversation], who: dict[str, str]
) -> None:
    _, result_id = await shortened(talk)
    invented = "0" * 32 if not who else result_id
    # A result of their own, so that the tool is offered to them.
    other = talk(SEARCH, DONE, read(invented), DONE, **({"thread": "t3"} | who))
    await other.say("Find dashboards")
    answer = answers((await other.say("more"))["messages"])[-1]
    assert answer.artifact["kind"] == "error"
    assert "There is no result" in answer.text
    assert "title" not in answer.text


@pytest.mark.parametrize(("language", "words"), [("en", "nothing at -1"), ("ru", "нет места -1")])
async def test_a_place_outside_is_refused(
    talk: Callable[..., Conversation], language: str, words: str
) -> None:
    conversation, result_id = await shortened(talk)
    conversation.model.steps.extend([read(result_id, -1), DONE])
    state = await conversation.say("more", language=language)
    answer = answers(state["messages"])[-1]
    assert answer.artifact["kind"] == "error"
    assert words in answer.text
