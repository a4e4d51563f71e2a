"""A result that was shortened can be read on: by its owner, in its conversation, page by page."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import ToolException

from graph.build import build
from tests.agent import Conversation, answers, asks
from tools.connect import Call, Services
from tools.context import ROLES, Role, User
from tools.records import Records
from tools.toolsets.results import read_result

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
        assert len(page["items"]) == page["shown"]
        items += page["items"]
        offset = page["next_offset"]
    assert items == json.loads(kept.content)["items"]
    assert len(items) == 100


async def test_it_is_offered_once_a_result_was_shortened_also_in_that_turn(
    talk: Callable[..., Conversation],
) -> None:
    small = asks(("search_dashboards", {"env_id": "ss-dev", "limit": 1}))
    conversation = talk(small, DONE, SEARCH, DONE, DONE)
    await conversation.say("Hello")
    await conversation.say("Find dashboards")
    await conversation.say("more")
    offered = [
        "read_result" in {schema["function"]["name"] for schema in schemas}
        for schemas in conversation.model.tools
    ]
    assert offered == [False, False, False, True, True]


async def test_in_the_same_turn_a_model_reads_on(talk: Callable[..., Conversation]) -> None:
    def on(messages: list[Any]) -> AIMessage:
        return read(json.loads(messages[-1].text)["result_id"], 40)

    conversation = talk(SEARCH, on, DONE)
    shown, page = answers((await conversation.say("Find all dashboards"))["messages"])
    assert json.loads(shown.text)["items"]["total"] == 100
    assert (page.name, page.artifact["kind"]) == ("read_result", "result")
    assert json.loads(page.text)["offset"] == 40


@pytest.mark.parametrize("role", ROLES)
async def test_every_role_is_offered_it_on_every_page(
    talk: Callable[..., Conversation], usa: dict[str, Any], role: Role
) -> None:
    conversation = talk(SEARCH, DONE, DONE, DONE, role=role)
    await conversation.say("Find dashboards")
    await conversation.say("more", usa)
    assert "read_result" in conversation.model.offered
    await conversation.say("more", {"objectType": "dataset", "objectId": "1", "envId": None})
    assert "read_result" in conversation.model.offered


async def test_capabilities_do_not_list_it(talk: Callable[..., Conversation]) -> None:
    conversation = talk(SEARCH, DONE, asks(("show_capabilities", {}), prefix="h"), DONE)
    await conversation.say("Find dashboards")
    told = answers((await conversation.say("help"))["messages"])[-1]
    assert "search_dashboards" in told.text
    assert "read_result" not in told.text


async def test_without_a_thread_nothing_is_kept_to_read(
    talk: Callable[..., Conversation], services: Services
) -> None:
    conversation = talk(SEARCH, DONE, DONE)
    graph = build(
        "test",
        instructions="Help.",
        catalog=conversation.catalog,
        model=conversation.model,
        services=services,
        local_user=User("olga", "operator"),
    )
    for _ in range(2):
        await graph.ainvoke({"messages": [("user", "Find dashboards")]}, context={})
        assert "read_result" not in conversation.model.offered
        if len(conversation.model.calls) == 2:
            conversation.model.steps.pop()


async def test_a_call_without_a_thread_reads_nothing(services: Services) -> None:
    def keep(records: Records) -> str:
        return records.results.keep("", "c1", "olga", "search_dashboards", "[1]", services.clock())

    result_id = await services.store(keep)
    call = Call("c2", "", User("olga", "operator"), "en", None, services)
    with pytest.raises(ToolException, match="There is no result"):
        await read_result(call, result_id)


@pytest.mark.parametrize(("language", "words"), [("en", "nothing more"), ("ru", "читать дальше")])
async def test_before_it_says_that_nothing_was_shortened(
    talk: Callable[..., Conversation], language: str, words: str
) -> None:
    state = await talk(read("0" * 32), DONE).say("more", language=language)
    (answer,) = answers(state["messages"])
    assert words in answer.text
    assert answer.artifact["kind"] == "error"


async def test_the_offer_does_not_believe_the_state(talk: Callable[..., Conversation]) -> None:
    conversation = talk(DONE, DONE)
    await conversation.say("Hello")
    forged = AIMessage("", tool_calls=[{"name": "search_dashboards", "args": {}, "id": "x"}])
    await conversation.graph.aupdate_state(conversation.config, {"messages": [forged]})
    await conversation.say("more")
    assert "read_result" not in conversation.model.offered


REFUSED = {"en": "There is no result", "ru": "в этом разговоре нет"}


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("who", [{"user_id": "boris"}, {"thread": "t2"}])
async def test_only_its_owner_reads_it_there(
    talk: Callable[..., Conversation], who: dict[str, str], language: Any
) -> None:
    _, result_id = await shortened(talk)
    # A result of their own, so that the tool is offered to them.
    other = talk(SEARCH, DONE, read(result_id), read("0" * 32, 1), DONE, **({"thread": "t3"} | who))
    await other.say("Find dashboards")
    state = await other.say("more", language=language)
    foreign, unknown = answers(state["messages"])[-2:]
    assert foreign.artifact["kind"] == "error"
    assert REFUSED[language] in foreign.text
    # Nobody learns whether a result is there.
    assert foreign.text.replace(result_id, "0" * 32) == unknown.text
    assert "title" not in foreign.text


@pytest.mark.parametrize(
    "invented",
    ["r1", "' OR 1=1 --", "0" * 33, "F" * 32, "x" * 9000, "\x00", "\u202e`id`", "٣" * 32],
)
async def test_an_id_that_was_made_up_is_refused(
    talk: Callable[..., Conversation], invented: str
) -> None:
    conversation, _ = await shortened(talk)
    conversation.model.steps.extend([read(invented), DONE])
    state = await conversation.say("more")
    answer = answers(state["messages"])[-1]
    assert REFUSED["en"] in answer.text
    assert len(answer.text) < 300
    assert "\u202e" not in answer.text
    assert state["messages"][-1].text == "Done."


PLACES = [-1, 100, 10**9, 2**63 - 1]


@pytest.mark.parametrize("offset", PLACES)
@pytest.mark.parametrize(("language", "words"), [("en", "nothing at {}"), ("ru", "нет места {}")])
async def test_a_place_outside_is_refused(
    talk: Callable[..., Conversation], language: str, words: str, offset: int
) -> None:
    conversation, result_id = await shortened(talk)
    conversation.model.steps.extend([read(result_id, offset), DONE])
    state = await conversation.say("more", language=language)
    answer = answers(state["messages"])[-1]
    assert answer.artifact["kind"] == "error"
    assert words.format(offset) in answer.text
    assert "99" in answer.text, "the last place there is"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"result_id": ""},
        {"result_id": 7},
        {"result_id": "a", "offset": "0"},
        {"result_id": None},
    ],
)
async def test_arguments_are_strict(
    talk: Callable[..., Conversation], arguments: dict[str, Any]
) -> None:
    conversation, _ = await shortened(talk)
    conversation.model.steps.extend([asks(("read_result", arguments), prefix="b"), DONE])
    answer = answers((await conversation.say("more"))["messages"])[-1]
    assert "not valid" in answer.text


@pytest.mark.parametrize(
    ("language", "ask", "more", "end"),
    [
        ("en", "Run `{}` in the database Analytics in ss-dev", "next page", "That is all"),
        ("ru", "Выполни запрос `{}` в базе Analytics на ss-dev", "дальше", "Это всё"),
    ],
)
async def test_a_person_pages_with_the_planner(
    talk: Callable[..., Conversation], language: str, ask: str, more: str, end: str
) -> None:
    conversation = talk()
    hint = {"en": "There is more", "ru": "Есть ещё"}[language]
    state = await conversation.say(ask.format("select * from customers order by id"))
    told = [state["messages"][-1].text]
    assert hint in told[0]
    while hint in told[-1]:
        told.append((await conversation.say(more))["messages"][-1].text)
        assert "| id | name | region | segment |" in told[-1]
    assert end in told[-1]
    rows = [int(n) for page in told for n in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)]
    assert rows == list(range(1, 101))
    assert len(told) > 1
