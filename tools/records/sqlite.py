"""The records in one file: SQLite with a journal (WAL), every commit on the disk."""

import errno
import os
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from tools.records.engine import BUSY_SECONDS, Database, translated
from tools.records.errors import RecordsError

_LOOKING = {"mode": "ro", "uri": "true"}

_MAKING = threading.Lock()
"""Nobody here uses a new file before the one who makes it has closed it."""


def open_file(url: URL) -> Database:
    """Make a file usable: its folder, the file (only its owner may read it), and its journal.

    Raises:
        RecordsError: the URL names no file, or it cannot be made.
    """
    path = _path(url)
    try:
        _make_file(path)
    except OSError as error:
        raise RecordsError(f"The records {path}: {error.strerror}") from error
    with translated():
        _use_journal(path)
    engine = _engine(URL.create("sqlite", database=str(path)))
    return Database(engine, engine.execution_options(immediate=True))


def look_at_file(url: URL) -> Database:
    """Make a file readable that is there; nothing of it can be changed.

    Raises:
        RecordsError: the URL names no file, or there is none.
    """
    path = _path(url)
    if not path.is_file():
        raise RecordsError(f"The records {path}: there is no such file")
    # Of a URI: no other way of opening leaves a file that is not there unmade.
    engine = _engine(URL.create("sqlite", database=path.as_uri(), query=_LOOKING))
    return Database(engine, engine)


def _path(url: URL) -> Path:
    if url.database in (None, "", ":memory:") or url.query or url.host:
        raise RecordsError("The records need a file: sqlite:///path/records.db, without options")
    # Absolute, so that a later change of the working folder opens no second file.
    return Path(str(url.database)).absolute()


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


def _engine(url: URL) -> Engine:
    engine = create_engine(
        url,
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
    # Bytes that are no text are read, too: `verify` has to name the row they stand in.
    connection.text_factory = _text


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogateescape")


def _begin(connection: Connection) -> None:
    # Without IMMEDIATE two writers read the same last row before either writes: the chain forks.
    immediate = connection.get_execution_options().get("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
