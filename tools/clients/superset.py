"""Client of one Superset installation, for one login."""

import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import httpx

from tools.clients import (
    superset_dashboards,
    superset_databases,
    superset_datasets,
    superset_tables,
)
from tools.clients.http import BadAnswer, Forbidden, NotFound, Redirected, before_write
from tools.clients.layout import Layout
from tools.clients.superset_auth import ME
from tools.clients.superset_dashboards import Dashboard, DashboardPage, DashboardSummary
from tools.clients.superset_databases import DatabaseSummary
from tools.clients.superset_datasets import Dataset, DatasetSummary, Dependants
from tools.clients.superset_lists import LISTS, Filter, Order, Resource
from tools.clients.superset_logins import Account, ApiKey, Login, SessionCookie
from tools.clients.superset_paging import one_at_a_time, pages
from tools.clients.superset_requests import Requests, parameters
from tools.clients.superset_search import Search
from tools.clients.superset_tables import Table, TableSummary
from tools.clients.superset_versions import UNKNOWN, supports
from tools.clients.wire import Request, SupersetConfig


class Superset:
    """The API of one installation as one login may use it.

    To be used on one event loop and closed there. Concurrent calls share the sign-in. Every
    method may raise any `SupersetError`. Reads are tried a second time after a passing fault;
    writes never are, but for a sign-in that was refused: then nothing was done.
    """

    def __init__(
        self,
        config: SupersetConfig,
        login: Login,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.config = config
        self._requests = Requests(config, login, transport)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._requests.aclose()

    async def request_json(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        write: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - of each request, not of the call
    ) -> Any:
        """Send any request and read JSON.

        Args:
            method: HTTP method.
            path: From the installation's address on, such as /api/v1/chart/7; parts that come
                from people must be quoted.
            query: URL parameters; what is no text is written as Superset's `q` wants it.
            body: JSON to send.
            write: It may change something, and is never sent twice. A read may be, whatever the
                method.
            idempotency_key: Names a write for whoever reads the installation's logs.
            timeout: Seconds for a request; None: the configured.
        """
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        request = Request(method.upper(), path, parameters(query), body, headers, timeout)
        if path not in LISTS or request.method != "GET":
            return await self._requests.json(request, write=write)
        async with one_at_a_time(self.config.url):
            return await self._requests.json(request, write=write)

    async def rows(
        self,
        resource: Resource,
        columns: Sequence[str],
        filters: Sequence[Filter] = (),
        order: Order | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """All rows of a list, past Superset's hundred a page; a row that moved is given once.

        Raises:
            ValueError: a filter that the list does not know; nothing is sent.
        """
        seen = set[Any]()
        async for page in pages(self._read, resource, columns, filters, order):
            for row in page.rows:
                if row.get("id") is None or row["id"] not in seen:
                    seen.add(row.get("id"))
                    yield row

    async def count(self, resource: Resource, filters: Sequence[Filter] = ()) -> int:
        """How many objects a list has.

        Raises:
            ValueError: a filter that the list does not know; nothing is sent.
        """
        columns = ["id", *(item.column for item in filters)]
        async for page in pages(self._read, resource, columns, filters, size=1):
            return page.total
        return 0

    async def version(self) -> str:
        """The installation's version, "unknown" before 6.1."""
        try:
            body = await self._read("/version", {})
        except (NotFound, Redirected, BadAnswer):
            return UNKNOWN
        found = body.get("version_string") if isinstance(body, dict) else None
        return str(found or UNKNOWN)

    async def whoami(self) -> str | None:
        """The user name of the login; None where Superset does not say.

        Before 6.1 it answers an access token with 401, as if the login were refused.
        """
        if self._requests.by_password and not supports(await self.version(), "me_with_token"):
            return None
        try:
            body = await self._read(ME, {})
        except (NotFound, Forbidden):
            return None
        match body:
            case {"result": {"username": str(name)}}:
                return name
        return None

    async def reads_as_public(self) -> bool:
        """Whether dashboards are shown to anybody, and this login therefore sees only those.

        Superset 6.1 looks at a token or key only where the role Public may not do the same.
        """
        if self._requests.by_cookie:
            return False
        query = {"q": {"columns": ["id"], "page_size": 1}}
        return await self._requests.public(Request("GET", "/api/v1/dashboard/", parameters(query)))

    async def ping(self) -> float:
        """Seconds of a real read: /health says OK even when the metadata database is gone."""
        query = {"q": {"columns": ["id"], "page_size": 1}}
        async with one_at_a_time(self.config.url):
            start = time.monotonic()
            await self._requests.json(
                Request("GET", "/api/v1/dashboard/", parameters(query)), write=False
            )
            return time.monotonic() - start

    async def search_dashboards(
        self,
        words: str | None = None,
        *,
        tag: str | None = None,
        owner: int | str | None = None,
        published: bool | None = None,
        changed_since: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> DashboardPage:
        """Find dashboards; all conditions hold together.

        Case and ё/е make no difference; % and _ are themselves.

        Args:
            words: Each is a part of the title, or all together are the slug. An exact title comes
                first, then an exact slug, then what was changed last.
            tag: A tag's whole name.
            owner: An owner's id, or words of an owner's name, or of the user name.
            published: Whether it is published.
            changed_since: The earliest time of its last change, with a time zone.
            limit: How many to give, from 1.
            offset: How many to leave out before them.
        """
        if limit < 1 or offset < 0:
            raise ValueError("limit starts at 1, offset at 0")
        if changed_since is not None and changed_since.tzinfo is None:
            raise ValueError("changed_since needs a time zone")
        wanted = Search(words, tag, owner, published, changed_since)
        return await superset_dashboards.search(self._read, self.config.url, wanted, limit, offset)

    async def dashboard(self, key: int | str) -> Dashboard:
        """Read a dashboard by id, uuid or slug.

        Raises:
            NotFound: there is none, or the account may not see it.
        """
        return await superset_dashboards.find(self._read, self.config.url, key)

    async def set_layout(
        self, dashboard: Dashboard, layout: Layout, *, idempotency_key: str
    ) -> None:
        """Write a dashboard's layout, and nothing but the layout.

        Only `position_json` is sent: the other way, `positions` inside `json_metadata`, also
        detaches every chart that has no place in the layout, and rewrites the metadata.

        Args:
            dashboard: As it was read; it must not have changed since.
            layout: The new layout.
            idempotency_key: Names the write.

        Raises:
            Changed: somebody changed the dashboard since it was read; nothing was written.
        """
        with before_write("reading the dashboard"):
            await superset_dashboards.check_unchanged(self._read, dashboard)
        await self.request_json(
            "PUT",
            f"/api/v1/dashboard/{dashboard.id}",
            body={"position_json": json.dumps(layout)},
            write=True,
            idempotency_key=idempotency_key,
        )

    async def databases(self, words: str | None = None) -> list[DatabaseSummary]:
        """The databases that words name: an id, a uuid, a whole name, else a part; None: all."""
        return await superset_databases.find(self._read, words)

    async def schemas(self, database_id: int) -> list[str]:
        """The schemas of a database, by name."""
        return await superset_tables.schemas(self._read, database_id)

    async def tables(self, database_id: int, schema: str) -> list[TableSummary]:
        """All tables and views of a schema, by name."""
        return await superset_tables.tables(self._read, database_id, schema)

    async def table(
        self, database_id: int, name: str, schema: str | None, catalog: str | None = None
    ) -> Table:
        """A table's columns and keys; no columns: there is none, or the account may not see it."""
        return await superset_tables.table(self._read, database_id, name, schema, catalog)

    async def all_datasets(self, database_id: int | None = None) -> list[DatasetSummary]:
        """All datasets that the account may see, of one database or of all, by name."""
        return await superset_datasets.every(self._read, database_id)

    async def dataset(self, dataset_id: int) -> Dataset:
        """A dataset with its columns and metrics.

        Raises:
            NotFound: there is no such dataset, or the account may not see it.
        """
        return await superset_datasets.detail(self._read, dataset_id)

    async def dependants(self, dataset_id: int) -> Dependants:
        """The charts and dashboards that stand on a dataset.

        Raises:
            NotFound: there is no such dataset, or the account may not see it.
        """
        return await superset_datasets.dependants(self._read, dataset_id)

    async def datasets(self, words: str, database_id: int | None = None) -> list[DatasetSummary]:
        """The datasets that words name: an id, a uuid, a whole name, else a part of one.

        Args:
            words: The dataset.
            database_id: The database that it is in; None: any.
        """
        return await superset_datasets.find(self._read, words, database_id)

    async def dataset_dashboards(self, dataset_id: int) -> list[int]:
        """Ids of the dashboards with a chart of a dataset.

        Raises:
            NotFound: there is no such dataset, or the account may not see it.
        """
        return await superset_datasets.dashboards(self._read, dataset_id)

    async def _read(self, path: str, query: Mapping[str, Any]) -> Any:
        return await self.request_json("GET", path, query=query)


__all__ = [
    "Account",
    "ApiKey",
    "Dashboard",
    "DashboardPage",
    "DashboardSummary",
    "DatabaseSummary",
    "Dataset",
    "DatasetSummary",
    "Dependants",
    "Filter",
    "Login",
    "Order",
    "SessionCookie",
    "Superset",
    "SupersetConfig",
    "Table",
    "TableSummary",
]
