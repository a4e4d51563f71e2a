"""The toolset, and how its parts tell what went wrong."""

import asyncio
import logging
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any

from langchain_core.tools import ToolException

from tools.clients.http import BadAnswer, Invalid, ServerFault, SupersetError
from tools.clients.superset import DatabaseSummary
from tools.connect import Call
from tools.definition import Toolset
from tools.judgement import explain
from tools.messages import text
from tools.messages.markdown import escape
from tools.settings import SettingsError

logger = logging.getLogger(__name__)

EXPLORE = Toolset("explore")

SHOWN = 20
"""How many names a question lists."""


async def part(work: Awaitable[dict[str, Any]], call: Call, seconds: float) -> dict[str, Any]:
    """A part of an answer, or why there is none: what goes wrong with it harms no other.

    Args:
        work: Reads it.
        call: Who asks.
        seconds: When it is given up.

    Returns:
        What the work gave, or `problem` in words.
    """
    try:
        async with asyncio.timeout(seconds):
            return await work
    except Exception as error:
        if not isinstance(error, SupersetError | SettingsError | ToolException | TimeoutError):
            logger.warning("A part of an exploration failed", exc_info=True)
        return {"problem": explain(error, call.language)}


@contextmanager
def asking(database: DatabaseSummary, call: Call) -> Iterator[None]:
    """Name the database whose own fault it is that something can't be read."""
    try:
        yield
    except SupersetError as error:
        words = own_words(error)
        if words is None:
            raise
        told = {"name": escape(database.name), "problem": escape(words)}
        raise ToolException(text(call.language, "database-failed", **told)) from error


def own_words(error: SupersetError) -> str | None:
    """What a database said that Superset asked in vain; None: the fault is not the database's.

    Superset passes a driver's words on with 422 or 500.
    """
    if not isinstance(error, Invalid | ServerFault) or isinstance(error, BadAnswer):
        return None
    if isinstance(error, ServerFault) and error.transient:
        return None
    # Without what SQLAlchemy adds for programmers.
    words = error.detail.split(" (Background on this error", 1)[0].split(" [SQL: ", 1)[0]
    return words.strip() or None
