"""How values of ours stand in the database."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, LargeBinary, Text
from sqlalchemy.types import TypeDecorator

from tools.records.canonical import canonical, clean, parse, plain


class Moment(TypeDecorator[datetime]):
    """A time with its zone in, the same time in UTC out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn to UTC, as SQLite keeps no zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("A time without a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class CanonicalJson(TypeDecorator[Any]):
    """JSON kept as its canonical text, so that two rows can be compared as texts."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write it; a value without canonical JSON is an error."""
        return None if value is None else canonical(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Read it."""
        return None if value is None else parse(value)


class NotedJson(CanonicalJson):
    """JSON of what has happened: it is always kept, odd values as near as JSON can."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Write the nearest value that has canonical JSON."""
        return super().process_bind_param(plain(value), dialect)


class Words(TypeDecorator[str]):
    """Text written by people or models, without what a database refuses."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Replace half characters and NUL."""
        return None if value is None else clean(value)


class Content(TypeDecorator[str]):
    """Text that comes back exactly as it was, whatever it holds."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """Write UTF-8, half characters too."""
        return None if value is None else value.encode("utf-8", "surrogatepass")

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        """Read it back."""
        return None if value is None else value.decode("utf-8", "surrogatepass")
