"""Fills one running installation through its REST API."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from demo.rest import Rest
from demo.seeding.charts import CHARTS, TABLES, VIRTUAL, Chart
from demo.seeding.dashboards import FINANCE, Dashboard, dashboards
from demo.seeding.ids import own, shared
from demo.seeding.layouts import Layout, Placed
from demo.seeding.people import create_people, readers

Json = dict[str, Any]
T = TypeVar("T")
_DASHBOARD_TAGS = 3
"""The number of dashboards among the kinds of objects that Superset's tags know."""


def seed_installation(client: Rest, installation: str, folder: Path) -> int:
    """Create everything the demo's installation holds; return the number of dashboards."""
    roles, users = create_people(client, installation)
    datasets = _datasets(client, installation, _databases(client, installation, folder))
    charts = _charts(client, installation, datasets)
    _row_rule(client, datasets["customers"], roles[FINANCE])
    admin = client.call("GET", "/api/v1/me/")["result"]["id"]
    owners = {
        "plain": [admin],
        "shared": [admin, users["editor"]],
        "draft": [admin, *readers(users)],
    }
    planned = in_order(installation, dashboards(installation))
    create = _creator(client, charts, datasets, roles, owners)
    # One after the other, so that ids are the same in every build; one Python process answers,
    # and more at a time would not make it faster.
    created = [create(plan) for plan in planned]
    _attach(client, charts, planned, created)
    for plan, number in zip(planned, created, strict=True):
        if plan.tags:
            body = {"properties": {"tags": list(plan.tags)}}
            client.call("POST", f"/api/v1/tag/{_DASHBOARD_TAGS}/{number}/", body)
    return len(created)


def in_order(installation: str, things: Iterable[T]) -> list[T]:
    """Return things in the order in which an installation gets them.

    Production gets them from the end, so that the same asset has another number there: whoever
    takes a number of one installation for one of the other is found out.
    """
    listed = list(things)
    return listed if installation == "dev" else listed[::-1]


def _databases(client: Rest, installation: str, folder: Path) -> int:
    numbers = []
    for name, writable in (("Analytics", False), ("Sandbox", True)):
        body = {
            "database_name": name,
            "sqlalchemy_uri": f"sqlite:///{folder / name.lower()}.db",
            "expose_in_sqllab": True,
            "allow_dml": writable,
            "allow_ctas": writable,
            # The one thing that must differ between installations with the same assets.
            "uuid": own(installation, "database", name),
        }
        numbers.append(client.call("POST", "/api/v1/database/", body)["id"])
    return int(numbers[0])


def _datasets(client: Rest, installation: str, database: int) -> dict[str, int]:
    common = {"database": database, "schema": "main"}
    made: dict[str, int] = {}
    for table in in_order(installation, TABLES):
        body = {**common, "table_name": table, "uuid": shared("dataset", table)}
        made[table] = client.call("POST", "/api/v1/dataset/", body)["id"]
    for virtual in VIRTUAL:
        if virtual.only_on in {"", installation}:
            body = {**common, "table_name": virtual.name, "sql": virtual.sql}
            body["uuid"] = shared("dataset", virtual.key)
            made[virtual.key] = client.call("POST", "/api/v1/dataset/", body)["id"]
    _add_metric(client, made["sales_orders"])
    return made


def _add_metric(client: Rest, dataset: int) -> None:
    # A PUT replaces the whole list of metrics, so the existing ones go along.
    path = f"/api/v1/dataset/{dataset}"
    existing = client.call("GET", path)["result"]["metrics"]
    kept = [{name: one[name] for name in ("id", "metric_name", "expression")} for one in existing]
    revenue = {"metric_name": "revenue", "expression": "SUM(amount)", "verbose_name": "Выручка"}
    client.call("PUT", path, {"metrics": [*kept, revenue]})


def _charts(client: Rest, installation: str, datasets: dict[str, int]) -> dict[str, Placed]:
    made = {}
    for chart in in_order(installation, CHARTS):
        if chart.only_on not in {"", installation}:
            continue
        body = _chart_body(chart, datasets[chart.dataset])
        number = client.call("POST", "/api/v1/chart/", body)["id"]
        made[chart.key] = Placed(number, body["uuid"], chart.title)
    return made


