"""Finding dashboards by words, where Superset's own search falls short.

On SQLite metadata Superset folds only ASCII letters, nowhere is ё an е, and % and _ are
wildcards. So Superset only narrows the list, by a pattern that lets through more than it should,
and the words are compared here.
"""

import re
import unicodedata
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tools.clients.http import Forbidden, NotFound
from tools.clients.superset_lists import NEWEST, Filter
from tools.clients.superset_paging import PAGE, Read, pages

Row = Mapping[str, Any]

MAX_NARROWING = 3
"""Words that Superset is asked to narrow by: the address has a limited length."""

OWNERS = "/api/v1/dashboard/related/owners"
"""Who may be named as an owner."""


@dataclass(frozen=True)
class Search:
    """What to look for; everything given must hold.

    Attributes:
        words: Each is in the title; or all together are the slug.
        tag: A tag's whole name.
        owner: An owner's id, or words that are all in an owner's name.
        published: Whether it is published.
        changed_since: The earliest time of its last change, with a time zone.
        owner_ids: Owners who are meant beside those whose name has the words.
    """

    words: str | None = None
    tag: str | None = None
    owner: int | str | None = None
    published: bool | None = None
    changed_since: datetime | None = None
    owner_ids: frozenset[int] = frozenset()

    def filters(self) -> list[Filter]:
        """What Superset itself checks: it lets through too much, never too little."""
        found = [
            Filter("dashboard_title", "title_or_slug", pattern)
            for pattern in _narrowing(self.words or "")[:MAX_NARROWING]
        ]
        if self.tag is not None and (narrowed := _narrowing(self.tag)):
            found += [Filter("tags", "dashboard_tags", pattern) for pattern in narrowed[:1]]
        if isinstance(self.owner, int):
            found.append(Filter("owners", "rel_m_m", self.owner))
        if self.published is not None:
            found.append(Filter("published", "eq", self.published))
        return found

    def columns(self) -> list[str]:
        """The columns that `matches` reads."""
        columns = ["id", "dashboard_title", "slug", "changed_on_utc"]
        if self.published is not None:
            columns.append("published")
        if self.tag is not None:
            columns += ["tags.name", "custom_tags.name"]
        if isinstance(self.owner, str):
            columns += ["owners.id", "owners.first_name", "owners.last_name"]
        return columns

    def checks(self) -> list[Callable[[Row], bool]]:
        """What must be checked here, row by row; with none, Superset's list is the answer."""
        found: list[Callable[[Row], bool]] = []
        if words := fold(self.words or ""):
            found.append(lambda row: contains(_title(row), words) or fold(_slug(row)) == words)
        if tag := fold(self.tag or ""):
            found.append(lambda row: tag in {fold(name) for name in tag_names(row)})
        if isinstance(self.owner, str) and (owner := fold(self.owner)):
            found.append(lambda row: self._owned(row, owner))
        if since := self.changed_since:
            found.append(lambda row: _changed(row) >= since)
        return found

    def rank(self, row: Row) -> int:
        """Where a match belongs: the exact title, the title but for case, the slug, the rest."""
        words = fold(self.words or "")
        if _title(row) == self.words:
            return 0
        if fold(_title(row)) == words:
            return 1
        return 2 if fold(_slug(row)) == words else 3

    def _owned(self, row: Row, owner: str) -> bool:
        """Whether one of a row's owners is meant by the folded words."""
        ids = {person.get("id") for person in row.get("owners") or []}
        return bool(ids & self.owner_ids) or any(contains(name, owner) for name in owner_names(row))


async def find_ids(read: Read, search: Search) -> list[int]:
    """Ids of all dashboards that match, the best first, then by the time of the last change."""
    found: dict[int, Row] = {}
    if isinstance(search.owner, str):
        search = replace(search, owner_ids=await _named_so(read, search.owner))
    checks = search.checks()
    async for row in _candidates(read, search):
        if all(check(row) for check in checks):
            found.setdefault(row["id"], row)
    return sorted(found, key=lambda key: search.rank(found[key])) if search.words else list(found)


async def _named_so(read: Read, words: str) -> frozenset[int]:
    """Ids of the people whose user name has these words, which Superset's lists never show.

    So the comparison is Superset's own: _ is any character. Where the account may not ask, the
    names in the list must do.
    """
    found, number = set[int](), 0
    name = words.strip()
    if not name or "%" in name or len(name.split()) > 1:
        return frozenset()  # no user name
    while True:
        query = {"filter": name, "page": number, "page_size": PAGE}
        try:
            body = await read(OWNERS, {"q": query})
        except (Forbidden, NotFound):
            return frozenset()
        found |= {int(row["value"]) for row in body["result"]}
        number += 1
        if not body["result"] or number * PAGE >= body["count"]:
            return frozenset(found)


async def _candidates(read: Read, search: Search) -> AsyncIterator[Row]:
    """Rows that may match, the newest first, not further back than asked."""
    since = search.changed_since
    async for page in pages(read, "dashboard", search.columns(), search.filters(), NEWEST, PAGE):
        for row in page.rows:
            yield row
        if since and page.rows and _changed(page.rows[-1]) < since:
            return


def fold(text: str) -> str:
    """Text for comparing: no case, ё as е, single spaces."""
    # lower, not casefold: ß must not become ASCII, which Superset's own search would miss.
    folded = unicodedata.normalize("NFC", text).lower().replace("ё", "е")
    return " ".join(folded.split())


def contains(text: str, folded_words: str) -> bool:
    """Whether each of the folded words is in the text."""
    folded = fold(text)
    return all(word in folded for word in folded_words.split())


def tag_names(row: Row) -> list[str]:
    """A dashboard's tags without Superset's own ("owner:1", "type:dashboard")."""
    tags = row.get("tags") or row.get("custom_tags") or []
    return [str(tag["name"]) for tag in tags if tag.get("type", 1) == 1]


def owner_names(row: Row) -> list[str]:
    """Names of a dashboard's owners."""
    return [person_name(owner) for owner in row.get("owners") or []]


def person_name(person: Row | None) -> str:
    """First and last name."""
    parts = [(person or {}).get(name) or "" for name in ("first_name", "last_name")]
    return " ".join(parts).strip()


def _narrowing(text: str) -> list[str]:
    """LIKE patterns that each of the words matches, in its ASCII part; the longest first.

    A pattern of SQL ignores the case of ASCII letters everywhere; everything else becomes %.
    """
    patterns = {re.sub(r"[^!-\[\]-~]+|%|_", "%", word[:64]) for word in fold(text).split()}
    useful = [pattern.strip("%") for pattern in patterns if re.search("[0-9a-z]", pattern)]
    return sorted(useful, key=lambda pattern: (-len(pattern), pattern))


def _title(row: Row) -> str:
    return row.get("dashboard_title") or ""


def _slug(row: Row) -> str:
    return row.get("slug") or ""


def _changed(row: Row) -> datetime:
    """The time of the last change; Superset writes +0000."""
    return datetime.strptime(row["changed_on_utc"], "%Y-%m-%dT%H:%M:%S.%f%z")
