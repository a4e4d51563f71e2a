"""Results that were too long to read at once: page by page."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from langchain_core.tools import ToolException

from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Toolset
from tools.messages import text
from tools.messages.markdown import code, escape, table
from tools.records import StoredResult
from tools.results import PageError, dumped, items_of, page

RESULTS = Toolset("results")

_ID = re.compile(r"[0-9a-f]{32}")
"""Nothing else is asked for: some databases refuse texts with errors of their own."""


def answer_page(payload: Any, language: Language) -> str:
    """A page as a table or as text, and how to see the next one."""
    facts = payload.get("facts") or {}
    head = text(
        language,
        f"result-page-{payload['unit']}",
        first=payload["offset"] + 1,
        last=payload["offset"] + payload["shown"],
        total=payload["total"],
    )
    following = payload["next_offset"]
    more = text(language, "result-end" if following is None else "result-more")
    if payload["unit"] == "characters":
        return "\n\n".join([head, code(payload["text"]), more])
    return "\n\n".join([head, _listed(payload["items"], facts), more])


def _listed(items: Sequence[Any], facts: Any) -> str:
    if all(isinstance(item, dict) for item in items):
        columns = list(dict.fromkeys(key for item in items for key in item))
        rows = [[_cell(item.get(column)) for column in columns] for item in items]
        return table(columns, rows)
    widths = {len(item) if isinstance(item, list) else 0 for item in items}
    if len(widths) == 1 and widths != {0}:
        heads = _heads(items_of(facts.get("columns") or []), widths.pop())
        return table(heads, [[_cell(value) for value in item] for item in items])
    return "\n".join(f"- {escape(_cell(item))}" for item in items)


def _heads(columns: Sequence[Any], width: int) -> list[str]:
    """The names of a table's columns; their numbers where they are not known."""
    named = [one.get("name") if isinstance(one, dict) else one for one in columns]
    if len(named) == width:
        return [_cell(name) for name in named]
    return [str(number) for number in range(1, width + 1)]


def _cell(value: Any) -> str:
    """A value on one line; text as it is, the rest as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else dumped(value)


@RESULTS.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=(
            "дальше",
            "следующая страница",
            "остальное",
            "весь результат",
            "show more",
            "next page",
            "whole result",
            "rest of the result",
        ),
    ),
    ru="Покажи остальное",
    en="Show the rest",
    environment="none",
    when="shortened",
    answer=answer_page,
)
async def read_result(call: Call, result_id: str, offset: int = 0) -> dict[str, Any]:
    """Read a page of an earlier result of this conversation that was shortened.

    Args:
        result_id: The id that the shortened result names.
        offset: Where to begin: 0, or the `next_offset` of the page before. It counts the items of
            a list, else characters: `unit` says which.
    """
    kept = await _kept(result_id, call)
    if kept is None:
        # One answer to all who may not read it: it tells nobody what there is elsewhere.
        raise ToolException(text(call.language, "no-such-result", id=escape(result_id[:64])))
    limit = call.settings.limits.result_characters
    try:
        return await asyncio.to_thread(page, kept.content, offset, limit)
    except PageError as error:
        raise ToolException(
            text(call.language, "no-such-page", offset=str(offset)[:64], last=str(error.last))
        ) from None


async def _kept(result_id: str, call: Call) -> StoredResult | None:
    """The user's own result of this conversation."""
    if not call.thread_id or not _ID.fullmatch(result_id):
        return None
    kept = await call.services.store(lambda records: records.results.read(result_id, call.user.id))
    return kept if kept is not None and kept.thread_id == call.thread_id else None
