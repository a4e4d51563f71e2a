"""Datasets of real Supersets: which is meant, and how it stands to its table."""

from demo.supersets import Pair
from tests.graph.exploring import Explore, change, found
from tools.clients.superset import Superset
from tools.connect import Services


async def test_a_dataset_that_fits_its_table(explore: Explore, services: Services) -> None:
    result = await found(explore, services, dataset="customers")
    assert result["kind"] == "physical"
    assert result["comparison"] == {"state": "compared", "missing": [], "new": [], "retyped": []}
    assert result["charts"]["all"] > 0
    assert result["review"]["documentation"] == {"state": "not_set_up"}
    assert result["review"]["columns"] == len(result["items"])


async def test_planted_differences_are_found(
    pair: Pair, explore: Explore, services: Services
) -> None:
    await change(
        pair,
        "DROP VIEW sales_by_region",
        "ALTER TABLE customers ADD COLUMN planted_new TEXT",
        "ALTER TABLE customers RENAME COLUMN segment TO planted_renamed",
        "ALTER TABLE customers DROP COLUMN region",
        "ALTER TABLE customers ADD COLUMN region INTEGER",
    )
    compared = (await found(explore, services, dataset="customers"))["comparison"]
    assert compared["missing"] == ["segment"]
    assert compared["new"] == ["planted_new", "planted_renamed"]
    assert compared["retyped"] == [{"name": "region", "dataset": "TEXT", "table": "INTEGER"}]


async def test_a_query_is_compared_by_what_it_gives(explore: Explore, services: Services) -> None:
    result = await found(explore, services, role="analyst", dataset="energy_daily")
    assert result["kind"] == "virtual"
    assert result["comparison"] == {"state": "compared", "missing": [], "new": [], "retyped": []}


async def test_what_cannot_be_compared_says_why(
    pair: Pair, explore: Explore, services: Services
) -> None:
    result = await found(explore, services, role="viewer", dataset="energy_daily")
    assert result["comparison"]["state"] == "not_compared"
    assert result["comparison"]["reason"]
    assert result["charts"]["all"] > 0
    await change(pair, "DROP TABLE customers")
    result = await found(explore, services, dataset="customers")
    assert result["comparison"]["state"] == "not_compared"
    assert "no such table" in result["comparison"]["reason"]


async def test_titles_that_the_account_may_not_see_are_withheld(
    explore: Explore, services: Services, dev: Superset
) -> None:
    result = await found(explore, services, role="viewer", dataset="sales_orders")
    boards = result["dashboards"]
    own = services.superset("ss-dev", "viewer")
    allowed = {row["id"] async for row in own.rows("dashboard", ["id"])}
    everything = {row["id"] async for row in dev.rows("dashboard", ["id"])}
    assert {item["id"] for item in boards["visible"]} <= allowed < everything
    assert boards["all"] >= len(boards["visible"]) > 100