def _chart_body(chart: Chart, dataset: int) -> Json:
    form = {
        "datasource": f"{dataset}__table",
        "viz_type": chart.viz,
        "adhoc_filters": [],
        "row_limit": 100,
        **chart.form,
    }
    body: Json = {
        "slice_name": chart.title,
        "viz_type": chart.viz,
        "datasource_id": dataset,
        "datasource_type": "table",
        "params": json.dumps(form, ensure_ascii=False),
        "uuid": shared("chart", chart.key),
    }
    if chart.query_context:
        query = {
            "columns": list(chart.columns),
            "metrics": list(chart.metrics),
            "filters": [],
            "orderby": [],
            "row_limit": 100,
            "extras": {"having": "", "where": ""},
        }
        context = {
            "datasource": {"id": dataset, "type": "table"},
            "force": False,
            "queries": [query],
            "form_data": form,
            "result_format": "json",
            "result_type": "full",
        }
        body["query_context"] = json.dumps(context, ensure_ascii=False)
    return body


def _row_rule(client: Rest, customers: int, role: int) -> None:
    rule = {
        "name": "Finance sees Москва",
        "filter_type": "Regular",
        "tables": [customers],
        "roles": [role],
        "group_key": "region",
        "clause": "region = 'Москва'",
    }
    client.call("POST", "/api/v1/rowlevelsecurity/", rule)


def _creator(
    client: Rest,
    charts: dict[str, Placed],
    datasets: dict[str, int],
    roles: dict[str, int],
    owners: dict[str, list[int]],
) -> Callable[[Dashboard], int]:
    def create(plan: Dashboard) -> int:
        owned = "shared" if plan.edited_by_editor else "plain" if plan.published else "draft"
        body = {
            "dashboard_title": plan.title,
            "slug": plan.slug,
            "published": plan.published,
            "uuid": shared("dashboard", plan.key),
            "owners": owners[owned],
            "position_json": json.dumps(_layout(plan, charts), ensure_ascii=False),
            "json_metadata": json.dumps(_metadata(plan, charts, datasets), ensure_ascii=False),
        }
        if plan.roles:
            body["roles"] = [roles[name] for name in plan.roles]
        if plan.certified_by:
            body["certified_by"] = plan.certified_by
            body["certification_details"] = "ежемесячная сверка"
        number: int = client.call("POST", "/api/v1/dashboard/", body)["id"]
        return number

    return create


def _layout(plan: Dashboard, charts: dict[str, Placed]) -> Json:
    layout = Layout(plan.key, plan.title)
    if plan.text:
        layout.text("GRID_ID", plan.text)
    layout.rows("GRID_ID", [charts[key] for key in plan.charts])
    if plan.tabs and plan.tabs_in_grid:
        layout.tabs("GRID_ID", plan.tabs, charts)
    elif plan.tabs:
        layout.tabs_at_top(plan.tabs, charts)
    return layout.parts


def _keys(plan: Dashboard) -> set[str]:
    keys, todo = set(plan.charts), list(plan.tabs)
    while todo:
        tab = todo.pop()
        keys.update(tab.charts)
        todo += tab.tabs
    return keys


def _metadata(plan: Dashboard, charts: dict[str, Placed], datasets: dict[str, int]) -> Json:
    metadata: Json = {
        "color_scheme": "supersetColors",
        "refresh_frequency": 0,
        "cross_filters_enabled": True,
        "native_filter_configuration": [],
    }
    if plan.filter_on:
        dataset, column = plan.filter_on
        identity = shared("filter", plan.key).replace("-", "")[:12]
        metadata["native_filter_configuration"].append(
            {
                "id": f"NATIVE_FILTER-{identity}",
                "type": "NATIVE_FILTER",
                "filterType": "filter_select",
                "name": column.title(),
                "targets": [{"datasetId": datasets[dataset], "column": {"name": column}}],
                "controlValues": {"multiSelect": True, "enableEmptyFilter": False},
                "defaultDataMask": {"extraFormData": {}, "filterState": {}},
                "cascadeParentIds": [],
                "scope": {"rootPath": ["ROOT_ID"], "excluded": []},
                "chartsInScope": sorted(charts[key].id for key in plan.charts),
                "tabsInScope": [],
            }
        )
    return metadata


def _attach(
    client: Rest, charts: dict[str, Placed], planned: list[Dashboard], created: list[int]
) -> None:
    # A layout alone attaches no chart to a dashboard; from the chart's side one call does
    # it for all its dashboards.
    places: dict[str, list[int]] = defaultdict(list)
    for plan, number in zip(planned, created, strict=True):
        for key in _keys(plan):
            places[key].append(number)
    for key, numbers in places.items():
        client.call("PUT", f"/api/v1/chart/{charts[key].id}", {"dashboards": sorted(numbers)})
