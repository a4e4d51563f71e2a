"""A fault as the log may hold it."""

import asyncio
from traceback import format_exception

from tools.records.redact import cleared
from tools.settings import Settings

CHARACTERS = 20_000
"""How much of a traceback is logged: the end says what happened."""


async def for_log(error: BaseException, settings: Settings) -> str:
    """The traceback of a fault without secrets, its end where it is long.

    Others write the words of an error, and some say back what they were sent: a gateway the key of
    the model, a database the literals of a query.
    """
    # The traceback reads source files.
    lines = await asyncio.to_thread(format_exception, error)
    words = cleared("".join(lines), settings.secrets())[-CHARACTERS:]
    # Half a character, which a database may send, is in no encoding of a log.
    return words.encode("utf-8", "backslashreplace").decode("utf-8")
