"""SQL: run one query that only reads, and lay a text out."""

from typing import Any

from langchain_core.tools import ToolException

from tools.connect import Call
from tools.definition import ANALYSTS, EVERYONE, Lexicon, Toolset

SQL = Toolset("sql")


@SQL.tool(
    effect="read",
    roles=ANALYSTS,
    lexicon=Lexicon(objects=("sql", "запрос", "select", "query"), exclude=("selected",)),
    ru="Выполни запрос `select count(*) from sales_orders` в базе Analytics",
    en="Run the query `select count(*) from sales_orders` in the database Analytics",
    affinity=frozenset({"dataset"}),
    page={"dataset": "dataset"},
    required=frozenset({"sql", "database"}),
    instead={"database": ("dataset",), "dataset": ("database",)},
)
async def superset_execute_sql(
    call: Call,
    sql: str | None = None,
    database: str | None = None,
    schema_name: str | None = None,
    dataset: str | None = None,
    limit: int = 100,
    env_id: str | None = None,
) -> dict[str, Any]:
    """Run one SELECT (or WITH ... SELECT) and return its rows; anything that writes is refused.

    Args:
        sql: The whole query, in the dialect of the database.
        database: The database, by its name or id.
        schema_name: The schema that names without one are in; left out, the database's default.
        dataset: Instead of a database: run where this dataset (name or id) has its table.
        limit: The most rows, 1 to 1000.
        env_id: The environment, by its id; left out, it is the page's.
    """
    raise ToolException("not built yet")


@SQL.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=("sql", "запрос", "query"),
        actions=("format", "pretty", "beautify", "формат", "отформат", "причеш"),
    ),
    ru="Отформатируй SQL `select a,b from t where a>1`",
    en="Format the SQL `select a,b from t where a>1`",
    affinity=frozenset({"dataset"}),
    environment="optional",
    required=frozenset({"sql"}),
    fast=True,
)
async def superset_format_sql(
    call: Call, sql: str | None = None, database: str | None = None, env_id: str | None = None
) -> dict[str, Any]:
    """Lay out a SQL text for reading; what it means stays the same, templates stay as they are.

    Args:
        sql: The whole text.
        database: The database whose dialect it is in, by its name or id.
        env_id: The environment of that database; left out, it is the page's.
    """
    raise ToolException("not built yet")
