"""Datasets of real Supersets: which is meant, and how it stands to its table."""

import asyncio
import json
import re
from types import ModuleType
from typing import Any

import httpx
import pytest

from demo.supersets import Pair
from tests.graph.exploring import TOOL, Explore, change, found, names_may_repeat, told_message
from tests.network import Network
from tools.catalog import SUPERSET
from tools.clients.superset import Superset
from tools.connect import Services
from tools.context import Language
from tools.messages import text
from tools.models.answers import told
from tools.settings import Settings
from tools.toolsets.explore import compare, datasets, mapping
from tools.toolsets.explore.answer_dataset import NAMED

SANDBOX = 2


@pytest.mark.parametrize(
    ("language", "rest", "hidden"),
    [
        ("en", r"(\d+) more are not named here\.", r"(\d+) more you may not see\."),
        ("ru", r"Ещё (\d+) здесь не названы\.", r"Ещё (\d+) вам не вид\w+\."),
    ],
)
async def test_of_many_dashboards_the_first_are_named_and_the_rest_counted(
    explore: Explore,
    services: Services,
    dev: Superset,
    language: Language,
    rest: str,
    hidden: str,
) -> None:
    [sales] = await dev.datasets("sales_orders")
    body = {"description": "All *orders*"}
    await dev.request_json("PUT", f"/api/v1/dataset/{sales.id}", body=body, write=True)
    result = await found(explore, services, dataset="sales_orders")
    there = result["dashboards"]
    said = told(told_message(result), TOOL, language, SUPERSET.definitions)
    [line] = [one for one in said.splitlines() if "Sales Overview" in one]
    [more], [unseen] = re.findall(rest, line), re.findall(hidden, line)
    assert (int(more), int(unseen)) == (
        len(there["visible"]) - NAMED,
        there["all"] - len(there["visible"]),
    )
    assert len(re.findall(r"\(\d+\)[,.]", line)) == NAMED
    assert r": All \*orders\*" in said


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


async def dataset_of(superset: Superset, database: int, table: str) -> int:
    """Make a dataset on a table; its id."""
    body = {"database": database, "schema": "main", "table_name": table}
    made = await superset.request_json("POST", "/api/v1/dataset/", body=body, write=True)
    return int(made["id"])


async def test_several_datasets_of_one_name_are_asked_about(
    pair: Pair, explore: Explore, services: Services, dev: Superset
) -> None:
    await names_may_repeat(pair, "dev")
    await change(pair, "CREATE TABLE customers (id INTEGER)", database="sandbox")
    [first] = await dev.datasets("customers")
    second = await dataset_of(dev, SANDBOX, "customers")
    for words in ("customers", "CUSTOMERS", "main.customers"):
        message = await explore(dataset=words)
        assert (message.artifact["kind"], message.artifact["slot"]) == ("question", "dataset")
        assert f"- Analytics / main / customers ({first.id})" in message.text
        assert f"- Sandbox / main / customers ({second})" in message.text
    for number in (first.id, second):
        assert (await found(explore, services, dataset=str(number)))["id"] == number
        assert (await found(explore, services, dataset=f"#{number}"))["id"] == number
    for database, number in (("Analytics", first.id), ("Sandbox", second)):
        there = await found(explore, services, dataset="customers", database=database)
        assert (there["id"], there["database"]) == (number, database)


async def test_a_number_is_an_id_and_else_a_name(
    pair: Pair, explore: Explore, services: Services, dev: Superset
) -> None:
    [shares] = await dev.datasets("Доли регионов")
    names = (str(shares.id), "202412")
    await change(
        pair, *(f'CREATE TABLE "{name}" (id INTEGER)' for name in names), database="sandbox"
    )
    same, other = [await dataset_of(dev, SANDBOX, name) for name in names]
    assert (await found(explore, services, dataset=str(shares.id)))["dataset"] == "Доли регионов"
    assert (await found(explore, services, dataset="202412"))["id"] == other
    inside = await found(explore, services, dataset=str(shares.id), database="Sandbox")
    assert inside["id"] == same
    for number, database in ((999_999, None), (other, "Analytics")):
        within = {} if database is None else {"database": database}
        message = await explore(dataset=str(number), **within)
        assert (message.artifact["kind"], message.artifact["slot"]) == ("question", "dataset")


