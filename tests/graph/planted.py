"""Two Supersets that serve planted texts, and count what would have been written."""

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote
from uuid import UUID

import httpx

from tests.superset.superset_stub import Stub
from tools.clients.layout import add_banner
from tools.clients.superset_lists import Filter, excludes
from tools.records import Banner, Records
from tools.settings import Settings, parse_settings

DEV, PROD = "http://dev.invalid", "http://prod.invalid"
INNOCENT = "Plain"
"""What stands where nothing is planted."""

PLANTED = 7
"""Id of the dashboard with the planted title."""
DEV_EVENT, PROD_EVENT = "d" * 12, "e" * 12
"""The open maintenance of dashboard 3 in each environment."""

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
CHANGED = "2026-03-01T10:00:00.000000+0000"
CARRIER = "select note from notes"
"""The user's own query, whose rows hold the planted text."""
READS = frozenset({"/api/v1/sqllab/execute/", "/api/v1/security/login", "/api/v1/security/refresh"})
"""What is posted and changes nothing, as long as the query is the user's own."""

LAYOUT = {
    "ROOT_ID": {"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]},
    "GRID_ID": {"type": "GRID", "id": "GRID_ID", "children": [], "parents": ["ROOT_ID"]},
}
UNDER_WORK, _ = add_banner(add_banner(LAYOUT, DEV_EVENT, "Work")[0], PROD_EVENT, "Work")
"""The layout of dashboard 3."""


@dataclass
class World:
    """Both installations. Each kind of planted text has its own place; the rest is innocent."""

    texts: dict[str, str] = field(default_factory=dict)
    writes: list[httpx.Request] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    stub: Stub = field(default_factory=Stub)

    def text(self, place: str) -> str:
        """What is planted there."""
        return self.texts.get(place, INNOCENT)

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer as Superset does, and note what is no read."""
        path = request.url.path
        if changes(request):
            self.writes.append(request)
            return httpx.Response(200, json={"result": {}})
        if "/api/v1/security/" in path or path.endswith("/api/v1/me/"):
            return await self.stub(request)
        if path == "/version":
            return httpx.Response(200, json={"version_string": "6.1.0"})
        if path.startswith("/api/v1/sqllab/"):
            self.queries.append(json.loads(request.content)["sql"])
            return httpx.Response(200, json=self._rows())
        found = self._answer(path.removeprefix("/api/v1/").strip("/").split("/"), request)
        if found is None:
            return httpx.Response(404, json={"message": "Not found"})
        return httpx.Response(200, json=found)

    def _answer(self, parts: list[str], request: httpx.Request) -> Any:
        match parts:
            case ["dashboard" | "dataset" | "chart" | "database" as kind]:
                return listed(self.rows(kind), json.loads(request.url.params["q"]))
            case ["dashboard", key]:
                wanted = (key, unquote(key))
                rows = [row for row in self.rows("dashboard") if str(row["id"]) in wanted
                        or row["slug"] in wanted or row["uuid"] in wanted]  # fmt: skip
                return {"result": rows[0]} if rows else None
            case ["dataset", _, "related_objects"]:
                both = {"count": 2, "result": [{"id": 1}, {"id": 2}]}
                return {"charts": both, "dashboards": both}
            case ["dataset", key]:
                rows = [row for row in self.rows("dataset") if str(row["id"]) == key]
                return {"result": rows[0]} if rows else None
            case ["database", _, "schemas"]:
                return {"result": ["public"]}
            case ["database", _, "tables"]:
                names = ["orders", self.text("table")]
                return {"result": [{"value": name, "type": "table"} for name in names]}
            case ["database", _, "table_metadata"]:
                return self._table(request.url.params["name"])
        return None

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """All objects of a kind."""
        titles = {1: "USA", 2: "Sales", 3: "Operations", PLANTED: self.text("dashboard")}
        match kind:
            case "dashboard":
                return [_dashboard(number, title) for number, title in titles.items()]
            case "dataset":
                return [self._dataset(11, "orders"), self._dataset(12, self.text("dataset"))]
            case "chart":
                return [{"id": 1, "slice_name": self.text("chart")}, {"id": 2, "slice_name": "Two"}]
        return [
            {
                "id": 1,
                "uuid": "0" * 32,
                "database_name": "Warehouse",
                "backend": "postgresql",
                "expose_in_sqllab": True,
                "allow_dml": True,
                "allow_multi_catalog": False,
            }
        ]

    def _dataset(self, number: int, name: str) -> dict[str, Any]:
        return {
            "id": number,
            "uuid": f"00000000-0000-4000-8000-{number:012}",
            "table_name": name,
            "schema": "public",
            "kind": "physical",
            "changed_on_utc": CHANGED,
            "database": {"id": 1, "database_name": "Warehouse", "backend": "postgresql"},
            "columns": [{"column_name": self.text("column"), "type": "TEXT"}],
            "metrics": [{"metric_name": "count", "expression": "count(*)"}],
        }

    def _table(self, name: str) -> dict[str, Any]:
        column = {"name": self.text("column"), "type": "TEXT", "comment": None}
        return {"name": name, "columns": [column], "selectStar": "select * from orders"}

    def _rows(self) -> dict[str, Any]:
        # So many that the model gets a part, and is offered to read on.
        notes = [
            self.text("cell"),
            *(f"An ordinary note of some length, number {n}" for n in range(99)),
        ]
        columns = [{"column_name": "note", "type": "STRING"}]
        return {"status": "success", "data": [{"note": note} for note in notes], "columns": columns}


def changes(request: httpx.Request) -> bool:
    """Whether a request may change something."""
    return request.method not in ("GET", "HEAD") and request.url.path not in READS


def uuid_of(dashboard: int) -> str:
    """The uuid of a dashboard."""
    return f"00000000-0000-4000-9000-{dashboard:012}"


def _dashboard(number: int, title: str) -> dict[str, Any]:
    return {
        "id": number,
        "uuid": uuid_of(number),
        "dashboard_title": title,
        "slug": {1: "usa"}.get(number),
        "published": True,
        "changed_on_utc": CHANGED,
        "changed_by_name": "Anna",
        "owners": [],
        "tags": [],
        "url": f"/superset/dashboard/{number}/",
        "position_json": json.dumps(UNDER_WORK if number == 3 else LAYOUT),
        "json_metadata": "{}",
    }


def listed(rows: Iterable[dict[str, Any]], query: dict[str, Any]) -> dict[str, Any]:
    """A page of a list, filtered as Superset does."""
    wanted = [Filter(one["col"], one["opr"], one["value"]) for one in query.get("filters", [])]
    found = [row for row in rows if not any(excludes(one, row) for one in wanted)]
    first = query.get("page", 0) * query["page_size"]
    return {"count": len(found), "result": found[first : first + query["page_size"]]}


def deployment(url: str) -> Settings:
    """The settings of a deployment on both; the secret's variable is SECRET."""

    def environment(title: str, stage: str, address: str) -> dict[str, Any]:
        roles = ["viewer", "analyst", "operator", "admin"]
        account = {"roles": roles, "username": "robot", "password_env": "SECRET"}
        return {"title": title, "stage": stage, "url": address, "credentials": [account]}

    return parse_settings(
        {
            "records": {"url": url},
            "environments": {
                "ss-dev": environment("Development", "dev", DEV),
                "ss-prod": environment("Production", "prod", PROD),
            },
        }
    )


def upload(text: str) -> dict[str, Any]:
    """A file as chat clients send it: a block beside the user's words."""
    data = base64.b64encode(f"Report of the week\n\n{text}\n\nThe end.".encode()).decode()
    return {"type": "file", "base64": data, "mime_type": "text/plain", "filename": "report.txt"}


SECRET_OF_EVE = "Eve's salaries"
RESULT_OF_EVE, TASK_OF_EVE = "e5" * 16, 1
"""What belongs to another user."""


def furnish(records: Records) -> None:
    """Open three events of maintenance, and keep what is Eve's."""
    announce(records, DEV_EVENT, "Planned work", 3)
    announce(records, PROD_EVENT, "Planned work", 3, "ss-prod")
    announce(records, "f" * 12, "More work", 2)
    task = records.tasks.start(
        "start_maintenance", env_id="ss-dev", thread_id="eve", user_id="eve",
        title=SECRET_OF_EVE, total=1, now=NOW,
    )  # fmt: skip
    assert task.id == TASK_OF_EVE
    with patch("tools.records.results.uuid4", lambda: UUID(RESULT_OF_EVE)):
        kept = records.results.keep("eve", "c1", "eve", "search_dashboards", SECRET_OF_EVE, NOW)
    assert kept == RESULT_OF_EVE


def announce(
    records: Records, event: str, message: str, dashboard: int = 2, env_id: str = "ss-dev"
) -> None:
    """Open a maintenance event."""
    banner = Banner(dashboard, uuid_of(dashboard), f"Dashboard {dashboard}")
    records.maintenance.open_event(event, env_id, message, "otto", None, [banner], NOW)
