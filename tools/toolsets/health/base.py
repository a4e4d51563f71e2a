"""What the parts of a health summary share: each is read within its time, or says why not."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from textwrap import shorten
from typing import Any, TypeVar

from langchain_core.tools import ToolException

from tools.clients.http import SupersetError
from tools.context import Language
from tools.definition import Toolset
from tools.judgement import explain
from tools.messages import text
from tools.settings import SettingsError

logger = logging.getLogger(__name__)

HEALTH = Toolset("health")

Part = dict[str, Any]
"""One part of the summary, plain JSON. `problem` says in words why it could not be read."""

PROBE_SECONDS = 8.0
"""For one question to Superset."""

MANY_SECONDS = 20.0
"""For all databases together, and for all charts together."""

WORDS = 200
"""Characters of somebody else's error that are passed on."""

T = TypeVar("T")


async def part(work: Awaitable[Part], language: Language, seconds: float | None = None) -> Part:
    """Read a part; whatever goes wrong with it is told in its place, and harms no other.

    Args:
        work: Reads it.
        language: Of the words for what went wrong.
        seconds: When it is given up; None: the time of one question.
    """
    seconds = PROBE_SECONDS if seconds is None else seconds
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        return {"problem": text(language, "health-late", seconds=round(seconds))}
    except Exception as error:
        if not isinstance(error, SupersetError | SettingsError | ToolException):
            logger.warning("A part of a health summary failed", exc_info=True)
        return {"problem": shorten(explain(error, language), WORDS, placeholder=" …")}


async def each(
    items: Iterable[T],
    check: Callable[[T], Awaitable[Part]],
    language: Language,
    *,
    at_once: int,
    seconds: float,
) -> list[Part]:
    """Check items, a few at once; the answers come in the order of the items.

    Args:
        items: What to check.
        check: Makes a part of one.
        language: Of the words for what could not be checked.
        at_once: How many are checked at the same time.
        seconds: For all together; those that it does not suffice for say so.
    """
    clock = asyncio.get_running_loop().time
    free, end = asyncio.Semaphore(at_once), clock() + seconds

    async def one(item: T) -> Part:
        async with free:
            left = end - clock()
            if left <= 0:
                return {"problem": text(language, "health-no-time", seconds=round(seconds))}
            return await part(check(item), language, min(PROBE_SECONDS, left))

    return list(await asyncio.gather(*(one(item) for item in items)))


def worst_first(parts: Sequence[Part]) -> list[Part]:
    """What is wrong first, what could not be found out next, what works last."""
    order = {"works": 2, "unchecked": 1, "no_query": 1, "running": 1}
    return sorted(parts, key=lambda one: order.get(one["state"], 0))
