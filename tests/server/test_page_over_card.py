"""The page at /agent in Chromium: what is typed or pressed over an open card, also in two tabs."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from demo.supersets import Pair
from tests.browser import Browser, chromium
from tests.server.chat_clients import Client
from tests.server.crash_proxy import Proxy
from tests.server.deployment import forget_events, on_usa, token_for, usa_id
from tests.server.over_card import ASK, END, OVER, WITHDRAWN, Witness, slowed_server
from tests.server.page_tabs import TYPED, Tabs
from tests.server_process import Server

GONE = "This card was already decided or withdrawn"
BUSY = "This conversation is busy with another request"


@pytest.fixture(scope="module")
def slowed(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with slowed_server(supersets, tmp_path_factory.mktemp("page-over-card")) as slowed:
        yield slowed


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def tabs(started: Browser, slowed: tuple[Server, Proxy], pair: Pair) -> Iterator[Tabs]:
    """Freshly seeded installations; what a test opens is closed after it, and it was quiet."""
    forget_events(slowed[0])
    [first] = started.driver.window_handles
    tabs = Tabs(started, slowed[0])
    yield tabs
    for tab in started.driver.window_handles:
        if tab != first:
            tabs.show(tab)
            started.driver.close()
    tabs.show(first)


@pytest.fixture
def witness(slowed: tuple[Server, Proxy]) -> Iterator[Callable[[str], Witness]]:
    """Look at a thread by the server's API."""
    made: list[Client] = []

    def make(thread: str) -> Witness:
        made.append(Client(slowed[0], "operator", thread))
        return Witness(slowed[0], made[-1])

    yield make
    for one in made:
        one.http.close()


Watch = Callable[[str], Witness]


@pytest.fixture
def asked(tabs: Tabs, witness: Watch) -> tuple[str, Witness, dict[str, Any]]:
    """A tab that shows a card, which is the one of the server."""
    tab = tabs.open()
    tabs.say(ASK)
    seen = witness(tabs.thread)
    assert tabs.cards == [(seen.card["id"], seen.card["digest"])]
    return tab, seen, seen.card


@pytest.mark.parametrize(("words", "language"), OVER)
def test_a_message_withdraws_the_card(
    tabs: Tabs, witness: Watch, pair: Pair, words: str, language: str
) -> None:
    tabs.open(language=language)
    tabs.say(ASK)
    seen = witness(tabs.thread)
    card = seen.card
    tabs.say(words)
    assert tabs.cards == []
    assert on_usa(pair) == set()
    seen.cancelled(card, WITHDRAWN[language])
    tabs.say(ASK)
    [(fresh, _)] = tabs.cards
    assert fresh != card["id"]
    tabs.approve()
    assert len(on_usa(pair)) == 1
    assert seen.kinds[-1] == "result"
    assert tabs.browser.complaints() == []


def test_each_message_withdraws_the_card_before_it(tabs: Tabs, asked: Any, pair: Pair) -> None:
    _, seen, first = asked
    tabs.say(ASK)
    second = seen.card
    assert tabs.cards == [(second["id"], second["digest"])]
    tabs.say("yes")
    tabs.say("да")
    for card in (first, second):
        seen.cancelled(card, WITHDRAWN["en"])
    assert (tabs.cards, seen.kinds) == ([], ["cancelled", "cancelled"])
    assert on_usa(pair) == set()


def test_a_card_is_decided_once_whatever_tab_shows_it(tabs: Tabs, asked: Any, pair: Pair) -> None:
    one, seen, card = asked
    other = tabs.open(tabs.thread)
    late = tabs.open(tabs.thread)
    for tab in (one, other, late):  # the same card, also after a reload
        tabs.show(tab)
        assert tabs.cards == [(card["id"], card["digest"])]
    tabs.show(one)
    tabs.approve()
    placed = on_usa(pair)
    assert len(placed) == 1

    tabs.show(other)
    tabs.approve()
    assert GONE in tabs.browser.text("#notice")
    assert tabs.cards == []

    # Where another card is open by now, the answer to the old one is no answer to it.
    tabs.show(one)
    tabs.say(END)
    fresh = seen.card
    tabs.show(late)
    tabs.approve()
    assert tabs.cards == [(fresh["id"], fresh["digest"])]
    assert card["id"] in tabs.browser.text("#cards .problem")
    assert on_usa(pair) == placed
    tabs.approve()
    assert on_usa(pair) == set()
    assert seen.kinds == ["result", "result"]
    assert seen.steps(card) == ["asked", "decided", "executing", "outcome"]


