"""Datasets: find them, and what stands on them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.clients.superset_lists import Filter, Order, Resource
from tools.clients.superset_paging import PAGE, Read, pages
from tools.clients.superset_search import fold

_LISTED = [
    "id",
    "uuid",
    "table_name",
    "schema",
    "kind",
    "changed_on_utc",
    "database.id",
    "database.database_name",
]


_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class DatasetSummary:
    """A dataset in a list."""

    id: int
    uuid: str
    name: str
    """Of its table, or the name of its query."""
    schema: str | None
    database: str
    database_id: int = 0
    kind: str = ""
    """"physical" or "virtual"."""
    changed_on: str = ""
    """ISO 8601; without an offset where Superset tells its own server's time only."""


@dataclass(frozen=True)
class DatasetColumn:
    """A column of a dataset; one with an expression is calculated."""

    name: str
    type: str
    expression: str | None
    described: bool


@dataclass(frozen=True)
class Metric:
    """A metric of a dataset."""

    name: str
    expression: str
    described: bool


@dataclass(frozen=True)
class Dataset(DatasetSummary):
    """A dataset with its columns and metrics; `sql` is None for a table's."""

    backend: str = ""
    sql: str | None = None
    description: str | None = None
    owners: tuple[str, ...] = ()
    changed_by: str = ""
    catalog: str | None = None
    certified_by: str | None = None
    """Who vouches for it; None: nobody."""
    certification: str | None = None
    """What they say of it."""
    warning: str | None = None
    """What its owners warn of, in Markdown."""
    columns: tuple[DatasetColumn, ...] = ()
    metrics: tuple[Metric, ...] = ()


@dataclass(frozen=True)
class Dependants:
    """What stands on a dataset: how many charts and dashboards there are, and those of the account.

    Superset itself lists the titles of all, also of those that the account may not open.
    """

    charts: int
    dashboards: int
    visible_charts: tuple[tuple[int, str], ...]
    visible_dashboards: tuple[tuple[int, str], ...]


async def find(read: Read, words: str, database_id: int | None = None) -> list[DatasetSummary]:
    """The datasets that words name: by id or uuid, else by their whole name, else by a part of it.

    A name may have its schema before a dot. The very letters come first; then upper and lower
    case, ё and е are the same.

    Args:
        read: Sends a read.
        words: The dataset.
        database_id: The database that it is in; None: any.
    """
    wanted, only = fold(words), _within(database_id)
    if re.fullmatch(r"#?[0-9]{1,9}", wanted):
        by_id = Filter("id", "eq", int(wanted.removeprefix("#")))
        if numbered := await _listed(read, [by_id, *only]):
            return numbered
    column = "uuid" if _UUID.fullmatch(wanted) else "table_name"
    value = wanted if column == "uuid" else words
    # Asked for the very name, Superset need not list all.
    same = [
        one
        for one in await _listed(read, [Filter(column, "eq", value), *only])
        if value in (one.uuid, one.name)
    ]
    if same:
        return same
    found = await _listed(read, only)
    exact = [one for one in found if wanted in (fold(one.name), _full(one))]
    return exact or [one for one in found if wanted in fold(one.name)]


async def every(read: Read, database_id: int | None) -> list[DatasetSummary]:
    """All datasets that the account may see, of one database or of all, by name."""
    found = await _listed(read, _within(database_id))
    return sorted(found, key=lambda one: (fold(one.name), one.id))


def _within(database_id: int | None) -> list[Filter]:
    return [] if database_id is None else [Filter("database", "rel_o_m", database_id)]


async def _listed(read: Read, filters: Sequence[Filter]) -> list[DatasetSummary]:
    """The rows of Superset's list, each once: one that moves while it is read may come again."""
    found: dict[int, DatasetSummary] = {}
    async for page in pages(read, "dataset", _LISTED, filters, Order("table_name")):
        found |= {int(row["id"]): _summary(row) for row in page.rows}
    return list(found.values())


