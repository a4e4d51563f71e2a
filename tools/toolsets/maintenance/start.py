"""Open a maintenance event: put its banner on dashboards."""

import secrets
from datetime import datetime
from typing import Any

from langchain_core.tools import ToolException

from tools.clients.http import SupersetError, before_write
from tools.clients.layout import add_banner, banners, layout_hash
from tools.clients.superset import Dashboard, Superset
from tools.connect import Call
from tools.context import Language
from tools.definition import OPERATORS, Impact, Lexicon, OutcomeUnknown, Prepared
from tools.messages import text
from tools.messages.markdown import escape
from tools.records import Banner
from tools.resolve import Question, dataset_dashboards
from tools.results import items_of
from tools.times import TimeError, moment, shown
from tools.toolsets.maintenance.base import (
    ABOUT,
    MAINTENANCE,
    meant_dashboards,
    problem_of,
    problems,
    titles_of,
)


async def prepare_start(arguments: dict[str, Any], call: Call) -> Prepared:
    """Find the dashboards, and the end of the maintenance."""
    env_id = str(arguments["env_id"])
    client = call.superset(env_id)
    found = await _scope(arguments, client, call)
    ends_at = await _end(arguments.get("ends_at"), call)
    message = arguments.get("message") or text(call.language, "maintenance-default")
    lines = [text(call.language, "maintenance-on", title=item.title, id=item.id) for item in found]
    lines.append(text(call.language, "maintenance-message", message=message))
    if ends_at is not None:
        lines.append(text(call.language, "maintenance-until", when=shown(ends_at)))
    for item in found:
        lines += [
            text(call.language, "maintenance-already", title=item.title, event=event)
            for event in sorted(banners(item.layout))
        ]
    return Prepared(
        arguments=arguments | {"dashboards": [str(item.id) for item in found]},
        targets={
            "event_id": secrets.token_hex(6),
            "message": message,
            "ends_at": ends_at.isoformat() if ends_at else None,
            "dashboards": [_target(item) for item in found],
        },
        impact=Impact(changed=len(found)),
        shown=tuple(lines),
    )


async def _scope(arguments: dict[str, Any], client: Superset, call: Call) -> list[Dashboard]:
    """The dashboards that are named, and those that stand on the named datasets, each once."""
    named = await meant_dashboards(arguments.get("dashboards", []), client, call)
    found = {item.uuid: item for item in named}
    for words in arguments.get("datasets", []):
        for item in await dataset_dashboards(words, client, call, "datasets"):
            found.setdefault(item.uuid, item)
    return list(found.values())


async def _end(words: str | None, call: Call) -> datetime | None:
    if words is None:
        return None
    try:
        return await moment(words, call.now(), call.settings.timezone)
    except TimeError as error:
        raise Question(
            "ends_at",
            text(call.language, f"time-{error.code}", words=escape(words), now=shown(call.now())),
        ) from None


def _target(item: Dashboard) -> dict[str, Any]:
    return {
        "id": item.id,
        "uuid": item.uuid,
        "title": item.title,
        "changed_on": item.changed_on,
    }


def answer_start(payload: Any, language: Language) -> str:
    """Where the banner is, and where it could not be put."""
    n, titles = titles_of(payload["placed"])
    lines = [text(language, "started", event=payload["event_id"], n=n, titles=titles)]
    lines += [
        text(language, "maintenance-failed", title=escape(item["title"]), problem=item["problem"])
        for item in items_of(payload["failed"])
    ]
    return "\n".join(lines)


