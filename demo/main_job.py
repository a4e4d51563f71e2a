"""The main job, seen from a client: announce maintenance on a dashboard, then end it.

Run it while the demo runs:

    .venv/bin/python -m demo.main_job [--lang ru|en] [--token TOKEN] [--yes]

It plays the person on the page of the dashboard "USA Births Names": sends a sentence to the
agent, shows the card, asks for the decision, and looks at the dashboard through Superset's API.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

import httpx
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import LangGraphError

from demo.accounts import HUMAN
from demo.errors import DemoError
from demo.live import Live
from demo.places import CHECKOUT, state_folder
from demo.rest import Rest, RestError
from demo.say import say
from demo.settings_files import SECRET, read_variables
from demo.supervisor import DEV, SERVER
from demo.tokens import make_token

GRAPH = "superset"
SLUG = "usa"
TEXTS = {
    "ru": {
        "start": "Запусти обслуживание на дашборде USA",
        "end": "Заверши обслуживание на дашборде USA",
        "question": "Подтвердить? [y/n] ",
        "go on": "Завершить обслуживание? [y/n] ",
    },
    "en": {
        "start": "Start maintenance on the dashboard USA",
        "end": "End maintenance on the dashboard USA",
        "question": "Approve? [y/n] ",
        "go on": "End the maintenance? [y/n] ",
    },
}
Json = dict[str, Any]


class Conversation:
    """One thread of the agent, as a person on a page of the dashboard has it."""

    def __init__(
        self, client: SyncLangGraphClient, language: str, dashboard: int, *, yes: bool
    ) -> None:
        """Open a thread; `yes` approves every card without asking."""
        self._client = client
        self._language = language
        self._yes = yes
        self._page = {
            "objectType": "dashboard",
            "objectId": str(dashboard),
            "envId": "ss-dev",
            "route": f"/superset/dashboard/{SLUG}/",
            "contextVersion": 1,
        }
        self._thread = client.threads.create()["thread_id"]

    def send(self, sentence: str) -> None:
        """Send a sentence, decide on each card that comes back, and show the answer."""
        say(f"\n> {sentence}")
        self._run(input={"messages": [{"role": "user", "content": sentence}]})
        while cards := self._cards():
            decisions = [
                decision for card in cards for decision in self._decide(card.get("value") or {})
            ]
            self._run(command={"resume": {"decisions": decisions}})
        say(f"\n{self._answer()}")

    def agree(self, question: str) -> bool:
        """Ask the person; with --yes the answer is yes."""
        if self._yes:
            say(f"{question}y")
            return True
        try:
            return input(question).strip().lower() in {"y", "yes", "д", "да"}
        except EOFError:
            return False

    def _run(self, **what: Any) -> None:
        context: Json = {"ui": self._page, "language": self._language}
        answer: Any = self._client.runs.wait(
            self._thread, GRAPH, context=context, raise_error=False, **what
        )
        failed = answer.get("__error__") if isinstance(answer, dict) else None
        if failed:
            message = f"The run failed: {failed.get('error')}: {failed.get('message')}"
            raise DemoError(message)

    def _cards(self) -> list[Json]:
        state: Mapping[str, Any] = self._client.threads.get_state(self._thread)
        found = state.get("interrupts") or []
        return list(found) or [
            card for task in state.get("tasks") or [] for card in task.get("interrupts") or []
        ]

    def _decide(self, request: Json) -> list[Json]:
        actions = request.get("action_requests") or []
        for action in actions:
            say(f"\n{action.get('description') or action.get('name')}")
        cards = (request.get("guardrail") or {}).get("cards")
        say(f"\nguardrail: {json.dumps(cards, ensure_ascii=False, indent=2)}")
        kind = "approve" if self.agree(f"\n{TEXTS[self._language]['question']}") else "reject"
        return [{"type": kind} for _ in actions]

    def _answer(self) -> str:
        values: Any = self._client.threads.get_state(self._thread)["values"]
        messages = values.get("messages") or [{}]
        content = messages[-1].get("content", "")
        if isinstance(content, str):
            return content
        return "".join(block.get("text", "") for block in content if isinstance(block, dict))


def layout_of(superset: Rest, dashboard: int) -> Json:
    """Return the dashboard's layout as Superset has it now."""
    found = superset.call("GET", f"/api/v1/dashboard/{dashboard}")["result"]
    layout: Json = json.loads(found["position_json"] or "{}")
    return layout


def fingerprint(layout: Json) -> str:
    """Return a hash that is equal exactly for equal layouts."""
    text = json.dumps(layout, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def banners(before: Json, after: Json) -> list[str]:
    """Return the texts that were added to a layout."""
    return [
        part["meta"].get("code", "")
        for key, part in after.items()
        if key not in before and isinstance(part, dict) and part.get("type") == "MARKDOWN"
    ]


def job(options: argparse.Namespace) -> int:
    """Announce maintenance, show the banner, end it, compare; return the exit status."""
    live = Live.load(state_folder(CHECKOUT))
    if not {DEV, SERVER} <= live.services.keys():
        message = "The demo does not run: start it with `make demo`."
        raise DemoError(message)
    token = options.token or make_token(read_variables(CHECKOUT).get(SECRET, ""), "operator")
    superset = Rest(live.services[DEV].url).login(*HUMAN)
    dashboard = superset.call("GET", f"/api/v1/dashboard/{SLUG}")["result"]["id"]
    # A key of some LangSmith account in the shell is none of the demo's business.
    client = get_sync_client(
        url=options.url or live.services[SERVER].url,
        api_key=None,
        headers={"Authorization": f"Bearer {token}"},
    )
    texts = TEXTS[options.lang]
    talk = Conversation(client, options.lang, dashboard, yes=options.yes)
    before = layout_of(superset, dashboard)
    talk.send(texts["start"])
    during = layout_of(superset, dashboard)
    say(f"\nSuperset: {live.services[DEV].url}/superset/dashboard/{SLUG}/")
    for text in banners(before, during) or ["(no banner)"]:
        say(f"  {text}")
    say(f"  layout before {fingerprint(before)}\n  layout now    {fingerprint(during)}")
    if not talk.agree(f"\n{texts['go on']}"):
        return 0
    talk.send(texts["end"])
    after = layout_of(superset, dashboard)
    same = fingerprint(after) == fingerprint(before)
    say(f"\n  layout before {fingerprint(before)}\n  layout after  {fingerprint(after)}")
    say("  The layout is as it was." if same else "  THE LAYOUT DIFFERS.")
    return 0 if same and during != before else 1


def main(arguments: list[str]) -> int:
    """Run the job with the options of the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m demo.main_job", description=__doc__)
    parser.add_argument("--lang", choices=sorted(TEXTS), default="ru")
    parser.add_argument("--token", help="token of another role; by default the operator's")
    parser.add_argument("--url", help="another server than the running demo's")
    parser.add_argument("--yes", action="store_true", help="approve without asking")
    try:
        return job(parser.parse_args(arguments))
    except (DemoError, RestError, LangGraphError, httpx.HTTPError) as error:
        say(f"main_job: {error}")
    except KeyboardInterrupt:
        say()
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
