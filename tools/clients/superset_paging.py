"""Superset's lists: read to the end, and not mixed up with others'.

A trap: Superset keeps the filters of a list in one object for all its threads, so that requests
at the same moment may be answered by each other's filters (apache/superset#33828, seen here in 2
of 100 reads by five at once). Hence one list at a time from this process (`one_at_a_time`), and
answers that do not fit what was asked are asked for again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from tools.clients.http import BadAnswer, ServerFault
from tools.clients.superset_lists import Filter, Order, Resource, excludes, query_filters

Read = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
"""Reads an address with URL parameters: JSON."""

TRIES = 3
"""How often a page that cannot be right is read."""

PAGE = 100
"""Rows a page; Superset gives no more, whatever one asks for."""


@dataclass(frozen=True)
class Page:
    """A part of a list, and how many rows the whole has."""

    total: int
    rows: list[dict[str, Any]]


async def pages(
    read: Read,
    resource: Resource,
    columns: Sequence[str],
    filters: Sequence[Filter] = (),
    order: Order | None = None,
    size: int = PAGE,
) -> AsyncIterator[Page]:
    """Read a list page by page to its end.

    Args:
        read: Reads an address.
        resource: The list.
        columns: What to read of each row; Superset drops columns it does not know.
        filters: Conditions, all of which hold.
        order: What the rows are sorted by.
        size: Rows a page, at most PAGE.

    Raises:
        ValueError: a filter that the list does not know; nothing is sent.
        BadAnswer: the answer is no list.
    """
    query = _query(resource, columns, filters, order, min(size, PAGE))
    total: int | None = None
    seen = number = 0
    while True:
        page = await _page(read, resource, query | {"page": number}, filters, total)
        yield page
        total = page.total
        seen, number = seen + len(page.rows), number + 1
        # A server may give shorter pages than asked for, so that only the count tells the end.
        if not page.rows or seen >= total:
            return


def one_at_a_time(url: str) -> asyncio.Lock:
    """The lock of an installation's lists, shared by all its clients on the running loop."""
    return _LOCKS.setdefault(asyncio.get_running_loop(), {}).setdefault(url, asyncio.Lock())


_LOCKS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Lock]] = WeakKeyDictionary()


def _query(
    resource: Resource,
    columns: Sequence[str],
    filters: Sequence[Filter],
    order: Order | None,
    size: int,
) -> dict[str, Any]:
    query: dict[str, Any] = {"columns": list(columns), "page_size": size}
    if filters:
        query["filters"] = query_filters(resource, filters)
    if order is not None:
        query["order_column"] = order.column
        query["order_direction"] = "desc" if order.descending else "asc"
    return query


async def _page(
    read: Read,
    resource: Resource,
    query: Mapping[str, Any],
    filters: Sequence[Filter],
    total: int | None,
) -> Page:
    """Read a page, again where it does not fit.

    It may be empty, or of another length than before (both are believed in the end), or have
    rows that the filters exclude.
    """
    for attempt in range(TRIES):
        page = _parsed(await read(f"/api/v1/{resource}/", {"q": query}))
        foreign = any(excludes(item, row) for item in filters for row in page.rows)
        fits = page.total == total if total is not None else page.total > 0 or attempt > 0
        if fits and not foreign:
            return page
    if foreign:
        raise ServerFault("the list answers another request's filter", transient=True)
    return page


def _parsed(body: Any) -> Page:
    match body:
        case {"count": int(total), "result": [*rows]} if all(isinstance(row, dict) for row in rows):
            return Page(total, rows)
    raise BadAnswer("its answer is no list")
