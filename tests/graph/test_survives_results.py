"""The conversation survives what is huge or hostile: results, titles, messages."""

import json
import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import ToolException

import nodes.outcomes
from tests.agent import Conversation, answers, asks, planner
from tests.doubles import ScriptedChatModel
from tests.network import Network, said, whole
from tools.catalog import Catalog
from tools.connect import Services
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Toolset
from tools.results import dumped, shorten
from tools.settings import Settings

On = Callable[..., tuple[Conversation, Network]]
Talk = Callable[..., Conversation]
LANGUAGES: list[Language] = ["en", "ru"]
FIND = {"en": "Find dashboards about sales in ss-dev", "ru": "Найди дашборды про продажи в ss-dev"}
FOUND = {"en": "Found ", "ru": "Найден"}
NEXT = {"en": "next page", "ru": "дальше"}
TOO_LARGE = {
    "en": "Superset's answer is too large to be read whole. Ask for less",
    "ru": "Ответ Superset слишком велик, чтобы прочитать его целиком. Запросите меньше",
}
CELLS = "select id, replace(hex(zeroblob({})), '00', 'word. ') as words from sales_orders"
LIST = "/api/v1/dashboard/"


def query(cells: int) -> AIMessage:
    """A query of a thousand rows, each so many words long."""
    sql = {"sql": CELLS.format(cells), "limit": 1000}
    return asks(("superset_execute_sql", {"env_id": "ss-dev", "database": "Analytics"} | sql))


async def stored(conversation: Conversation) -> int:
    """Bytes of the longest tool message in any checkpoint of a conversation."""
    longest = 0
    async for snapshot in conversation.graph.aget_state_history(conversation.config):
        for message in snapshot.values.get("messages", []):
            if isinstance(message, ToolMessage):
                longest = max(longest, len(message.text.encode()))
    return longest


async def kept(services: Services, message: ToolMessage) -> str:
    """The whole of a result that was shortened."""
    result_id = message.artifact["result_id"]
    found = await services.store(lambda records: records.results.read(result_id, "olga"))
    assert found is not None
    return found.content


@pytest.mark.parametrize("language", LANGUAGES)
async def test_ten_megabytes_of_rows(talk: Talk, services: Services, language: Language) -> None:
    conversation = talk(query(1700), AIMessage("ok"))
    state = await conversation.say("go", None, language)
    (answer,) = answers(whole(state))
    content = await kept(services, answer)
    assert len(content) > 10_000_000
    assert len(answer.text) <= services.settings.limits.result_characters
    made, everything = json.loads(answer.text), json.loads(content)
    assert made["items"]["total"] == made["total"] == len(everything["items"]) == 1000
    ((first, words),) = made["items"]["items"]
    assert first == everything["items"][0][0]
    assert words.endswith("word. [...]")
    assert await stored(conversation) <= services.settings.limits.state_bytes
    # Nothing is lost, and the conversation goes on: with pages of it, and with another request.
    conversation.model = planner(services.settings)
    state = await conversation.say(NEXT[language], None, language)
    page = json.loads(answers(state["messages"])[-1].text)
    assert (page["unit"], page["total"]) == ("characters", len(content))
    assert content[page["offset"] :].startswith(page["text"])
    assert "word. word." in said(state)
    assert FOUND[language] in said(await conversation.say(FIND[language], None, language))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_more_than_the_client_reads(talk: Talk, language: Language) -> None:
    conversation = talk(query(4000), AIMessage("ok"))
    state = await conversation.say("go", None, language)
    (answer,) = answers(whole(state))
    assert answer.artifact["kind"] == "error"
    assert TOO_LARGE[language] in answer.text
    conversation.model = planner(conversation.services.settings)
    assert FOUND[language] in said(await conversation.say(FIND[language], None, language))


