"""Whole results of tools, kept out of the conversation's state; only their owner reads them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import bindparam, insert, select

from tools.records.engine import Database
from tools.records.schema import results


@dataclass(frozen=True)
class StoredResult:
    """What a tool gave, exactly; `kept_at` is in UTC."""

    id: str
    thread_id: str
    call_id: str
    user_id: str
    tool: str
    kept_at: datetime
    content: str


_ANY = (
    select(results.c.id)
    .where(results.c.thread_id == bindparam("thread_id"), results.c.user_id == bindparam("user_id"))
    .limit(1)
)


class Results:
    """The results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(
        self, thread_id: str, call_id: str, user_id: str, tool: str, content: str, now: datetime
    ) -> str:
        """Keep a result of any length.

        Returns:
            Its id, 32 hexadecimal digits.
        """
        row = StoredResult(uuid4().hex, thread_id, call_id, user_id, tool, now, content)
        with self._database.write() as connection:
            connection.execute(insert(results).values(vars(row)))
        return row.id

    def any(self, thread_id: str, user_id: str) -> bool:
        """Whether a result of this conversation and this user is kept."""
        whose = {"thread_id": thread_id, "user_id": user_id}
        with self._database.read() as connection:
            return connection.execute(_ANY, whose).first() is not None

    def read(self, result_id: str, user_id: str) -> StoredResult | None:
        """The result, or None if there is none or it is another user's."""
        this = (results.c.id == result_id) & (results.c.user_id == user_id)
        with self._database.read() as connection:
            row = connection.execute(select(results).where(this)).one_or_none()
        return StoredResult(**row._asdict()) if row else None
