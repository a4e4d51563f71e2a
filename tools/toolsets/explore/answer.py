"""What the embedded planner says of what was found."""

from collections.abc import Sequence
from typing import Any

from tools.context import Language
from tools.messages import text
from tools.messages.markdown import escape, fenced, table
from tools.results import items_of
from tools.toolsets.explore.answer_dataset import answer_dataset
from tools.toolsets.explore.wording import called, joined, when


def answer_explore(payload: Any, language: Language) -> str:
    """A list, a table or a dataset as prose and Markdown tables; shortened results, too."""
    if "dataset" in payload:
        return answer_dataset(payload, language)
    if "table" in payload:
        return _table(payload, language)
    return _listing(payload, language)


def _listing(payload: Any, language: Language) -> str:
    items, total = items_of(payload["items"]), payload["total"]
    listing = payload["listing"]
    where = payload.get("schema") or payload.get("database", {}).get("name")
    place = escape(" / ".join(part for part in (payload["environment"], where) if part))
    head = text(language, f"explore-{listing}", n=total, place=place)
    if not items:
        return head
    columns = list(dict.fromkeys(key for item in items for key in item))
    heads = [text(language, f"explore-head-{column.replace('_', '-')}") for column in columns]
    rows = ([_cell(column, item.get(column), language) for column in columns] for item in items)
    parts = [head, table(heads, rows), *_catalogs(payload.get("catalogs"), language)]
    last = payload["offset"] + len(items)
    if last < total:
        parts.append(text(language, "explore-more", last=last, total=total))
    return "\n\n".join(parts)


def _catalogs(found: Any, language: Language) -> list[str]:
    if not found:
        return []
    if isinstance(found, dict) and "problem" in found:
        problem = escape(found["problem"])
        return [text(language, "explore-catalogs-unread", problem=problem)]
    return [text(language, "explore-catalogs", names=joined(found))]


def _cell(column: str, value: Any, language: Language) -> str:
    if isinstance(value, bool):
        return text(language, "yes" if value else "no")
    if value and column in ("kind", "key"):
        return called(value, language)
    if value and column == "changed_on":
        return when(value)
    return "" if value is None else str(value)


def _table(payload: Any, language: Language) -> str:
    facts = {
        "table": escape(payload["table"]),
        "schema": escape(payload["schema"]),
        "database": escape(payload["database"]["name"]),
    }
    columns = items_of(payload["items"])
    key = "explore-view" if "view" in (payload.get("kind") or "") else "explore-table"
    head = text(language, key, n=payload["total"], **facts)
    parts = [head, _columns(columns, language)]
    if len(columns) < payload["total"]:
        parts.append(text(language, "explore-more", last=len(columns), total=payload["total"]))
    parts += _keys(payload, language)
    if payload["select_star"]:
        parts.append(fenced(payload["select_star"], "sql"))
    return "\n\n".join(parts)


def _columns(columns: Sequence[Any], language: Language) -> str:
    """The columns of a table; keys and comments only where there are any."""
    more = [name for name in ("key", "comment") if any(one.get(name) for one in columns)]
    names = ["name", "type", *more]
    heads = [text(language, f"explore-head-{name}") for name in names]
    return table(
        heads, ([_cell(name, one.get(name), language) for name in names] for one in columns)
    )


def _keys(payload: Any, language: Language) -> list[str]:
    lines = []
    for index in items_of(payload["indexes"]):
        unique = "explore-index-unique" if index["unique"] else "explore-index"
        name = escape(index["name"] or "-")
        lines.append(text(language, unique, name=name, columns=joined(index["columns"])))
    for key in items_of(payload["foreign_keys"]):
        values = {"columns": joined(key["columns"]), "target": escape(key["refers_to"])}
        lines.append(text(language, "explore-foreign", **values))
    return ["\n".join(f"- {line}" for line in lines)] if lines else []
