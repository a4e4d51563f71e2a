"""Dashboards: find them."""

from datetime import datetime
from typing import Any

from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Prepared, Toolset
from tools.messages import text
from tools.messages.markdown import escape, table
from tools.resolve import Question
from tools.times import TimeError, moment

DASHBOARDS = Toolset("dashboards")

PAGE = 100
"""The most dashboards one call returns."""


def answer_search(payload: Any, language: Language) -> str:
    """How many there are, and a table of those that are shown."""
    items = payload["items"]
    items = items["items"] if isinstance(items, dict) else items
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
    return "\n\n".join(
        [text(language, "search-found", total=total, shown=len(items)), table(head, rows)]
    )


async def prepare_search(arguments: dict[str, Any], call: Call) -> Prepared:
    """Find the moment that `changed_since` means."""
    words = arguments.get("changed_since")
    if words is None:
        return Prepared(arguments)
    try:
        since = await moment(words, call.now(), call.settings.timezone, past=True)
    except TimeError as error:
        question = text(call.language, f"time-{error.code}", words=escape(words))
        raise Question("changed_since", question) from None
    return Prepared(arguments | {"changed_since": since.isoformat()})


@DASHBOARDS.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=("дашборд", "dashboard"),
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
    page = await call.superset(str(env_id)).search_dashboards(
        query,
        tag=tag,
        owner=owner,
        published=published,
        changed_since=datetime.fromisoformat(changed_since) if changed_since else None,
        limit=max(1, min(limit, PAGE)),
        offset=max(0, offset),
    )
    return {
        "total": page.total,
        "items": [
            {
                "id": item.id,
                "title": item.title,
                "slug": item.slug,
                "published": item.published,
                "changed_on": item.changed_on,
                "changed_by": item.changed_by,
                "owners": list(item.owners),
                "tags": list(item.tags),
                "url": item.url,
            }
            for item in page.items
        ],
    }
