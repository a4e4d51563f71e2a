"""Announced maintenance: which banners stand on which dashboards, so that they come off exactly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, true, update

from tools.records.engine import Database
from tools.records.errors import RecordsError, RowNotFoundError
from tools.records.schema import maintenance_banners as banners_table
from tools.records.schema import maintenance_events as events_table

EventState = Literal["open", "closed"]
"""open: banners may stand. closed: a person ended the maintenance."""

BannerState = Literal["placing", "placed", "removed", "missing", "failed", "unknown"]
"""Where a banner stands.

placing: it is about to be written. placed: it is on the dashboard. removed: we took it off.
missing: it was gone when we came to take it off. failed: it was proven not to be written.
unknown: it may have been written.
"""


@dataclass(frozen=True)
class Banner:
    """The banner of an event on one dashboard.

    Attributes:
        dashboard_id: The dashboard's number in its installation.
        dashboard_uuid: The same in every installation.
        title: Its title when the banner was placed.
        nodes: Ids of the layout nodes we added.
        layout_hash: Hash of the layout before, None if not known.
        state: Where the banner stands.
    """

    dashboard_id: int
    dashboard_uuid: str
    title: str
    nodes: list[str] = field(default_factory=list)
    layout_hash: str | None = None
    state: BannerState = "placing"


@dataclass(frozen=True)
class MaintenanceEvent:
    """One announced maintenance. Times are in UTC; `ends_at` is announced, nothing ends by it."""

    id: str
    env_id: str
    message: str
    started_by: str
    started_at: datetime
    ends_at: datetime | None
    closed_at: datetime | None
    closed_by: str | None
    state: EventState
    banners: list[Banner]


Events = list[MaintenanceEvent]


def new_event_id() -> str:
    """An id for an event: 12 hexadecimal digits, short enough for names of layout nodes."""
    return uuid4().hex[:12]


class Maintenance:
    """The maintenance events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open_event(
        self,
        event_id: str,
        env_id: str,
        message: str,
        by: str,
        ends_at: datetime | None,
        banners: Iterable[Banner],
        now: datetime,
    ) -> MaintenanceEvent:
        """Note an event and every banner it will place, before the first is written.

        Args:
            event_id: From `new_event_id`.
            env_id: The environment.
            message: What the banners say.
            by: Id of the user.
            ends_at: When it is announced to end, or None.
            banners: One a dashboard; all are noted as `placing`.
            now: The time, with its zone.

        Raises:
            RecordsError: the id is taken, or a dashboard is named twice.
        """
        event = {
            "id": event_id,
            "env_id": env_id,
            "message": message,
            "started_by": by,
            "started_at": now,
            "ends_at": ends_at,
            "state": "open",
        }
        rows = [{**vars(replace(row, state="placing")), "event_id": event_id} for row in banners]
        if len({row["dashboard_uuid"] for row in rows}) < len(rows):
            raise RecordsError("A dashboard is named twice in one maintenance event")
        with self._database.write() as connection:
            if _events(connection, events_table.c.id == event_id):
                raise RecordsError(f"There is a maintenance event {event_id} already")
            connection.execute(insert(events_table).values(event))
            if rows:
                connection.execute(insert(banners_table), rows)
            return _existing(connection, event_id)

    def set_banner(
        self,
        event_id: str,
        dashboard_uuid: str,
        state: BannerState,
        *,
        nodes: Sequence[str] | None = None,
        layout_hash: str | None = None,
    ) -> None:
        """Note what became of a banner; None leaves nodes and hash as they are.

        Raises:
            RowNotFoundError: the event has no banner on this dashboard.
        """
        values: dict[str, object] = {"state": state}
        if nodes is not None:
            values["nodes"] = list(nodes)
        if layout_hash is not None:
            values["layout_hash"] = layout_hash
        columns = banners_table.c
        this = and_(columns.event_id == event_id, columns.dashboard_uuid == dashboard_uuid)
        with self._database.write() as connection:
            written = connection.execute(update(banners_table).where(this).values(values))
            if written.rowcount != 1:
                raise RowNotFoundError(f"Maintenance event {event_id} has no such banner")

    def close(self, event_id: str, by: str, now: datetime) -> MaintenanceEvent:
        """Note that a person ended the maintenance; a closed event is returned as it is.

        Raises:
            RowNotFoundError: there is no such event.
        """
        with self._database.write() as connection:
            event = _existing(connection, event_id)
            if event.state == "closed":
                return event
            values = {"state": "closed", "closed_at": now, "closed_by": by}
            this = events_table.c.id == event_id
            connection.execute(update(events_table).where(this).values(values))
            return _existing(connection, event_id)

    def get(self, event_id: str) -> MaintenanceEvent | None:
        """The event, or None."""
        with self._database.read() as connection:
            return next(iter(_events(connection, events_table.c.id == event_id)), None)

    def for_dashboard(
        self, env_id: str, dashboard_uuid: str, state: EventState | None = "open"
    ) -> list[MaintenanceEvent]:
        """The events with a banner on a dashboard, newest first; None: of any state."""
        named = select(banners_table.c.event_id).where(
            banners_table.c.dashboard_uuid == dashboard_uuid
        )
        with self._database.read() as connection:
            return _events(connection, _filter(env_id, state) & events_table.c.id.in_(named))

    def list(
        self,
        env_id: str | None = None,
        state: EventState | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Events, int]:
        """A page of events, newest first.

        Returns:
            The page, and how many there are in all.
        """
        condition = _filter(env_id, state)
        count = select(func.count()).select_from(events_table).where(condition)
        with self._database.read() as connection:
            total = connection.execute(count).scalar_one()
            return _events(connection, condition, limit, offset), total


def _filter(env_id: str | None, state: EventState | None) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = true()
    if env_id is not None:
        condition &= events_table.c.env_id == env_id
    return condition if state is None else condition & (events_table.c.state == state)


def _existing(connection: Connection, event_id: str) -> MaintenanceEvent:
    event = next(iter(_events(connection, events_table.c.id == event_id)), None)
    if event is None:
        raise RowNotFoundError(f"There is no maintenance event {event_id}")
    return event


def _events(
    connection: Connection,
    condition: ColumnElement[bool],
    limit: int | None = None,
    offset: int = 0,
) -> Events:
    query = select(events_table).where(condition).order_by(events_table.c.seq.desc())
    rows = [row._asdict() for row in connection.execute(query.limit(limit).offset(offset))]
    banners = _banners(connection, [row["id"] for row in rows])
    for row in rows:
        del row["seq"]
    return [MaintenanceEvent(**row, banners=banners[row["id"]]) for row in rows]


def _banners(connection: Connection, event_ids: Sequence[str]) -> dict[str, list[Banner]]:
    found: dict[str, list[Banner]] = {event_id: [] for event_id in event_ids}
    query = select(banners_table).where(banners_table.c.event_id.in_(event_ids))
    for row in connection.execute(query.order_by(banners_table.c.seq)):
        values = row._asdict()
        del values["seq"]
        found[values.pop("event_id")].append(Banner(**values))
    return found
