"""The client of the main job, against a server that is played."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from demo import main_job
from demo.card_text import card_lines
from demo.conversation import Conversation
from demo.errors import DemoError
from demo.job_texts import NO, TEXTS, YES, Language
from demo.main_job import announce, banners, fingerprint

CARD = {
    "badge": "dev",
    "title": "Запуск обслуживания",
    "prompt": "Изменения в среде разработки.",
    "environment": {"id": "ss-dev", "title": "Development"},
    "shown": ["USA Births Names (7)"],
    "impact": "Изменится 1 дашборд",
    "differences": ["баннер сверху"],
    "expires_at": "2026-01-02T03:04:05+00:00",
    "risk": "guarded",
    "digest": "d1g35t",
}
REQUEST = {
    "id": "i1",
    "value": {
        "action_requests": [{"name": "start_maintenance", "description": "Обслуживание: USA"}],
        "guardrail": {"cards": [CARD], "problem": None},
    },
}


class Played:
    """A LangGraph client: one card for each sentence, then an answer."""

    def __init__(self, fails: bool = False, asks: bool = True) -> None:
        self.threads = self.runs = self
        self.sent: list[dict[str, Any]] = []
        self.fails, self.asks = fails, asks

    def create(self) -> dict[str, str]:
        return {"thread_id": "t"}

    def wait(self, thread: str, graph: str, **sent: Any) -> dict[str, Any]:
        assert (thread, graph) == ("t", "superset")
        self.sent.append(sent)
        return {"__error__": {"error": "Bad", "message": "luck"}} if self.fails else {}

    def get_state(self, thread: str) -> dict[str, Any]:
        decided = "command" in self.sent[-1] or not self.asks
        content = [{"type": "text", "text": "Готово"}]
        return {
            "values": {"messages": [{"content": "?"}, {"content": content}]},
            "interrupts": [] if decided else [REQUEST],
        }


def talk(client: Any, *, yes: bool = False, language: Language = "ru") -> Conversation:
    return Conversation(client, language, 7, yes=yes)


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make a person type these answers, one to each question."""

    def prepare(*answers: str) -> Iterator[str]:
        left = iter(answers)
        monkeypatch.setattr("builtins.input", lambda question: next(left))
        return left

    return prepare


def test_a_card_is_shown_and_approved(capsys: pytest.CaptureFixture[str]) -> None:
    client = Played()
    assert talk(client, yes=True).send("Запусти обслуживание") == "approved"
    first, second = client.sent
    assert first["input"] == {"messages": [{"role": "user", "content": "Запусти обслуживание"}]}
    assert first["context"] == {
        "ui": {
            "objectType": "dashboard",
            "objectId": "7",
            "envId": "ss-dev",
            "route": "/superset/dashboard/usa/",
            "contextVersion": 1,
        },
        "language": "ru",
    }
    assert second["command"] == {"resume": {"decisions": [{"type": "approve"}]}}
    shown = capsys.readouterr().out
    assert "\n".join(card_lines(CARD, "ru")) in shown
    assert "Готово" in shown
    assert "guarded" not in shown
    assert "d1g35t" not in shown


@pytest.mark.parametrize("language", TEXTS)
def test_a_card_is_readable(language: Language) -> None:
    head, *lines, tail = card_lines(CARD, language)
    assert TEXTS[language]["card"] in head
    assert set(tail) == {"-"}
    assert lines[:2] == ["[dev] Запуск обслуживания", "Изменения в среде разработки."]
    assert lines[2] == f"{TEXTS[language]['environment']}: Development (ss-dev)"
    assert lines[3:6] == ["  USA Births Names (7)", "Изменится 1 дашборд", "  баннер сверху"]
    assert re.fullmatch(rf"{TEXTS[language]['expires']} \d\d:\d\d:05", lines[6])


def test_both_languages_have_all_texts() -> None:
    assert TEXTS["en"].keys() == TEXTS["ru"].keys()
    assert not any(re.search("[а-яё]", text, re.IGNORECASE) for text in TEXTS["en"].values())
    for name, text in TEXTS["ru"].items():
        assert re.search("[а-яё]", text.lower()), name
        assert "[y/n]" not in text
    assert not YES & NO


def test_why_an_answer_was_not_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    client = Played()
    request = json.loads(json.dumps(REQUEST))
    request["value"]["guardrail"]["problem"] = "The card has expired."
    client.get_state = lambda thread: {  # type: ignore[method-assign]
        "values": {"messages": []},
        "interrupts": [] if "command" in client.sent[-1] else [request],
    }
    talk(client, yes=True).send("x")
    assert "The card has expired." in capsys.readouterr().out


def test_an_interrupt_without_a_card_does_not_loop() -> None:
    client = Played()
    client.get_state = lambda thread: {"interrupts": [{"value": {}}]}  # type: ignore[method-assign]
    with pytest.raises(DemoError, match="no card"):
        talk(client, yes=True, language="en").send("x")


@pytest.mark.parametrize(
    ("typed", "decision"),
    [("д", "approve"), (" Yes ", "approve"), ("n", "reject"), ("Нет", "reject")],
)
def test_the_person_decides(typed: str, decision: str, types: Any) -> None:
    types(typed)
    client = Played()
    assert (
        talk(client).send("Запусти обслуживание")
        == {"approve": "approved", "reject": "rejected"}[decision]
    )
    assert client.sent[1]["command"]["resume"]["decisions"] == [{"type": decision}]


