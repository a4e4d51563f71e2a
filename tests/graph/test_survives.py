"""The conversation survives Superset's faults: each is told, the thread stays whole, it goes on."""

import asyncio
import json

import httpx
import pytest
from langchain_core.messages import AIMessage

from demo.supersets import Pair
from tests.agent import answers, asks, cards, planner
from tests.doubles import ScriptedChatModel
from tests.network import said
from tests.superset.real import expired
from tools.clients.layout import banners
from tools.context import Language
from tools.settings import Settings

START, SEARCH, HEALTH = "start_maintenance", "search_dashboards", "get_health_summary"
DEV, PROD = {"env_id": "ss-dev"}, {"env_id": "ss-prod"}
USA = DEV | {"dashboards": ["usa"]}
FIND = {"en": "Find dashboards about sales in ss-dev", "ru": "Найди дашборды про продажи в ss-dev"}
BEGIN = {"en": "Start maintenance", "ru": "Запусти обслуживание"}
DOWN = {
    "en": "Superset cannot be reached; nothing was sent",
    "ru": "Superset недоступен; ничего не отправлено",
}
REFUSED = {
    "en": "Superset does not accept the account of this role; nothing was done",
    "ru": "Superset не принимает учётную запись этой роли; ничего не сделано",
}
LATE = {"en": "The time limit ran out", "ru": "Время истекло"}
UNKNOWN = {"en": "Operation status unknown - check", "ru": "Статус операции неизвестен — проверьте"}
FOUND = {"en": "Found ", "ru": "Найден"}
LANGUAGES: list[Language] = ["en", "ru"]


def scripted(*steps: AIMessage) -> ScriptedChatModel:
    """A model that says these messages."""
    return ScriptedChatModel(steps=list(steps))


async def age(pair: Pair, request: httpx.Request) -> str:
    """Let a request's access token have expired; returns the good one."""
    token = request.headers["Authorization"].removeprefix("Bearer ")
    old = await asyncio.to_thread(expired, pair, token)
    request.headers["Authorization"] = f"Bearer {old}"
    return token


def hurried(settings: Settings) -> Settings:
    """Settings under which a tool is given up after a second, a request after two."""
    limits = settings.limits.model_copy(update={"tool_timeout": 1.0, "preview_timeout": 1.0})
    environments = {
        env_id: environment.model_copy(update={"timeout": 2.0})
        for env_id, environment in settings.environments.items()
    }
    return settings.model_copy(update={"limits": limits, "environments": environments})


async def test_superset_down_before_and_up_again_after_a_turn(pair: Pair, talk, usa):
    await asyncio.to_thread(pair.dev.stop)
    conversations = {language: talk(thread=language) for language in LANGUAGES}
    try:
        for language, conversation in conversations.items():
            assert DOWN[language] in said(await conversation.say(FIND[language], None, language))
            state = await conversation.say(BEGIN[language], usa, language)
            assert not cards(state)
            assert DOWN[language] in said(state)
    finally:
        await asyncio.to_thread(pair.restart, "dev")
    for language, conversation in conversations.items():
        assert "Sales Overview" in said(
            await conversation.say("Find the dashboards “Sales Overview” in ss-dev", None, language)
        )


async def test_superset_that_goes_down_between_card_and_approval_was_sent_nothing(
    pair: Pair, talk, dev, usa
):
    conversations = {language: talk(thread=language) for language in LANGUAGES}
    for language, conversation in conversations.items():
        assert cards(await conversation.say(BEGIN[language], usa, language))
    await asyncio.to_thread(pair.dev.stop)
    try:
        for language, conversation in conversations.items():
            state = await conversation.approve()
            assert DOWN[language] in said(state)
            assert answers(state["messages"])[-1].artifact["kind"] == "error"
    finally:
        await asyncio.to_thread(pair.restart, "dev")
    assert banners((await dev.dashboard("usa")).layout) == set()
    for number, (language, conversation) in enumerate(conversations.items(), start=1):
        state = await conversation.say(BEGIN[language], usa, language)
        assert cards(state), "it can be asked again"
        assert said(await conversation.approve())
        assert len(banners((await dev.dashboard("usa")).layout)) == number


async def test_superset_that_goes_down_in_the_middle_of_a_turn(pair: Pair, on, services):
    async def before(request: httpx.Request) -> None:
        if request.url.path == "/api/v1/dashboard/" and pair.dev.alive:
            await asyncio.to_thread(pair.dev.stop)

    conversation, _ = on(before)
    steps = [asks((SEARCH, DEV), (HEALTH, DEV), (SEARCH, PROD)), AIMessage("ok")]
    conversation.model = scripted(*steps, asks((SEARCH, PROD), prefix="d"), AIMessage("on"))
    try:
        state = await conversation.say("go", None, "en")
        assert said(state) == "ok"
        lost, health, found = answers(state["messages"])
        assert lost.artifact["kind"] == "error"
        assert json.loads(health.text)["environment"]["state"] == "down"
        assert '"total": 40' in found.text, "the other installation is not harmed"
        assert said(await conversation.say("go on", None, "en")) == "on"
    finally:
        await asyncio.to_thread(pair.restart, "dev")


