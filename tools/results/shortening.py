"""Shorten a result for the model; the whole is kept in the records."""

from typing import Any

from tools.results.fitting import first_of, fit
from tools.results.sentences import MARK, fitted
from tools.results.writing import dumped, parsed

MINIMUM = 400
"""Characters that a shortened result needs at least; a smaller limit is taken as this."""

KEPT = "Shortened; read_result with this result_id reads the rest."
LOST = "Shortened; the rest was not kept."


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
        result_id: Under which the whole is kept; it is named in the answer. Empty: it is not kept.
    """
    limit = max(limit, MINIMUM)
    if len(content) <= limit:
        return content
    value = parsed(content)
    head = {"summary": KEPT if result_id else LOST, "result_id": result_id}
    if _is_shortened(value):
        head = {key: value.pop(key) for key in head}
    room = limit - len(dumped(head))
    if isinstance(value, list):
        return dumped(first_of(value, len(value), room) | head)
    if not isinstance(value, dict):
        return dumped(_text(content, len(content), room) | head)
    if head.keys() & value.keys():
        return dumped({"value": fit(value, room - len(dumped({"value": 0})) + 1)} | head)
    if value.keys() == {"total", "shown", "text"}:
        return dumped(_text(str(value["text"]), value["total"], room) | head)
    return dumped(fit(value, room) | head)


def _is_shortened(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("summary") in (KEPT, LOST)
        and isinstance(value.get("result_id"), str)
    )


def _text(words: str, total: int, room: int) -> dict[str, Any]:
    """The first sentences; `shown` are the characters of the whole that they are."""
    words = words.removesuffix(f" {MARK}")
    room -= len(dumped({"total": total, "shown": total, "text": ""})) - 2
    part, shown = fitted(words, room)
    return {"total": total, "shown": shown, "text": part}
