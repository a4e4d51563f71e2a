"""The filters that Superset's lists are known to have."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

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


LISTS = frozenset(f"/api/v1/{resource}/" for resource in FILTERS)
"""Addresses of the lists."""


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


def query_filters(resource: Resource, filters: Sequence[Filter]) -> list[dict[str, Any]]:
    """Filters as Superset reads them.

    Raises:
        ValueError: one that the list does not know; Superset would ignore it.
    """
    known = FILTERS[resource]
    for item in filters:
        if item.operator not in known.get(item.column, ()):
            raise ValueError(f"{resource} has no filter {item.column} {item.operator}")
    return [{"col": item.column, "opr": item.operator, "value": item.value} for item in filters]


def excludes(item: Filter, row: Mapping[str, Any]) -> bool:
    """Whether a filter excludes a row, as far as the row tells."""
    if item.operator == "title_or_slug":
        texts = [row.get(name) or "" for name in ("dashboard_title", "slug")]
        return str(item.value).isascii() and not any(_like(item.value, text) for text in texts)
    if item.column not in row:
        return False
    match item.operator:
        case "eq":
            return bool(row[item.column] != item.value)
        case "in":
            return row[item.column] not in item.value
    return False


def _like(pattern: str, text: str) -> bool:
    """Whether a text contains an ASCII pattern of SQL."""
    wild = {"%": ".*", "_": "."}
    expression = "".join(wild.get(char, re.escape(char)) for char in pattern)
    return re.search(expression, text, re.IGNORECASE | re.DOTALL) is not None
