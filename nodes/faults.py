"""A fault as the log may hold it."""

import asyncio
from traceback import format_exception

from tools.records.redact import cleared
from tools.settings import Settings


async def for_log(error: BaseException, settings: Settings) -> str:
    """The traceback of a fault without secrets.

    Others write the words of an error, and some say back what they were sent: a gateway the key of
    the model, a database the literals of a query.
    """
    # The traceback reads source files.
    lines = await asyncio.to_thread(format_exception, error)
    return cleared("".join(lines), settings.secrets())
