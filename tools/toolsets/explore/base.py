"""The toolset, and what its parts share: which database and which schema are meant."""

from tools.clients.superset import DatabaseSummary, Superset
from tools.clients.superset_search import fold
from tools.connect import Call
from tools.definition import Toolset
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve import Question

EXPLORE = Toolset("explore")

DEFAULT_SCHEMAS = {
    "duckdb": "main",
    "mssql": "dbo",
    "postgresql": "public",
    "redshift": "public",
    "snowflake": "PUBLIC",
    "sqlite": "main",
}
"""The schema that a name without one means, by Superset's name of the backend."""

SHOWN = 20
"""How many names a question lists."""


async def schema_of(
    words: str | None, database: DatabaseSummary, client: Superset, call: Call
) -> str:
    """The schema that words name; without words the database's default, or its only one.

    Raises:
        Question: it is not there, or none is named and there are several.
    """
    known = await client.schemas(database.id)
    if words is None:
        usual = DEFAULT_SCHEMAS.get(database.backend)
        found = [name for name in known if name == usual] or known
    else:
        found = [name for name in known if name == words] or [
            name for name in known if fold(name) == fold(words)
        ]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(escape(name) for name in known[:SHOWN]) or "-"
    key = "which-schema" if words is None else "no-such-schema"
    values = {} if words is None else {"name": escape(words)}
    raise Question("schema_name", text(call.language, key, known=listed, **values))
