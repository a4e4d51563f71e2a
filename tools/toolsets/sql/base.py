"""The toolset of SQL, and where its tools act."""

from dataclasses import dataclass
from typing import Any

from tools.clients.superset import DatabaseSummary, Superset
from tools.connect import Call
from tools.definition import Toolset
from tools.resolve import database, dataset
from tools.sql.dialects import dialect_of

SQL = Toolset("sql")


@dataclass(frozen=True)
class Place:
    """A database and a schema in it.

    Attributes:
        database: The database.
        schema: The schema of names without one; None: the database's default.
    """

    database: DatabaseSummary
    schema: str | None

    @property
    def dialect(self) -> str:
        """The name that sqlglot has for the database's dialect."""
        return dialect_of(self.database.backend)


async def place(arguments: dict[str, Any], client: Superset, call: Call) -> Place:
    """Where a call acts: in the database it names, in its dataset's, or in the only one.

    Raises:
        Question: none or several fit; the candidates are named.
    """
    words, schema = arguments.get("database"), arguments.get("schema_name")
    if words is None and arguments.get("dataset") is not None:
        found = await dataset(str(arguments["dataset"]), client, call)
        words = str(found.database_id) if found.database_id else found.database
        schema = schema or found.schema
    return Place(await database(words, client, call), schema)