VOUCHED = {"certification": {"certified_by": "Data *team*", "details": "checked <b>daily</b>"}}


@pytest.mark.parametrize(
    ("language", "extra", "words"),
    [
        ("en", VOUCHED, r"Certified by Data \*team\*: checked \<b\>daily\</b\>."),
        ("ru", VOUCHED, r"Сертифицирован: Data \*team\* (checked \<b\>daily\</b\>)."),
        ("en", {"certification": {"certified_by": "Ann"}}, "Certified by Ann."),
        ("ru", {"certification": {"certified_by": "Аня"}}, "Сертифицирован: Аня."),
        ("en", {"warning_markdown": "old [data](x)"}, r"Its owners warn: old \[data\](x)"),
        ("ru", {"warning_markdown": "старые"}, "Владельцы предупреждают: старые"),
    ],
)
async def test_who_vouches_for_a_dataset_is_shown(
    explore: Explore,
    services: Services,
    dev: Superset,
    language: Language,
    extra: dict[str, Any],
    words: str,
) -> None:
    [customers] = await dev.datasets("customers")
    path, body = f"/api/v1/dataset/{customers.id}", {"extra": json.dumps(extra)}
    await dev.request_json("PUT", path, body=body, write=True)
    result = await found(explore, services, dataset="customers")
    assert words in told(told_message(result), TOOL, language, SUPERSET.definitions)


@pytest.mark.parametrize("extra", ["no JSON", "[]", '{"certification": 7}', "{}", ""])
async def test_what_nobody_vouches_for_is_not_said_to_be_certified(
    explore: Explore, services: Services, dev: Superset, extra: str
) -> None:
    """Superset takes any text there."""
    [customers] = await dev.datasets("customers")
    path = f"/api/v1/dataset/{customers.id}"
    await dev.request_json("PUT", path, body={"extra": extra}, write=True)
    result = await found(explore, services, dataset="customers")
    assert (result["certified_by"], result["certification"], result["warning"]) == (None,) * 3
    assert "ertified" not in told(told_message(result), TOOL, "en", SUPERSET.definitions)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("dataset", "where", "path", "limit", "words"),
    [
        ("customers", "dev", "/table_metadata/", (compare, "SECONDS"), "compare-late"),
        ("energy_daily", "dev", "/sqllab/execute/", (compare, "SECONDS"), "compare-late"),
        ("customers", "dev", "/related_objects", (datasets, "SECONDS"), "timed-out"),
        ("customers", "prod", "/api/v1/dataset/", (mapping, "SECONDS"), "timed-out"),
    ],
)
async def test_a_part_that_takes_too_long_is_said_to(
    pair: Pair,
    explore: Explore,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    language: Language,
    dataset: str,
    where: str,
    path: str,
    limit: tuple[ModuleType, str],
    words: str,
) -> None:
    """The rest of the answer is there all the same."""
    slow = getattr(pair, where).url

    async def before(request: httpx.Request) -> None:
        if str(request.url).startswith(slow) and request.url.path.endswith(path):
            await asyncio.sleep(60)

    monkeypatch.setattr(*limit, 0.5)
    services = Services(settings, transport=Network(before))
    asked = {"over": services, "language": language, "role": "analyst", "dataset": dataset}
    result = await found(explore, services, **asked)
    await services.aclose()
    said = text(language, words, **({"seconds": 0} if words == "compare-late" else {}))
    parts = [result["comparison"], result["charts"], *result["environments"]]
    problems = [part.get("reason") or part.get("problem") for part in parts]
    assert [one for one in problems if one] == [said]
    assert said in told(told_message(result), TOOL, language, SUPERSET.definitions)
    assert result["items"]
