"""Datasets and charts of the demo."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

TABLES = ("sales_orders", "customers", "energy_consumption", "birth_names", "продажи")
"""Tables that are a dataset in every installation; the last has Cyrillic names throughout."""


@dataclass(frozen=True)
class Virtual:
    """A dataset that is a query."""

    key: str
    name: str
    sql: str
    only_on: str = ""


VIRTUAL = (
    Virtual(
        "energy_daily",
        "energy_daily",
        "SELECT date(ts) AS day, plant, SUM(kwh) AS kwh, SUM(cost_rub) AS cost_rub"
        " FROM energy_consumption GROUP BY date(ts), plant",
    ),
    Virtual(
        "region_share",
        "Доли регионов",
        "SELECT c.region, SUM(o.amount) AS amount FROM sales_orders AS o"
        " JOIN customers AS c ON c.id = o.customer_id GROUP BY c.region",
        only_on="dev",
    ),
)


@dataclass(frozen=True)
class Chart:
    """A chart to create. `form` holds what its type needs besides dataset and filters."""

    key: str
    title: str
    viz: str
    dataset: str
    columns: tuple[Any, ...] = ()
    metrics: tuple[Any, ...] = ()
    form: Json = field(default_factory=dict)
    query_context: bool = True
    """False: as charts come from an import or from scripts; Superset cannot run them by API."""
    only_on: str = ""


def total(column: str, label: str) -> Json:
    """Return the metric that adds up a column."""
    source = {"column_name": column}
    return {"expressionType": "SIMPLE", "aggregate": "SUM", "column": source, "label": label}


def number(key: str, title: str, dataset: str, metric: Json, only_on: str = "") -> Chart:
    """Return a chart that shows one number."""
    form = {"metric": metric}
    return Chart(key, title, "big_number_total", dataset, (), (metric,), form=form, only_on=only_on)


def pie(key: str, title: str, dataset: str, column: str, metric: Any, only_on: str = "") -> Chart:
    """Return a pie chart of `metric` by `column`."""
    form = {"metric": metric, "groupby": [column]}
    return Chart(key, title, "pie", dataset, (column,), (metric,), form=form, only_on=only_on)


def table(key: str, title: str, dataset: str, column: str, metric: Any) -> Chart:
    """Return a table of `metric` by `column`."""
    form = {"query_mode": "aggregate", "groupby": [column], "metrics": [metric]}
    return Chart(key, title, "table", dataset, (column,), (metric,), form=form)


def _over_months(key: str, title: str, dataset: str, column: str, metric: Json) -> Chart:
    axis = {
        "columnType": "BASE_AXIS",
        "expressionType": "SQL",
        "sqlExpression": column,
        "label": column,
        "timeGrain": "P1M",
    }
    form = {"x_axis": column, "time_grain_sqla": "P1M", "metrics": [metric], "groupby": []}
    return Chart(key, title, "echarts_timeseries_line", dataset, (axis,), (metric,), form=form)


_ENERGY = total("kwh", "кВт·ч")
_BROKEN = {"expressionType": "SQL", "sqlExpression": "SUM(no_such_column)", "label": "сломано"}

CHARTS = (
    number("revenue", "Выручка всего", "sales_orders", total("amount", "Выручка")),
    pie("orders", "Orders by status", "sales_orders", "status", "count"),
    table("products", "Топ продуктов", "sales_orders", "product", "revenue"),
    _over_months(
        "trend", "Revenue trend", "sales_orders", "order_date", total("amount", "Revenue")
    ),
    Chart(
        "plants",
        "Энергопотребление по станциям",
        "echarts_timeseries_bar",
        "energy_daily",
        ("plant",),
        (_ENERGY,),
        form={"x_axis": "plant", "metrics": [_ENERGY], "groupby": []},
    ),
    number("energy", "Total kWh", "energy_consumption", _ENERGY),
    pie("segments", "Customers by segment", "customers", "segment", "count"),
    table("regions", "Продажи: регионы", "продажи", "регион", total("сумма", "Сумма")),
    pie("births", "Births by gender", "birth_names", "gender", total("num", "Births")),
    table("names", "Top names", "birth_names", "name", total("num", "Births")),
    pie("share", "Доли регионов", "region_share", "region", total("amount", "Сумма"), "dev"),
    number("broken", "Сломанный график (нет колонки)", "sales_orders", _BROKEN, "dev"),
    Chart(
        "no_context",
        "Chart without query context",
        "table",
        "customers",
        form={"query_mode": "raw", "all_columns": ["id", "name"]},
        query_context=False,
        only_on="dev",
    ),
)
