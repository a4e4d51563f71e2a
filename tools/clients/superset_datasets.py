"""Datasets: find them, and the dashboards that stand on them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.clients.superset_lists import Filter
from tools.clients.superset_paging import Read, pages
from tools.clients.superset_search import fold


@dataclass(frozen=True)
class DatasetSummary:
    """A dataset in a list."""

    id: int
    uuid: str
    name: str
    """Of its table, or the name of its query."""
    schema: str | None
    database: str


async def find(read: Read, words: str) -> list[DatasetSummary]:
    """The datasets that words name: by id or uuid, else by their whole name, else by a part of it.

    Upper and lower case, ё and е are the same; a name may have its schema before a dot.
    """
    columns = ["id", "uuid", "table_name", "schema", "database.database_name"]
    by_id = [Filter("id", "eq", int(words))] if re.fullmatch(r"[0-9]{1,9}", words) else []
    found = [
        _summary(row) async for page in pages(read, "dataset", columns, by_id) for row in page.rows
    ]
    if by_id:
        return found
    wanted = fold(words)
    exact = [one for one in found if wanted in (one.uuid, fold(one.name), _full(one))]
    return exact or [one for one in found if wanted in fold(one.name)]


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
    )
