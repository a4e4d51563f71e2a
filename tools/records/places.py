"""Where the records are, by their URL."""

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from tools.records.engine import Database
from tools.records.errors import RecordsError
from tools.records.postgres import look_at_server, open_server
from tools.records.sqlite import look_at_file, open_file


def connect(url: str | URL, *, read_only: bool = False) -> Database:
    """Make a database usable.

    Args:
        url: `sqlite:///relative/path`, `sqlite:////absolute/path` or
            `postgresql://user:password@host:port/database`; a text or parsed.
        read_only: The database is there already, and stays as it is.

    Raises:
        RecordsError: the URL names something else, the file is missing or cannot be made, or there
            is no driver.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise RecordsError("The URL of the records is no database URL") from None
    match parsed.drivername:
        case "sqlite":
            return (look_at_file if read_only else open_file)(parsed)
        case "postgresql" | "postgresql+psycopg":
            return (look_at_server if read_only else open_server)(parsed)
    raise RecordsError(
        f"The records cannot be kept in {parsed.drivername}: give sqlite:///path/records.db or "
        "postgresql://user@host/database"
    )