def test_an_unclear_answer_is_asked_again(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    left = types("", "maybe", "y")
    client = Played()
    talk(client).send("Запусти обслуживание")
    assert client.sent[1]["command"]["resume"]["decisions"] == [{"type": "approve"}]
    assert capsys.readouterr().out.count(TEXTS["ru"]["unclear"]) == 2
    assert list(left) == []


def test_no_terminal_means_no_approval(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(question: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    client = Played()
    talk(client).send("Запусти обслуживание")
    assert client.sent[1]["command"]["resume"]["decisions"] == [{"type": "reject"}]


def test_a_failed_run_is_told() -> None:
    with pytest.raises(DemoError, match="The run failed: Bad: luck"):
        talk(Played(fails=True), language="en").send("Start maintenance")


def test_without_a_demo_it_says_how_to_start_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main_job, "state_folder", lambda checkout: tmp_path)
    assert main_job.main(["--yes"]) == 1
    assert "start it with `make demo`" in capsys.readouterr().out


class Dashboard:
    """Superset's API for one dashboard, whose layouts are given in the order of the looks."""

    def __init__(self, *layouts: dict[str, Any]) -> None:
        self.layouts = list(layouts)

    def call(self, method: str, path: str) -> dict[str, Any]:
        assert (method, path) == ("GET", "/api/v1/dashboard/7")
        return {"result": {"position_json": json.dumps(self.layouts.pop(0))}}


PLAIN = {"ROOT_ID": {"type": "ROOT"}}
WITH_BANNER = {**PLAIN, "M": {"type": "MARKDOWN", "meta": {"code": "Down until noon"}}}


@pytest.mark.parametrize("language", TEXTS)
def test_the_whole_job(language: Language, capsys: pytest.CaptureFixture[str]) -> None:
    texts, client = TEXTS[language], Played()
    superset = Dashboard(PLAIN, WITH_BANNER, PLAIN)
    assert announce(talk(client, yes=True, language=language), superset, 7, "p", language) == 0
    said = [sent["input"]["messages"][0]["content"] for sent in client.sent if "input" in sent]
    assert said == [texts["start"], texts["end"]]
    out = capsys.readouterr().out
    assert "  Down until noon" in out
    assert texts["same"] in out
    assert out.count(fingerprint(PLAIN)) == 3


def test_a_layout_that_differs_in_the_end_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    superset = Dashboard(PLAIN, WITH_BANNER, WITH_BANNER)
    assert announce(talk(Played(), yes=True, language="en"), superset, 7, "p", "en") == 1
    assert TEXTS["en"]["differs"] in capsys.readouterr().out


def test_an_approval_without_a_banner_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    client = Played()
    assert announce(talk(client, yes=True, language="en"), Dashboard(PLAIN, PLAIN), 7, "p", "en")
    out = capsys.readouterr().out
    assert TEXTS["en"]["no banner"] in out
    assert TEXTS["en"]["unchanged"] in out
    assert len(client.sent) == 2  # nothing is ended that did not begin


def test_after_a_reject_it_stops_politely(types: Any, capsys: pytest.CaptureFixture[str]) -> None:
    types("n")
    client = Played()
    assert announce(talk(client), Dashboard(PLAIN), 7, "p", "ru") == 0
    assert len(client.sent) == 2
    assert capsys.readouterr().out.rstrip().endswith(TEXTS["ru"]["rejected"])


def test_without_a_card_it_claims_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    client = Played(asks=False)
    assert announce(talk(client, yes=True), Dashboard(PLAIN), 7, "p", "ru") == 1
    out = capsys.readouterr().out
    assert out.rstrip().endswith(TEXTS["ru"]["no card"])
    assert TEXTS["ru"]["same"] not in out


@pytest.mark.parametrize("answers", [("y", "n"), ("y", "y", "n")])
def test_whoever_does_not_end_it_is_told_that_it_stays(
    answers: tuple[str, ...], types: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    types(*answers)
    superset = Dashboard(PLAIN, WITH_BANNER)
    assert announce(talk(Played(), language="en"), superset, 7, "p", "en") == 0
    out = capsys.readouterr().out
    assert "its banner stays. To end it tell the agent: End maintenance" in out
    assert TEXTS["en"]["same"] not in out


def test_help_keeps_its_paragraphs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main_job.main(["--help"])
    out = capsys.readouterr().out
    assert "\n\nRun it while the demo runs:\n\n    .venv/bin/python -m demo.main_job" in out
    assert "default: en" in out


def test_layouts_are_compared_whole_and_new_texts_are_the_banner() -> None:
    before = {"v": "v2", "ROOT_ID": {"type": "ROOT", "children": []}}
    after = {**before, "M": {"type": "MARKDOWN", "meta": {"code": "Down until noon"}}}
    assert banners(before, after) == ["Down until noon"]
    assert fingerprint(before) == fingerprint(dict(reversed(before.items())))
    assert fingerprint(before) != fingerprint(after)
