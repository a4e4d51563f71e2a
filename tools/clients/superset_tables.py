"""What Superset sees of a database: schemas, tables, columns, indexes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.clients.superset_paging import Read


@dataclass(frozen=True)
class TableSummary:
    """A table or view in a list."""

    name: str
    kind: str
    """What Superset calls it: "table", "view", "materialized_view"."""


@dataclass(frozen=True)
class Column:
    """A column as the database has it."""

    name: str
    type: str
    """With its length or precision, such as "NUMERIC(12, 2)"; empty where it is not known."""

    comment: str | None


@dataclass(frozen=True)
class Key:
    """An index or a foreign key: its columns, and whether it is unique or where it points."""

    name: str | None
    columns: tuple[str, ...]
    unique: bool = False
    refers_to: str | None = None


@dataclass(frozen=True)
class Table:
    """A table as the database has it; without columns there is none that the account may see."""

    name: str
    comment: str | None
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...]
    """Superset 6.1 loses it on its way: it reads it, and answers null."""
    indexes: tuple[Key, ...]
    foreign_keys: tuple[Key, ...]
    select_star: str


async def schemas(read: Read, database_id: int) -> list[str]:
    """The schemas of a database, in the order of their names."""
    body = await read(f"/api/v1/database/{database_id}/schemas/", {})
    return sorted(str(name) for name in body["result"])


async def tables(read: Read, database_id: int, schema: str) -> list[TableSummary]:
    """All tables and views of a schema, in the order of their names."""
    query = {"q": {"schema_name": schema}}
    body = await read(f"/api/v1/database/{database_id}/tables/", query)
    found = [TableSummary(str(row["value"]), str(row["type"])) for row in body["result"]]
    return sorted(found, key=lambda item: item.name)


async def table(
    read: Read, database_id: int, name: str, schema: str | None, catalog: str | None = None
) -> Table:
    """A table's columns and keys; the usual schema and catalog of the database where none is given.

    Superset answers for a table that does not exist, too: with no columns (SQLite), or 404.
    """
    query = {"name": name, "schema": schema, "catalog": catalog}
    query = {key: value for key, value in query.items() if value}
    body = await read(f"/api/v1/database/{database_id}/table_metadata/", query)
    return Table(
        name=str(body["name"]),
        comment=body.get("comment"),
        columns=tuple(_column(row) for row in body["columns"]),
        primary_key=_names(body.get("primaryKey")),
        # Superset lists foreign keys among the indexes, too.
        indexes=tuple(
            _index(row) for row in body.get("indexes") or [] if not row.get("referred_table")
        ),
        foreign_keys=tuple(_foreign(row) for row in body.get("foreignKeys") or []),
        select_star=str(body.get("selectStar") or ""),
    )


def _column(row: Mapping[str, Any]) -> Column:
    kind = str(row.get("longType") or row.get("type") or "")
    # SQLAlchemy's name of a type that it does not know.
    return Column(str(row["name"]), "" if kind == "NULL" else kind, row.get("comment"))


def _names(row: Mapping[str, Any] | None) -> tuple[str, ...]:
    names = (row or {}).get("constrained_columns") or (row or {}).get("column_names") or []
    # Where an index has an expression instead of a column, the database gives no name.
    return tuple("(expression)" if name is None else str(name) for name in names)


def _index(row: Mapping[str, Any]) -> Key:
    return Key(row.get("name"), _names(row), bool(row.get("unique")))


def _foreign(row: Mapping[str, Any]) -> Key:
    parts = (row.get("referred_schema"), row.get("referred_table"))
    target = ".".join(str(part) for part in parts if part)
    columns = ", ".join(str(name) for name in row.get("referred_columns") or [])
    own = tuple(
        str(name) for name in row.get("constrained_columns") or row.get("column_names") or []
    )
    return Key(row.get("name"), own, refers_to=f"{target} ({columns})")
