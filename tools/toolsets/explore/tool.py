"""The declaration of `superset_explore_database`."""

from typing import Any, Literal

from tools.connect import Call
from tools.definition import EVERYONE, Lexicon
from tools.toolsets.explore.answer import answer_explore
from tools.toolsets.explore.base import EXPLORE
from tools.toolsets.explore.datasets import described_dataset
from tools.toolsets.explore.listings import listed
from tools.toolsets.explore.prepare import prepare_explore
from tools.toolsets.explore.tables import described_table

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
    timeout=60,
    prepare=prepare_explore,
    answer=answer_explore,
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
    arguments: dict[str, Any] = {
        "env_id": env_id,
        "listing": listing,
        "database": database,
        "schema_name": schema_name,
        "table": table,
        "dataset": dataset,
        "limit": limit,
        "offset": offset,
    }
    client = call.superset(str(env_id))
    if table is not None:
        return await described_table(arguments, client, call)
    if dataset is not None and listing is None:
        return await described_dataset(arguments, client, call)
    return await listed(arguments, client, call)
