"""Superset's lists: filters that are known to work, and paging to the end."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from tools.clients.http import BadAnswer

Read = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
"""Reads an address with URL parameters: JSON."""

PAGE = 100
"""Rows a page; Superset gives no more, whatever one asks for."""

Resource = Literal["dashboard", "chart", "dataset", "database"]
"""The kinds of object that have a list here."""

Operator = Literal[
    "eq",
    "neq",
    "gt",
    "lt",
    "in",
    "not_in",
    "sw",
    "ew",
    "ct",
    "nsw",
    "new",
    "nct",
    "rel_o_m",
    "rel_m_m",
    "title_or_slug",
    "dashboard_tags",
    "dashboard_tag_id",
    "dashboard_is_certified",
    "dashboard_is_favorite",
    "dashboard_created_by_me",
    "chart_all_text",
    "chart_tags",
    "chart_is_certified",
    "dataset_is_certified",
    "dataset_is_null_or_empty",
]
"""How a column is compared: equal, greater, less, one of; starts with, ends with, contains and
their opposites (% and _ are wildcards); related to one, to several (by id); and Superset's own."""

_TEXT = frozenset[Operator](
    {"sw", "ew", "ct", "eq", "nsw", "new", "nct", "neq", "in", "not_in"},
)
_NUMBER = frozenset[Operator]({"eq", "gt", "lt", "neq", "in", "not_in"})
_FLAG = frozenset[Operator]({"eq", "neq"})
_ONE = frozenset[Operator]({"rel_o_m"})
_MANY = frozenset[Operator]({"rel_m_m"})
_BY = {"changed_by": _ONE, "created_by": _ONE}

FILTERS: Mapping[Resource, Mapping[str, frozenset[Operator]]] = MappingProxyType(
    {
        "dashboard": {
            **_BY,
            "created_by": _ONE | {"dashboard_created_by_me"},
            "dashboard_title": _TEXT | {"title_or_slug"},
            "id": _NUMBER | {"dashboard_is_favorite", "dashboard_is_certified"},
            "owners": _MANY,
            "published": _FLAG,
            "roles": _MANY,
            "slug": _TEXT,
            "tags": _MANY | {"dashboard_tags", "dashboard_tag_id"},
            "uuid": _TEXT,
        },
        "chart": {
            **_BY,
            "dashboards": _MANY,
            "datasource_id": _NUMBER,
            "datasource_name": _TEXT,
            "id": _NUMBER | {"chart_is_certified"},
            "owners": _MANY,
            "slice_name": _TEXT | {"chart_all_text"},
            "tags": _MANY | {"chart_tags"},
            "uuid": _TEXT,
            "viz_type": _TEXT,
        },
        "dataset": {
            **_BY,
            "catalog": _TEXT,
            "database": _ONE,
            "id": _NUMBER | {"dataset_is_certified"},
            "owners": _MANY,
            "schema": _TEXT,
            "sql": _TEXT | {"dataset_is_null_or_empty"},
            "table_name": _TEXT,
            "uuid": _TEXT,
        },
        "database": {
            **_BY,
            "allow_dml": _FLAG,
            "database_name": _TEXT,
            "expose_in_sqllab": _FLAG,
            "uuid": _TEXT,
        },
    }
)
"""What can be compared how in each list. Superset ignores a filter it does not know and answers
with everything, so only these are ever sent."""


@dataclass(frozen=True)
class Filter:
    """A condition on a list; several hold together."""

    column: str
    operator: Operator
    value: Any


@dataclass(frozen=True)
class Order:
    """What a list is sorted by."""

    column: str
    descending: bool = False


NEWEST = Order("changed_on_delta_humanized", descending=True)
"""What was changed last comes first. (The column's name; it sorts by the time itself.)"""


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
    seen = number = 0
    while True:
        body = await read(f"/api/v1/{resource}/", {"q": query | {"page": number}})
        page = _page(body)
        yield page
        seen, number = seen + len(page.rows), number + 1
        # A server may give shorter pages than asked for, so that only the count tells the end.
        if not page.rows or seen >= page.total:
            return


def _query(
    resource: Resource,
    columns: Sequence[str],
    filters: Sequence[Filter],
    order: Order | None,
    size: int,
) -> dict[str, Any]:
    known = FILTERS[resource]
    for item in filters:
        if item.operator not in known.get(item.column, ()):
            raise ValueError(f"{resource} has no filter {item.column} {item.operator}")
    query: dict[str, Any] = {"columns": list(columns), "page_size": size}
    if filters:
        query["filters"] = [
            {"col": item.column, "opr": item.operator, "value": item.value} for item in filters
        ]
    if order is not None:
        query["order_column"] = order.column
        query["order_direction"] = "desc" if order.descending else "asc"
    return query


def _page(body: Any) -> Page:
    match body:
        case {"count": int(total), "result": [*rows]} if all(isinstance(row, dict) for row in rows):
            return Page(total, rows)
    raise BadAnswer("its answer is no list")
