"""Databases and datasets: what is in them."""

from typing import Any, Literal

from langchain_core.tools import ToolException

from tools.connect import Call
from tools.definition import EVERYONE, Lexicon, Toolset

EXPLORE = Toolset("explore")

Listing = Literal["databases", "schemas", "tables", "datasets"]
"""What to list: databases of the environment, schemas of a database, tables of a schema, or
datasets (of a database, where one is named)."""


@EXPLORE.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=(
            "схем",
            "таблиц",
            "колон",
            "столб",
            "баз данных",
            "баз",
            "датасет",
            "метаданн",
            "schema",
            "table",
            "column",
            "database",
            "dataset",
            "select star",
            "metadata",
        ),
    ),
    ru="Какие колонки в таблице sales_orders базы Analytics?",
    en="Which columns has the table sales_orders of the database Analytics?",
    affinity=frozenset({"dataset"}),
    page={"dataset": "dataset"},
    instead={"dataset": ("database", "table", "listing")},
    fast=True,
)
async def superset_explore_database(
    call: Call,
    listing: Listing | None = None,
    database: str | None = None,
    schema_name: str | None = None,
    table: str | None = None,
    dataset: str | None = None,
    env_id: str | None = None,
    limit: int = 100,
    offset: int = 0,
) -> dict[str, Any]:
    """Look into databases: list databases, schemas, tables, datasets; describe a table or dataset.

    A table: its columns with types, indexes and a `select *`. A dataset: its columns against those
    of the table, where it is in each environment, which charts and dashboards stand on it, and how
    much of it is described. Without arguments: the databases.

    Args:
        listing: What to list.
        database: The database, by its name or id.
        schema_name: The schema; left out, the database's default.
        table: The table or view to describe.
        dataset: The dataset to describe, by its name or id.
        env_id: The environment, by its id; left out, it is the page's.
        limit: How many to list, 1 to 100.
        offset: How many to leave out from the start, for the next page.
    """
    raise ToolException("not built yet")
