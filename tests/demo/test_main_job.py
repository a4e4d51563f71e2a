"""The client of the main job, against a server that is played."""

from typing import Any

import pytest

from demo import main_job
from demo.errors import DemoError
from demo.main_job import Conversation, banners, fingerprint

CARD = {
    "id": "i1",
    "value": {
        "action_requests": [{"name": "start_maintenance", "description": "Обслуживание: USA"}],
        "guardrail": {"cards": [{"risk": "guarded"}]},
    },
}


class Played:
    """A LangGraph client: one card, then an answer that repeats the decision."""

    def __init__(self, fails: bool = False) -> None:
        self.threads = self.runs = self
        self.sent: list[dict[str, Any]] = []
        self.fails = fails

    def create(self) -> dict[str, str]:
        return {"thread_id": "t"}

    def wait(self, thread: str, graph: str, **sent: Any) -> dict[str, Any]:
        assert (thread, graph) == ("t", "superset")
        self.sent.append(sent)
        return {"__error__": {"error": "Bad", "message": "luck"}} if self.fails else {}

    def get_state(self, thread: str) -> dict[str, Any]:
        decided = "command" in self.sent[-1]
        content = [{"type": "text", "text": "Готово"}]
        return {
            "values": {"messages": [{"content": "?"}, {"content": content}]},
            "interrupts": [] if decided else [CARD],
        }


def talk(client: Any, *, yes: bool = False) -> Conversation:
    return Conversation(client, "ru", 7, yes=yes)


def test_a_card_is_shown_and_approved(capsys: pytest.CaptureFixture[str]) -> None:
    client = Played()
    talk(client, yes=True).send("Запусти обслуживание")
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
    assert "Обслуживание: USA" in shown
    assert '"risk": "guarded"' in shown
    assert "Готово" in shown


@pytest.mark.parametrize(
    ("typed", "decision"), [("д", "approve"), ("Yes", "approve"), ("n", "reject"), ("", "reject")]
)
def test_the_person_decides(typed: str, decision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda question: typed)
    client = Played()
    talk(client).send("Запусти обслуживание")
    assert client.sent[1]["command"]["resume"]["decisions"] == [{"type": decision}]


def test_no_terminal_means_no_approval(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(question: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    client = Played()
    talk(client).send("Запусти обслуживание")
    assert client.sent[1]["command"]["resume"]["decisions"] == [{"type": "reject"}]


def test_a_failed_run_is_told() -> None:
    with pytest.raises(DemoError, match="The run failed: Bad: luck"):
        talk(Played(fails=True)).send("Запусти обслуживание")


def test_without_a_demo_it_says_how_to_start_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main_job, "state_folder", lambda checkout: tmp_path)
    assert main_job.main(["--yes"]) == 1
    assert "start it with `make demo`" in capsys.readouterr().out


def test_layouts_are_compared_whole_and_new_texts_are_the_banner() -> None:
    before = {"v": "v2", "ROOT_ID": {"type": "ROOT", "children": []}}
    after = {**before, "M": {"type": "MARKDOWN", "meta": {"code": "Down until noon"}}}
    assert banners(before, after) == ["Down until noon"]
    assert fingerprint(before) == fingerprint(dict(reversed(before.items())))
    assert fingerprint(before) != fingerprint(after)
