"""The records in PostgreSQL: for deployments with several servers, or where its backups are."""

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from tools.records.engine import BUSY_SECONDS, Database
from tools.records.errors import RecordsError

TURN = 0x50494C4F54
"""The advisory lock that a writer holds until its transaction ends: readers never wait for it."""

_SETTINGS = {
    "synchronous_commit": "on",  # what was committed outlives a power cut, whatever the server says
    "lock_timeout": f"{BUSY_SECONDS:.0f}s",
    "idle_in_transaction_session_timeout": f"{2 * BUSY_SECONDS:.0f}s",
}


def open_server(url: URL) -> Database:
    """Make a database of a PostgreSQL server usable; it must be there and be ours to write.

    Raises:
        RecordsError: the driver is not installed.
    """
    engine = _engine(url)
    event.listen(engine, "begin", _begin)
    return Database(_reader(engine), engine.execution_options(immediate=True))


def look_at_server(url: URL) -> Database:
    """Make a database of a PostgreSQL server readable; nothing of it can be changed.

    Raises:
        RecordsError: the driver is not installed.
    """
    reader = _reader(_engine(url))
    return Database(reader, reader)


def _reader(engine: Engine) -> Engine:
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _engine(url: URL) -> Engine:
    try:
        return create_engine(
            url.set(drivername="postgresql+psycopg"),
            connect_args={
                "connect_timeout": 10,
                "application_name": "pilothouse",
                "options": " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items()),
            },
            pool_timeout=BUSY_SECONDS,
            # A server that was restarted is noticed before the transaction, not in it.
            pool_pre_ping=True,
            # Values are what people said and did: they belong into no log and no error.
            hide_parameters=True,
        )
    except ModuleNotFoundError:
        raise RecordsError(
            "The records in PostgreSQL need a driver: install pilothouse[postgres]"
        ) from None


def _begin(connection: Connection) -> None:
    # Each statement after it sees what the writer before has committed (READ COMMITTED).
    if connection.get_execution_options().get("immediate", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({TURN})")
