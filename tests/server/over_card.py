"""Not a test: what became of the cards of a thread, in its state, on record and in Superset."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demo.supersets import Pair
from tests.server.chat_clients import Client, whole
from tests.server.crash_proxy import Proxy, proxy_to
from tests.server.deployment import agent_server
from tests.server_process import Server
from tools.records import Records

ASK = "Start maintenance on the USA dashboard in ss-dev"
END = "End maintenance on the USA dashboard in ss-dev"
WITHDRAWN = {
    "en": "Operation cancelled: a new message came before it was decided. It did not run.",
    "ru": "Операция отменена: новое сообщение пришло раньше решения. Она не выполнялась.",
}
"""What is told of a call over whose card somebody typed."""

OVER = [
    ("What can you do?", "en"),
    ("yes", "en"),
    ("approve", "en"),
    ("да", "ru"),
    ("Подтверждаю, выполняй", "ru"),
]
"""What is typed over a card, and the language in which it is answered."""

PATIENCE = 60.0


@contextmanager
def slowed_server(pair: Pair, folder: Path) -> Iterator[tuple[Server, Proxy]]:
    """The product, whose way to the first Superset leads through a proxy that can hold it."""
    server = agent_server(pair, folder)
    settings = folder / "pilothouse.toml"
    with proxy_to(pair.dev.url) as proxy:
        told = settings.read_text(encoding="utf-8").replace(pair.dev.url, proxy.url)
        settings.write_text(told, encoding="utf-8")
        with server:
            yield server, proxy


@dataclass(frozen=True)
class Witness:
    """Who looks at one thread without taking part.

    Attributes:
        server: Where it is.
        ui: A client of the thread's user.
    """

    server: Server
    ui: Client

    @property
    def card(self) -> dict[str, Any]:
        """The one open card."""
        (card,) = self.ui.card["guardrail"]["cards"]
        return dict(card)

    @property
    def cards(self) -> list[dict[str, str]]:
        """The calls of the thread for which a card was shown, oldest first."""
        with Records.look(self._url) as records:
            rows = records.audit.list(kind="asked", thread_id=self.ui.thread)
        return [{"id": row.detail["approval"], "tool_call_id": str(row.call_id)} for row in rows]

    @property
    def kinds(self) -> list[str]:
        """Which kind of answer each call got, in their order; each got one."""
        messages = self.ui.messages
        assert whole(messages), messages
        return [one["artifact"]["kind"] for one in messages if one["type"] == "tool"]

    def decided(self, card: dict[str, Any]) -> list[tuple[str, str | None, str]]:
        """What the audit says was decided of a card's call: what, why, and by whom."""
        with Records.look(self._url) as records:
            rows = records.audit.list(kind="decided", thread_id=self.ui.thread)
        return [
            (row.detail["to"], row.detail.get("reason"), row.user_id)
            for row in rows
            if row.call_id == card["tool_call_id"]
        ]

    def steps(self, card: dict[str, Any]) -> list[str]:
        """All that the audit tells of a card's call."""
        with Records.look(self._url) as records:
            rows = records.audit.list(thread_id=self.ui.thread)
        return [row.kind for row in rows if row.call_id == card["tool_call_id"]]

    def cancelled(self, card: dict[str, Any], words: str, reason: str = "new message") -> None:
        """Make sure that a card's call is cancelled: told so, on record, and never begun."""
        [answer] = [
            one
            for one in self.ui.messages
            if one["type"] == "tool" and one["tool_call_id"] == card["tool_call_id"]
        ]
        assert (answer["content"], answer["artifact"]["kind"]) == (words, "cancelled")
        assert whole(self.ui.messages)
        assert self.decided(card) == [("rejected", reason, "operator@demo")]
        assert self.steps(card) == ["asked", "decided"]

    def wait_runs(self, number: int) -> None:
        """Wait until the server has taken so many runs."""
        until(lambda: len(self._runs()) >= number)

    def wait_idle(self) -> None:
        """Wait until nothing runs."""
        until(lambda: not {"pending", "running"} & {run["status"] for run in self._runs()})

    @property
    def _url(self) -> str:
        return f"sqlite:///{self.server.folder}/records.db"

    def _runs(self) -> list[dict[str, Any]]:
        return list(self.ui.http.get(f"/threads/{self.ui.thread}/runs").json())


def until(check: Callable[[], Any]) -> None:
    """Wait for a true value.

    Raises:
        TimeoutError: it did not come.
    """
    deadline = time.monotonic() + PATIENCE
    while not check():
        if time.monotonic() > deadline:
            raise TimeoutError("What a test waits for did not come")
        time.sleep(0.05)
