"""A person's conversation with the agent, on the page of a dashboard."""

from collections.abc import Mapping
from typing import Any, Literal

from langgraph_sdk.client import SyncLangGraphClient

from demo.card_text import card_lines
from demo.errors import DemoError
from demo.job_texts import NO, TEXTS, YES, Language
from demo.say import say

GRAPH = "superset"
SLUG = "usa"
Json = dict[str, Any]

Outcome = Literal["approved", "rejected", "no card"]
"""What became of a request: a card was approved, all were rejected, or none came."""


class Conversation:
    """One thread of the agent, as a person on a page of the dashboard has it."""

    def __init__(
        self, client: SyncLangGraphClient, language: Language, dashboard: int, *, yes: bool
    ) -> None:
        """Open a thread; `yes` approves every card without asking."""
        self._client = client
        self._language = language
        self._texts = TEXTS[language]
        self._yes = yes
        self._page = {
            "objectType": "dashboard",
            "objectId": str(dashboard),
            "envId": "ss-dev",
            "route": f"/superset/dashboard/{SLUG}/",
            "contextVersion": 1,
        }
        self._thread = client.threads.create()["thread_id"]

    def send(self, sentence: str) -> Outcome:
        """Send a sentence, decide on each card that comes back, and show the answer."""
        say(f"\n> {sentence}")
        self._run(input={"messages": [{"role": "user", "content": sentence}]})
        outcome: Outcome = "no card"
        while cards := self._cards():
            decisions = [
                decision for card in cards for decision in self._decide(card.get("value") or {})
            ]
            if not decisions:
                raise DemoError(self._texts["no cards"])
            approved = any(decision["type"] == "approve" for decision in decisions)
            outcome = "approved" if approved else "rejected"
            self._run(command={"resume": {"decisions": decisions}})
        say(f"\n{self._answer()}")
        return outcome

    def agree(self, question: str) -> bool:
        """Ask the person until the answer is clear; with --yes it is yes, without a terminal no."""
        if self._yes:
            say(f"{question}{self._texts['yes']}")
            return True
        try:
            while (typed := input(question).strip().lower()) not in YES | NO:
                say(self._texts["unclear"])
        except EOFError:
            say(f"\n{self._texts['no answer']}")
            return False
        return typed in YES

    def _run(self, **what: Any) -> None:
        context: Json = {"ui": self._page, "language": self._language}
        answer: Any = self._client.runs.wait(
            self._thread, GRAPH, context=context, raise_error=False, **what
        )
        failed = answer.get("__error__") if isinstance(answer, dict) else None
        if failed:
            message = f"{self._texts['failed']}: {failed.get('error')}: {failed.get('message')}"
            raise DemoError(message)

    def _cards(self) -> list[Json]:
        state: Mapping[str, Any] = self._client.threads.get_state(self._thread)
        found = state.get("interrupts") or []
        return list(found) or [
            card for task in state.get("tasks") or [] for card in task.get("interrupts") or []
        ]

    def _decide(self, request: Json) -> list[Json]:
        guardrail = request.get("guardrail") or {}
        if guardrail.get("problem"):
            say(f"\n{guardrail['problem']}")
        decisions = []
        for card in guardrail.get("cards") or []:
            say("\n" + "\n".join(card_lines(card, self._language)))
            kind = "approve" if self.agree(self._texts["approve"]) else "reject"
            decisions.append({"type": kind})
        return decisions

    def _answer(self) -> str:
        values: Any = self._client.threads.get_state(self._thread)["values"]
        messages = values.get("messages") or [{}]
        content = messages[-1].get("content", "")
        if isinstance(content, str):
            return content
        return "".join(block.get("text", "") for block in content if isinstance(block, dict))
