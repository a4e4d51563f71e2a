"""What the tests of `superset_explore_database` share; the fixture `explore` makes the calls."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
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

    def run() -> None:
        path = pair.folder / "dev" / f"{database}.db"
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    await asyncio.to_thread(run)


def names(result: dict[str, Any]) -> list[str]:
    return [item["name"] for item in result["items"]]


def told_message(result: dict[str, Any], limit: int = 10**6) -> ToolMessage:
    """A result as the planner reads it, shortened to a limit."""
    content = shorten(json.dumps(result, ensure_ascii=False), limit, "r1")
    return ToolMessage(content, tool_call_id="c", name=TOOL, artifact={"kind": "result"})
