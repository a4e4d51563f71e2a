"""The two real installations: what is in them, who sees it, and how they start, reset and end."""

import json
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from demo import pidfile
from demo.accounts import HUMAN, ROLES
from demo.errors import DemoError
from demo.rest import Rest, RestError
from demo.supersets import Pair, Superset, continues, ensure_base, start_pair

NAMES = ("dev", "prod")
READERS = ("viewer", "analyst", "editor")


def of(pair: Pair, name: str) -> Superset:
    return pair.dev if name == "dev" else pair.prod


def admin(superset: Superset) -> Rest:
    return Rest(superset.url).login(*HUMAN)


def listed(client: Rest, kind: str, columns: list[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    while True:
        query = {"columns": columns, "page": len(rows) // 100, "page_size": 100}
        answer = client.call("GET", f"/api/v1/{kind}/", query=query)
        rows += answer["result"]
        if len(rows) >= answer["count"]:
            return rows


def count(client: Rest) -> int:
    query = {"columns": ["id"], "page_size": 1}
    return int(client.call("GET", "/api/v1/dashboard/", query=query)["count"])


def dashboard(client: Rest, slug: str) -> dict[str, Any]:
    found: dict[str, Any] = client.call("GET", f"/api/v1/dashboard/{slug}")["result"]
    return found


def status(client: Rest, method: str, path: str, body: object = None) -> int:
    try:
        client.call(method, path, body)
    except RestError as error:
        return error.status
    return 200


@pytest.fixture(params=NAMES)
def superset(request: pytest.FixtureRequest, pair: Pair) -> Superset:
    return of(pair, request.param)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_sees_all_dashboards_but_the_hidden_one(superset: Superset, role: str) -> None:
    # Logging in fetches the CSRF token too: a role without it could not write at all.
    client = Rest(superset.url).login(*superset.accounts[role])
    total = {"dev": 262, "prod": 40}[superset.name]
    assert count(client) == (total - 1 if role in READERS else total)
    assert status(client, "GET", "/api/v1/dashboard/board") == (404 if role in READERS else 200)


@pytest.mark.parametrize("role", ROLES)
def test_rights_of_each_role_fit_it(superset: Superset, role: str) -> None:
    client = Rest(superset.url).login(*superset.accounts[role])
    query = {"database_id": 1, "sql": "SELECT 1", "client_id": f"t{role}", "queryLimit": 1}
    usa = dashboard(client, "usa")["id"]
    rights = {
        "format": status(client, "POST", "/api/v1/sqllab/format_sql/", {"sql": "select 1"}),
        "tables": status(
            client, "GET", "/api/v1/database/1/table_metadata/?name=customers&schema=main"
        ),
        "run": status(client, "POST", "/api/v1/sqllab/execute/", query),
        "create": status(client, "POST", "/api/v1/dashboard/", {"dashboard_title": "New"}),
        "dataset": status(
            client,
            "POST",
            "/api/v1/dataset/",
            {"database": 1, "schema": "main", "table_name": "new", "sql": "SELECT 1 AS one"},
        ),
        "change": status(client, "PUT", f"/api/v1/dashboard/{usa}", {"css": "a {}"}),
        "people": status(client, "GET", "/api/v1/security/users/"),
    }
    allowed = {
        "viewer": {"format", "tables"},
        "analyst": {"format", "tables", "run"},
        "editor": {"format", "tables", "run", "create", "dataset"},
    }.get(role, set(rights))
    assert rights == {name: 200 if name in allowed else 403 for name in rights}


def test_an_editor_may_change_and_copy_what_it_owns(pair: Pair) -> None:
    client = Rest(pair.dev.url).login(*pair.dev.accounts["editor"])
    number = dashboard(client, "energy")["id"]
    assert status(client, "PUT", f"/api/v1/dashboard/{number}", {"css": ""}) == 200
    body = {"dashboard_title": "Copy", "json_metadata": "{}"}
    assert status(client, "POST", f"/api/v1/dashboard/{number}/copy/", body) == 200


def test_every_dashboard_has_charts_and_its_layout_shows_exactly_those(
    superset: Superset,
) -> None:
    client = admin(superset)
    for row in listed(client, "dashboard", ["id", "dashboard_title"]):
        charts = client.call("GET", f"/api/v1/dashboard/{row['id']}/charts")["result"]
        layout = json.loads(dashboard(client, str(row["id"]))["position_json"])
        shown = {
            part["meta"]["chartId"]
            for part in layout.values()
            if isinstance(part, dict) and part["type"] == "CHART"
        }
        assert charts, row
        assert {chart["id"] for chart in charts} == shown, row


def test_same_assets_have_the_same_uuid_and_databases_do_not(pair: Pair) -> None:
    clients = {name: admin(of(pair, name)) for name in NAMES}

    def uuids(name: str, kind: str, title: str) -> dict[str, str]:
        return {row["uuid"]: row[title] for row in listed(clients[name], kind, ["uuid", title])}

    dev, prod = (uuids(name, "dashboard", "dashboard_title") for name in NAMES)
    assert len(set(dev) & set(prod)) == 39
    assert {prod[key] for key in set(prod) - set(dev)} == {"Только на проде"}
    assert all(dev[key] == prod[key] for key in set(dev) & set(prod))
    for kind, title in (("chart", "slice_name"), ("dataset", "table_name")):
        dev, prod = (uuids(name, kind, title) for name in NAMES)
        assert set(prod) < set(dev), kind
    dev, prod = (uuids(name, "database", "database_name") for name in NAMES)
    assert sorted(dev.values()) == sorted(prod.values()) == ["Analytics", "Sandbox"]
    assert not set(dev) & set(prod)


def test_the_same_asset_has_another_number_in_the_other_installation(pair: Pair) -> None:
    assert dashboard(admin(pair.dev), "usa")["id"] == 1
    assert dashboard(admin(pair.prod), "usa")["id"] == 40
    for kind in ("dashboard", "chart", "dataset"):
        dev, prod = (
            {row["uuid"]: row["id"] for row in listed(admin(of(pair, name)), kind, ["uuid", "id"])}
            for name in NAMES
        )
        same = [key for key in set(dev) & set(prod) if dev[key] == prod[key]]
        # Two series that run against each other meet once, and there are two of dashboards.
        assert len(same) <= 2, kind


@pytest.mark.parametrize(
    ("slug", "tabs"),
    [
        ("operations", {"Overview", "Details", "Energy"}),
        ("plant", {"Сводка", "Станции", "ТЭЦ", "ГЭС и прочие", "Продажи и регионы"}),
        ("marketing", {"Клиенты", "Заказы"}),
    ],
)
def test_tabbed_dashboards_are_there(superset: Superset, slug: str, tabs: set[str]) -> None:
    client = admin(superset)
    layout = json.loads(dashboard(client, slug)["position_json"])
    parts = [part for part in layout.values() if isinstance(part, dict)]
    assert {part["meta"]["text"] for part in parts if part["type"] == "TAB"} == tabs
    # Superset itself has understood them.
    found = client.call("GET", f"/api/v1/dashboard/{slug}/tabs")["result"]["all_tabs"]
    assert set(found.values()) == tabs


def test_charts_run_except_the_two_that_are_meant_to_fail(pair: Pair) -> None:
    client = admin(pair.dev)
    failed = {}
    for row in listed(client, "chart", ["id", "slice_name"]):
        try:
            result = client.call("GET", f"/api/v1/chart/{row['id']}/data/")["result"]
            assert result[0]["rowcount"] > 0, row
        except RestError as error:
            failed[row["slice_name"]] = str(error)
    assert set(failed) == {"Chart without query context", "Сломанный график (нет колонки)"}
    assert "no query context" in failed["Chart without query context"]
    assert "no such column: no_such_column" in failed["Сломанный график (нет колонки)"]


def test_governance_is_there(superset: Superset) -> None:
    client = admin(superset)
    sales = dashboard(client, "sales")
    assert {role["name"] for role in sales["roles"]} == {"Finance", "Pilothouse reader"}
    assert sales["certified_by"] == "Отдел данных"
    filters = json.loads(sales["json_metadata"])["native_filter_configuration"]
    assert [one["name"] for one in filters] == ["Status"]
    assert "finance" in {tag["name"] for tag in sales["tags"]}
    rules = client.call("GET", "/api/v1/rowlevelsecurity/")["result"]
    assert [rule["clause"] for rule in rules] == ["region = 'Москва'"]
    rows = listed(client, "dashboard", ["id", "published"])
    assert sum(not row["published"] for row in rows) >= 3


def test_each_installation_reads_its_own_copy_of_the_data(pair: Pair) -> None:
    for superset, orders in ((pair.dev, 4000), (pair.prod, 8000)):
        client = admin(superset)
        sql = "SELECT COUNT(*) AS n FROM sales_orders"
        body = {"database_id": 1, "sql": sql, "client_id": "own", "queryLimit": 1}
        assert client.call("POST", "/api/v1/sqllab/execute/", body)["data"] == [{"n": orders}]
        metadata = pair.folder / superset.name / "superset.db"
        with closing(sqlite3.connect(metadata)) as connection:
            addresses = [row[0] for row in connection.execute("SELECT sqlalchemy_uri FROM dbs")]
        home = pair.folder / superset.name
        assert addresses == [f"sqlite:///{home}/analytics.db", f"sqlite:///{home}/sandbox.db"]


def test_a_reset_brings_the_seeded_content_back_without_a_restart(supersets: Pair) -> None:
    client = admin(supersets.dev)
    pids = supersets.dev.pid, supersets.prod.pid
    body = {"database_id": 2, "sql": "DELETE FROM notes", "client_id": "del"}
    client.call("POST", "/api/v1/sqllab/execute/", body)
    usa = dashboard(client, "usa")["id"]
    client.call("DELETE", f"/api/v1/dashboard/{usa}")
    assert count(client) == 261
    supersets.reset()
    assert count(client) == 262
    assert dashboard(client, "usa")["id"] == usa
    body = {"database_id": 2, "sql": "SELECT COUNT(*) AS n FROM notes", "client_id": "cnt"}
    assert client.call("POST", "/api/v1/sqllab/execute/", body)["data"] == [{"n": 1}]
    assert (supersets.dev.pid, supersets.prod.pid) == pids


@pytest.fixture
def own_pair(tmp_path: Path) -> Iterator[Pair]:
    with start_pair(ensure_base(print), tmp_path / "own pair") as pair:
        yield pair


def test_a_pair_can_be_restarted_continued_and_stopped(own_pair: Pair) -> None:
    client = admin(own_pair.dev)
    client.call("POST", "/api/v1/dashboard/", {"dashboard_title": "Kept"})
    old, port = own_pair.dev.pid, own_pair.dev.port
    own_pair.restart("dev")
    assert own_pair.dev.pid != old
    assert own_pair.dev.port == port
    assert count(admin(own_pair.dev)) == 263
    pids = [own_pair.dev.pid, own_pair.prod.pid]
    own_pair.stop()
    own_pair.stop()
    assert [pidfile.identity(pid) for pid in pids] == [None, None]
    # The workers are gone too, or the ports would still be answered.
    for one in (own_pair.dev, own_pair.prod):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", one.port), timeout=2)
    assert continues(own_pair.base, own_pair.folder)
    with start_pair(own_pair.base, own_pair.folder, keep=True) as again:
        assert count(admin(again.dev)) == 263


def test_a_taken_port_is_an_error_and_nothing_stays(tmp_path: Path) -> None:
    started: list[str] = []
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = stranger.getsockname()[1]
        with pytest.raises(DemoError, match=f"Port {port} .* is taken"):
            start_pair(ensure_base(print), tmp_path, (0, port), started.append)
    address = started[0].rpartition(":")[2]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(address)), timeout=2)


def test_an_installation_that_does_not_start_is_told_with_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "config.py"
    broken.write_text("raise RuntimeError('settings are broken')")
    monkeypatch.setattr("demo.instances.CONFIG", broken)
    began = time.monotonic()
    with pytest.raises(DemoError, match=r"(?s)Superset dev .*settings are broken"):
        start_pair(ensure_base(print), tmp_path / "pair")
    assert time.monotonic() - began < 60
