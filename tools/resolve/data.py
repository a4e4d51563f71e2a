"""Which database and which dataset words mean."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from tools.clients.superset import Dashboard, DatabaseSummary, DatasetSummary, Superset
from tools.connect import Call
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve.question import SHOWN, Question, which


async def database(
    words: str | None, client: Superset, call: Call, slot: str = "database"
) -> DatabaseSummary:
    """The database that words name: an id, a uuid, a whole name, else a unique part of one.

    Without words it is the only one that there is.

    Raises:
        Question: none or several fit; the candidates are named.
    """
    found = await client.databases(words)
    if len(found) == 1:
        return found[0]
    if words is None:
        names = ", ".join(escape(one.name) for one in found[:SHOWN]) or "-"
        raise Question(slot, text(call.language, "which-of-databases", known=names))
    if not found:
        known = await client.databases(None)
        names = ", ".join(escape(one.name) for one in known[:SHOWN]) or "-"
        raise Question(
            slot, text(call.language, "no-such-database", name=escape(words), known=names)
        )
    named = [(one.id, one.name) for one in found]
    raise which("database", words, named, len(found), slot, call)


async def dataset(
    words: str, client: Superset, call: Call, slot: str = "dataset", *, within: int | None = None
) -> DatasetSummary:
    """The dataset that words name: an id, a uuid, a whole name, else a unique part of one.

    Args:
        words: The dataset.
        client: Where to look.
        call: Who asks.
        slot: The argument that is asked for again.
        within: The id of the database that it is in; None: any.

    Raises:
        Question: none or several fit; the candidates are named.
    """
    found = await client.datasets(words, within)
    if not found:
        raise Question(slot, text(call.language, "no-such-dataset", name=escape(words)))
    if len(found) > 1:
        raise which("dataset", words, _told_apart(found), len(found), slot, call)
    return found[0]


def _told_apart(found: Sequence[DatasetSummary]) -> list[tuple[int, str]]:
    """Ids and names; of several of one name with their databases and schemas."""
    times = Counter(one.name for one in found)
    return [(one.id, one.name if times[one.name] == 1 else _full(one)) for one in found]


def _full(found: DatasetSummary) -> str:
    return " / ".join(part for part in (found.database, found.schema, found.name) if part)


async def dataset_dashboards(
    words: str, client: Superset, call: Call, slot: str
) -> list[Dashboard]:
    """The dashboards that stand on the dataset that words name.

    Raises:
        Question: none or several datasets fit, or no dashboard stands on it.
    """
    found = await dataset(words, client, call, slot)
    ids = await client.dataset_dashboards(found.id)
    if not ids:
        raise Question(slot, text(call.language, "dataset-unused", name=escape(found.name)))
    return list(await asyncio.gather(*(client.dashboard(number) for number in ids)))