def test_a_reload_shows_the_same_card(tabs: Tabs, asked: Any, pair: Pair) -> None:
    _, seen, card = asked
    tabs.browser.driver.refresh()
    tabs.browser.find("#token")
    assert tabs.cards == []
    tabs.browser.sign_in(token_for(tabs.server, "operator"))
    assert tabs.cards == [(card["id"], card["digest"])]
    tabs.approve()
    assert len(on_usa(pair)) == 1
    assert seen.kinds == ["result"]


def test_a_card_is_shown_in_its_own_conversation_only(
    tabs: Tabs, asked: Any, pair: Pair, witness: Watch
) -> None:
    one, seen, card = asked
    mine = tabs.thread
    beside = tabs.open()
    tabs.say("yes")
    assert tabs.cards == []
    assert tabs.thread != mine
    other = witness(tabs.thread)

    # The tab goes to and fro between both.
    for thread, shown in ((mine, [(card["id"], card["digest"])]), (other.ui.thread, [])):
        tabs.browser.run("location.hash = arguments[0]", f"thread={thread}")
        tabs.browser.until(lambda wanted=shown: tabs.cards == wanted, "another conversation's card")
        tabs.browser.idle()
    tabs.browser.run("location.hash = arguments[0]", f"thread={mine}")
    tabs.browser.find("#cards .card")
    tabs.browser.press("#new")
    assert tabs.cards == []
    tabs.say("да")
    assert (tabs.cards, other.kinds, seen.card) == ([], [], card)
    assert on_usa(pair) == set()

    tabs.show(one)
    tabs.approve()
    assert len(on_usa(pair)) == 1
    tabs.show(beside)
    assert tabs.cards == []


def test_a_message_while_the_card_is_made_waits_and_withdraws_it(
    tabs: Tabs, slowed: tuple[Server, Proxy], pair: Pair, witness: Watch
) -> None:
    one = tabs.open()
    tabs.say("да")
    seen = witness(tabs.thread)
    two = tabs.open(tabs.thread)
    gate = slowed[1].hold(usa_id(pair), "read")
    tabs.show(one)
    tabs.browser.say(ASK)
    assert gate.reached.wait(60)
    tabs.unsent("yes")

    # A tab that does not know of the run is refused, and keeps what was typed.
    tabs.show(two)
    tabs.say_in_vain("yes")
    assert BUSY in tabs.browser.text("#notice")
    assert tabs.cards == []
    gate.let_go()
    tabs.show(one)
    tabs.browser.idle()
    card = seen.card
    assert tabs.cards == [(card["id"], card["digest"])]

    tabs.show(two)
    tabs.browser.press("#notice button:not(.quiet)")
    tabs.browser.until(lambda: not tabs.browser.run(TYPED), "the message is not sent again")
    tabs.browser.idle()
    seen.cancelled(card, WITHDRAWN["en"])
    tabs.show(one)
    tabs.approve()
    assert GONE in tabs.browser.text("#notice")
    assert on_usa(pair) == set()


def test_a_message_during_the_write_does_not_hide_it(
    tabs: Tabs, slowed: tuple[Server, Proxy], pair: Pair, asked: Any
) -> None:
    one, seen, card = asked
    two = tabs.open(tabs.thread)
    gate = slowed[1].hold(usa_id(pair), "answer")
    tabs.show(one)
    tabs.browser.press(".approve")
    assert gate.reached.wait(60)
    tabs.unsent("yes")
    tabs.show(two)
    tabs.say_in_vain("да")
    assert BUSY in tabs.browser.text("#notice")
    gate.let_go()
    tabs.show(one)
    tabs.browser.idle()
    [event] = on_usa(pair)
    assert event in tabs.browser.text("#log")
    assert seen.kinds == ["result"]
    assert seen.steps(card) == ["asked", "decided", "executing", "outcome"]
