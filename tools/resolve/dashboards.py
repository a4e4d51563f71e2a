"""Which dashboard words mean."""

import re
from urllib.parse import unquote

from tools.clients.http import NotFound
from tools.clients.superset import Dashboard, Superset
from tools.clients.superset_search import fold
from tools.connect import Call
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve.question import Question, which

NUMBER = re.compile(r"^[0-9]{1,18}$")
ADDRESS = re.compile(r"^https?://\S+?/superset/dashboard/(?:p/)?(?P<key>[^/?#]+)")
"""A dashboard's address, as people copy it from a browser."""


async def dashboard(words: str, client: Superset, call: Call, slot: str) -> Dashboard:
    """The dashboard that words name: an id, slug or uuid, an exact title, else a unique match.

    Raises:
        Question: none or several fit; the candidates are named.
    """
    found = await _direct(words, client)
    if found is not None:
        return found
    page = await client.search_dashboards(words, limit=100)
    exact = [item for item in page.items if fold(item.title) == fold(words)]
    matches = exact if len(exact) == 1 else list(page.items)
    if len(matches) == 1:
        return await client.dashboard(matches[0].id)
    if not matches:
        raise Question(slot, text(call.language, "no-such-dashboard", name=escape(words)))
    found_there = [(item.id, item.title) for item in matches]
    raise which("dashboard", words, found_there, max(page.total, len(matches)), slot, call)


async def _direct(words: str, client: Superset) -> Dashboard | None:
    """Look up an id, slug, uuid or address; words with spaces can be none of them."""
    word = words.strip().removeprefix("#")
    address = ADDRESS.match(word)
    if address is not None and not word.startswith(f"{client.config.url.rstrip('/')}/"):
        return None
    word = unquote(address["key"]) if address else word
    if not word or any(letter.isspace() or letter in "/?#%" for letter in word):
        return None
    try:
        return await client.dashboard(int(word) if NUMBER.match(word) else word)
    except NotFound:
        return None
