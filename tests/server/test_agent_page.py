"""The page at /agent in a real browser, on a real server and a real Superset."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from demo.supersets import Pair
from tests.browser import Browser, chromium
from tests.server.deployment import agent_server, token_for
from tests.server_process import Server
from tools.clients.layout import banners, layout_hash
from tools.clients.superset import Account, Superset, SupersetConfig

KEPT = """
const done = arguments[0];
(async () => done(JSON.stringify([
  document.documentElement.outerHTML,
  [...document.querySelectorAll("input, textarea")].map((field) => field.value),
  location.href, history.state, document.cookie, name,
  Object.entries(localStorage), Object.entries(sessionStorage),
  await indexedDB.databases(), await caches.keys(),
  performance.getEntries().map((entry) => entry.name),
  Object.values(window).filter((value) => typeof value === "string"),
])))();
"""
"""All that a page could keep or show, beside its memory."""


@pytest.fixture(scope="module")
def server(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with agent_server(supersets, tmp_path_factory.mktemp("agent")) as server:
        yield server


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with chromium(tmp_path / "profile") as browser:
        yield browser


def usa(pair: Pair) -> Any:
    """The dashboard as Superset's API has it."""
    name, password = pair.dev.accounts["admin"]

    async def read() -> Any:
        client = Superset(SupersetConfig(pair.dev.url), Account(name, password))
        try:
            return await client.dashboard("usa")
        finally:
            await client.aclose()

    return asyncio.run(read())


def banner(pair: Pair) -> set[str]:
    """The maintenance events that stand on the dashboard."""
    return banners(usa(pair).layout)


def address(server: Server, dashboard: int, **more: str) -> str:
    """The page as Superset's dashboard links to it; the name it claims is not the true one."""
    page = {"objectType": "dashboard", "objectId": str(dashboard), "objectName": "Bogus"}
    page |= {"envId": "ss-dev", "route": "/superset/dashboard/usa/", "contextVersion": "1"}
    return f"{server.url}/agent?{urlencode(page | more)}"


def card(browser: Browser) -> tuple[str, str]:
    """Id and digest of the open card."""
    browser.find(".card")
    browser.idle()
    [shown] = browser.all(".card")
    digest = browser.run("return document.querySelector('.digest').textContent.split(' ').pop()")
    return shown.get_attribute("data-card") or "", digest


def held(browser: Browser) -> str:
    """All that the browser keeps of the page beside its memory."""
    kept = browser.driver.execute_async_script(KEPT)
    assert "Bogus" in kept  # it finds what is there
    return kept


def test_maintenance_from_the_page(pair: Pair, server: Server, browser: Browser) -> None:
    operator, before = token_for(server, "operator"), usa(pair)
    browser.driver.get(address(server, before.id, lang="ru"))
    browser.sign_in(operator)
    assert browser.run("return document.documentElement.lang") == "ru"

    # The card shows the true title, and nothing has happened yet; the keyboard is on its heading.
    browser.say("Запусти обслуживание с сообщением «Вернёмся в полдень»")
    first = card(browser)
    assert before.title in browser.text(".shown")
    assert "Bogus" not in browser.text(".card")
    assert "Вернёмся в полдень" in browser.text(".shown")
    assert "Development" in browser.text(".card dl")
    assert browser.focused.tag_name == "h2"
    assert banner(pair) == set()
    assert operator not in held(browser)

    # A reload forgets the token, but not the card.
    browser.driver.refresh()
    browser.find("#token")
    assert browser.text("#cards") == ""
    browser.sign_in(operator)
    assert card(browser) == first

    # Approved: the banner stands.
    browser.press(".approve")
    browser.idle()
    [event] = banner(pair)
    browser.says("#log", event)
    assert browser.all(".card") == []

    # Rejected with a reason: it still stands.
    browser.say("Заверши обслуживание")
    card(browser)
    browser.find(".card input").send_keys("ещё рано")
    browser.press("[value=reject]")
    browser.idle()
    browser.says("#log", "ещё рано")
    assert banner(pair) == {event}

    # Typed words are no approval: the card is withdrawn.
    browser.say("Заверши обслуживание")
    withdrawn = card(browser)
    browser.say("да, подтверждаю")
    browser.until(lambda: not browser.all(f"[data-card='{withdrawn[0]}']"), "the card stays")
    browser.idle()
    assert banner(pair) == {event}

    # Ended: the layout is as it was.
    browser.press("#new")
    browser.say("Заверши обслуживание")
    card(browser)
    browser.press(".approve")
    browser.idle()
    browser.says("#log", event)
    assert layout_hash(usa(pair).layout) == layout_hash(before.layout)

    assert browser.complaints() == []
    asked = {urlsplit(url).netloc for url in browser.requests()}
    assert asked == {urlsplit(server.url).netloc}
    assert operator not in held(browser)
    assert operator not in json.dumps(browser.requests())
    assert operator not in server.log


def test_who_may_not_is_told_so_in_english(pair: Pair, server: Server, browser: Browser) -> None:
    browser.driver.get(address(server, usa(pair).id, lang="en"))
    browser.sign_in(token_for(server, "viewer"))
    browser.say("Start maintenance")
    browser.says(".refusal", "operator")
    browser.idle()
    assert browser.all(".card, #cards button") == []
    assert banner(pair) == set()
    browser.driver.refresh()
    browser.sign_in(token_for(server, "viewer"))
    browser.says(".refusal", "operator")  # the refusal, too, outlives a reload
    assert browser.complaints() == []
