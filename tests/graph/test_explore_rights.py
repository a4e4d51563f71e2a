"""What an account of Superset may not see: it is never said to be missing."""

from collections.abc import AsyncIterator

import pytest

from tests.graph.exploring import Explore, found, names
from tests.superset.real import narrow_account
from tools.clients.superset import Superset
from tools.connect import Services
from tools.settings import Settings


@pytest.fixture
async def narrow(
    settings: Settings, dev: Superset, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Services]:
    """A deployment whose viewers may see one dataset of the development installation."""
    account = await narrow_account(dev, "sales_orders")
    there = settings.environments["ss-dev"]
    credentials = [
        one.model_copy(update={"username": account.username}) if "viewer" in one.roles else one
        for one in there.credentials
    ]
    [variable] = [one.variable for one in there.credentials if "viewer" in one.roles]
    monkeypatch.setenv(variable, account.password)
    changed = {"ss-dev": there.model_copy(update={"credentials": credentials})}
    services = Services(
        settings.model_copy(update={"environments": settings.environments | changed})
    )
    yield services
    await services.aclose()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"database": "Sandbox", "table": "notes"}, "no database “Sandbox” here, or you may not"),
        ({"database": "Analytics", "table": "customers"}, "the account of your role may not see"),
        ({"database": "Analytics", "table": "main.customers"}, "of your role may not see it"),
        ({"dataset": "customers"}, "no dataset “customers” here, or you may not see it"),
    ],
)
async def test_what_is_hidden_is_said_to_be_missing_or_hidden(
    explore: Explore, narrow: Services, arguments: dict[str, str], said: str
) -> None:
    """Superset answers 404, or nothing, to both."""
    message = await explore(over=narrow, language="en", **arguments)
    assert message.artifact["kind"] == "question"
    assert said in message.text


async def test_lists_have_what_the_account_may_see(explore: Explore, narrow: Services) -> None:
    for listing, expected in (("databases", "Analytics"), ("datasets", "sales_orders")):
        assert names(await found(explore, narrow, over=narrow, listing=listing)) == [expected]
    asked = {"listing": "tables", "database": "Analytics"}
    assert names(await found(explore, narrow, over=narrow, **asked)) == ["sales_orders"]
    whole = await found(explore, narrow, over=narrow, dataset="sales_orders")
    assert whole["comparison"]["state"] == "compared"
    assert whole["charts"]["all"] > 0
