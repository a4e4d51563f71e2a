"""Close a maintenance event: take its banners away, exactly those."""

from typing import Any

from langchain_core.tools import ToolException

from tools.clients.http import NotFound, SupersetError, before_write
from tools.clients.layout import layout_hash, remove_banner
from tools.connect import Call
from tools.context import Language
from tools.definition import OPERATORS, Impact, Lexicon, OutcomeUnknown, Prepared
from tools.messages import text
from tools.messages.markdown import escape
from tools.records import Banner, MaintenanceEvent
from tools.resolve import Question
from tools.results import items_of
from tools.toolsets.maintenance.base import (
    ABOUT,
    LISTED,
    MAINTENANCE,
    meant_dashboards,
    problem_of,
    problems,
    titles_of,
)


async def prepare_end(arguments: dict[str, Any], call: Call) -> Prepared:
    """Find the event that is meant, and the dashboards that carry its banner."""
    event = await _event_meant(arguments, call)
    lines = [text(call.language, "ending", event=event.id, message=event.message)]
    lines += [
        text(call.language, "maintenance-on", title=item.title, id=item.dashboard_id)
        for item in event.banners
    ]
    kept = {key: value for key, value in arguments.items() if key != "dashboards"}
    return Prepared(
        arguments=kept | {"event_id": event.id, "env_id": event.env_id},
        targets={
            "event_id": event.id,
            "dashboards": [
                {"id": item.dashboard_id, "uuid": item.dashboard_uuid, "title": item.title}
                for item in event.banners
            ],
        },
        impact=Impact(changed=len(event.banners)),
        shown=tuple(lines),
    )


async def _event_meant(arguments: dict[str, Any], call: Call) -> MaintenanceEvent:
    env_id = str(arguments["env_id"])
    event_id = arguments.get("event_id")
    if event_id is not None:
        found = await call.services.store(lambda records: records.maintenance.get(event_id))
        if found is None or found.env_id != env_id or found.state != "open":
            raise Question(
                "event_id", text(call.language, "no-such-event", id=escape(str(event_id)))
            )
        return found
    names = arguments.get("dashboards")
    if names:
        client = call.superset(env_id)
        uuids = [item.uuid for item in await meant_dashboards(names, client, call)]
        events = await call.services.store(
            lambda records: {
                event.id: event
                for uuid in uuids
                for event in records.maintenance.for_dashboard(env_id, uuid)
            }
        )
    else:
        open_ones, _ = await call.services.store(
            lambda records: records.maintenance.list(env_id, "open", LISTED, 0)
        )
        events = {event.id: event for event in open_ones}
    return _only(list(events.values()), bool(names), call)


def _only(events: list[MaintenanceEvent], named: bool, call: Call) -> MaintenanceEvent:
    """The only event; several or none is a question."""
    if len(events) == 1:
        return events[0]
    if not events:
        key = "no-event-there" if named else "no-event-here"
        raise ToolException(text(call.language, key))
    lines = [
        f"- {event.id}: {', '.join(escape(item.title) for item in event.banners[:5])}"
        f" - {escape(event.message)}"
        for event in events[:10]
    ]
    head = text(call.language, "which-event", n=len(events))
    raise Question("event_id", "\n".join([head, *lines]))


def answer_end(payload: Any, language: Language) -> str:
    """From where the banner is gone."""
    n, titles = titles_of(payload["removed"])
    lines = [text(language, "ended", event=payload["event_id"], n=n, titles=titles)]
    lines += [
        text(language, "maintenance-failed", title=escape(item["title"]), problem=item["problem"])
        for item in items_of(payload["other"])
    ]
    return "\n".join(lines)


