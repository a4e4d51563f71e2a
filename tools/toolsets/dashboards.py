"""Dashboards: find them."""

import re
from datetime import datetime
from functools import partial
from typing import Any

import snowballstemmer

from tools.clients.superset import DashboardSummary
from tools.clients.superset_search import fold
from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Prepared, Toolset
from tools.messages import text
from tools.messages.markdown import escape, table
from tools.resolve import Question
from tools.results import items_of
from tools.times import TimeError, moment, shown

DASHBOARDS = Toolset("dashboards")

STEMMED = 5
"""Letters from which on a word is looked for without its ending, when it finds nothing whole."""

PAGE = 100
"""The most dashboards one call returns."""


def answer_search(payload: Any, language: Language) -> str:
    """How many there are, and a table of those that are shown."""
    items = items_of(payload["items"])
    total = payload["total"]
    if not items:
        return text(language, "search-none", total=total)
    head = [text(language, f"search-{name}") for name in ("id", "title", "state", "changed")]
    rows = [
        (
            item["id"],
            item["title"],
            text(language, "published" if item["published"] else "draft"),
            item["changed_on"][:10],
        )
        for item in items
    ]
    environment = escape(payload["environment"])
    lines = [text(language, "search-found", total=total, environment=environment)]
    lines.append(table(head, rows))
    offset = payload["offset"]
    if len(items) < total:
        last = offset + len(items)
        key = "search-shown" if last < total else "search-last"
        lines.append(text(language, key, first=offset + 1, last=last, total=total))
    lines.append(text(language, "search-link", link=f"`{payload['link']}`"))
    return "\n\n".join(lines)


async def prepare_search(arguments: dict[str, Any], call: Call) -> Prepared:
    """Find the moment that `changed_since` means."""
    words = arguments.get("changed_since")
    if words is None:
        return Prepared(arguments)
    try:
        since = await moment(words, call.now(), call.settings.timezone, past=True)
    except TimeError as error:
        question = text(
            call.language, f"time-{error.code}", words=escape(words), now=shown(call.now())
        )
        raise Question("changed_since", question) from None
    return Prepared(arguments | {"changed_since": since.isoformat()})


@DASHBOARDS.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=(
            *("дашборд", "dashboard", "черновик", "drafts"),
            *("нибудь", "то с названием", "где у нас"),
            *("anything called", "anything named", "anything about", "anything titled"),
            *("anything tagged", "something called", "something about", "something named"),
            *(
                "everything tagged",
                "everything about",
                "everything called",
                "anything by",
                "anything with",
                "anything on",
                "in its title",
                "in the title",
                "board called",
                "board about",
                "owns",
            ),
        ),
        exclude=("доступн",),
    ),
    ru="Найди дашборды про продажи",
    en="Find dashboards about sales",
    prepare=prepare_search,
    answer=answer_search,
)
async def search_dashboards(
    call: Call,
    query: str | None = None,
    env_id: str | None = None,
    tag: str | None = None,
    owner: str | None = None,
    published: bool | None = None,
    changed_since: str | None = None,
    limit: int = 20,
    offset: int = 0,
) -> dict[str, Any]:
    """Find dashboards of an environment by words of their title; without words, list them.

    Args:
        query: Words of the title; upper and lower case, ё and е are the same.
        env_id: The environment, by its id; left out, it is the page's.
        tag: Only dashboards with this tag.
        owner: Only dashboards of this owner, by user name, first or last name.
        published: true: only published ones; false: only drafts.
        changed_since: Only those changed since then, such as "2026-11-01" or "7 days ago".
        limit: How many to return, 1 to 100.
        offset: How many to leave out from the start, for the next page.
    """
    client = call.superset(str(env_id))
    search = partial(
        client.search_dashboards,
        tag=tag,
        owner=owner,
        published=published,
        changed_since=datetime.fromisoformat(changed_since) if changed_since else None,
        limit=max(1, min(limit, PAGE)),
        offset=max(0, offset),
    )
    page = await search(query)
    if query and not page.total:
        # «по продажам» should find «Продажи»: without its ending a word fits all its forms.
        page = await search(" ".join(stem(word) for word in query.split()))
    return {
        "environment": env_id,
        "total": page.total,
        "offset": max(0, offset),
        "link": f"{call.environment(str(env_id)).url}/superset/dashboard/<id>/",
        "items": [_listed(item) for item in page.items],
    }


def stem(word: str) -> str:
    """A word without its ending; short words stay as they are."""
    folded = fold(word)
    if len(folded) < STEMMED:
        return folded
    language = "russian" if re.search("[а-я]", folded) else "english"
    return str(snowballstemmer.stemmer(language).stemWord(folded))


def _listed(item: DashboardSummary) -> dict[str, Any]:
    """A dashboard in a result; what is empty is left out, so that more of them fit."""
    found = {
        "id": item.id,
        "title": item.title,
        "published": item.published,
        "changed_on": item.changed_on[:19],
        "changed_by": item.changed_by,
        "owners": list(item.owners),
        "tags": list(item.tags),
    }
    return {key: value for key, value in found.items() if value not in (None, [], "")}
