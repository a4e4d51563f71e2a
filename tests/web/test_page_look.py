"""How the page lies on the screen, and how it reaches the server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import Browser
from tests.web.conftest import Open
from tests.web.played_server import PREFIX, RUN, THREAD, Play, events
from tests.web.test_page_cards import card, shows

STARTED = ("metadata", {"run_id": RUN})
ANSWER = {"type": "ai", "id": "a", "content": "Good day", "tool_calls": []}


def long_talk() -> list[dict[str, Any]]:
    """Sixty messages, one with a wide table and one with a word without an end."""
    table = f"|{' column |' * 12}\n|{'---|' * 12}\n|{' a value |' * 12}"
    texts = ["word " * 40] * 28 + [table, "x" * 500]
    talk = []
    for number, words in enumerate(texts):
        talk.append({"type": "human", "id": f"h{number}", "content": words})
        talk.append({"type": "ai", "id": f"a{number}", "content": words, "tool_calls": []})
    return talk


@pytest.fixture
def narrow(page: Open) -> Iterator[Open]:
    """The page on the screen of a phone."""

    def open_page(**more: Any) -> Browser:
        browser = page(**more)
        size = {"width": 360, "height": 640, "deviceScaleFactor": 1, "mobile": True}
        browser.command("Emulation.setDeviceMetricsOverride", **size)
        return browser

    yield open_page
    page(token=None).command("Emulation.clearDeviceMetricsOverride")


def test_a_message_is_sent_with_its_page(page: Open, play: Play) -> None:
    query = "objectType=dashboard&objectId=3&objectName=Sales+%3Cb%3E&envId=null&contextVersion=1"
    browser = page(f"{query}&route=%2Fsuperset%2Fdashboard%2F3%2F", lang="ru")
    assert "«Sales <b>»" in browser.text("#context")
    play.keeps(ANSWER)
    play.runs.append(events(STARTED))
    browser.say("hello")
    browser.until(play.sent, "nothing was sent")
    [body] = play.sent()
    assert body["context"] == {
        "language": "ru",
        "ui": {
            "objectType": "dashboard",
            "objectId": "3",
            "objectName": "Sales <b>",
            "envId": None,
            "route": "/superset/dashboard/3/",
            "contextVersion": 1,
        },
    }
    [message] = body["input"]["messages"]
    assert (message["type"], message["content"]) == ("human", "hello")
    assert body["assistant_id"] == "superset"
    assert (body["multitask_strategy"], body["on_disconnect"]) == ("reject", "continue")
    assert body["stream_resumable"] is True


def test_without_a_page_there_is_no_context(page: Open, play: Play) -> None:
    browser = page("")
    assert "name the dashboard" in browser.text("#context")
    play.keeps(ANSWER)
    play.runs.append(events(STARTED))
    browser.say("hello")
    browser.until(play.sent, "nothing was sent")
    assert play.sent()[0]["context"] == {"language": "en"}


def test_the_page_works_under_a_prefix_of_a_proxy(page: Open, play: Play) -> None:
    browser = page(path=f"{PREFIX}/agent/")  # with a slash too many, at that
    play.keeps(ANSWER)
    play.runs.append(events(STARTED))
    browser.say("hello")
    browser.says("#log", "Good day")
    assert all(path.startswith("/") and PREFIX not in path for _, path, _ in play.asked)
    assert browser.driver.current_url.split("?")[0].endswith(f"{PREFIX}/agent")
    assert browser.complaints() == []


def test_a_long_conversation_scrolls_and_begins_at_its_end(page: Open, play: Play) -> None:
    play.keeps(*long_talk())
    browser = page(thread=THREAD)
    where = "const m = document.querySelector('main'); return [m.scrollTop + m.clientHeight, "
    where += "m.scrollHeight, document.documentElement.scrollHeight, innerHeight]"

    def at_end() -> bool:
        bottom, height, _, _ = browser.run(where)
        return height > 2000 and abs(bottom - height) < 2

    browser.until(at_end, "it does not stand at its end")
    _, _, whole, window = browser.run(where)
    assert whole <= window  # the box to write in stays in sight


def test_an_answer_is_read_from_the_question_on(page: Open, play: Play) -> None:
    browser = page()
    long = {**ANSWER, "content": "line\n\n" * 200}

    async def answer(request: Any) -> Any:
        asked = play.sent()[0]["input"]["messages"][0]
        play.keeps(asked, long)
        return await events(STARTED, ("updates", {"call_model": {"messages": [long]}}))(request)

    play.runs.append(answer)
    browser.say("hello")
    browser.until(lambda: "line" in browser.text("#log"), "no answer came")
    browser.idle()
    place = "return document.querySelector('.human').getBoundingClientRect().top"
    top = browser.run("return document.querySelector('main').getBoundingClientRect().top")
    browser.until(lambda: 0 <= browser.run(place) - top < 100, "the question is out of sight")


def test_nothing_is_cut_off_on_a_narrow_screen(narrow: Open, play: Play) -> None:
    shows(play, card(1), card(2, shown=["x" * 300]))
    play.state["values"]["messages"] += long_talk()
    browser = narrow(thread=THREAD)
    wide = """return [...document.querySelectorAll("body *")].filter((node) =>
        node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(".table, pre"))
        .map((node) => node.outerHTML.slice(0, 200))"""
    browser.until(lambda: browser.run("return innerWidth") == 360, "the screen is not narrow")
    assert browser.run(wide) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_colour_scheme(page: Open, play: Play, scheme: str) -> None:
    browser = page(token=None)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.command("Emulation.setEmulatedMedia", features=features)
    colour = browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.command("Emulation.setEmulatedMedia", features=[])
    assert colour == {"light": "rgb(245, 246, 248)", "dark": "rgb(17, 21, 27)"}[scheme]
