"""Results that were too long to read at once: page by page."""

import asyncio
from typing import Any

from langchain_core.tools import ToolException

from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Toolset
from tools.messages import text
from tools.messages.markdown import escape, table
from tools.results import PageError, page

RESULTS = Toolset("results")


def answer_page(payload: Any, language: Language) -> str:
    """A page as a table or as text, and how to see the next one."""
    first, last = payload["offset"] + 1, payload["offset"] + payload["shown"]
    head = text(
        language,
        f"result-page-{payload['unit']}",
        first=first,
        last=last,
        total=payload["total"],
    )
    following = payload["next_offset"]
    more = "result-more" if following is not None else "result-end"
    return "\n\n".join([head, _body(payload), text(language, more)])


def _body(payload: Any) -> str:
    if payload["unit"] == "characters":
        # Four spaces make it code: nothing in it is markup.
        return "\n".join(f"    {line}" for line in payload["text"].splitlines())
    items = payload["items"]
    if all(isinstance(item, dict) for item in items):
        columns = list(dict.fromkeys(key for item in items for key in item))
        rows = [[_cell(item.get(column)) for column in columns] for item in items]
        return table([escape(column) for column in columns], rows)
    return "\n".join(f"- {escape(_cell(item))}" for item in items)


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


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
    required=frozenset({"result_id"}),
    when="shortened",
    answer=answer_page,
)
async def read_result(call: Call, result_id: str | None = None, offset: int = 0) -> dict[str, Any]:
    """Read a page of an earlier result of this conversation that was shortened.

    Args:
        result_id: The id that the shortened result names.
        offset: Where to begin: 0, or the `next_offset` of the page before. It counts the items of
            a list, else characters: `unit` says which.
    """
    wanted = str(result_id)
    kept = await call.services.store(lambda records: records.results.read(wanted, call.user.id))
    if kept is None or kept.thread_id != call.thread_id:
        raise ToolException(text(call.language, "no-such-result", id=escape(wanted[:64])))
    limit = call.settings.limits.result_characters
    try:
        return await asyncio.to_thread(page, kept.content, offset, limit)
    except PageError as error:
        raise ToolException(
            text(call.language, "no-such-page", offset=str(offset), last=str(error.last))
        ) from None
