"""What follows on a question or a card: answers, new requests, yes and no; tools out of reach."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from tests.tools.planner_tools import ENVIRONMENTS, MINI, ask, asked, briefing, calls, said
from tools.models import EmbeddedPlanner

WHICH = (
    "2 dashboards fit “US”; which one?\n- USA Births \\[2018\\] (7)\n- Sales US (8)\n- US (old) (9)"
)
EVENTS = "Which event?\n- 3f2a9c01bd44: USA, Sales - Back soon\n- 77aa01bd4412: Video - Работы"


def question(slot: str, words: str = "?", arguments: dict[str, Any] | None = None) -> Any:
    name = "end_maintenance" if slot == "event_id" else "start_maintenance"
    messages = asked(name, arguments or {}, slot)
    messages[2].content = words
    return messages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dashboards about regions", ("search_dashboards", {"query": "regions"})),
        ("дашборды про регионы", ("search_dashboards", {"query": "регионы"})),
        ("дашборды регионов в dev",
         ("search_dashboards", {"query": "регионов", "env_id": "ss-dev"})),
        ("dashboards changed today in dev",
         ("search_dashboards", {"changed_since": "today", "env_id": "ss-dev"})),
        ("list environments", ("list_environments", {})),
        ("environments", ("list_environments", {})),
        ("maintenance in dev", ("list_maintenance_events", {"env_id": "ss-dev"})),
        ("обслуживания на dev", ("list_maintenance_events", {"env_id": "ss-dev"})),
        ("explain dashboard Plant", ("search_dashboards", {"query": "Plant"})),
    ],
)  # fmt: skip
async def test_a_new_request_is_no_answer(text: str, expected: Any) -> None:
    assert await calls(text, before=question("dashboards")) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("USA dashboard", {"dashboards": ["USA"]}),
        ("дашборд USA", {"dashboards": ["USA"]}),
        ("USA", {"dashboards": ["USA"]}),
        ("5", {"dashboards": ["5"]}),
        ("dashboards USA and Sales", {"dashboards": ["USA", "Sales"]}),
        ("дашборды 5 и 6", {"dashboards": ["5", "6"]}),
        ("dev", {"env_id": "ss-dev"}),
        ("in dev", {"env_id": "ss-dev"}),
        ("USA в dev", {"dashboards": ["USA"], "env_id": "ss-dev"}),
    ],
)
async def test_an_answer_is_one(text: str, expected: dict[str, Any]) -> None:
    assert await calls(text, before=question("dashboards")) == [("start_maintenance", expected)]


async def test_an_environment_said_with_an_answer_counts() -> None:
    before = question("dashboards", arguments={"env_id": "ss-dev", "dashboards": ["US"]})
    assert await calls("USA in prod", before=before) == [
        ("start_maintenance", {"env_id": "ss-prod", "dashboards": ["USA"]})
    ]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("the second one", "8"), ("второй", "8"), ("the first one, please", "7"), ("первый", "7"),
        ("последний", "9"), ("the last dashboard", "9"), ("8", "8"), ("sales us", "8"),
        ("USA Births [2018]", "7"), ("US (old)", "9"),
    ],
)  # fmt: skip
async def test_a_line_of_the_question_is_taken(text: str, chosen: str) -> None:
    before = question("dashboards", WHICH)
    assert await calls(text, before=before) == [("start_maintenance", {"dashboards": [chosen]})]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("the second one", "77aa01bd4412"), ("второе", "77aa01bd4412"), ("USA", "3f2a9c01bd44"),
        ("Video", "77aa01bd4412"), ("77aa01bd4412", "77aa01bd4412"),
    ],
)  # fmt: skip
async def test_an_event_is_taken(text: str, chosen: str) -> None:
    before = question("event_id", EVENTS)
    assert await calls(text, before=before) == [("end_maintenance", {"event_id": chosen})]


@pytest.mark.parametrize(
    ("slot", "text", "language", "words"),
    [
        ("dashboards", "all of them", "en", "name the dashboards"),
        ("dashboards", "все", "ru", "назовите дашборды"),
        ("event_id", "all", "en", "one by one"),
        ("event_id", "все", "ru", "по одному"),
        ("dashboards", "USA tomorrow", "en", "“tomorrow”"),
        ("dashboards", "5 через час", "ru", "«через час»"),
    ],
)
async def test_some_answers_are_not_taken(slot: str, text: str, language: str, words: str) -> None:
    lines = EVENTS if slot == "event_id" else WHICH
    answer = await said(text, before=question(slot, lines), language=language)
    assert answer.tool_calls == []
    assert words in answer.content


def card() -> list[BaseMessage]:
    call = {"name": "start_maintenance", "args": {"dashboards": ["5"]}, "id": "c1"}
    artifact = {"kind": "cancelled"}
    return [
        HumanMessage("start maintenance on 5"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("Withdrawn.", tool_call_id="c1", name="start_maintenance", artifact=artifact),
    ]


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("да", "ru", "отозвало карточку"), ("ок", "ru", "отозвало карточку"),
        ("yes", "en", "withdrew the card"), ("approve", "en", "withdrew the card"),
        ("no, cancel that", "en", "It is cancelled"), ("cancel", "en", "It is cancelled"),
        ("нет, отмени", "ru", "Отменено, ничего"), ("отмени это, пожалуйста", "ru", "Отменено"),
    ],
)  # fmt: skip
async def test_words_over_a_card(text: str, language: str, words: str) -> None:
    answer = await said(text, before=card(), language=language)
    assert answer.tool_calls == []
    assert words in answer.content


async def test_a_request_over_a_card_is_planned() -> None:
    assert await calls("покажи окружения", before=card()) == [("list_environments", {})]
    decided = [*card(), AIMessage("It was cancelled.")]
    answer = await said("да", before=decided)
    assert "Словами действие не подтвердить" in answer.content


async def beyond(text: str, language: str) -> list[tuple[str, dict[str, Any]]]:
    """The calls of somebody who is offered the reads alone."""
    planner = EmbeddedPlanner(environments=ENVIRONMENTS, known=tuple(MINI))
    model = planner.bind_tools([item.tool for item in MINI if item.effect == "read"])
    answer = await ask(model, briefing(text, language), HumanMessage(text))
    return [(call["name"], call["args"]) for call in answer.tool_calls]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("start maintenance on the dashboard Sales in dev", "en",
         [("start_maintenance", {"dashboards": ["Sales"], "env_id": "ss-dev"})]),
        ("повесь плашку на дашборд 5", "ru", [("start_maintenance", {"dashboards": ["5"]})]),
        ("заверши обслуживание на USA и покажи окружения", "ru",
         [("end_maintenance", {"dashboards": ["USA"]}), ("list_environments", {})]),
        ("show maintenance", "en", [("list_maintenance_events", {})]),
        ("кто запустил обслуживание на USA?", "ru", [("list_maintenance_events", {})]),
        ("find dashboards about maintenance", "en",
         [("search_dashboards", {"query": "maintenance"})]),
        ("start maintenance on dashboard 5 tomorrow", "en", []),
    ],
)  # fmt: skip
async def test_a_tool_out_of_reach_is_called_where_no_other_fits(
    text: str, language: str, expected: Any
) -> None:
    assert await beyond(text, language) == expected
