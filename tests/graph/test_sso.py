"""A deployment on installations with single sign-on: no password anywhere, the job done."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from demo.supersets import Pair
from graph.cli_config import check
from tests.agent import answers, asks, cards
from tests.superset.real import (
    browser_cookie,
    client,
    deactivate,
    make_key,
    revoke_key,
    show_to_the_public,
)
from tools.clients.layout import banners, layout_hash
from tools.connect import Services
from tools.settings import Credentials, Settings

SECRET = "SS_DEV_SIGN_ON"
START = ("start_maintenance", {"env_id": "ss-dev", "dashboards": ["usa"]})
WAYS = ["key", "cookie"]


def signed_on(settings: Settings, way: str) -> Settings:
    """The deployment with one credential for its development installation."""
    ways: dict[str, Any] = {
        "key": {"api_key_env": SECRET},
        "cookie": {"session_cookie_env": SECRET, "session_cookie_name": "pilothouse_demo_dev"},
    }
    entry = Credentials(roles=["operator"], **ways[way])
    dev = settings.environments["ss-dev"].model_copy(update={"credentials": [entry]})
    return settings.model_copy(update={"environments": {"ss-dev": dev}})


@pytest.fixture
async def deployed(
    pair: Pair, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Any]:
    """Deploy with a key or a cookie; returns the services, and what takes a key back."""
    made: list[Services] = []

    async def deploy(way: str) -> tuple[Services, str]:
        uuid = ""
        if way == "key":
            login, uuid = await make_key(pair.dev)
            monkeypatch.setenv(SECRET, f"{login.key}\n")
        else:
            monkeypatch.setenv(SECRET, (await browser_cookie(pair.dev)).value)
        made.append(Services(signed_on(settings, way)))
        return made[-1], uuid

    yield deploy
    for services in made:
        await services.aclose()


@pytest.mark.parametrize("way", WAYS)
async def test_main_job_by_key_and_by_cookie(talk, deployed, usa, dev, way):
    services, _ = await deployed(way)
    before = await dev.dashboard("usa")
    conversation = talk()
    conversation.services = services
    assert cards(await conversation.say("Запусти обслуживание", usa))
    await conversation.approve()
    assert len(banners((await dev.dashboard("usa")).layout)) == 1
    assert cards(await conversation.say("Заверши обслуживание", usa))
    await conversation.approve()
    after = await dev.dashboard("usa")
    assert layout_hash(after.layout) == layout_hash(before.layout)
    assert after.changed_by == "Operator Demo", "it is the account of the key or cookie"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", {"key": "does not accept the API key", "cookie": "its session is over"}),
        ("ru", {"key": "не принимает ключ API", "cookie": "сессия закончилась"}),
    ],
)
async def test_write_with_a_login_that_ended_is_not_done_and_says_who_renews_it(
    pair, talk, deployed, dev, way, language, words
):
    services, uuid = await deployed(way)
    before = await dev.dashboard("usa")
    conversation = talk(asks(START), AIMessage("ok"), AIMessage("next"))
    conversation.services = services
    assert cards(await conversation.say("go", None, language))
    await (revoke_key(pair.dev, uuid) if way == "key" else deactivate(pair.dev, "operator"))
    state = await conversation.approve()
    [answer] = answers(state["messages"])
    assert answer.artifact["kind"] == "error"
    assert words[way] in answer.text
    assert ("administrator" if language == "en" else "администратор") in answer.text
    assert SECRET not in answer.text
    async with client(pair.dev, "admin") as superset:
        assert (await superset.dashboard("usa")).changed_on == before.changed_on
    [row] = await services.store(lambda records: records.approvals.for_call("t1", "c1"))
    assert row.state == "failed"
    assert (await conversation.say("and now?"))["messages"][-1].text == "next"


@pytest.mark.parametrize("way", WAYS)
async def test_config_check_says_who_it_is_and_that_a_cookie_ends(deployed, capsys, way):
    services, _ = await deployed(way)
    assert await check(services) == 0
    out = capsys.readouterr().out
    [row] = [line for line in out.splitlines() if line.startswith("ss-dev")]
    assert f"{'API key' if way == 'key' else 'cookie'} {SECRET}" in row
    assert "as pilothouse_operator" in row
    assert ("will end" in row) == (way == "cookie")
    assert out.splitlines()[-1] == "All is well."


async def test_config_check_names_what_has_to_be_renewed(pair, deployed, capsys, monkeypatch):
    services, uuid = await deployed("key")
    await revoke_key(pair.dev, uuid)
    assert await check(services) == 1
    assert f"does not accept the API key; renew {SECRET}" in capsys.readouterr().out
    services, _ = await deployed("cookie")
    monkeypatch.setenv(SECRET, "canary-over")
    assert await check(services) == 1
    out = capsys.readouterr().out
    assert f"its session is over; renew {SECRET}" in out
    assert "canary" not in out


async def test_config_check_tells_that_the_public_hides_the_rest(pair, deployed, capsys):
    await show_to_the_public(pair.dev)
    services, _ = await deployed("key")
    assert await check(services) == 1
    assert "[environments.ss-dev] shows dashboards to the public" in capsys.readouterr().out
    services, _ = await deployed("cookie")
    assert await check(services) == 0
