"""What the tests of `superset_explore_database` share; the fixture `explore` makes the calls."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from langchain_core.messages import ToolMessage

from demo.supersets import Pair
from tools.connect import Services
from tools.results import shorten

TOOL = "superset_explore_database"
DATASET = {"objectType": "dataset", "envId": "ss-dev", "route": "/x", "contextVersion": 1}
Explore = Callable[..., Any]


async def found(explore: Explore, services: Services, **arguments: Any) -> dict[str, Any]:
    """The whole result of a call, however long it was."""
    message = await explore(**arguments)
    assert message.artifact["kind"] == "result", message.text
    result_id = message.artifact.get("result_id")
    if result_id is None:
        return dict(json.loads(message.text))
    kept = await services.store(lambda records: records.results.read(result_id, "olga"))
    assert kept is not None
    return dict(json.loads(kept.content))


async def change(pair: Pair, *statements: str, database: str = "analytics") -> None:
    """Change the tables behind the dev installation."""
    await asyncio.to_thread(_run, pair.folder / "dev" / f"{database}.db", statements)


async def names_may_repeat(pair: Pair, installation: str) -> None:
    """Let datasets of several databases have one name, as everywhere but on SQLite.

    Its table keeps a rule that Superset's migrations drop in other databases.
    """
    path = pair.folder / installation / "superset.db"
    query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'tables'"
    [(made,)] = await asyncio.to_thread(_run, path, [query])
    freed = made.replace(", \n\tUNIQUE (table_name)", "")
    assert freed != made
    steps = (
        "PRAGMA legacy_alter_table = ON",
        "ALTER TABLE tables RENAME TO freed",
        freed,
        "INSERT INTO tables SELECT * FROM freed",
        "DROP TABLE freed",
    )
    await asyncio.to_thread(_run, path, steps)


def _run(path: Path, statements: Iterable[str]) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection, connection:
        return [row for statement in statements for row in connection.execute(statement)]


def names(result: dict[str, Any]) -> list[str]:
    return [item["name"] for item in result["items"]]


def told_message(result: dict[str, Any], limit: int = 10**6) -> ToolMessage:
    """A result as the planner reads it, shortened to a limit."""
    content = shorten(json.dumps(result, ensure_ascii=False), limit, "r1")
    return ToolMessage(content, tool_call_id="c", name=TOOL, artifact={"kind": "result"})
