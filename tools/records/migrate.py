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


def check_current(database: Database) -> None:
    """Look whether the schema is that of this version; nothing is changed.

    Raises:
        RecordsError: it is older or newer, or there are no records in this database.
    """
    with database.read() as connection:
        if not _stored(connection):
            raise RecordsError("There are no records in this database")
        if not _is_current(connection):
            raise RecordsError(
                "The records are of an older version: start the server once, which brings them "
                "up to date"
            )


def _stored(connection: Connection) -> set[str]:
    return set(MigrationContext.configure(connection).get_current_heads())


def _is_current(connection: Connection) -> bool:
    script = ScriptDirectory(str(MIGRATIONS))
    stored = _stored(connection)
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
