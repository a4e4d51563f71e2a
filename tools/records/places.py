"""Where the records are, by their URL."""

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from tools.records.engine import Database
from tools.records.errors import RecordsError
from tools.records.postgres import open_server
from tools.records.sqlite import open_file


def connect(url: str | URL) -> Database:
    """Make a database usable.

    Args:
        url: `sqlite:///relative/path`, `sqlite:////absolute/path` or
            `postgresql://user:password@host:port/database`; a text or parsed.

    Raises:
        RecordsError: the URL names something else, the file cannot be made, or there is no driver.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise RecordsError("The URL of the records is no database URL") from None
    match parsed.drivername:
        case "sqlite":
            return open_file(parsed)
        case "postgresql" | "postgresql+psycopg":
            return open_server(parsed)
    raise RecordsError(
        f"The records cannot be kept in {parsed.drivername}: give sqlite:///path/records.db or "
        "postgresql://user@host/database"
    )