@pytest.mark.parametrize("told", [True, False], ids=["length told", "length not told"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_endless_answer_is_not_read_to_its_end(
    on: On, language: Language, told: bool
) -> None:
    sent = 0

    async def endless() -> Any:
        nonlocal sent
        while True:
            sent += 1
            yield b" " * 1_000_000

    async def before(request: httpx.Request) -> httpx.Response | None:
        if request.url.path == LIST:
            length = {"Content-Length": str(10**12)} if told else {}
            return httpx.Response(200, headers=length, content=endless())
        return None

    conversation, network = on(before)
    state = await conversation.say(FIND[language], None, language)
    assert TOO_LARGE[language] in said(state)
    assert sent <= (0 if told else 21)
    assert sum(request.url.path == LIST for request in network.sent) == 1, "a bound is no fault"


async def test_titles_of_ten_megabytes(on: On, settings: Settings) -> None:
    title = "Sales. Продажи! " * 7000

    async def before(request: httpx.Request) -> httpx.Response | None:
        if request.url.path != LIST:
            return None
        async with httpx.AsyncClient() as client:
            given = {"Authorization": request.headers["Authorization"]}
            answer = (await client.get(request.url, headers=given)).json()
        for row in answer["result"]:
            row["dashboard_title"] = title
        return httpx.Response(200, json=answer)

    conversation, _ = on(before)
    conversation.model = ScriptedChatModel(
        steps=[asks(("search_dashboards", {"env_id": "ss-dev", "limit": 100})), AIMessage("ok")]
    )
    state = await conversation.say("go")
    (answer,) = answers(whole(state))
    assert answer.artifact["characters"] > 10_000_000
    made = json.loads(answer.text)
    assert (made["total"], made["items"]["total"], made["items"]["shown"]) == (262, 100, 1)
    assert made["items"]["items"][0]["title"].endswith(" [...]")
    conversation.model = planner(settings)
    assert FOUND["en"] in said(await conversation.say(FIND["en"]))


TOOLS = Toolset("huge")
WORDS = Lexicon(("huge",))
GIVEN: dict[str, Any] = {
    "rows": [{"id": n, "name": f"строка {n}", "share": n / 7} for n in range(150_000)],
    "object": {f"key {n}": ["значение"] * 50 for n in range(15_000)},
    "text": "Предложение за предложением. " * 350_000,
    "one word": "🙂" * 3_000_000,
    "deep": json.loads("[" * 200 + "]" * 200),
    "odd": {"half": "\ud83d" * 9000, "set": {1}, "number": 10**5000, "not": float("nan"), 5: b"x"},
}


@TOOLS.tool(effect="read", roles=EVERYONE, lexicon=WORDS, ru=".", en=".", environment="none")
async def give(kind: str) -> Any:
    """Give something huge.

    Args:
        kind: What.
    """
    return GIVEN[kind]


@TOOLS.tool(effect="read", roles=EVERYONE, lexicon=WORDS, ru=".", en=".", environment="none")
async def fail(length: int) -> Any:
    """Fail with many words.

    Args:
        length: How many.
    """
    raise ToolException("Слово. \ud83d" * length)


@TOOLS.tool(
    effect="read", roles=EVERYONE, lexicon=WORDS, ru=".", en=".", environment="none",
    result_characters=9000,
)  # fmt: skip
async def give_short(length: int) -> list[str]:
    """Give what is as short as this tool can make it.

    Args:
        length: How many words.
    """
    return ["word"] * length


HUGE = Catalog.of(TOOLS)


@pytest.mark.parametrize("kind", GIVEN)
async def test_whatever_a_tool_gives_is_told(
    talk: Talk, services: Services, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[bool] = []

    def watched(content: str, limit: int, result_id: str) -> str:
        threads.append(threading.current_thread() is threading.main_thread())
        return shorten(content, limit, result_id)

    monkeypatch.setattr(nodes.outcomes, "shorten", watched)
    conversation = talk(asks(("give", {"kind": kind})), AIMessage("ok"), catalog=HUGE)
    state = await conversation.say("go")
    (answer,) = answers(whole(state))
    assert answer.artifact["kind"] == "result"
    assert isinstance(json.loads(answer.text), dict | list)
    assert len(answer.text) <= services.settings.limits.result_characters
    assert await stored(conversation) <= services.settings.limits.state_bytes
    assert not any(threads), "the event loop does not wait for the work"
    if answer.artifact["characters"] > 4000:
        # Half characters alone are not kept: no answer could hold them.
        content = await kept(services, answer)
        assert content == (GIVEN[kind] if isinstance(GIVEN[kind], str) else dumped(GIVEN[kind]))


@pytest.mark.parametrize("state_bytes", [4096, 20_000, 65_536])
async def test_no_more_than_the_bound_enters_the_state(
    settings: Settings, state_bytes: int
) -> None:
    limits = settings.limits.model_copy(update={"state_bytes": state_bytes})
    services = Services(settings.model_copy(update={"limits": limits}))
    for kind in ("text", "one word", "rows"):
        model = ScriptedChatModel(steps=[asks(("give", {"kind": kind})), AIMessage("ok")])
        conversation = Conversation(services, model, thread=kind, catalog=HUGE)
        (answer,) = answers(whole(await conversation.say("go")))
        assert 0 < await stored(conversation) <= state_bytes
        assert len(answer.text) > min(limits.result_characters, state_bytes // 4) * 0.9
    await services.aclose()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_words_of_a_failure_are_cut(talk: Talk, language: Language) -> None:
    conversation = talk(asks(("fail", {"length": 900_000})), AIMessage("ok"), catalog=HUGE)
    state = await conversation.say("go", None, language)
    (answer,) = answers(whole(state))
    assert answer.artifact["kind"] == "error"
    assert answer.text.startswith("Слово. ")
    assert answer.text.endswith("[...]")
    assert len(answer.text) <= 4000
    assert "\ud83d" not in answer.text


@pytest.mark.parametrize(("length", "whole_"), [(1000, True), (2000, False)])
async def test_a_tool_may_have_a_bound_of_its_own(talk: Talk, length: int, whole_: bool) -> None:
    conversation = talk(asks(("give_short", {"length": length})), AIMessage("ok"), catalog=HUGE)
    (answer,) = answers(whole(await conversation.say("go")))
    assert ("result_id" not in answer.artifact) == whole_
    assert 7900 < len(answer.text) <= 9000
    assert whole_ == (json.loads(answer.text) == ["word"] * length)


async def test_results_outlive_the_process(talk: Talk, settings: Settings) -> None:
    first = talk(query(500), AIMessage("ok"))
    (answer,) = answers((await first.say("go"))["messages"])
    services = Services(settings)
    again = Conversation(services, planner(settings), saver=first.saver)
    assert "word. word." in said(await again.say("next page"))
    assert len(await kept(services, answer)) > 3_000_000
    await services.aclose()