@MAINTENANCE.tool(
    effect="write",
    roles=OPERATORS,
    lexicon=Lexicon(
        objects=(*ABOUT, "warn", "предупред"),
        actions=(
            "запус", "запущ", "начн", "начать", "начин", "начат", "создай", "созда", "включ",
            "объяв", "предупред", "постав", "повес", "открой", "откры", "добав", "установ", "старт",
            "размест", "прикрут", "вывес", "вешай", "вешаем",
            # The way in: "close the dashboard for maintenance", «переведи … в режим обслуживания».
            "на обслуживание", "на техобслуживание", "на техработы", "на ремонт",
            "в режим обслуживания", "закрой баннером", "under repair",
            "for maintenance", "under maintenance", "into maintenance", "to maintenance",
            "in maintenance mode",
            "turn on", "put up", "set up", "mark", "warn", "notify", "post", "hang", "flag",
            "place", "start", "begin", "create", "announce", "put", "open", "enable", "set",
            "add", "launch",
        ),
        bare=True,
    ),
    ru="Запусти обслуживание на этом дашборде",
    en="Start maintenance on this dashboard",
    affinity=frozenset({"dashboard"}),
    page={"dashboards": "dashboard"},
    required=frozenset({"dashboards"}),
    instead={"dashboards": ("datasets",)},
    timeout=120,
    prepare=prepare_start,
    answer=answer_start,
)  # fmt: skip
async def start_maintenance(
    call: Call,
    dashboards: list[str] | None = None,
    datasets: list[str] | None = None,
    env_id: str | None = None,
    message: str | None = None,
    ends_at: str | None = None,
) -> dict[str, Any]:
    """Open a maintenance event: put a banner at the top of dashboards, on every tab.

    The banner stays until end_maintenance takes it away, which restores the layout exactly.

    Args:
        dashboards: Ids or titles of the dashboards; left out, the one of the page.
        datasets: Instead of dashboards, or besides them: ids or names of datasets (tables); the
            banner goes on every dashboard that stands on one of them.
        env_id: The environment, by its id; left out, it is the page's.
        message: What the banner says; left out, a usual sentence.
        ends_at: When the maintenance should end, such as "18:00", "in 2 hours" or
            "2026-12-01T18:00". It is only shown: nothing ends by itself.
    """
    targets = call.targets
    call.superset(str(env_id))  # before anything is written down: may the user, and is it known
    event_id, wanted = targets["event_id"], targets["dashboards"]
    ends_at_time = datetime.fromisoformat(targets["ends_at"]) if targets["ends_at"] else None
    blank = [Banner(item["id"], item["uuid"], item["title"]) for item in wanted]
    await call.services.store(
        lambda records: records.maintenance.open_event(
            event_id,
            env_id=str(env_id),
            message=targets["message"],
            by=call.user.id,
            ends_at=ends_at_time,
            banners=blank,
            now=call.now(),
        )
    )
    notice = _notice(targets["message"], ends_at_time, call.language)
    outcomes = []
    for number, item in enumerate(wanted):
        outcomes.append(await _place(item, number, event_id, notice, str(env_id), call))
        await call.report(number + 1, len(wanted))
    return await _started(event_id, outcomes, call)


def _notice(message: str, ends_at: datetime | None, language: Language) -> str:
    """The Markdown of the banner."""
    until = text(language, "banner-until", when=shown(ends_at)) if ends_at else ""
    return text(language, "banner", message=escape(message), until=until).strip()


async def _place(
    item: dict[str, Any], number: int, event_id: str, notice: str, env_id: str, call: Call
) -> dict[str, Any]:
    """Put the banner on one dashboard, and record how that went."""
    client = call.superset(env_id)
    outcome = {"id": item["id"], "title": item["title"], "state": "placed", "problem": None}
    nodes: list[str] = []
    before: str | None = None
    try:
        now = await _unchanged(item, client, call)
        before = layout_hash(now.layout)
        layout, nodes = add_banner(now.layout, event_id, notice)
        await client.set_layout(now, layout, idempotency_key=f"{call.ledger_id}-{number}")
    except ToolException as error:
        outcome |= {"state": "failed", "problem": str(error)}
    except SupersetError as error:
        outcome |= problem_of(error, call.language)
    state = outcome["state"]
    await call.services.store(
        lambda records: records.maintenance.set_banner(
            event_id, item["uuid"], state, nodes=nodes, layout_hash=before
        )
    )
    return outcome


async def _unchanged(item: dict[str, Any], client: Superset, call: Call) -> Dashboard:
    """The dashboard that the card showed, if it still is as it was then."""
    with before_write("reading the dashboard"):
        now = await client.dashboard(item["id"])
    if (now.uuid, now.changed_on) != (item["uuid"], item["changed_on"]):
        raise ToolException(text(call.language, "changed-since-card"))
    return now


async def _started(event_id: str, outcomes: list[dict[str, Any]], call: Call) -> dict[str, Any]:
    """The result of a start; an event that is on no dashboard is closed again."""
    result: dict[str, Any] = {
        "event_id": event_id,
        "placed": [item for item in outcomes if item["state"] == "placed"],
        "failed": [item for item in outcomes if item["state"] != "placed"],
    }
    if any(item["state"] == "unknown" for item in outcomes):
        raise OutcomeUnknown(problems(result["failed"]), result)
    if not result["placed"]:
        await call.services.store(
            lambda records: records.maintenance.close(event_id, call.user.id, call.now())
        )
        raise ToolException(problems(result["failed"]))
    return result