@pytest.mark.parametrize("doing", ["read", "write"])
async def test_token_that_expires_midway_is_renewed_unseen(pair: Pair, on, usa, dev, doing):
    late = {"read": "/api/v1/dashboard/", "write": f"/api/v1/dashboard/{usa['objectId']}"}[doing]
    method = {"read": "GET", "write": "PUT"}[doing]
    aged: list[str] = []

    async def before(request: httpx.Request) -> None:
        if (request.url.path, request.method) == (late, method) and not aged:
            aged.append(await age(pair, request))

    conversation, network = on(before)
    if doing == "read":
        assert "Sales Overview" in said(await conversation.say("Find “Sales Overview” in ss-dev"))
    else:
        assert cards(await conversation.say(BEGIN["en"], usa))
        assert "has begun" in said(await conversation.approve())
        assert len(banners((await dev.dashboard("usa")).layout)) == 1
        assert network.writes() == 2, "once refused, once done"
    assert len(aged) == 1
    ways = [request.url.path.rsplit("/", 1)[-1] for request in network.sent]
    assert (ways.count("login"), ways.count("refresh")) == (1, 1)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_token_that_is_never_accepted_is_told_after_one_more_try(
    pair: Pair, on, usa, dev, language
):
    async def before(request: httpx.Request) -> None:
        if request.method == "PUT":
            await age(pair, request)

    conversation, network = on(before)
    assert cards(await conversation.say(BEGIN[language], usa, language))
    state = await conversation.approve()
    assert REFUSED[language] in said(state)
    assert network.writes() == 2
    assert banners((await dev.dashboard("usa")).layout) == set()
    services = conversation.services
    [task] = await services.store(lambda records: records.tasks.latest("olga"))
    assert task.state == "failed"
    assert FOUND[language] in said(await conversation.say(FIND[language], None, language))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_renewed_write_whose_answer_is_lost_is_unknown_and_not_sent_again(
    pair: Pair, on, usa, dev, language
):
    async def before(request: httpx.Request) -> httpx.Response | None:
        if request.method != "PUT":
            return None
        if network.writes() == 1:
            await age(pair, request)
            return None
        answer = await network.real.handle_async_request(request)
        await answer.aread()
        raise httpx.ReadError("the connection broke")

    conversation, network = on(before)
    assert cards(await conversation.say(BEGIN[language], usa, language))
    state = await conversation.approve()
    assert UNKNOWN[language] in said(state)
    assert network.writes() == 2
    assert len(banners((await dev.dashboard("usa")).layout)) == 1, "it did happen"
    assert said(await conversation.say(FIND[language], None, language))
    assert network.writes() == 2


@pytest.mark.parametrize("language", LANGUAGES)
async def test_tool_that_hangs_is_given_up_and_the_others_are_answered(on, settings, language):
    async def before(request: httpx.Request) -> None:
        if request.url.path == "/api/v1/dashboard/" and request.url.port == dev_port:
            await asyncio.sleep(3600)

    dev_port = httpx.URL(settings.environments["ss-dev"].url).port
    conversation, _ = on(before, changed=hurried(settings))
    conversation.model = scripted(
        asks((SEARCH, DEV), (SEARCH, PROD), ("list_maintenance_events", {})), AIMessage("ok")
    )
    state = await conversation.say("go", None, language)
    assert said(state) == "ok"
    late, found, events = answers(state["messages"])
    assert LATE[language] in late.text
    assert late.artifact["kind"] == "error"
    assert '"total": 40' in found.text
    assert events.artifact["kind"] == "result"
    conversation.model = planner(settings)
    assert LATE[language] in said(await conversation.say(FIND[language], None, language))
    words = FIND[language].replace("ss-dev", "ss-prod")
    assert FOUND[language] in said(await conversation.say(words, None, language))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_preview_that_hangs_makes_no_card(on, settings, usa, dev, language):
    async def before(request: httpx.Request) -> None:
        if request.url.path.startswith("/api/v1/dashboard/"):
            await asyncio.sleep(3600)

    conversation, network = on(before, changed=hurried(settings))
    state = await conversation.say(BEGIN[language], usa, language)
    assert not cards(state)
    assert LATE[language] in said(state)
    assert network.writes() == 0


@pytest.mark.parametrize("language", LANGUAGES)
async def test_write_that_hangs_is_unknown_and_says_what_to_check(on, settings, usa, language):
    async def before(request: httpx.Request) -> None:
        if request.method == "PUT":
            await asyncio.sleep(3600)

    conversation, network = on(before, changed=hurried(settings))
    assert cards(await conversation.say(BEGIN[language], usa, language))
    state = await conversation.approve()
    assert UNKNOWN[language] in said(state)
    assert network.writes() == 1
    state = await conversation.say({"en": "My tasks?", "ru": "Что с моими задачами?"}[language])
    assert {"en": "unknown: check it", "ru": "неизвестно: проверьте"}[language] in said(state)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_broken_chart_is_told_in_a_summary(talk, dev, language):
    found = await dev.dashboard("broken")
    page = {"objectType": "dashboard", "objectId": str(found.id), "envId": "ss-dev"}
    conversation = talk()
    words = {"en": "Health of the dashboard", "ru": "Здоровье дашборда"}[language]
    state = await conversation.say(words, page, language)
    assert "no such column: no\\_such\\_column" in said(state)
    assert answers(state["messages"])[0].artifact["kind"] == "result"
    assert FOUND[language] in said(await conversation.say(FIND[language], None, language))


@pytest.mark.parametrize("status", [500, 502, 503, 429])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_superset_that_answers_with_faults_is_told(on, language, status):
    async def before(request: httpx.Request) -> httpx.Response | None:
        if broken and request.url.path == "/api/v1/dashboard/":
            return httpx.Response(status, headers={"Retry-After": "9"}, text="<h1>canary</h1>")
        return None

    broken = True
    conversation, _ = on(before)
    state = await conversation.say(FIND[language], None, language)
    assert "Superset" in said(state)
    assert "canary" not in str(state)
    broken = False
    assert FOUND[language] in said(await conversation.say(FIND[language], None, language))
