"""Shorten a result for the model; the whole is kept in the records."""

import json
from typing import Any

from tools.results.fitting import deeper, dumped, fit

MINIMUM = 400
"""Characters that a shortened result needs at least; a smaller limit is taken as this."""

NESTED = 100
"""Levels beyond which JSON is treated as text."""

SUMMARY = "Shortened; the whole result is kept as {id}."


def shorten(content: str, limit: int, result_id: str) -> str:
    """Make a result fit.

    A list becomes `{total, shown, items, summary, result_id}` with as many whole items as fit, in
    their order; an object keeps its facts beside `summary` and `result_id`, and the lists in it
    become `{total, shown, items}`. A text becomes `{total, shown, text, summary, result_id}`,
    counted in characters, and ends with a sentence. What fits is returned as it is; shortening a
    shortened result keeps its totals and its id.

    Args:
        content: JSON, or text.
        limit: The most characters of the answer, from `MINIMUM` on.
        result_id: Under which the whole is kept; it is named in the answer.
    """
    limit = max(limit, MINIMUM)
    if len(content) <= limit:
        return content
    value = parsed(content)
    if isinstance(value, dict) and {"summary", "result_id"} <= value.keys():
        result_id = str(value["result_id"])
        value = {key: item for key, item in value.items() if key not in ("summary", "result_id")}
    head = {"summary": SUMMARY.format(id=result_id), "result_id": result_id}
    room = limit - len(dumped(head))
    if isinstance(value, list | dict) and not _is_text(value):
        return dumped(_body(fit(value, room)) | head)
    return dumped(_text(value if isinstance(value, dict) else content, room) | head)


def parsed(content: str) -> Any:
    """The JSON of a content; a text is itself, and so is JSON that is nested without end."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return content
    return content if deeper(value, NESTED) else value


def _body(value: Any) -> dict[str, Any]:
    """A shortened value as an object that the head can stand in."""
    if isinstance(value, list):
        return {"total": len(value), "shown": len(value), "items": value}
    if not isinstance(value, dict) or {"summary", "result_id"} & value.keys():
        return {"value": value}
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"total", "shown", "text"}


def _text(value: Any, room: int) -> dict[str, Any]:
    words, total = (value["text"], value["total"]) if _is_text(value) else (value, len(value))
    room -= len(dumped({"total": total, "shown": total, "text": ""})) - 2
    part = fit(words, room)
    return {"total": total, "shown": len(part), "text": part}
