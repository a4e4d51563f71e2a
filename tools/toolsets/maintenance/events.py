"""Which maintenance there is."""

from datetime import datetime
from typing import Any, Literal

from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon
from tools.messages import text
from tools.messages.markdown import table
from tools.records import MaintenanceEvent
from tools.times import shown
from tools.toolsets.maintenance.base import ABOUT, LISTED, MAINTENANCE, listed


def answer_events(payload: Any, language: Language) -> str:
    """A table of events."""
    items = payload["items"]
    items = items["items"] if isinstance(items, dict) else items
    if not items:
        return text(language, "events-none")
    names = ("id", "environment", "dashboards", "message", "by", "since", "until", "state")
    head = [text(language, f"events-{name}") for name in names]
    rows = [
        (
            item["id"],
            item["environment"],
            ", ".join(banner["title"] for banner in listed(item["dashboards"])),
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
    events, total = await call.services.store(
        lambda records: records.maintenance.list(env_id, state, LISTED, 0)
    )
    mine = [event for event in events if event.env_id in call.environments()]
    hidden = len(events) - len(mine)
    return {"total": total - hidden, "items": [_event(event, call.now()) for event in mine]}


def _event(event: MaintenanceEvent, now: datetime) -> dict[str, Any]:
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
            {"id": item.dashboard_id, "title": item.title, "state": item.state}
            for item in event.banners
        ],
    }
