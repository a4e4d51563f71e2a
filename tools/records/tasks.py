"""Long work that outlives a message: what runs, how far it is, how it ended."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, insert, select, update

from tools.records.engine import Database
from tools.records.errors import RowNotFoundError, TaskStateError
from tools.records.schema import tasks

TaskState = Literal["running", "done", "failed", "unknown", "cancelled"]
"""How a task stands.

running: it was started and nobody has said that it ended. done: it ended well. failed: it ended
with an error. unknown: it was interrupted, and some of it may have happened. cancelled: a person
stopped it.
"""

TaskEnd = Literal["done", "failed", "unknown", "cancelled"]
"""The states a task ends in."""


@dataclass(frozen=True)
class Task:
    """One piece of work. Times are in UTC; `progress` counts up to `total`, None if not known."""

    id: int
    kind: str
    env_id: str | None
    thread_id: str
    user_id: str
    state: TaskState
    title: str
    progress: int
    total: int | None
    started_at: datetime
    ended_at: datetime | None
    result: dict[str, Any] | None
    error: str | None


_ADD = insert(tasks).returning(*tasks.c)
_ONE = select(tasks).where(tasks.c.id == bindparam("task_id"))
_MOVE = update(tasks).where(tasks.c.id == bindparam("task_id")).returning(*tasks.c)
_LOST = update(tasks).where(tasks.c.state == "running", tasks.c.started_at < bindparam("before"))


class Tasks:
    """The tasks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(
        self,
        kind: str,
        *,
        env_id: str | None,
        thread_id: str,
        user_id: str,
        title: str,
        total: int | None = None,
        now: datetime,
    ) -> Task:
        """Note that work begins; `title` is in the user's language."""
        values = {
            "kind": kind,
            "env_id": env_id,
            "thread_id": thread_id,
            "user_id": user_id,
            "state": "running",
            "title": title,
            "progress": 0,
            "total": total,
            "started_at": now,
        }
        with self._database.write() as connection:
            return _task(connection.execute(_ADD, values).one())

    def progress(self, task_id: int, n: int, total: int | None = None) -> bool:
        """Note how far a task is; None leaves the total as it is.

        Returns:
            Whether it was noted. A report that comes after the end is dropped.
        """
        values = {"progress": n} if total is None else {"progress": n, "total": total}
        this = (tasks.c.id == task_id) & (tasks.c.state == "running")
        with self._database.write() as connection:
            return connection.execute(update(tasks).where(this).values(values)).rowcount == 1

    def end(
        self,
        task_id: int,
        state: TaskEnd,
        result: dict[str, Any] | None,
        error: str | None,
        now: datetime,
    ) -> Task:
        """Note how a task ended; of an `unknown` one the end may become known later.

        Raises:
            RowNotFoundError: there is no such task.
            TaskStateError: its end is known already.
        """
        with self._database.write() as connection:
            found = _existing(connection, task_id)
            if found.state not in {"running", "unknown"}:
                raise TaskStateError(f"Task {task_id} has ended: {found.state}")
            values = {"state": state, "result": result, "error": error, "ended_at": now}
            return _task(connection.execute(_MOVE, {"task_id": task_id, **values}).one())

    def give_up(self, before: datetime, now: datetime) -> int:
        """Mark tasks unknown that began before a time and never ended; returns how many."""
        values = {"state": "unknown", "ended_at": now, "before": before}
        with self._database.write() as connection:
            return connection.execute(_LOST, values).rowcount

    def get(self, task_id: int, user_id: str) -> Task | None:
        """The task, or None if there is none or it is another user's."""
        with self._database.read() as connection:
            task = _one(connection, task_id)
        return task if task and task.user_id == user_id else None

    def latest(self, user_id: str, env_id: str | None = None, limit: int = 10) -> list[Task]:
        """The user's newest tasks, newest first, of one environment or of all."""
        query = select(tasks).where(tasks.c.user_id == user_id)
        if env_id is not None:
            query = query.where(tasks.c.env_id == env_id)
        query = query.order_by(tasks.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return [_task(row) for row in connection.execute(query)]

    def open_or_failed(
        self, user_id: str, env_id: str, since: datetime, limit: int = 10
    ) -> list[Task]:
        """The user's tasks of an environment that run, or ended badly since a time; newest first.

        Badly is failed or unknown.
        """
        wanted = _open_or_failed(env_id, since) & (tasks.c.user_id == user_id)
        query = select(tasks).where(wanted).order_by(tasks.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return [_task(row) for row in connection.execute(query)]

    def count_open_or_failed(
        self, env_id: str, since: datetime, *, user_id: str | None = None, but: str | None = None
    ) -> dict[TaskState, int]:
        """How many such tasks there are, by their state: one user's, or all but one user's."""
        wanted = _open_or_failed(env_id, since)
        if user_id is not None:
            wanted &= tasks.c.user_id == user_id
        if but is not None:
            wanted &= tasks.c.user_id != but
        query = select(tasks.c.state, func.count()).where(wanted).group_by(tasks.c.state)
        with self._database.read() as connection:
            return {row.state: row[1] for row in connection.execute(query)}


def _open_or_failed(env_id: str, since: datetime) -> ColumnElement[bool]:
    """Tasks of an environment that run, or that ended badly since a time."""
    badly = tasks.c.state.in_(("failed", "unknown")) & (tasks.c.ended_at >= since)
    return (tasks.c.env_id == env_id) & ((tasks.c.state == "running") | badly)


def _one(connection: Connection, task_id: int) -> Task | None:
    row = connection.execute(_ONE, {"task_id": task_id}).one_or_none()
    return _task(row) if row else None


def _existing(connection: Connection, task_id: int) -> Task:
    task = _one(connection, task_id)
    if task is None:
        raise RowNotFoundError(f"There is no task {task_id}")
    return task


def _task(row: Row[Any]) -> Task:
    return Task(**row._asdict())
