"""The connection to the database: who may write when, and how errors read.

SQLite only so far. Another engine needs its own `begin` here and nothing elsewhere: all code that
depends on writers taking turns goes through `Database.write`.
"""

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, StatementError

from tools.records.errors import RecordsError

BUSY_SECONDS = 20.0
"""How long a writer waits for its turn; a turn takes milliseconds."""

_MAKING = threading.Lock()
"""Nobody here uses a new file before the one who makes it has closed it."""


class Database:
    """An engine, with transactions that read and transactions that write."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writer = engine.execution_options(immediate=True)
        # Inside one process a lock passes the turn at once, where SQLite would sleep and retry.
        self._turn = threading.Lock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent view of the records."""
        with translated(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """All or nothing, and no other writer meanwhile, in no thread and no process.

        Raises:
            RecordsError: the database cannot be written.
        """
        with translated(), self._turn, self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()


def connect(url: str) -> Database:
    """Make a database usable: folder, file (only its owner may read it), and journal.

    Args:
        url: `sqlite:///relative/path` or `sqlite:////absolute/path`.

    Raises:
        RecordsError: the URL names something else, or the file cannot be made.
    """
    path = _path(url)
    try:
        _make_file(path)
    except OSError as error:
        raise RecordsError(f"The records {path}: {error.strerror}") from error
    with translated():
        _use_journal(path)
    return Database(_engine(path))


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of the database into ours, without statements and values."""
    try:
        yield
    except DBAPIError as error:
        raise RecordsError(f"The records cannot be used: {error.orig}") from error
    except StatementError as error:
        # A value that cannot be written: the reason itself says more than the statement.
        if isinstance(error.orig, ValueError):
            raise error.orig from None
        raise
    except sqlite3.Error as error:
        raise RecordsError(f"The records cannot be used: {error}") from error


def _path(url: str) -> Path:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise RecordsError("The URL of the records is no database URL") from None
    if parsed.get_backend_name() != "sqlite":
        raise RecordsError(f"The records cannot be kept in {parsed.get_backend_name()} yet")
    if parsed.database in (None, "", ":memory:") or parsed.query or parsed.host:
        raise RecordsError("The records need a file: sqlite:///path/records.db, without options")
    # Absolute, so that a later change of the working folder opens no second file.
    return Path(str(parsed.database)).absolute()


def _make_file(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Ours from the first moment on; SQLite gives the files beside it the same mode. A file that is
    # there is not opened: closing it would drop every lock that this process holds on it (POSIX),
    # and another process would then take the journal away from under those who write.
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with _MAKING, suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _use_journal(path: Path) -> None:
    # The switch to WAL needs the file to itself and does not wait: of 300 processes that opened new
    # files in groups of 25, one failed without the retry.
    deadline = time.monotonic() + BUSY_SECONDS
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
    try:
        while not _journal_is_on(connection, last_try=time.monotonic() > deadline):
            time.sleep(0.02)
    finally:
        connection.close()


def _journal_is_on(connection: sqlite3.Connection, *, last_try: bool) -> bool:
    try:
        mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    except sqlite3.OperationalError as error:
        if last_try or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    if mode != "wal":
        raise RecordsError("The records need a file system that SQLite's WAL mode can use")
    return True


def _engine(path: Path) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": BUSY_SECONDS},
        # A thread holds one connection at most, and waiting is the database's business.
        max_overflow=-1,
        # Values are what people said and did: they belong into no log and no error.
        hide_parameters=True,
    )
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def _configure(connection: Any, _record: Any) -> None:
    # Python's driver would start transactions by itself, too late and never for reads.
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous=FULL")  # what was committed outlives a power cut
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
