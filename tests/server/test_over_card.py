"""Messages and noes over an open card, as Agent Chat UI and Agent Inbox send them.

The thread stays whole: the call is answered, nothing is written, and the next turn works.
"""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from demo.supersets import Pair
from tests.server.chat_clients import AgentChat, AgentInbox, Client
from tests.server.crash_proxy import Proxy
from tests.server.deployment import on_usa, usa_id
from tests.server.over_card import ASK, END, OVER, WITHDRAWN, Witness, slowed_server
from tests.server.test_agent_inbox import OlderInbox
from tests.server_process import Server
from tools.wall import MARKED

Opens = Callable[..., Any]


@pytest.fixture(scope="module")
def slowed(supersets: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with slowed_server(supersets, tmp_path_factory.mktemp("over-card")) as slowed:
        yield slowed


@pytest.fixture(scope="module")
def agent(slowed: tuple[Server, Proxy]) -> Server:
    """What `client` talks to."""
    return slowed[0]


@pytest.fixture
def asked(client: Opens, agent: Server) -> tuple[AgentChat, Witness, dict[str, Any]]:
    """A chat over whose open card something will be said."""
    chat: AgentChat = client(AgentChat)
    chat.typed(ASK)
    witness = Witness(agent, chat)
    return chat, witness, witness.card


def goes_on(chat: AgentChat, seen: Witness, pair: Pair, *before: dict[str, Any]) -> None:
    """A late yes does nothing; the next turn works, and its fresh card can be approved."""
    chat.decide(type="approve")
    assert on_usa(pair) == set()
    chat.typed(ASK)
    assert seen.card["id"] not in [card["id"] for card in before]
    chat.decide(type="approve")
    assert len(on_usa(pair)) == 1
    assert seen.kinds[-1] == "result"
    assert chat.state["interrupts"] == []


@pytest.mark.parametrize(("words", "language"), OVER)
def test_a_message_withdraws_the_card(asked: Any, pair: Pair, words: str, language: str) -> None:
    chat, seen, card = asked
    assert "operation_cancelled" in chat.typed(words)
    assert chat.state["interrupts"] == []
    seen.cancelled(card, WITHDRAWN[language])
    assert on_usa(pair) == set()
    goes_on(chat, seen, pair, card)


def test_each_message_withdraws_the_card_before_it(asked: Any, pair: Pair) -> None:
    chat, seen, first = asked
    chat.typed(ASK)
    second = seen.card
    assert second["tool_call_id"] != first["tool_call_id"]
    chat.typed("да")
    chat.typed("yes")
    seen.cancelled(first, WITHDRAWN["en"])
    seen.cancelled(second, WITHDRAWN["ru"])
    assert seen.kinds == ["cancelled", "cancelled"]
    goes_on(chat, seen, pair, first, second)


NOES: list[tuple[type[Client], Callable[[Any], Any], str, str]] = [
    (AgentChat, lambda ui: ui.command(goto="__end__"), "", "reject"),
    (AgentChat, lambda ui: ui.decide(type="reject", message="yes"), " Reason: yes", "yes"),
    (AgentInbox, lambda ui: ui.answer(type="response", args="да"), " Reason: да", "да"),
    (AgentInbox, lambda ui: ui.ignore(), "", "reject"),
    (OlderInbox, lambda ui: ui.ignore(), "", "reject"),
]


@pytest.mark.parametrize(("kind", "act", "why", "reason"), NOES)
def test_a_no_answers_the_call(
    asked: Any, client: Opens, pair: Pair, kind: Any, act: Any, why: str, reason: str
) -> None:
    chat, seen, card = asked
    act(client(kind, "operator", chat.thread))
    assert chat.state["interrupts"] == []
    seen.cancelled(card, f"Operation cancelled. It did not run.{why}", reason)
    assert on_usa(pair) == set()
    goes_on(chat, seen, pair, card)


@pytest.mark.parametrize("kind", [AgentInbox, OlderInbox])
def test_what_the_inbox_still_shows_is_withdrawn_by_a_message(
    asked: Any, client: Opens, pair: Pair, kind: type[AgentInbox]
) -> None:
    chat, seen, card = asked
    inbox: AgentInbox = client(kind, "operator", chat.thread)
    shown = inbox.request()
    chat.typed("да")
    inbox.answer(type="accept", args=shown)
    seen.cancelled(card, WITHDRAWN["ru"])
    assert inbox.thread not in inbox.waiting()
    goes_on(chat, seen, pair, card)


def test_a_resolved_card_is_answered_by_the_next_message(
    asked: Any, client: Opens, pair: Pair
) -> None:
    chat, seen, card = asked
    client(AgentInbox, "operator", chat.thread).resolve()
    assert chat.state["interrupts"] == []
    assert seen.decided(card) == [("rejected", MARKED, "operator@demo")]
    chat.decide(type="approve")
    chat.typed("да")
    seen.cancelled(card, "Операция отменена. Она не выполнялась.", MARKED)
    goes_on(chat, seen, pair, card)


@pytest.fixture
def other(asked: Any, client: Opens) -> AgentChat:
    """A second tab on the same thread."""
    tab: AgentChat = client(AgentChat, "operator", asked[0].thread)
    return tab


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def test_a_message_while_the_card_is_made_withdraws_it(
    client: Opens, slowed: Any, pair: Pair, threads: ThreadPoolExecutor
) -> None:
    agent, proxy = slowed
    chat = client(AgentChat)
    other = client(AgentChat, "operator", chat.thread)
    seen = Witness(agent, chat)
    gate = proxy.hold(usa_id(pair), "read")
    asking = threads.submit(chat.typed, ASK)
    assert gate.reached.wait(60)
    typing = threads.submit(other.typed, "да")
    seen.wait_runs(2)
    gate.let_go()
    assert "confirm_required" in asking.result()
    assert "operation_cancelled" in typing.result()
    [card] = seen.cards
    seen.cancelled(card, WITHDRAWN["ru"])
    assert on_usa(pair) == set()
    goes_on(chat, seen, pair, card)


@pytest.mark.parametrize("held", ["request", "answer"])
def test_a_message_during_the_write_does_not_hide_it(
    asked: Any, other: AgentChat, slowed: Any, pair: Pair, threads: ThreadPoolExecutor, held: Any
) -> None:
    chat, seen, card = asked
    gate = slowed[1].hold(usa_id(pair), held)
    approving = threads.submit(chat.decide, type="approve")
    assert gate.reached.wait(60)
    typing = threads.submit(other.typed, "нет, отмени")
    seen.wait_runs(3)
    gate.let_go()
    assert "has begun" in approving.result()
    assert "operation_cancelled" not in typing.result()
    assert len(on_usa(pair)) == 1
    assert seen.kinds == ["result"]
    assert seen.steps(card) == ["asked", "decided", "executing", "outcome"]
    chat.typed(END)
    chat.decide(type="approve")
    assert on_usa(pair) == set()
    assert seen.kinds == ["result", "result"]


@pytest.mark.parametrize("passes", [True, False])
def test_who_leaves_during_the_write_is_told_that_it_is_unknown(
    asked: Any, other: AgentChat, slowed: Any, pair: Pair, passes: bool
) -> None:
    chat, seen, card = asked
    gate = slowed[1].hold(usa_id(pair), "request")
    with chat.deciding(type="approve"):
        assert gate.reached.wait(60)
    seen.wait_idle()
    gate.let_go(passes=passes)
    assert gate.over.wait(60)
    said = other.typed("да")
    assert "operation_cancelled" not in said
    assert seen.kinds == ["unknown"]
    other.decide(type="approve")
    assert seen.steps(card) == ["asked", "decided", "executing", "unknown"]
    assert len(on_usa(pair)) == (1 if passes else 0)
    other.typed(ASK)
    assert seen.card["tool_call_id"] != card["tool_call_id"]
    other.decide(type="reject", message="no")
    assert seen.kinds == ["unknown", "cancelled"]


def test_the_second_answer_to_a_card_does_nothing(asked: Any, other: AgentChat, pair: Pair) -> None:
    chat, seen, card = asked
    chat.decide(type="approve")
    placed = on_usa(pair)
    for late in ({"type": "approve"}, {"type": "reject", "message": "no"}):
        other.decide(**late)
    chat.typed(END)
    fresh = seen.card
    # A tab that says which card it means is told that it is not this one.
    for named in ({"id": card["id"]}, {"digest": card["digest"]}):
        other.decide(type="approve", **named)
        assert seen.card["id"] == fresh["id"]
        assert other.card["guardrail"]["problem"]
    assert on_usa(pair) == placed
    assert seen.steps(card) == ["asked", "decided", "executing", "outcome"]
    chat.decide(type="approve")
    assert on_usa(pair) == set()
    assert seen.kinds == ["result", "result"]


def test_a_card_is_in_no_other_thread(asked: Any, client: Opens, agent: Server, pair: Pair) -> None:
    chat, seen, card = asked
    beside = client(AgentChat)
    assert "confirm_required" not in beside.typed("да")
    beside.decide(type="approve", id=card["id"], digest=card["digest"])
    assert beside.state["interrupts"] == []
    assert card["id"] not in json.dumps([beside.state, beside.messages])
    assert Witness(agent, beside).kinds == []
    assert on_usa(pair) == set()
    assert seen.card == card
    chat.decide(type="approve")
    assert len(on_usa(pair)) == 1
