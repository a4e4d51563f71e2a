"""What a real Superset tells of schemas, tables, columns and keys."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest

from demo.supersets import Pair
from tests.superset.real import Recorder, client
from tools.clients.http import Forbidden, NotFound
from tools.clients.superset import Superset
from tools.clients.superset_tables import Column, Key, TableSummary

ANALYTICS, SANDBOX = 1, 2


@pytest.fixture
async def viewer(pair: Pair) -> AsyncIterator[Superset]:
    async with client(pair.dev, "viewer") as superset:
        yield superset


async def run(pair: Pair, *statements: str) -> None:
    """Change the tables of Analytics in the development installation."""

    def change() -> None:
        path = pair.folder / "dev" / "analytics.db"
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    await asyncio.to_thread(change)


async def test_schemas_of_a_database(viewer: Superset) -> None:
    assert await viewer.schemas(ANALYTICS) == ["main"]


async def test_tables_and_views_come_in_the_order_of_their_names(viewer: Superset) -> None:
    found = await viewer.tables(ANALYTICS, "main")
    assert [one.name for one in found] == sorted(one.name for one in found)
    assert TableSummary("sales_by_region", "view") in found
    assert TableSummary("продажи", "table") in found
    assert {one.kind for one in found} == {"table", "view"}


async def test_more_tables_than_any_page_come_at_once(pair: Pair, viewer: Superset) -> None:
    before = len(await viewer.tables(ANALYTICS, "main"))
    await run(pair, *(f"CREATE TABLE many_{number:04} (id INTEGER)" for number in range(1100)))
    assert len(await viewer.tables(ANALYTICS, "main")) == before + 1100


async def test_columns_with_types_and_lengths(pair: Pair, viewer: Superset) -> None:
    await run(
        pair,
        "CREATE TABLE kinds (a INTEGER, b NUMERIC(12, 2), c VARCHAR(40), d TIMESTAMP, e, f BLOB)",
        "CREATE VIEW sums AS SELECT sum(b) AS total FROM kinds",
    )
    found = await viewer.table(ANALYTICS, "kinds", "main")
    assert [(one.name, one.type) for one in found.columns] == [
        ("a", "INTEGER"), ("b", "NUMERIC(12, 2)"), ("c", "VARCHAR(40)"), ("d", "TIMESTAMP"),
        ("e", ""), ("f", "BLOB"),
    ]  # fmt: skip
    assert (await viewer.table(ANALYTICS, "sums", "main")).columns == (Column("total", "", None),)


async def test_keys_of_every_kind(pair: Pair, viewer: Superset) -> None:
    await run(
        pair,
        "CREATE TABLE parents (x INTEGER, y TEXT, PRIMARY KEY (x, y))",
        "CREATE TABLE children (x INTEGER, y TEXT, z TEXT,"
        " parent INTEGER REFERENCES customers (id),"
        " CONSTRAINT both FOREIGN KEY (x, y) REFERENCES parents (x, y))",
        "CREATE UNIQUE INDEX children_once ON children (z, x)",
        "CREATE INDEX children_lower ON children (lower(z))",
        "CREATE INDEX children_z ON children (z)",
    )
    found = await viewer.table(ANALYTICS, "children", "main")
    # Foreign keys are listed among them, too; the expression's is left out by SQLAlchemy.
    assert set(found.indexes) == {
        Key("children_once", ("z", "x"), unique=True),
        Key("children_z", ("z",)),
    }
    assert {(one.columns, one.refers_to) for one in found.foreign_keys} == {
        (("parent",), "main.customers (id)"), (("x", "y"), "main.parents (x, y)"),
    }  # fmt: skip


async def test_superset_loses_the_primary_key(pair: Pair, viewer: Superset) -> None:
    """Where it tells it one day, this fails: then the column of keys has something to show."""
    await run(pair, "CREATE TABLE parents (x INTEGER, y TEXT, PRIMARY KEY (x, y))")
    assert (await viewer.table(ANALYTICS, "parents", "main")).primary_key == ()


@pytest.mark.parametrize("name", ["a.b", "a/b?c#d", "100% done", 'say "hi"', "o'neil", "имя"])
async def test_a_name_is_asked_for_as_it_is(pair: Pair, viewer: Superset, name: str) -> None:
    quoted = name.replace('"', '""')
    await run(pair, f'CREATE TABLE "{quoted}" ("odd.column" INTEGER)')
    found = await viewer.table(ANALYTICS, name, "main")
    assert (found.name, [one.name for one in found.columns]) == (name, ["odd.column"])
    assert "odd.column" in found.select_star


async def test_without_a_schema_it_is_the_usual_one(viewer: Superset) -> None:
    named = await viewer.table(ANALYTICS, "customers", "main")
    usual = await viewer.table(ANALYTICS, "customers", None)
    assert usual.columns == named.columns != ()
    assert "FROM main.customers" in named.select_star


async def test_a_table_that_is_not_there_has_no_columns_or_is_not_found(viewer: Superset) -> None:
    try:
        found = await viewer.table(ANALYTICS, "nothing_like_it", "main")
    except NotFound:
        return
    assert found.columns == ()


async def test_a_database_that_is_not_there_is_not_found(viewer: Superset) -> None:
    for asked in (viewer.schemas(99), viewer.tables(99, "main"), viewer.table(99, "t", "main")):
        with pytest.raises((NotFound, Forbidden)):
            await asked


async def test_only_reads_are_sent(pair: Pair) -> None:
    recorder = Recorder()
    async with client(pair.dev, "viewer", recorder=recorder) as superset:
        await superset.schemas(ANALYTICS)
        await superset.tables(ANALYTICS, "main")
        await superset.table(SANDBOX, "notes", "main")
    assert {one.method for one in recorder.requests if "/security/" not in one.url.path} == {"GET"}
