"""Copies of SQLite files that other processes may have open."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

DATA_FILES = ("analytics.db", "sandbox.db")
"""Data files of an installation, next to its `superset.db`."""
_PATIENCE = 20.0


def copy_database(source: Path, target: Path) -> None:
    """Make `target` equal to `source` in one transaction, even while a server uses it.

    A plain file copy could meet a half-written transaction of the server and its journal.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + _PATIENCE

    def patience(_status: int, _remaining: int, _total: int) -> None:
        if time.monotonic() > deadline:
            message = f"{target.name} stays locked"
            raise TimeoutError(message)

    with (
        closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(target, timeout=5)) as new,
    ):
        # The copy can always be made again: waiting for the disk would buy nothing.
        new.execute("PRAGMA synchronous=OFF")
        old.backup(new, progress=patience, sleep=0.02)


def point_at(metadata: Path, data_folder: Path) -> None:
    """Make the installation's analytics connections use the data files of `data_folder`."""
    with closing(sqlite3.connect(metadata)) as connection, connection:
        for name in DATA_FILES:
            connection.execute(
                "UPDATE dbs SET sqlalchemy_uri = ? WHERE sqlalchemy_uri LIKE ?",
                (f"sqlite:///{data_folder / name}", f"sqlite:///%/{name}"),
            )


def compact(metadata: Path) -> None:
    """Drop free pages: the file is copied before every integration test."""
    with closing(sqlite3.connect(metadata)) as connection:
        connection.execute("VACUUM")
