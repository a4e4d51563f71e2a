"""Cards on the page: what is shown of them, and what a person's yes and no send."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser import Browser
from tests.web.conftest import Open
from tests.web.played_server import RUN, THREAD, Play, events, status
from web.texts import page_texts

STARTED = ("metadata", {"run_id": RUN})
DECIDED = ("updates", {"confirm": {"decisions": {}}})
HOSTILE = "<img src=x onerror=alert(1)>\n<b>two</b> lines {name} [a](javascript:alert(1)) \u202etxt"
SEEN = HOSTILE.replace("\u202e", "\ufffd")  # a mark that would turn the direction of what follows


def card(number: int = 1, minutes: float = 15, **facts: Any) -> dict[str, Any]:
    """A card as the server sends it."""
    return {
        "id": f"card-{number}",
        "tool_call_id": f"call-{number}",
        "tool": "start_maintenance",
        "title": "Start maintenance",
        "verdict": "confirm",
        "effect": "write",
        "risk": "guarded",
        "tone": "info",
        "stage": "dev",
        "badge": "dev",
        "environment": {"id": "dev", "title": "Development"},
        "impact": "1 dashboard would be changed",
        "differences": [],
        "arguments": {"dashboards": ["3"]},
        "edited": False,
        "shown": ["Dashboard “Sales” (id 3)"],
        "digest": f"{number}" * 64,
        "expires_at": (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat(),
        "required_roles": ["operator", "admin"],
        "reason": "",
        "user_text": "Start it",
        "prompt": "Changes in the dev environment.",
    } | facts


def shows(play: Play, *cards: dict[str, Any], problem: str | None = None) -> None:
    """Keep open cards in the conversation."""
    calls = [{"id": one["tool_call_id"], "name": one["tool"], "args": {}} for one in cards]
    asked = {"type": "ai", "id": "a", "content": "", "tool_calls": calls}
    play.keeps(asked, cards={"cards": list(cards), "problem": problem}, next=["confirm"])


def decisions(play: Play) -> Any:
    """What was sent as an answer to the cards, once."""
    [body] = play.sent()
    assert "input" not in body
    return body["command"]["resume"]["decisions"]


def test_one_card_is_approved_as_it_was_shown(page: Open, play: Play) -> None:
    shows(play, card())
    browser = page(thread=THREAD)
    assert browser.find(".card").get_attribute("role") == "group"
    assert browser.focused.text == "Start maintenance"
    for words in ("dev", "Risk: guarded", "Development (dev)", "1 dashboard", "Good until"):
        assert words in browser.text(".card")
    play.runs.append(events(STARTED, DECIDED))
    play.keeps()
    browser.run("const b = document.querySelector('.approve'); b.click(); b.click()")
    browser.until(lambda: not browser.all(".card"), "the card stays")
    browser.idle()
    assert decisions(play) == [{"type": "approve", "id": "card-1", "digest": "1" * 64}]
    assert browser.text("#notice") == ""


def test_a_rejection_carries_its_reason(page: Open, play: Play) -> None:
    shows(play, card())
    browser = page(thread=THREAD)
    play.runs.append(events(STARTED, DECIDED))
    browser.find(".card input").send_keys("not now", Keys.ENTER)  # Enter never approves
    browser.until(play.sent, "nothing was sent")
    [one] = decisions(play)
    assert one == {"type": "reject", "id": "card-1", "digest": "1" * 64, "message": "not now"}


def test_all_cards_are_decided_together(page: Open, play: Play) -> None:
    shows(play, card(1), card(2, risk="dangerous", tone="destructive", badge="⚠️ PRODUCTION"))
    browser = page(thread=THREAD)
    send = browser.find("#cards .primary")
    roles = [one.get_attribute("role") for one in browser.all(".card")]
    assert roles == ["group", "alertdialog"]
    assert browser.all("#cards .approve") == []
    assert not send.is_enabled()
    browser.all("[value=approve]")[1].click()
    assert "Left: 1" in browser.text("#cards")
    browser.all("[value=reject]")[0].click()
    play.runs.append(events(STARTED, DECIDED))
    send.click()
    browser.until(play.sent, "nothing was sent")
    assert [(one["id"], one["type"]) for one in decisions(play)] == [
        ("card-1", "reject"),
        ("card-2", "approve"),
    ]


def test_what_others_wrote_is_only_text(page: Open, play: Play) -> None:
    facts = ("title", "badge", "impact", "prompt", "user_text")
    hostile = dict.fromkeys(facts, HOSTILE) | {"shown": [HOSTILE], "differences": [HOSTILE]}
    hostile |= {"environment": {"id": HOSTILE, "title": HOSTILE}, "arguments": {HOSTILE: HOSTILE}}
    shows(play, card(**hostile), problem=HOSTILE)
    browser = page(thread=THREAD)
    assert browser.find(".shown li").text == SEEN  # line breaks too
    assert browser.find("#cards .problem").text == SEEN
    assert browser.all("#cards img, #cards b, #cards a") == []
    assert browser.complaints() == []


def test_why_an_answer_was_not_taken_is_told(page: Open, play: Play) -> None:
    shows(play, card(), problem="The card changed.")
    browser = page(thread=THREAD)
    told = browser.find("#cards .problem")
    assert (told.text, told.get_attribute("role")) == ("The card changed.", "alert")


def test_an_expired_card_says_so(page: Open, play: Play) -> None:
    shows(play, card(minutes=-1))
    browser = page(thread=THREAD)
    assert "ran out" in browser.text(".expiry")
    assert browser.find(".approve").is_enabled()  # the server asks once more


def test_typed_words_are_a_message_and_no_answer(page: Open, play: Play) -> None:
    shows(play, card())
    browser = page(thread=THREAD)
    assert "withdraws the open card" in browser.text("#composer")
    play.runs.append(events(STARTED, ("updates", {"inject_context": {"messages": []}})))
    play.keeps()
    browser.say("yes, approve it")
    browser.idle()
    [body] = play.sent()
    assert "command" not in body
    assert body["input"]["messages"][0]["content"] == "yes, approve it"
    assert browser.all(".card") == []


def test_an_answer_that_came_too_late_is_told(page: Open, play: Play) -> None:
    shows(play, card())
    browser = page(thread=THREAD)
    play.keeps()
    play.runs.append(events(STARTED))  # as a run does that finds nothing to answer
    browser.press(".approve")
    browser.says("#notice", "already decided or withdrawn")
    assert browser.all(".card") == []


@pytest.mark.parametrize("code", [401, 409, 503])
def test_an_answer_that_was_refused_leaves_the_card(page: Open, play: Play, code: int) -> None:
    shows(play, card())
    browser = page(thread=THREAD)
    play.runs.append(status(code))
    browser.press(".approve")
    browser.says("#notice", "played")
    browser.idle()
    assert browser.find(".approve").is_enabled()
    if code == 401:
        browser.sign_in("a-good-token")
    play.runs.append(events(STARTED, DECIDED))
    browser.press(".approve")
    browser.until(lambda: len(play.sent()) == 2, "the second answer was not sent")


def test_the_keyboard_is_enough(page: Open, play: Play) -> None:
    shows(play, card())
    browser = page(thread=THREAD)
    browser.focused.send_keys(Keys.ESCAPE)
    assert browser.focused.text == "Reject"
    browser.focused.send_keys(Keys.TAB)
    assert browser.focused.text == "Approve"
    play.runs.append(events(STARTED, DECIDED))
    browser.focused.send_keys(Keys.ENTER)
    browser.until(play.sent, "nothing was sent")
    assert decisions(play)[0]["type"] == "approve"


def test_a_card_does_not_interrupt_who_is_writing(page: Open, play: Play) -> None:
    browser = page()
    shows(play, card())
    value = play.state["interrupts"][0]["value"]
    asked = ("updates", {"__interrupt__": [{"id": "i", "value": value}]})
    play.runs.append(events(STARTED, asked, pause=0.5))
    browser.say("hello")
    browser.until(play.sent, "nothing was sent")
    browser.find("#message").send_keys("and then")
    browser.find(".card")
    browser.idle()
    assert browser.focused.get_attribute("id") == "message"
    assert browser.find("#message").get_property("value") == "and then"


def test_a_question_of_another_kind_is_not_hidden(page: Open, play: Play) -> None:
    play.keeps(interrupts=[{"id": "i", "value": {"question": "?"}}], next=["somewhere"])
    page(thread=THREAD).says("#notice", "LangGraph Studio")


def test_a_refusal_is_told_with_the_roles(page: Open, play: Play) -> None:
    call = {"id": "c", "name": "start_maintenance", "args": {}}
    reason = "Access denied: this needs the role “operator”."
    refused = card(verdict="deny", reason=reason)
    play.keeps(
        {"type": "ai", "id": "a", "content": "", "tool_calls": [call]},
        {
            "type": "tool",
            "id": "t",
            "tool_call_id": "c",
            "content": reason,
            "artifact": {"kind": "denied", "card": refused},
        },
    )
    browser = page(thread=THREAD)
    assert reason in browser.text(".refusal")
    assert "operator, admin" in browser.text(".refusal")
    assert "denied" in browser.text(".calls")


@pytest.mark.parametrize("lang", ["ru", "en"])
def test_whatever_can_be_used_has_a_name_in_the_language(page: Open, play: Play, lang: str) -> None:
    shows(play, card(1), card(2))
    browser = page(lang=lang, thread=THREAD)
    assert browser.run("return document.documentElement.lang") == lang
    assert "page-" not in browser.text()
    assert nameless(browser) == []
    assert [one.accessible_name for one in browser.all(".card")] == ["Start maintenance"] * 2
    words = page_texts(lang).decode()  # type: ignore[arg-type]
    assert names(browser, "textbox") != []
    assert all(name.strip() in words for name in names(browser, "textbox"))


def test_the_language_changes_in_place(page: Open, play: Play) -> None:
    shows(play, card())
    browser = page(lang="en", thread=THREAD)
    browser.find("#message").send_keys("kept")
    browser.press("#language")
    browser.says(".approve", "Подтвердить")
    assert "Действует до" in browser.text(".expiry")
    assert browser.run("return document.documentElement.lang") == "ru"
    assert browser.find("#message").get_property("value") == "kept"
    play.runs.append(events(STARTED, DECIDED))
    browser.say("")
    browser.until(play.sent, "nothing was sent")
    assert play.sent()[0]["context"]["language"] == "ru"


def tree(browser: Browser) -> list[tuple[str, str]]:
    """Role and name of what a screen reader finds."""
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]


def nameless(browser: Browser) -> list[str]:
    """Roles of what has no name but needs one."""
    needed = ("button", "textbox", "radio", "link", "alertdialog", "log", "heading")
    return [role for role, name in tree(browser) if role in needed and not name.strip()]


def names(browser: Browser, wanted: str) -> list[str]:
    """The names of all that has a role."""
    return [name for role, name in tree(browser) if role == wanted]
