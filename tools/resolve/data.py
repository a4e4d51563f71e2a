"""Which database and which dataset words mean."""

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
    words: str, client: Superset, call: Call, slot: str = "dataset"
) -> DatasetSummary:
    """The dataset that words name: an id, a uuid, a whole name, else a unique part of one.

    Raises:
        Question: none or several fit; the candidates are named.
    """
    found = await client.datasets(words)
    if not found:
        raise Question(slot, text(call.language, "no-such-dataset", name=escape(words)))
    if len(found) > 1:
        named = [(one.id, one.name) for one in found]
        raise which("dataset", words, named, len(found), slot, call)
    return found[0]


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
    return [await client.dashboard(number) for number in ids]
