"""A dataset in other environments than the one that is asked: where it is, and who may know."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from demo.supersets import Pair
from demo.supersets import Superset as Installation
from tests.graph.exploring import (
    DATASET,
    TOOL,
    Explore,
    found,
    names,
    names_may_repeat,
    told_message,
)
from tests.superset.real import Recorder
from tools.catalog import SUPERSET
from tools.clients.superset import Superset
from tools.connect import Services
from tools.context import Language
from tools.messages.markdown import escape
from tools.models.answers import told
from tools.settings import Policy, Settings, ToolPolicy


async def test_the_dataset_is_found_in_the_other_environment(
    explore: Explore, services: Services
) -> None:
    result = await found(explore, services, dataset="customers")
    here, there = result["environments"]
    assert here["environment"] == "ss-dev"
    assert (there["environment"], there["state"], there["by"]) == ("ss-prod", "there", "uuid")
    assert (there["missing"], there["new"]) == ([], [])
    prod = await services.superset("ss-prod", "viewer").dataset(there["id"])
    assert prod.uuid == result["uuid"]
    assert prod.id != result["id"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "2 datasets have this name"), ("ru", "имя у 2 датасетов")]
)
async def test_several_of_its_name_elsewhere_are_no_guess(
    pair: Pair, explore: Explore, services: Services, language: Language, words: str
) -> None:
    """None has its uuid, so that nobody can tell which is the same."""
    await names_may_repeat(pair, "prod")
    prod = services.superset("ss-prod", "admin")
    named = {"schema": "main", "table_name": "Доли регионов", "sql": "SELECT 1 AS region"}
    ids = []
    for database in (1, 2):
        body = named | {"database": database}
        made = await prod.request_json("POST", "/api/v1/dataset/", body=body, write=True)
        ids.append(made["id"])
    result = await found(explore, services, dataset="Доли регионов")
    there = result["environments"][1]
    assert there == {"environment": "ss-prod", "state": "several", "ids": ids}
    text = told(told_message(result), TOOL, language, SUPERSET.definitions)
    assert words in text
    assert f"{ids[0]}, {ids[1]}" in text


async def test_an_environment_that_is_down_does_not_harm_the_answer(
    explore: Explore, settings: Settings
) -> None:
    away = settings.environments["ss-prod"].model_copy(update={"url": "http://127.0.0.1:9"})
    both = settings.environments | {"ss-prod": away}
    services = Services(settings.model_copy(update={"environments": both}))
    result = await found(explore, services, over=services, dataset="customers")
    await services.aclose()
    [_, there] = result["environments"]
    assert (there["environment"], there["state"]) == ("ss-prod", "not_read")
    assert "cannot be reached" in there["problem"]
    assert result["comparison"]["state"] == "compared"


async def test_the_page_gives_the_dataset(
    explore: Explore, services: Services, dev: Superset
) -> None:
    (customers,) = await dev.datasets("customers")
    page = DATASET | {"objectId": str(customers.id)}
    result = await found(explore, services, ui=page)
    assert result["uuid"] == customers.uuid
    listed = await found(explore, services, ui=page, listing="databases")
    assert names(listed) == ["Analytics", "Sandbox"]


async def test_the_page_of_one_environment_means_the_same_dataset_in_another(
    explore: Explore, services: Services, dev: Superset
) -> None:
    """Row 19 of the reports: what was meant for one installation went to another."""
    (customers,) = await dev.datasets("customers")
    page = DATASET | {"objectId": str(customers.id)}
    result = await found(explore, services, ui=page, env_id="ss-prod")
    assert result["environment"] == "ss-prod"
    assert result["uuid"] == customers.uuid
    assert result["id"] != customers.id


async def test_a_dataset_that_is_only_here_is_asked_for_there(
    explore: Explore, services: Services, dev: Superset
) -> None:
    body = {"database": 1, "schema": "main", "table_name": "empty_table"}
    made = await dev.request_json("POST", "/api/v1/dataset/", body=body, write=True)
    message = await explore(ui=DATASET | {"objectId": str(made["id"])}, env_id="ss-prod")
    assert message.artifact["kind"] == "question", message.text
    assert "empty\\_table" in message.text


DENIALS = {
    "stage": Policy(tools={TOOL: ToolPolicy(stages=["dev"])}),
    "environment": Policy(environments={"ss-prod": {TOOL: ToolPolicy(deny=True)}}),
    "every tool": Policy(environments={"ss-prod": {"*": ToolPolicy(deny=True)}}),
    "role": Policy(stages={"prod": {TOOL: ToolPolicy(roles=["admin"])}}),
}
"""Policies under which nobody below admin may look into production."""
ASKS = {"asks": Policy(stages={"prod": {TOOL: ToolPolicy(confirm=True)}})}
"""One under which a person is asked before."""


@dataclass(frozen=True)
class Watched:
    """A deployment under a policy, and whom it asks."""

    services: Services
    recorder: Recorder

    def asked(self, installation: Installation) -> int:
        """How many requests an installation got."""
        return sum(str(one.url).startswith(installation.url) for one in self.recorder.requests)


@pytest.fixture
async def under(settings: Settings) -> AsyncIterator[Callable[[Policy], Watched]]:
    made: list[Watched] = []

    def make(policy: Policy) -> Watched:
        recorder = Recorder()
        changed = settings.model_copy(update={"policy": policy})
        made.append(Watched(Services(changed, transport=recorder), recorder))
        return made[-1]

    yield make
    for watched in made:
        await watched.services.aclose()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "could not be read: "), ("ru", "не удалось узнать: ")]
)
@pytest.mark.parametrize("policy", (DENIALS | ASKS).values(), ids=(DENIALS | ASKS).keys())
async def test_an_environment_that_the_policy_closes_gets_no_request(
    pair: Pair,
    explore: Explore,
    under: Callable[[Policy], Watched],
    policy: Policy,
    language: Language,
    words: str,
) -> None:
    watched = under(policy)
    asked = {"over": watched.services, "language": language}
    result = await found(explore, watched.services, **asked, dataset="customers")
    [here, there] = result["environments"]
    assert (here["environment"], here["state"]) == ("ss-dev", "here")
    assert (there["environment"], there["state"]) == ("ss-prod", "not_read")
    text = told(told_message(result), TOOL, language, SUPERSET.definitions)
    assert f"- ss-prod: {words}{escape(there['problem'])}" in text
    assert watched.asked(pair.prod) == 0
    assert watched.asked(pair.dev) > 0


async def test_an_environment_that_is_not_the_user_s_is_neither_asked_nor_named(
    pair: Pair, explore: Explore, under: Callable[[Policy], Watched]
) -> None:
    watched = under(Policy())
    allowed = frozenset({"ss-dev"})
    message = await explore(over=watched.services, environments=allowed, dataset="customers")
    assert message.artifact["kind"] == "result"
    assert "ss-prod" not in message.text
    assert watched.asked(pair.prod) == 0


@pytest.mark.parametrize("policy", DENIALS.values(), ids=DENIALS.keys())
async def test_a_page_s_dataset_is_not_looked_up_where_the_policy_forbids(
    pair: Pair, explore: Explore, dev: Superset, under: Callable[[Policy], Watched], policy: Policy
) -> None:
    """The page of one environment, a question about the other: both are read for the uuid."""
    (customers,) = await dev.datasets("customers")
    page = DATASET | {"objectId": str(customers.id)}
    watched = under(policy)
    message = await explore(over=watched.services, ui=page, env_id="ss-prod")
    assert message.artifact["kind"] == "denied"
    assert watched.asked(pair.prod) == watched.asked(pair.dev) == 0
    away = page | {"envId": "ss-prod"}
    words = "What is it in ss-dev?"
    message = await explore(over=watched.services, ui=away, words=words, env_id="ss-dev")
    assert message.artifact["kind"] == "question", message.text
    assert message.artifact["slot"] == "dataset"
    assert watched.asked(pair.prod) == 0
