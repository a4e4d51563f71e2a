"""Databases: find them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.clients.superset_lists import Order
from tools.clients.superset_paging import Read, pages
from tools.clients.superset_search import fold


@dataclass(frozen=True)
class DatabaseSummary:
    """A database connection in a list."""

    id: int
    uuid: str
    name: str
    backend: str
    """The dialect that Superset names, such as "postgresql" or "sqlite"."""

    sql_lab: bool
    """Whether it is open to SQL Lab."""

    allow_dml: bool
    catalogs: bool = False
    """Whether Superset is to look into more catalogs than the usual one."""


async def find(read: Read, words: str | None) -> list[DatabaseSummary]:
    """The databases that words name: by id or uuid, else by their whole name, else by a part of it.

    Upper and lower case, ё and е are the same. Without words: all that the account may see, by
    name.
    """
    columns = [
        "id",
        "uuid",
        "database_name",
        "backend",
        "expose_in_sqllab",
        "allow_dml",
        "allow_multi_catalog",
    ]
    order = Order("database_name")
    found = [
        _summary(row)
        async for page in pages(read, "database", columns, order=order)
        for row in page.rows
    ]
    if words is None:
        return found
    wanted = fold(words.strip())
    if re.fullmatch(r"#?[0-9]{1,9}", wanted):
        numbered = [one for one in found if one.id == int(wanted.removeprefix("#"))]
        if numbered:
            return numbered
    same = [one for one in found if one.name == words]
    exact = same or [one for one in found if wanted in (one.uuid, fold(one.name))]
    return exact or [one for one in found if wanted in fold(one.name)]


def _summary(row: Mapping[str, Any]) -> DatabaseSummary:
    return DatabaseSummary(
        id=int(row["id"]),
        uuid=str(row.get("uuid") or ""),
        name=str(row["database_name"]),
        backend=str(row.get("backend") or ""),
        sql_lab=bool(row.get("expose_in_sqllab")),
        allow_dml=bool(row.get("allow_dml")),
        catalogs=bool(row.get("allow_multi_catalog")),
    )
