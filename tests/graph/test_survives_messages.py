"""The conversation survives long messages: they are answered, in bounded time, and cut."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from tests.agent import Conversation, answers, cards
from tests.network import said, whole
from tools.connect import Services
from tools.context import Language

Talk = Callable[..., Conversation]
FIND = "Find dashboards about sales in ss-dev"
FOUND = "Found "
LONG = {
    "words": "слово ",
    "commands": "Find dashboards about sales in ss-dev and ",
    "one word": "x",
    "quotes": "«",
    "lines": "\n",
    "digits": "1",
    "SQL": "select a from b, ",
    "marks": "🙂 ",
    "half characters": "\ud83d ",
}


@pytest.mark.parametrize("kind", LONG)
async def test_a_hundred_thousand_characters_are_answered(talk: Talk, kind: str) -> None:
    text = (LONG[kind] * 100_000)[:100_000]
    conversation = talk()
    began = time.process_time()
    state = await conversation.say(text)
    assert time.process_time() - began < 10
    assert not cards(state)
    human, *_ = whole(state)
    expected = text.replace("\ud83d", "\ufffd")
    assert human.text == state["user_text"] == expected
    json.dumps(human.text, ensure_ascii=False).encode()
    assert FOUND in said(await conversation.say(FIND))


@pytest.mark.parametrize("length", [100_001, 150_000, 1_000_000])
async def test_what_is_longer_is_cut_for_the_model_and_kept_apart(
    talk: Talk, services: Services, length: int
) -> None:
    text = ("Find dashboards about sales in ss-dev. " * 30_000)[:length]
    conversation = talk(AIMessage("ok"))
    state = await conversation.say(text)
    human = whole(state)[0]
    assert len(human.text) == services.settings.limits.message_characters
    assert human.text == text[: 100_000 - len(" [...truncated]")] + " [...truncated]"
    assert conversation.model.calls[0][1].text == human.text
    assert state["user_text"] == text


async def test_every_message_of_the_user_is_cut(talk: Talk) -> None:
    conversation = talk(AIMessage("ok"))
    given = [("user", "a" * 200_000), ("user", "b" * 200_000), ("user", "Hello")]
    state = await conversation.graph.ainvoke({"messages": given}, conversation.config, context={})
    lengths = [len(message.text) for message in state["messages"]]
    assert lengths == [100_000, 100_000, 5, 2]


@pytest.mark.parametrize(("language", "words"), [("en", "shorter"), ("ru", "короче")])
async def test_the_planner_does_nothing_with_half_of_a_message(
    talk: Talk, usa: dict[str, Any], language: Language, words: str
) -> None:
    text = {"en": "Start maintenance. ", "ru": "Запусти обслуживание. "}[language] * 60_000
    conversation = talk()
    began = time.process_time()
    state = await conversation.say(text, usa, language)
    assert time.process_time() - began < 10
    assert words in said(state)
    assert not cards(state)
    assert answers(state["messages"]) == []
