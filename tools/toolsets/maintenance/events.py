"""Which maintenance there is."""

from datetime import datetime
from typing import Any, Literal

from tools.clients.http import SupersetError
from tools.clients.superset import Filter
from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon
from tools.messages import text
from tools.messages.markdown import table
from tools.records import MaintenanceEvent, Records
from tools.results import items_of
from tools.times import shown
from tools.toolsets.maintenance.base import ABOUT, LISTED, MAINTENANCE


def answer_events(payload: Any, language: Language) -> str:
    """A table of events."""
    items = items_of(payload["items"])
    if not items:
        return text(language, "events-none")
    names = ("id", "environment", "dashboards", "message", "by", "since", "until", "state")
    head = [text(language, f"events-{name}") for name in names]
    rows = [
        (
            item["id"],
            item["environment"],
            ", ".join(banner["title"] for banner in items_of(item["dashboards"])),
            item["message"],
            item["started_by"],
            shown(item["started_at"]),
            shown(item["ends_at"]) if item["ends_at"] else "-",
            text(language, "event-overdue" if item["overdue"] else f"event-{item['state']}"),
        )
        for item in items
    ]
    found = text(language, "events-found", total=payload["total"], shown=len(items))
    return "\n\n".join([found, table(head, rows)])


@MAINTENANCE.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(objects=ABOUT),
    ru="Какое обслуживание сейчас идёт?",
    en="Which maintenance is open?",
    environment="optional",
    answer=answer_events,
    fast=True,
)
async def list_maintenance_events(
    call: Call, env_id: str | None = None, state: Literal["open", "closed"] | None = None
) -> dict[str, Any]:
    """List maintenance events: their dashboards, message, who started them and since when.

    Args:
        env_id: Only of this environment; left out, it is the page's, else all of yours.
        state: Only open or only closed events; left out, both.
    """
    places = [env_id] if env_id else list(call.environments())

    def find(records: Records) -> tuple[int, list[MaintenanceEvent]]:
        pages = [records.maintenance.list(place, state, LISTED, 0) for place in places]
        found = [event for events, _ in pages for event in events]
        return sum(total for _, total in pages), found

    total, found = await call.services.store(find)
    events = sorted(found, key=lambda event: event.started_at, reverse=True)[:LISTED]
    seen = {place: await _seen(place, events, call) for place in {one.env_id for one in events}}
    items = [_event(event, seen[event.env_id], call.now()) for event in events]
    return {"total": total, "items": items}


async def _seen(env_id: str, events: list[MaintenanceEvent], call: Call) -> set[int]:
    """The dashboards of events that this user's account may see; none while Superset is away."""
    ids = sorted(
        {item.dashboard_id for one in events if one.env_id == env_id for item in one.banners}
    )
    try:
        client = call.superset(env_id)
        rows = client.rows("dashboard", ["id"], [Filter("id", "in", ids)])
        return {int(row["id"]) async for row in rows}
    except SupersetError:
        return set()


def _event(event: MaintenanceEvent, seen: set[int], now: datetime) -> dict[str, Any]:
    """An event as it is told; titles that the user may not see in Superset are withheld."""
    overdue = event.state == "open" and event.ends_at is not None and event.ends_at < now
    return {
        "id": event.id,
        "environment": event.env_id,
        "state": event.state,
        "overdue": overdue,
        "message": event.message,
        "started_by": event.started_by,
        "started_at": event.started_at.isoformat(),
        "ends_at": event.ends_at.isoformat() if event.ends_at else None,
        "closed_at": event.closed_at.isoformat() if event.closed_at else None,
        "dashboards": [
            {
                "id": item.dashboard_id,
                "title": item.title if item.dashboard_id in seen else f"#{item.dashboard_id}",
                "state": item.state,
            }
            for item in event.banners
        ],
    }
