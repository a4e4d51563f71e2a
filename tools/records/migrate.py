"""Bring a database to the schema of this version, whoever else is opening it."""

import threading
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from tools.records.engine import Database
from tools.records.errors import RecordsError

MIGRATIONS = Path(__file__).parent / "migrations"

# Alembic keeps the migration that runs in a module, so one process runs one at a time.
_ONE_AT_A_TIME = threading.Lock()


def upgrade(database: Database) -> None:
    """Run the migrations that are missing, all in one transaction.

    Raises:
        RecordsError: the database is of a later version of this program.
    """
    with database.read() as connection:
        if _is_current(connection):
            return
    # Others may be about to do the same: Alembic looks again, now that it is our turn to write.
    with _ONE_AT_A_TIME, database.write() as connection:
        command.upgrade(_config(connection), "head")


def _is_current(connection: Connection) -> bool:
    script = ScriptDirectory(str(MIGRATIONS))
    stored = set(MigrationContext.configure(connection).get_current_heads())
    known = {revision.revision for revision in script.walk_revisions()}
    if unknown := stored - known:
        raise RecordsError(
            f"The records were written by a newer version (schema {', '.join(sorted(unknown))}); "
            "update this program, or give it another records.url"
        )
    return stored == set(script.get_heads())


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
