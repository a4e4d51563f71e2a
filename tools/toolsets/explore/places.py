"""Which schema and which table words mean."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from tools.clients.http import Invalid, NotFound, ServerFault
from tools.clients.superset import DatabaseSummary, Superset, TableSummary
from tools.clients.superset_search import fold
from tools.connect import Call
from tools.messages import text
from tools.messages.markdown import escape
from tools.resolve import Question
from tools.toolsets.explore.base import SHOWN, asking

DEFAULT_SCHEMAS = {
    "clickhouse": "default",
    "clickhousedb": "default",
    "cockroachdb": "public",
    "duckdb": "main",
    "motherduck": "main",
    "mssql": "dbo",
    "postgresql": "public",
    "redshift": "public",
    "snowflake": "PUBLIC",
    "sqlite": "main",
}
"""The schema that a name without one means, by Superset's name of the backend."""

SYSTEM = frozenset({"information_schema", "mysql", "performance_schema", "pg_catalog", "sys"})
"""Schemas of databases' own, in lower case: nobody means them without naming them."""

NEAR = 5
"""How many similar names are told of a table that is not there."""

_PART = re.compile(r'"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|\[((?:[^\]]|\]\])+)\]|([^."`\[\]]+)')


def default_schema(known: Sequence[str], database: DatabaseSummary) -> str | None:
    """The schema that is meant when none is named; None: nobody can tell.

    Superset does not say it. It is the usual one of the kind of database, or the only one.
    """
    usual = DEFAULT_SCHEMAS.get(database.backend)
    if usual in known:
        return usual
    own = [name for name in known if name.lower() not in SYSTEM] or known
    return own[0] if len(own) == 1 else None


@dataclass
class Place:
    """A database in which words are looked up; what was read of it is not read again."""

    database: DatabaseSummary
    client: Superset
    call: Call
    _schemas: list[str] | None = None
    _tables: dict[str, list[TableSummary]] = field(default_factory=dict)

    async def schemas(self) -> list[str]:
        """Its schemas, by name."""
        if self._schemas is None:
            with asking(self.database, self.call):
                self._schemas = await self.client.schemas(self.database.id)
        return self._schemas

    async def tables(self, schema: str) -> list[TableSummary]:
        """The tables and views of a schema, by name."""
        if schema not in self._tables:
            with asking(self.database, self.call):
                self._tables[schema] = await self.client.tables(self.database.id, schema)
        return self._tables[schema]

    async def schema(self, words: str | None) -> str:
        """The schema that words name; without words the one that is meant then.

        Raises:
            Question: it is not there, or none is named and nobody can tell which is meant.
        """
        known = await self.schemas()
        found = default_schema(known, self.database) if words is None else _named(words, known)
        if found is not None:
            return found
        listed = ", ".join(escape(name) for name in known[:SHOWN]) or "-"
        key = "which-schema" if words is None else "no-such-schema"
        values = {} if words is None else {"name": escape(words)}
        raise Question("schema_name", text(self.call.language, key, known=listed, **values))

    async def table(self, words: str, schema_words: str | None) -> tuple[str, str]:
        """The schema and the exact name of the table that words name.

        Args:
            words: A table; before a dot there may be its schema, and quotes around each.
            schema_words: The schema; None: the words' own, or the one that is meant then.

        Raises:
            Question: there is no such table here, or the account may not see it.
        """
        asked: Question | None = None
        tried: list[tuple[str, str]] = []
        for before, name in _readings(words, schema_words):
            try:
                schema = await self.schema(before)
            except Question as question:
                asked = asked or question
                continue
            found = _named(name, [item.name for item in await self.tables(schema)])
            if found is not None:
                return schema, found
            tried.append((schema, name))
        for schema, name in tried:
            if await self._hidden(name, schema):
                return schema, name
        raise asked if asked and not tried else await self._unknown(*tried[-1])

    async def _hidden(self, name: str, schema: str) -> bool:
        """Whether a table is there that the list leaves out, such as a system's own."""
        try:
            return bool((await self.client.table(self.database.id, name, schema)).columns)
        except (NotFound, Invalid, ServerFault):
            return False

    async def _unknown(self, schema: str, words: str) -> Question:
        """That a table is not there, and what has a similar name."""
        language, database = self.call.language, self.database
        names = {fold(item.name): item.name for item in await self.tables(schema)}
        near = [names[name] for name in get_close_matches(fold(words), names, NEAR, cutoff=0.6)]
        told = {"name": escape(words), "schema": escape(schema), "database": escape(database.name)}
        said = text(language, "no-such-table", **told)
        if near:
            listed = ", ".join(escape(name) for name in near)
            said += " " + text(language, "near-tables", names=listed)
        return Question("table", said)


def _named(words: str, known: Sequence[str]) -> str | None:
    """The one of these names that words are, to the letter or else but for case and ё."""
    if words in known:
        return words
    found = [name for name in known if fold(name) == fold(words)]
    return found[0] if len(found) == 1 else None


def _readings(words: str, schema: str | None) -> list[tuple[str | None, str]]:
    """The schemas and tables that words may mean, the likeliest first."""
    found = [(schema, words)]
    for before, name in _parted(words):
        if schema is None or not before or fold(before) == fold(schema):
            found.append((schema or before or None, name))
    return list(dict.fromkeys(found))


def _parted(words: str) -> Iterator[tuple[str, str]]:
    """Schema and table of words with dots or quotes; a name may itself have a dot."""
    parts, at = [], 0
    while (part := _PART.match(words, at)) is not None:
        double, back, square, plain = part.groups()
        parts.append(
            (double or "").replace('""', '"')
            or (back or "").replace("``", "`")
            or (square or "").replace("]]", "]")
            or plain
        )
        at = part.end()
        if at == len(words):
            yield ".".join(parts[-2:-1]), parts[-1]
            if len(parts) > 2:
                # A name with dots behind its schema: main.a.b
                yield parts[0], ".".join(parts[1:])
            break
        if words[at] != ".":
            break
        at += 1
    before, dot, last = words.partition(".")
    if before and dot and last:
        yield before, last
