"""The answers of the embedded planner: rows as a table, and SQL as code."""

import json
from typing import Any

from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape, fenced, table
from tools.results import items_of, total_of


def answer_execute(payload: Any, language: Language) -> str:
    """How many rows there are, a table of those that are shown, and the query."""
    rows, columns = items_of(payload["items"]), items_of(payload["columns"])
    total, shown = payload["total"], len(rows)
    environment, database = escape(payload["environment"]), escape(payload["database"])
    lines = [text(language, "sql-rows", total=total, environment=environment, database=database)]
    if rows:
        lines.append(_table(columns, rows))
    if (left := total_of(payload["columns"]) - _width(columns, rows)) > 0:
        lines.append(text(language, "sql-columns-left", n=left))
    if shown < total:
        lines.append(text(language, "sql-shown", shown=shown))
    if payload["limited"]:
        lines.append(text(language, "sql-more", limit=payload["limit"]))
    if "asked" in payload:
        lines.append(text(language, "sql-clamped", asked=payload["asked"]))
    lines += [text(language, "sql-ran"), fenced(payload["sql"], "sql")]
    return "\n\n".join(lines)


def answer_format(payload: Any, language: Language) -> str:
    """The text as code, and what there is to say of it."""
    lines = [fenced(payload["sql"], "sql")]
    if payload["reason"]:
        lines.append(payload["reason"])
    elif not payload["changed"]:
        lines.append(text(language, "sql-already"))
    return "\n\n".join(lines)


def _width(columns: list[Any], rows: list[Any]) -> int:
    """How many columns are whole in what is left of a long result."""
    return min([len(columns), *(len(items_of(row)) for row in rows)])


def _table(columns: list[Any], rows: list[Any]) -> str:
    width = _width(columns, rows)
    heads = [f"{one['name']} ({one['type']})" if one["type"] else one["name"] for one in columns]
    cells = ([_cell(value) for value in items_of(row)[:width]] for row in rows)
    return table(heads[:width], cells)


def _cell(value: Any) -> str:
    """A value as text; what is not there is NULL, and an empty text is empty."""
    if value is None:
        return "NULL"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