async def detail(read: Read, dataset_id: int) -> Dataset:
    """A dataset with its columns and metrics.

    Raises:
        NotFound: there is no such dataset, or the account may not see it.
    """
    row = (await read(f"/api/v1/dataset/{dataset_id}", {}))["result"]
    summary = _summary(row)
    extra = _extra(row)
    vouched = extra.get("certification")
    vouched = vouched if isinstance(vouched, dict) else {}
    return Dataset(
        **vars(summary),
        backend=str((row.get("database") or {}).get("backend") or ""),
        sql=row.get("sql") or None,
        description=row.get("description"),
        owners=tuple(_person(owner) for owner in row.get("owners") or []),
        changed_by=_person(row.get("changed_by") or {}),
        catalog=row.get("catalog") or None,
        certified_by=_words(vouched.get("certified_by")),
        certification=_words(vouched.get("details")),
        warning=_words(extra.get("warning_markdown")),
        columns=tuple(_column(item) for item in row.get("columns") or []),
        metrics=tuple(_metric(item) for item in row.get("metrics") or []),
    )


async def dependants(read: Read, dataset_id: int) -> Dependants:
    """The charts and dashboards that stand on a dataset.

    Raises:
        NotFound: there is no such dataset, or the account may not see it.
    """
    body = await read(f"/api/v1/dataset/{dataset_id}/related_objects", {})
    charts = [int(row["id"]) for row in body["charts"]["result"]]
    boards = [int(row["id"]) for row in body["dashboards"]["result"]]
    return Dependants(
        charts=len(charts),
        dashboards=len(boards),
        visible_charts=await _visible(read, "chart", "slice_name", charts),
        visible_dashboards=await _visible(read, "dashboard", "dashboard_title", boards),
    )


async def _visible(
    read: Read, resource: Resource, title: str, ids: list[int]
) -> tuple[tuple[int, str], ...]:
    """Those of these objects that the account's own list has."""
    found: dict[int, str] = {}
    for start in range(0, len(ids), PAGE):
        only = [Filter("id", "in", ids[start : start + PAGE])]
        async for page in pages(read, resource, ["id", title], only):
            found |= {int(row["id"]): str(row.get(title) or "") for row in page.rows}
    return tuple(sorted(found.items()))


async def dashboards(read: Read, dataset_id: int) -> list[int]:
    """Ids of the dashboards with a chart of a dataset, as far as the account may see them.

    Raises:
        NotFound: there is no such dataset, or the account may not see it.
    """
    body = await read(f"/api/v1/dataset/{dataset_id}/related_objects", {})
    return [int(row["id"]) for row in body["dashboards"]["result"]]


def _full(dataset: DatasetSummary) -> str:
    return fold(f"{dataset.schema}.{dataset.name}") if dataset.schema else fold(dataset.name)


def _summary(row: Mapping[str, Any]) -> DatasetSummary:
    return DatasetSummary(
        id=int(row["id"]),
        uuid=str(row.get("uuid") or ""),
        name=str(row["table_name"]),
        schema=row.get("schema"),
        database=str((row.get("database") or {}).get("database_name") or ""),
        database_id=int((row.get("database") or {}).get("id") or 0),
        kind=str(row.get("kind") or ""),
        changed_on=_moment(str(row.get("changed_on_utc") or row.get("changed_on") or "")),
    )


def _moment(words: str) -> str:
    """A moment to the second; the offset that Superset writes is always UTC's."""
    return words[:19] + ("+00:00" if words.endswith("+0000") else "")


def _extra(row: Mapping[str, Any]) -> dict[str, Any]:
    """What Superset keeps as JSON in a text that anybody may have written."""
    try:
        found = json.loads(row.get("extra") or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _words(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _person(row: Mapping[str, Any]) -> str:
    names = (row.get("first_name"), row.get("last_name"))
    return " ".join(str(name) for name in names if name)


def _column(row: Mapping[str, Any]) -> DatasetColumn:
    return DatasetColumn(
        name=str(row["column_name"]),
        type=str(row.get("type") or ""),
        expression=row.get("expression") or None,
        described=bool((row.get("description") or "").strip()),
    )


def _metric(row: Mapping[str, Any]) -> Metric:
    return Metric(
        name=str(row["metric_name"]),
        expression=str(row.get("expression") or ""),
        described=bool((row.get("description") or "").strip()),
    )
