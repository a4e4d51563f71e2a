"""The main job, seen from a client: announce maintenance on a dashboard, then end it.

Run it while the demo runs:

    .venv/bin/python -m demo.main_job [--lang en|ru] [--token TOKEN] [--yes]

It plays the person on the page of the dashboard "USA Births Names": sends a sentence to the
agent, shows the card, asks for the decision, and looks at the dashboard through Superset's API.

Exit status: 0 when the layout is as it was, or when you said no; 1 when something did not go
as it should, also when no card came (as with a viewer's token).
"""

import argparse
import hashlib
import json
import sys
from typing import Any

import httpx
from langgraph_sdk import get_sync_client
from langgraph_sdk.errors import LangGraphError

from demo.accounts import HUMAN
from demo.conversation import SLUG, Conversation, Json
from demo.errors import DemoError
from demo.job_texts import TEXTS, Language
from demo.live import Live
from demo.places import CHECKOUT, state_folder
from demo.rest import Rest, RestError
from demo.say import say
from demo.settings_files import SECRET, read_variables
from demo.supervisor import DEV, SERVER
from demo.tokens import make_token


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
    """Find the demo and the dashboard, and run the job; return the exit status."""
    texts = TEXTS[options.lang]
    live = Live.load(state_folder(CHECKOUT))
    if not {DEV, SERVER} <= live.services.keys():
        raise DemoError(texts["no demo"])
    token = options.token or make_token(read_variables(CHECKOUT).get(SECRET, ""), "operator")
    superset = Rest(live.services[DEV].url).login(*HUMAN)
    dashboard = superset.call("GET", f"/api/v1/dashboard/{SLUG}")["result"]["id"]
    # A key of some LangSmith account in the shell is none of the demo's business.
    client = get_sync_client(
        url=options.url or live.services[SERVER].url,
        api_key=None,
        headers={"Authorization": f"Bearer {token}"},
    )
    talk = Conversation(client, options.lang, dashboard, yes=options.yes)
    page = f"{live.services[DEV].url}/superset/dashboard/{SLUG}/"
    return announce(talk, superset, dashboard, page, options.lang)


def announce(
    talk: Conversation, superset: Any, dashboard: int, page: str, language: Language
) -> int:
    """Start maintenance, show the banner, end it, compare; return the exit status."""
    texts = TEXTS[language]
    before = layout_of(superset, dashboard)
    outcome = talk.send(texts["start"])
    if outcome != "approved":
        say(f"\n{texts[outcome]}")
        return 0 if outcome == "rejected" else 1
    during = layout_of(superset, dashboard)
    say(f"\n{texts['banner']}")
    for text in banners(before, during) or [texts["no banner"]]:
        say(f"  {text}")
    say(f"  {page}")
    _compare(texts, before, "now", during)
    if during == before:
        say(f"  {texts['unchanged']}")
        return 1
    ended = talk.send(texts["end"]) if talk.agree(f"\n{texts['go on']}") else "rejected"
    if ended != "approved":
        say(f"\n{texts['stays'].format(end=texts['end'])}")
        return 0 if ended == "rejected" else 1
    after = layout_of(superset, dashboard)
    say()
    _compare(texts, before, "after", after)
    say(f"  {texts['same' if after == before else 'differs']}")
    return 0 if after == before else 1


def _compare(texts: dict[str, str], before: Json, name: str, layout: Json) -> None:
    width = max(len(texts["before"]), len(texts[name]))
    say(f"  {texts['before']:{width}}  {fingerprint(before)}")
    say(f"  {texts[name]:{width}}  {fingerprint(layout)}")


def main(arguments: list[str]) -> int:
    """Run the job with the options of the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m demo.main_job",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--lang", choices=sorted(TEXTS), default="en", help="default: en")
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
