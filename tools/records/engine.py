"""Transactions that read and transactions that write, and how errors of the database read.

What depends on the kind of the database is in `sqlite` and `postgres`: all code that depends on
writers taking turns goes through `Database.write`.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, StatementError

from tools.records.errors import LedgerError, RecordsError

BUSY_SECONDS = 20.0
"""How long a writer waits for its turn; a turn takes milliseconds."""


class Database:
    """Transactions, which a thread may put into one another: the outermost is the real one.

    Args:
        reader: Gives connections whose transactions see one state of the records.
        writer: Gives connections whose transactions have the records to themselves from their
            beginning: no other writer in no thread and no process, so that what was read is still
            so when it is written.
    """

    def __init__(self, reader: Engine, writer: Engine) -> None:
        self._reader = reader
        self._writer = writer
        # Inside one process a lock passes the turn at once, where SQLite would sleep and retry.
        self._turn = threading.Lock()
        self._mine = threading.local()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent view of the records; inside of a writing transaction, that one's."""
        joined = self._joined()
        if joined is not None:
            yield joined
            return
        with translated(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """All or nothing, and no other writer meanwhile, in no thread and no process.

        Raises:
            RecordsError: the database cannot be written.
        """
        joined = self._joined()
        if joined is not None:
            yield joined
            return
        with translated(), self._turn, self._writer.begin() as connection:
            self._mine.connection = connection
            try:
                yield connection
            finally:
                self._mine.connection = None

    @contextmanager
    def together(self) -> Iterator[None]:
        """Several steps in one transaction, which is one wait for the disk instead of many.

        A refusal of the ledger undoes nothing: what was noted with it stays, as it does when the
        step stands alone. Every other error undoes all.
        """
        refusal: LedgerError | None = None
        with self.write():
            try:
                yield
            except LedgerError as error:
                refusal = error
        if refusal is not None:
            raise refusal

    def close(self) -> None:
        """Close every connection."""
        self._writer.dispose()

    def _joined(self) -> Connection | None:
        connection: Connection | None = getattr(self._mine, "connection", None)
        return connection


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of the database into ours, without statements and values."""
    try:
        yield
    except DBAPIError as error:
        raise RecordsError(f"The records cannot be used: {_reason(error)}") from error
    except StatementError as error:
        # A value that cannot be written: the reason itself says more than the statement.
        if isinstance(error.orig, ValueError):
            raise error.orig from None
        raise
    except sqlite3.Error as error:
        raise RecordsError(f"The records cannot be used: {error}") from error


def _reason(error: DBAPIError) -> str:
    # PostgreSQL's errors quote the row in their details; the first line of them does not.
    primary = getattr(getattr(error.orig, "diag", None), "message_primary", None)
    return " ".join(str(primary or error.orig).split())
