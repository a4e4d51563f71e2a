"""Lay a SQL text out."""

import asyncio
from typing import Any

from tools.clients.http import Forbidden, SupersetError
from tools.clients.superset_sql import format_sql
from tools.connect import Call
from tools.definition import EVERYONE, Lexicon, Prepared
from tools.judgement import explain
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve import Question
from tools.sql.dialects import GENERIC
from tools.sql.layout import Problem, Unchanged, has_parameters, lay_out
from tools.sql.meaning import same
from tools.toolsets.sql.answers import answer_format
from tools.toolsets.sql.base import SQL, place

UNSENT = frozenset({"empty", "too-long", "unreadable", "nonsense"})
"""What Superset would lay out all the same, and nobody could tell what it made of it."""


async def prepare_format(arguments: dict[str, Any], call: Call) -> Prepared:
    """Find the database whose dialect the text is in."""
    if arguments.get("database") is None:
        return Prepared(arguments)
    if arguments.get("env_id") is None:
        known = ", ".join(escape(name) for name in call.environments()) or "-"
        raise Question("env_id", text(call.language, "which-environment", known=known))
    where = await place(arguments, call.superset(str(arguments["env_id"])), call)
    return Prepared(arguments | {"database": str(where.database.id)})


@SQL.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=("sql", "запрос", "query"),
        exclude=("по запросу",),
        actions=("format", "pretty", "beautify", "формат", "отформат", "причеш", "красот"),
    ),
    ru="Отформатируй SQL `select a,b from t where a>1`",
    en="Format the SQL `select a,b from t where a>1`",
    affinity=frozenset({"dataset"}),
    environment="optional",
    required=frozenset({"sql"}),
    fast=True,
    prepare=prepare_format,
    answer=answer_format,
)
async def superset_format_sql(
    call: Call, sql: str | None = None, database: str | None = None, env_id: str | None = None
) -> dict[str, Any]:
    """Lay out a SQL text for reading; what it means stays the same, templates stay as they are.

    Args:
        sql: The whole text.
        database: The database whose dialect it is in, by its name or id.
        env_id: The environment of that database; left out, it is the page's.
    """
    given, dialect, database_id = sql or "", GENERIC, None
    if database is not None and env_id is not None:
        where = await place({"database": database}, call.superset(env_id), call)
        dialect, database_id = where.dialect, where.database.id
    local, problem = await asyncio.to_thread(_locally, given, dialect)
    made, by, reason = local, "local", None
    if env_id is not None and problem not in UNSENT:
        remote, reason = await _remotely(given, dialect, database_id, env_id, call)
        if remote is not None:
            made, by = remote, "superset"
    if made is None:
        why = text(call.language, f"sql-left-{problem}")
        made, by, reason = given, "none", text(call.language, "sql-left", why=why)
    return {
        "sql": made,
        "changed": made != given,
        "by": by,
        "reason": reason,
        "dialect": dialect or None,
    }


def _locally(sql: str, dialect: str) -> tuple[str | None, Problem | None]:
    try:
        return lay_out(sql, dialect), None
    except Unchanged as left:
        return None, left.problem


async def _remotely(
    sql: str, dialect: str, database_id: int | None, env_id: str, call: Call
) -> tuple[str | None, str | None]:
    """What Superset makes of a text, if it means the same; else why it is not taken."""
    if await asyncio.to_thread(has_parameters, sql, dialect):
        return None, text(call.language, "sql-local-parameters")
    try:
        made = await format_sql(call.superset(env_id), sql, database_id)
    except Forbidden:
        return None, text(call.language, "sql-local-right")
    except SupersetError as error:
        problem = escape(explain(error, call.language))
        return None, text(call.language, "sql-local-superset", problem=problem)
    if not await asyncio.to_thread(same, sql, made, dialect):
        return None, text(call.language, "sql-local-meaning")
    return made, None
