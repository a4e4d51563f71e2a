"""What the README tells a newcomer to try works with the planner, in both languages."""

import re
from collections.abc import Callable

import pytest

from scripts.layout import ROOT
from tests.agent import Conversation, answers, cards

README = (ROOT / "README.md").read_text(encoding="utf-8")
LIST = README[README.index("**Talk to it**") : README.index("The last one shows a card")]
PAIRS = [
    [" ".join(words.split()) for words in item.split(" · ")]
    for item in re.findall(r"^\* (.*?)(?=^\*|\Z)", LIST, re.MULTILINE | re.DOTALL)
]


def test_there_are_pairs() -> None:
    assert len(PAIRS) >= 5
    assert all(len(pair) == 2 for pair in PAIRS)


@pytest.mark.parametrize("language", [0, 1], ids=["en", "ru"])
async def test_the_sentences_work(talk: Callable[..., Conversation], language: int) -> None:
    conversation = talk(role="operator")
    *reads, write = [pair[language] for pair in PAIRS]
    tools = []
    for words in reads:
        state = await conversation.say(words)
        (answer,) = answers(state["messages"])[len(tools) :]
        assert answer.artifact["kind"] == "result", (words, answer.text)
        tools.append(answer.name)
    assert tools == [
        "get_health_summary",
        "search_dashboards",
        "superset_explore_database",
        "superset_execute_sql",
    ]
    (card,) = cards(await conversation.say(write))
    assert card["tool"] == "start_maintenance"
    assert "USA Births Names" in card["shown"][0]
