"""What goes wrong between the page and the server: it is told, and nothing typed is lost."""

import asyncio
import threading
from typing import Any

import pytest

from tests.web.conftest import Open
from tests.web.played_server import RUN, THREAD, Play, events, status

HUMAN = {"type": "human", "id": "h", "content": "hello"}
ANSWER = {"type": "ai", "id": "a", "content": "Good day", "tool_calls": []}
STARTED = ("metadata", {"run_id": RUN})


def chunk(words: str, **more: Any) -> tuple[str, Any]:
    """A piece of an answer, as a model streams it."""
    return "messages", [{"type": "AIMessageChunk", "id": "a", "content": words} | more, {}]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (403, "The server refused this"),
        (404, "no such conversation"),
        (409, "busy with another request"),
        (413, "too long for the server"),
        (422, "What is wrong"),
        (500, "status 500"),
        (503, "status 503"),
    ],
)
def test_a_refused_message_stays_in_the_box(page: Open, play: Play, code: int, told: str) -> None:
    browser = page()
    play.runs.append(status(code))
    browser.say("hello")
    browser.says("#notice", told)
    browser.says("#notice", "played")  # the server's own words, too
    browser.idle()
    assert browser.find("#message").get_property("value") == "hello"
    assert browser.all("article") == []


@pytest.mark.parametrize("code", [409, 503])
def test_what_may_pass_can_be_tried_again(page: Open, play: Play, code: int) -> None:
    browser = page()
    play.keeps(ANSWER)
    play.runs += [status(code), events(STARTED, chunk("Good day"))]
    browser.say("hello")
    browser.idle()
    browser.press("#notice button")
    browser.says("#log", "Good day")
    assert [body["input"]["messages"][0]["content"] for body in play.sent()] == ["hello"] * 2
    assert browser.find("#message").get_property("value") == ""


def test_a_bad_address_is_told_by_the_fields(page: Open, play: Play) -> None:
    query = "objectId=3x&objectId=4&envId=nowhere&route=home&color=red"
    browser = page(query, lang="de")
    assert "color" in browser.text("#context")
    browser.say("hello")  # the door answers: nothing of the play is asked
    browser.says("#notice", "context.ui.objectId")
    browser.says("#notice", "context.ui.route")
    browser.says("#notice", "context.language")
    assert play.runs == []


def test_a_token_that_is_not_taken_is_asked_for_again(page: Open, play: Play) -> None:
    browser = page(token="out-of-date")
    browser.says("#notice", "did not take the token")
    browser.says("#notice", "not valid here")
    assert browser.focused.get_attribute("id") == "token"
    assert browser.find("#token").get_property("value") == ""
    play.keeps(ANSWER)
    play.runs.append(events(STARTED, chunk("Good day")))
    browser.find("#message").send_keys("hello")
    browser.sign_in("a-good-token")
    assert browser.find("#message").get_property("value") == "hello"
    browser.say("")
    browser.says("#log", "Good day")


def test_without_a_token_nothing_is_sent(page: Open, play: Play) -> None:
    browser = page(token=None)
    browser.say("hello")
    browser.says("#notice", "Enter a token first")
    browser.sign_in("плохой")
    browser.says("#notice", "This is no token")
    assert browser.find("#message").get_property("value") == "hello"
    assert play.asked == []


def test_a_token_that_expires_keeps_the_message(page: Open, play: Play) -> None:
    browser = page()
    play.runs.append(status(401, "The token has expired"))
    browser.say("hello")
    browser.says("#notice", "The token has expired")
    assert browser.find("#token").is_displayed()
    assert browser.find("#message").get_property("value") == "hello"


def test_without_a_network_the_message_waits(page: Open, play: Play) -> None:
    browser = page()
    conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.command("Network.enable")
    browser.command("Network.emulateNetworkConditions", offline=True, **conditions)
    browser.say("hello")
    browser.says("#notice", "can't be reached")
    browser.command("Network.emulateNetworkConditions", offline=False, **conditions)
    assert browser.find("#message").get_property("value") == "hello"
    play.keeps(ANSWER)
    play.runs.append(events(STARTED, chunk("Good day")))
    browser.press("#notice button")
    browser.says("#log", "Good day")


