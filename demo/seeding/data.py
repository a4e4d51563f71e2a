"""The analytics data behind the demo's datasets: SQLite files, the same in every build."""

import random
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

_TABLES = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT, segment TEXT, created_at TIMESTAMP);
CREATE TABLE sales_orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), order_date DATE,
    product TEXT, quantity INTEGER, amount NUMERIC(12, 2), status TEXT);
CREATE TABLE energy_consumption (
    ts TIMESTAMP, plant TEXT, meter_id INTEGER, kwh REAL, cost_rub NUMERIC(12, 2));
CREATE TABLE birth_names (year INTEGER, state TEXT, gender TEXT, name TEXT, num INTEGER);
CREATE TABLE "продажи" ("дата" DATE, "регион" TEXT, "сумма" NUMERIC(12, 2));
CREATE TABLE empty_table (id INTEGER, note TEXT);
CREATE INDEX sales_orders_by_date ON sales_orders (order_date);
CREATE VIEW sales_by_region AS
    SELECT c.region, SUM(o.amount) AS amount
    FROM sales_orders AS o JOIN customers AS c ON c.id = o.customer_id GROUP BY c.region;
"""
_REGIONS = ("Москва", "Санкт-Петербург", "Казань", "Новосибирск", "Berlin", "Paris")
_PRODUCTS = ("Widget", "Gadget", "Насос", "Турбина")
_STATUSES = ("new", "paid", "shipped", "cancelled")
_PLANTS = ("ТЭЦ-1", "ТЭЦ-2", "ГЭС-5", "Plant North")
_STATES = ("CA", "NY", "TX", "FL", "IL")
_NAMES = (("girl", "Emma"), ("girl", "Olivia"), ("girl", "Ava"), ("boy", "Liam"), ("boy", "Noah"))
_FIRST_DAY = date(2025, 1, 1)
_CUSTOMERS = 300


def write_data(installation: str, folder: Path) -> None:
    """Write `analytics.db` and `sandbox.db` of an installation into `folder`."""
    # Production has more rows: a person sees at once which data a chart read.
    orders = 4000 if installation == "dev" else 8000
    random_of = random.Random(f"pilothouse {installation}")  # noqa: S311 - invented data
    with closing(sqlite3.connect(folder / "analytics.db")) as database, database:
        database.executescript(_TABLES)
        _fill(database, random_of, orders)
    with closing(sqlite3.connect(folder / "sandbox.db")) as database, database:
        database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT)")
        database.execute("INSERT INTO notes (note) VALUES ('This database may be written to')")


def _fill(database: sqlite3.Connection, dice: random.Random, orders: int) -> None:
    def day(span: int) -> date:
        return _FIRST_DAY + timedelta(days=dice.randrange(span))

    def moment(hours: int) -> str:
        return f"{_FIRST_DAY + timedelta(days=hours // 24)} {hours % 24:02d}:00:00"

    rows: dict[str, list[tuple[object, ...]]] = {
        "customers": [
            (
                number,
                f"{'Клиент' if number % 2 else 'Customer'} {number}",
                dice.choice(_REGIONS),
                dice.choice(("B2B", "B2C", "Gov")),
                f"{day(600)} 00:00:00",
            )
            for number in range(1, _CUSTOMERS + 1)
        ],
        "sales_orders": [
            (
                number,
                dice.randint(1, _CUSTOMERS),
                str(day(600)),
                dice.choice(_PRODUCTS),
                dice.randint(1, 20),
                round(dice.uniform(10, 5000), 2),
                dice.choice(_STATUSES),
            )
            for number in range(1, orders + 1)
        ],
        "energy_consumption": [
            (moment(step * 6), plant, meter, _near(dice, 500, 80), _near(dice, 3500, 500))
            for step in range(orders // 8)
            for meter, plant in enumerate(_PLANTS, 1)
        ],
        "birth_names": [
            (year, state, gender, name, dice.randint(50, 900))
            for year in range(1965, 2009)
            for state in _STATES
            for gender, name in _NAMES
        ],
        '"продажи"': [
            (str(day(365)), dice.choice(_REGIONS), round(dice.uniform(100, 9000), 2))
            for _ in range(orders // 4)
        ],
    }
    for table, values in rows.items():
        marks = ", ".join("?" * len(values[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608 - ours


def _near(dice: random.Random, middle: float, spread: float) -> float:
    return round(dice.gauss(middle, spread), 2)
