"""Work that was started: how far it is, how it ended."""

from typing import Any

from langchain_core.tools import ToolException

from tools.cards import title_of
from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Toolset
from tools.messages import text
from tools.messages.markdown import table
from tools.records import Task
from tools.results import items_of
from tools.times import shown

OPERATIONS = Toolset("operations")

LATEST = 10
"""How many tasks are listed when none is named."""


def answer_tasks(payload: Any, language: Language) -> str:
    """A table of tasks, or that there are none."""
    items = items_of(payload)
    if not items:
        return text(language, "tasks-none")
    head = [
        text(language, f"tasks-{name}")
        for name in ("id", "kind", "environment", "state", "progress", "start")
    ]
    rows = [
        (
            item["id"],
            title_of(item["kind"], language),
            item["environment"],
            text(language, f"task-{item['state']}"),
            f"{item['progress']}/{item['total']}",
            shown(item["started_at"]),
        )
        for item in items
    ]
    errors = [f"{item['id']}: {item['error']}" for item in items if item["error"]]
    return "\n\n".join([table(head, rows), *errors])


@OPERATIONS.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(objects=("задач", "task", "таск", "job")),
    ru="Что с моей последней задачей?",
    en="What about my latest task?",
    environment="none",
    page={"task_id": "task"},
    answer=answer_tasks,
)
async def get_task_status(call: Call, task_id: int | None = None) -> list[dict[str, Any]]:
    """Tell the state of a task, or of your latest ones: progress, start, end, result or error.

    Args:
        task_id: The task's number; left out, your latest tasks.
    """

    def find(records: Any) -> list[Task]:
        call.services.tidy(records)
        if task_id is None:
            return list(records.tasks.latest(call.user.id, limit=LATEST))
        found = records.tasks.get(task_id, call.user.id)
        return [found] if found else []

    known = {None, *call.environments()}
    tasks = [task for task in await call.services.store(find) if task.env_id in known]
    if task_id is not None and not tasks:
        raise ToolException(text(call.language, "no-such-task", id=task_id))
    return [_shown(task) for task in tasks]


def _shown(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "kind": task.kind,
        "title": task.title,
        "environment": task.env_id,
        "state": task.state,
        "progress": task.progress,
        "total": task.total,
        "started_at": task.started_at.isoformat(),
        "ended_at": task.ended_at.isoformat() if task.ended_at else None,
        "result": task.result,
        "error": task.error,
    }
