"""Shorten a result without cutting it in the middle of its structure."""

import json
import re
from typing import Any

MARK = "[...]"
ITEMS = (200, 100, 50, 30, 20, 15, 10, 7, 5, 3, 2, 1, 0)
"""How many items of each list are kept, tried in turn."""
CHARACTERS = (2000, 500, 200, 80)
"""How long a text inside a structure may be, tried in turn."""


def shorten(content: str, limit: int, result_id: str) -> str:
    """Make a result fit.

    A structure stays valid JSON: lists keep their first items as `{total, shown, items}`, long
    texts end with a sentence. Plain text is cut at the end of a sentence.

    Args:
        content: JSON, or text.
        limit: The most characters of the answer.
        result_id: Under which the whole is kept; it is named in the answer.
    """
    if len(content) <= limit:
        return content
    try:
        value = json.loads(content)
    except ValueError:
        value = None
    if isinstance(value, (list, dict)):
        return _structure(value, limit, result_id)
    summary = {"characters": len(content), "result_id": result_id}
    room = limit - len(json.dumps({"text": "", **summary})) - 8
    return _fitting(content, summary, room, limit)


def _fitting(content: str, summary: dict[str, Any], room: int, limit: int) -> str:
    """The text with its summary; escapes make it longer than its characters."""
    while True:
        made = json.dumps({"text": cut(content, room), **summary}, ensure_ascii=False)
        if len(made) <= limit or room <= 0:
            return made
        room -= max(len(made) - limit, room // 10 + 1)


def _structure(value: Any, limit: int, result_id: str) -> str:
    """The largest version of a structure that fits."""
    again = isinstance(value, dict) and value.keys() >= {"total", "shown", "items", "result_id"}
    whole, total = (value["items"], value["total"]) if again else (value, len(value))
    for characters in CHARACTERS:
        for items in ITEMS:
            kept = _keep(whole, items, characters)
            if again or not isinstance(kept, dict):
                shown = kept["items"] if isinstance(kept, dict) else kept
                kept = {"total": total, "shown": len(shown), "items": shown}
            made = json.dumps(_headed(kept, result_id), ensure_ascii=False)
            if len(made) <= limit:
                return made
    empty: dict[str, Any] = {"total": total, "shown": 0, "items": []}
    return json.dumps(_headed(empty, result_id), ensure_ascii=False)


def _headed(body: dict[str, Any], result_id: str) -> dict[str, Any]:
    summary = f"Shortened; the whole result is kept as {result_id}."
    return body | {"summary": summary, "result_id": result_id}


def _keep(value: Any, items: int, characters: int) -> Any:
    """A value with shorter lists and texts; numbers stay exact."""
    if isinstance(value, str):
        return cut(value, characters)
    if isinstance(value, dict):
        return {key: _keep(item, items, characters) for key, item in value.items()}
    if isinstance(value, list):
        shown = [_keep(item, items, characters) for item in value[:items]]
        if len(value) <= items:
            return shown
        return {"total": len(value), "shown": len(shown), "items": shown}
    return value


def cut(words: str, limit: int) -> str:
    """The first sentences of a text that fit; half a sentence only where none fits."""
    if len(words) <= limit:
        return words
    head = words[: max(limit - len(MARK) - 1, 0)]
    ends = [match.end() for match in re.finditer(r"[.!?…](?=\s)|\n", head)]
    return f"{head[: ends[-1]].rstrip() if ends else head} {MARK}"