def test_a_lost_connection_is_taken_up_where_it_broke(page: Open, play: Play) -> None:
    browser = page()
    play.active = True
    play.runs.append(events(STARTED, chunk("Good "), broken=True))

    async def rest(request: Any) -> Any:
        play.active = False
        play.keeps({**HUMAN, "id": play.sent()[0]["input"]["messages"][0]["id"]}, ANSWER)
        return await events(chunk("day"))(request)

    play.joins.append(rest)
    browser.say("hello")
    browser.says("#log", "Good day")
    browser.idle()
    joined = [ask for ask in play.asked if ask[1].endswith(f"/runs/{RUN}/stream")]
    assert joined == [("GET", f"/threads/{THREAD}/runs/{RUN}/stream", "7-1")]
    assert browser.text("#notice") == ""
    assert len(browser.all("article.human")) == len(browser.all("article.agent")) == 1


def test_a_run_that_goes_on_is_followed_after_a_reload(page: Open, play: Play) -> None:
    play.active = True
    play.keeps(HUMAN, next=["call_model"])

    async def all_of_it(request: Any) -> Any:
        play.active = False
        play.keeps(HUMAN, ANSWER)
        return await events(STARTED, chunk("Good "), chunk("day"))(request)

    play.joins.append(all_of_it)
    browser = page(thread=THREAD)
    browser.says("#log", "Good day")
    assert ("GET", f"/threads/{THREAD}/runs/{RUN}/stream", "-1") in play.asked


def test_what_a_model_tells_a_tool_is_no_answer(page: Open, play: Play) -> None:
    browser = page()
    inner = ("messages", [{"type": "AIMessageChunk", "id": "b", "content": "Psst"}, {}])
    inner[1][1]["langgraph_node"] = "execute_tools"
    play.keeps(HUMAN)
    play.runs.append(events(STARTED, inner, chunk("Good day"), hold=1.0))
    browser.say("hello")
    browser.says("#log", "Good day")
    assert "Psst" not in browser.text("#log")
    browser.idle()


def test_a_run_that_ends_with_an_error_says_so(page: Open, play: Play) -> None:
    browser = page()
    told = {"error": "ValueError", "message": "<b>no</b>"}
    play.runs.append(events(STARTED, chunk("Go"), ("error", told)))
    browser.say("hello")
    browser.says("#notice", "ended with an error")
    browser.says("#notice", "ValueError: <b>no</b>")
    browser.idle()
    assert browser.find("#message").get_property("value") == "hello"


def test_a_conversation_left_behind_shows_nothing_any_more(page: Open, play: Play) -> None:
    browser = page()

    left = threading.Event()

    async def late(request: Any) -> Any:
        await asyncio.to_thread(left.wait, 10)
        return await events(STARTED, chunk("Too late"))(request)

    play.runs.append(late)
    browser.say("hello")
    browser.until(play.sent, "nothing was sent")
    browser.press("#new")
    left.set()
    play.keeps(ANSWER)
    play.runs.append(events(STARTED, chunk("Good day")))
    browser.say("again")
    browser.says("#log", "Good day")
    browser.idle()
    assert "Too late" not in browser.text("#log")


def test_the_policy_holds_and_its_violations_are_noticed(page: Open, play: Play) -> None:
    browser = page(token=None)
    markup = "try { document.body.innerHTML = '<b>x</b>' } catch (error) { return error.name }"
    assert browser.run(markup) == "TypeError"
    image = "document.body.append(Object.assign(new Image(), { src: arguments[0] }))"
    browser.run(image, "http://127.0.0.1:9/image.png")
    browser.until(lambda: "img-src" in str(browser.complaints()), "the image was not refused")
    assert "http://127.0.0.1:9/image.png" in browser.requests()  # an attempt is noticed, too
    browser.run("fetch(arguments[0]).catch(() => 0)", "http://127.0.0.1:9/")
    browser.until(lambda: "connect-src" in str(browser.complaints()), "the call was not refused")
