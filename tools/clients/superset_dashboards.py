"""Dashboards: what we read of them, and how their layout is written."""

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

from tools.clients.http import BadAnswer, Changed, NotFound, Redirected, ServerFault
from tools.clients.layout import Layout
from tools.clients.superset_lists import NEWEST, Filter
from tools.clients.superset_paging import PAGE, Read, pages
from tools.clients.superset_search import (
    Row,
    Search,
    find_ids,
    owner_names,
    person_name,
    tag_names,
)

SUMMARY = (
    "id",
    "uuid",
    "dashboard_title",
    "slug",
    "published",
    "changed_on_utc",
    "changed_by_name",
    "owners.first_name",
    "owners.last_name",
    "tags.name",
    "tags.type",
    "custom_tags.name",
    "custom_tags.type",
    "url",
)
"""Columns of a summary: 0.4 KB a row, of 1 KB without a choice."""


@dataclass(frozen=True)
class DashboardSummary:
    """A dashboard in a list."""

    id: int
    uuid: str
    title: str
    slug: str | None
    published: bool
    changed_on: str
    """Time of the last change: ISO 8601 in UTC, to the microsecond. Equal = unchanged."""
    changed_by: str
    owners: tuple[str, ...]
    tags: tuple[str, ...]
    url: str
    """Where a person opens it."""


@dataclass(frozen=True)
class Dashboard(DashboardSummary):
    """A dashboard with its layout and its metadata (native filters, colours, scopes)."""

    layout: Layout = field(repr=False)
    metadata: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class DashboardPage:
    """A part of the dashboards found, and how many there are in all."""

    total: int
    items: list[DashboardSummary]


async def search(
    read: Read, base_url: str, wanted: Search, limit: int, offset: int
) -> DashboardPage:
    """Find dashboards. See `Superset.search_dashboards`."""
    if wanted.checks():
        ids = await find_ids(read, wanted)
        rows = await _rows_of(read, ids[offset : offset + limit])
        total = len(ids)
    else:
        total, rows = await _first(read, wanted, offset + limit)
        rows = rows[offset:]
    return DashboardPage(total, [summary(row, base_url) for row in rows])


async def find(read: Read, base_url: str, key: int | str) -> Dashboard:
    """Read a dashboard by id, uuid or slug.

    The list gives the time of the last change in UTC, the dashboard's own address only the local
    time of the server. It is read before the layout, so that a change in between is noticed.

    Raises:
        NotFound: there is none, or the account may not see it.
    """
    listed = summary(await _listed(read, *_key(key), SUMMARY), base_url)
    whole = await _whole(read, str(listed.id))
    return Dashboard(
        **vars(listed),
        layout=_object(whole.get("position_json")),
        metadata=_object(whole.get("json_metadata")),
    )


async def check_unchanged(read: Read, dashboard: Dashboard) -> None:
    """See that nobody changed a dashboard since it was read.

    Raises:
        Changed: somebody did.
        NotFound: it is gone.
    """
    row = await _listed(read, "id", dashboard.id, ("id", "changed_on_utc"))
    if _time(row) != dashboard.changed_on:
        raise Changed


def summary(row: Row, base_url: str) -> DashboardSummary:
    """Make a summary of a row of the list.

    Raises:
        BadAnswer: the row lacks what every dashboard has.
    """
    if not isinstance(row.get("id"), int):
        raise BadAnswer("a dashboard without an id")
    return DashboardSummary(
        id=row["id"],
        uuid=str(row.get("uuid") or ""),
        title=str(row.get("dashboard_title") or ""),
        slug=row.get("slug") or None,
        published=bool(row.get("published")),
        changed_on=_time(row),
        changed_by=str(row.get("changed_by_name") or person_name(row.get("changed_by"))),
        owners=tuple(owner_names(row)),
        tags=tuple(tag_names(row)),
        url=_address(base_url, str(row.get("url") or "")),
    )


async def _first(read: Read, wanted: Search, number: int) -> tuple[int, list[Row]]:
    """The first rows of a list that Superset filters alone, and the length of the whole."""
    total, rows = 0, dict[int, Row]()
    async for page in pages(read, "dashboard", SUMMARY, wanted.filters(), NEWEST, number):
        total = page.total
        rows |= {row["id"]: row for row in page.rows if row["id"] not in rows}
        if len(rows) >= number:
            break
    return total, list(rows.values())[:number]


async def _rows_of(read: Read, ids: Sequence[int]) -> list[Row]:
    """Rows by id, in the order of the ids; those that are gone by now are left out."""
    found: dict[int, Row] = {}
    for start in range(0, len(ids), PAGE):
        filters = [Filter("id", "in", list(ids[start : start + PAGE]))]
        async for page in pages(read, "dashboard", SUMMARY, filters, NEWEST):
            found |= {row["id"]: row for row in page.rows}
    return [found[key] for key in ids if key in found]


async def _listed(read: Read, column: str, value: int | str, columns: Sequence[str]) -> Row:
    """The row of one dashboard; where the list has none, its own address is asked too.

    A list may miss it when somebody else reads a list at the same moment. Drafts of others are
    not listed, and not found by id or slug either; a uuid would give them away.

    Raises:
        NotFound: it is in no list.
    """
    row = await _row(read, column, value, columns)
    if row is None:
        whole = await _whole(read, str(value))
        row = await _row(read, "id", whole["id"], columns)
    if row is None:
        raise NotFound
    return row


async def _row(read: Read, column: str, value: int | str, columns: Sequence[str]) -> Row | None:
    """The row of one dashboard, None where the list does not have it."""
    wanted = [Filter(column, "eq", value)]
    try:
        async for page in pages(read, "dashboard", columns, wanted, NEWEST, size=2):
            return next(iter(page.rows), None)
    except ServerFault as error:
        if error.status is not None:
            raise
        # The list has other rows only: old versions ignore a filter by uuid.
    return None


async def _whole(read: Read, key: str) -> dict[str, Any]:
    """A dashboard by its own address."""
    try:
        body = await read(f"/api/v1/dashboard/{quote(key, safe='')}", {})
    except Redirected:  # an address of another meaning, such as "export"
        body = None
    match body:
        case {"result": {"id": int(), **_rest} as whole}:
            return dict(whole)
    raise NotFound


def _key(key: int | str) -> tuple[str, int | str]:
    """The column that a key belongs to, and the key as the column has it."""
    if isinstance(key, int) or re.fullmatch("[0-9]{1,18}", key):
        return "id", int(key)
    if re.fullmatch("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", key):
        return "uuid", str(uuid.UUID(key))
    if key in ("", ".", ".."):
        raise NotFound
    return "slug", key


def _object(text: Any) -> dict[str, Any]:
    """A JSON object that Superset keeps as a text; none is as good as an empty one."""
    try:
        value = json.loads(text) if text else {}
    except (TypeError, ValueError):
        value = None
    if isinstance(value, dict):
        return value
    raise BadAnswer("the dashboard's layout or metadata is broken")


def _time(row: Mapping[str, Any]) -> str:
    """Time of the last change, +00:00 as ISO 8601 has it."""
    return re.sub(r"\+0000$", "+00:00", str(row.get("changed_on_utc") or ""))


def _address(base_url: str, path: str) -> str:
    """An address for a person, from the path that Superset gives."""
    base = base_url.rstrip("/")
    prefix = urlsplit(base).path
    return base + (path.removeprefix(prefix) if prefix else path)
