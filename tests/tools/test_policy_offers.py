"""Which tools are offered, and that none of them would be denied."""

from typing import Any

import pytest
from hypothesis import given

from tests.tools.policy_help import (
    ADMIN,
    CATALOGUE,
    OPERATOR,
    PLAIN,
    VARIANTS,
    VIEWER,
    policies,
    settings,
    some_place,
    tool,
    users,
)
from tools.context import ROLES, ObjectType, Role, UIContext, User
from tools.policy import STRICT_AFFINITY, decide, offer
from tools.settings import Settings


def page(**facts: Any) -> UIContext:
    return UIContext.model_validate(facts)


def names(
    user: User | None,
    where: UIContext | None,
    deployment: Settings = PLAIN,
    named: frozenset[str] = frozenset(),
) -> list[str]:
    return [definition.name for definition in offer(CATALOGUE, user, where, deployment, named)]


ALL = [definition.name for definition in CATALOGUE]


@pytest.mark.parametrize(
    ("user", "where", "expected"),
    [
        (None, None, []),
        (User("x", "root"), None, []),
        (ADMIN, None, ALL),
        (OPERATOR, None, ALL[:-1]),
        (VIEWER, None, ALL[:4]),
        (VIEWER, page(objectType="dashboard", envId="dev"), ALL[:4]),
        (OPERATOR, page(objectType="dashboard", envId="dev"), [*ALL[:4], "start_maintenance"]),
        (
            ADMIN,
            page(objectType="dataset", envId="dev"),
            [*ALL[:3], "superset_explore_database", "superset_audit_permissions"],
        ),
        (VIEWER, page(objectType="migration", envId="dev"), [ALL[0], "search_dashboards"]),
        (ADMIN, page(route="/settings", envId="dev"), ALL),
        # Without an environment: only what needs none.
        (ADMIN, page(route="/settings"), [ALL[0], ALL[1], "get_health_summary"]),
        (ADMIN, page(objectType="dataset"), [ALL[0], ALL[1]]),
        # No account for the role.
        (VIEWER, page(envId="closed"), ALL[:2]),
        (ADMIN, page(envId="closed"), ALL),
    ],
)
def test_offers(user: User | None, where: UIContext | None, expected: list[str]):
    assert names(user, where) == expected


@pytest.mark.parametrize("affinity", ["default", "strict"])
@pytest.mark.parametrize("kind", [None, "dashboard", "dataset", "migration"])
@pytest.mark.parametrize("role", ROLES)
def test_what_reads_on_is_offered_on_every_page_once_a_result_was_shortened(
    role: Role, kind: ObjectType | None, affinity: str
):
    deployment = settings({"affinity": affinity})
    tools = [tool("read_result", environment="none", when="shortened")]
    for where in (None, page(objectType=kind), page(objectType=kind, envId="closed")):
        assert offer(tools, User("x", role), where, deployment) == []
        assert offer(tools, User("x", role), where, deployment, shortened=True) == tools
    assert offer(tools, None, None, deployment, shortened=True) == []
    assert offer(tools, User("x", "root"), None, deployment, shortened=True) == []


def test_named_environments_open_what_needs_one():
    nowhere = page(objectType="dashboard")

    assert "start_maintenance" not in names(OPERATOR, nowhere)
    assert "start_maintenance" in names(OPERATOR, nowhere, named=frozenset({"dev"}))
    assert "start_maintenance" not in names(OPERATOR, nowhere, named=frozenset({"closed"}))
    assert "start_maintenance" not in names(OPERATOR, nowhere, named=frozenset({"nowhere"}))
    # From a page whose environment is closed to the role, another one may be named.
    assert "search_dashboards" in names(VIEWER, page(envId="closed"), named=frozenset({"dev"}))


def test_a_user_of_some_environments_is_offered_what_can_be_called_there():
    visitor = User("v", "operator", environments=frozenset({"closed"}))

    assert "start_maintenance" not in names(visitor, None)
    assert names(visitor, page(envId="prod")) == ["show_capabilities", "list_environments"]


def test_strict_affinity_is_the_letter_of_the_context_stories():
    strict = settings({"affinity": "strict"})
    everything = [tool(name, environment="none") for name in sorted(_all_names())]

    for kind, expected in STRICT_AFFINITY.items():
        offered = offer(everything, ADMIN, page(objectType=kind), strict)
        assert {definition.name for definition in offered} == expected
    assert {kind: len(tools) for kind, tools in STRICT_AFFINITY.items()} == {
        "dashboard": 9,
        "dataset": 9,
    }
    # No letter speaks of a migration's page: the declarations' sets stay.
    assert names(VIEWER, page(objectType="migration", envId="dev"), strict) == [
        "show_capabilities",
        "search_dashboards",
    ]
    assert names(ADMIN, page(envId="dev"), strict) == ALL


def _all_names() -> set[str]:
    others = {"run_backup", "start_maintenance", "superset_copy_dashboard", "end_maintenance"}
    return others.union(*STRICT_AFFINITY.values())


@given(users, some_place, policies)
def test_nothing_is_offered_that_would_be_denied(user: User, env_id: str | None, policy: Any):
    deployment = settings(policy)

    for definition in offer([*VARIANTS.values()], user, page(envId=env_id), deployment):
        assert decide(definition, user, env_id, deployment)["verdict"] != "deny"


def test_the_offer_follows_the_role_of_the_environment():
    guest = User("g", "viewer", roles={"dev": "operator"})

    assert "start_maintenance" in names(guest, page(objectType="dashboard", envId="dev"))
    assert "start_maintenance" not in names(guest, page(objectType="dashboard", envId="prod"))
    assert "start_maintenance" in names(guest, None)  # somewhere it can be called
