"""Four eyes on the page: others' cards to decide, and own ones that go on by themselves."""

from typing import Any

import pytest

from tests.web.conftest import Open
from tests.web.played_server import THREAD, TOKEN, Play, events
from tests.web.test_page_cards import DECIDED, HOSTILE, SEEN, STARTED, card, nameless, shows

WAITS = {"approval": "peer", "note": "A second person must approve this."}


def stands(play: Play, *cards: dict[str, Any], **mine: str) -> None:
    """What the desk says from now on."""
    play.approvals = {"four_eyes": True, "cards": list(cards), "mine": mine}


def test_an_own_card_can_be_withdrawn_and_not_approved(page: Open, play: Play) -> None:
    stands(play, **{"card-1": "asked"})
    shows(play, card(**WAITS))
    browser = page(thread=THREAD)
    assert WAITS["note"] in browser.text(".card")
    labels = [one.text for one in browser.all("#cards button")]
    assert labels == ["Withdraw", "Go on, if it is approved"]
    play.runs.append(events(STARTED, DECIDED))
    browser.press("#cards [value=reject]")
    browser.until(play.sent, "nothing was sent")
    assert play.sent()[0]["command"]["resume"]["decisions"][0]["type"] == "reject"


@pytest.mark.parametrize("state", ["approved", "rejected"])
def test_it_goes_on_by_itself_when_somebody_else_has_decided(
    page: Open, play: Play, state: str
) -> None:
    shows(play, card(**WAITS))
    stands(play, **{"card-1": "asked"})
    browser = page(thread=THREAD)
    browser.find(".card")
    browser.idle()
    assert play.sent() == []
    play.runs.append(events(STARTED, DECIDED))
    stands(play, **{"card-1": state})
    browser.until(play.sent, "the page does not go on")
    play.keeps()
    [body] = play.sent()
    decisions = [{"type": "approve", "id": "card-1", "digest": "1" * 64}]
    assert body["command"] == {"resume": {"decisions": decisions}}
    assert "input" not in body


def test_it_does_not_go_on_while_an_own_decision_is_missing(page: Open, play: Play) -> None:
    stands(play, **{"card-1": "approved"})
    shows(play, card(1, **WAITS), card(2))
    browser = page(thread=THREAD)
    browser.idle()
    assert play.sent() == []
    assert not browser.find("#cards .primary").is_enabled()
    browser.press("[id^=card-0] ~ * [value=approve], #cards [value=approve]")
    assert play.sent() == []


def test_others_cards_are_decided_apart_from_the_conversation(page: Open, play: Play) -> None:
    stands(play, card(7, asker="olga", approval="peer"))
    browser = page()
    assert "Others ask for your approval" in browser.text("#peers")
    assert "olga" in browser.text("#peers .card")
    stands(play)
    browser.press("#peers .approve")
    browser.until(lambda: play.sent("/agent/approvals"), "nothing was sent")
    [sent] = play.sent("/agent/approvals")
    assert sent == {"id": "card-7", "digest": "7" * 64, "decision": "approve", "reason": ""}
    browser.until(lambda: not browser.all("#peers .card"), "the card stays")
    assert play.sent() == []


def test_a_no_to_another_s_card_carries_its_reason(page: Open, play: Play) -> None:
    stands(play, card(7, asker=HOSTILE, approval="peer"))
    browser = page(lang="ru")
    assert SEEN in browser.text("#peers .card").replace("\n\n", "\n")
    assert nameless(browser) == []
    browser.find("#peers .card input").send_keys("not now")
    browser.press("#peers [value=reject]")
    browser.until(lambda: play.sent("/agent/approvals"), "nothing was sent")
    assert play.sent("/agent/approvals")[0]["decision"] == "reject"
    assert play.sent("/agent/approvals")[0]["reason"] == "not now"
    assert browser.complaints() == []


WATCHED = """
window.planned = [];
const usual = window.setTimeout;
window.setTimeout = (act, time) => { window.planned.push(time); return usual(act, time); };
"""


@pytest.mark.parametrize("four_eyes", [False, True])
def test_the_page_looks_again_only_where_there_are_second_persons(
    page: Open, play: Play, four_eyes: bool
) -> None:
    play.approvals["four_eyes"] = four_eyes
    browser = page(token=None)
    play.asked.clear()
    browser.run(WATCHED)
    browser.sign_in(TOKEN)
    browser.until(lambda: "/agent/approvals" in [path for _, path, _ in play.asked], "no look")
    browser.idle()
    if four_eyes:
        browser.until(lambda: 20_000 in browser.run("return window.planned"), "no next look")
    assert (20_000 in browser.run("return window.planned")) == four_eyes
    assert browser.all("#peers .card") == []