@MAINTENANCE.tool(
    effect="write",
    roles=OPERATORS,
    lexicon=Lexicon(
        objects=ABOUT,
        # "Close the dashboard for maintenance" begins one.
        exclude=(
            "закрой баннером", "на ремонт", "на обслуживание", "на техработы", "на техобслуживание",
            "for maintenance",
        ),
        actions=(
            "убирай", "убира", "снима",
            "закрой", "закры", "закан", "законч", "заверш", "останов", "убери", "убрать", "сними",
            "снять", "прекрат", "отмен", "отключ", "выключ", "удали",
            "с обслуживания", "с техработ", "с техобслуживания", "из обслуживания", "убра", "снял",
            "верни как", "окончен", "can go", "to go", "no longer needs",
            "больше не нуж", "вернуть как",
            "is over", "are over",
            "out of maintenance", "back from maintenance", "from maintenance",
            "take off", "turn off", "switch off", "take down", "take away",
            "banner off", "долой", "off", "down", "lift", "kill", "drop", "get rid of", "dismiss",
            "wrap up",
            "end", "stop", "close", "finish", "remove", "complete", "clear", "delete", "cancel",
        ),
    ),
    ru="Заверши обслуживание на этом дашборде",
    en="End maintenance on this dashboard",
    affinity=frozenset({"dashboard"}),
    page={"dashboards": "dashboard"},
    instead={"dashboards": ("event_id",)},
    timeout=120,
    prepare=prepare_end,
    answer=answer_end,
)  # fmt: skip
async def end_maintenance(
    call: Call,
    event_id: str | None = None,
    env_id: str | None = None,
    dashboards: list[str] | None = None,
) -> dict[str, Any]:
    """Close a maintenance event: take its banners away, exactly those, and nothing else.

    Args:
        event_id: The event, as list_maintenance_events names it.
        env_id: The environment, by its id; left out, it is the page's.
        dashboards: Instead of an event: ids or titles of dashboards that carry its banner;
            left out, the one of the page. The whole event ends.
    """
    event_id = call.targets["event_id"]
    event = await call.services.store(lambda records: records.maintenance.get(event_id))
    if event is None or event.state != "open":
        raise ToolException(text(call.language, "no-such-event", id=escape(str(event_id))))
    outcomes = []
    for number, banner in enumerate(event.banners):
        outcomes.append(await _take(banner, number, event, call))
        await call.report(number + 1, len(event.banners))
    return await _ended(event, outcomes, call)


async def _take(banner: Banner, number: int, event: MaintenanceEvent, call: Call) -> dict[str, Any]:
    """Take the banner from one dashboard, wherever people moved it, and record how that went."""
    client = call.superset(event.env_id)
    outcome: dict[str, Any] = {
        "id": banner.dashboard_id,
        "title": banner.title,
        "state": "removed",
        "layout": None,
        "problem": None,
    }
    try:
        with before_write("reading the dashboard"):
            now = await client.dashboard(banner.dashboard_uuid)
        layout, removed = remove_banner(now.layout, event.id)
        if removed:
            await client.set_layout(now, layout, idempotency_key=f"{call.ledger_id}-{number}")
        same = layout_hash(layout) == banner.layout_hash
        outcome["layout"] = "restored" if same else "edited meanwhile"
    except NotFound:
        outcome |= {"state": "missing", "problem": text(call.language, "dashboard-gone")}
    except SupersetError as error:
        outcome |= problem_of(error, call.language)
    # A banner that could not be taken away is still there: it stays placed, to be tried again.
    state = {"failed": "placed"}.get(outcome["state"], outcome["state"])
    await call.services.store(
        lambda records: records.maintenance.set_banner(event.id, banner.dashboard_uuid, state)
    )
    return outcome


async def _ended(
    event: MaintenanceEvent, outcomes: list[dict[str, Any]], call: Call
) -> dict[str, Any]:
    """The result of an end; the event is closed when no banner is left."""
    result: dict[str, Any] = {
        "event_id": event.id,
        "removed": [item for item in outcomes if item["state"] == "removed"],
        "other": [item for item in outcomes if item["state"] != "removed"],
    }
    if any(item["state"] == "unknown" for item in outcomes):
        raise OutcomeUnknown(problems(result["other"]), result)
    left = [item for item in outcomes if item["state"] == "failed"]
    if left and not result["removed"]:
        raise ToolException(problems(left))
    if left:
        return result
    await call.services.store(
        lambda records: records.maintenance.close(event.id, call.user.id, call.now())
    )
    return result
