"""Properties of the pure policy that hold for any facts."""

from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.policy_help import (
    ONE,
    PLAIN,
    RISKS,
    STAGES,
    TONES,
    definitions,
    impacts,
    places,
    policies,
    roles,
    settings,
    some_place,
    users,
)
from tools.catalog import SUPERSET
from tools.context import Role, User, role_in
from tools.definition import EDITORS, Impact, ToolDefinition
from tools.policy import Reason, decide
from tools.policy.rules import rule_of


def modest(policy: dict[str, Any]) -> dict[str, Any]:
    """A policy that never says `widen`."""
    if not isinstance(policy, dict):
        return policy
    return {key: modest(value) for key, value in policy.items() if key != "widen"}


@given(definitions, users, policies, impacts)
def test_risk_and_tone_are_monotone_in_stage(
    definition: ToolDefinition, user: User, policy: dict[str, Any], impact: Impact | None
):
    deployment = settings(policy)
    made = [decide(definition, user, stage, deployment, impact) for stage in STAGES]
    unknown = decide(replace(definition, environment="optional"), user, None, deployment, impact)

    levels = [RISKS.index(decision["risk"]) for decision in [*made, unknown]]
    assert levels == sorted(levels)
    if definition.effect == "write":
        tones = [TONES.index(decision["tone"]) for decision in made]
        assert tones == sorted(tones)


@given(definitions, users, policies, some_place, st.integers(0, 30), st.integers(0, 30))
def test_risk_is_monotone_in_impact(
    definition: ToolDefinition,
    user: User,
    policy: dict[str, Any],
    env_id: str | None,
    first: int,
    second: int,
):
    deployment = settings(policy)
    growing: list[Impact | None] = [
        Impact(changed=min(first, second)),
        Impact(changed=max(first, second)),
        Impact(changed=max(first, second), everything=True),
        Impact(changed=None),
        None,
    ]

    made = [decide(definition, user, env_id, deployment, impact) for impact in growing]

    levels = [RISKS.index(decision["risk"]) for decision in made]
    assert levels == sorted(levels)
    assert len({decision["verdict"] for decision in made}) == 1


@given(definitions, users, policies, some_place, impacts)
def test_policy_never_softens_a_denial_unless_it_says_so(
    definition: ToolDefinition,
    user: User,
    policy: dict[str, Any],
    env_id: str | None,
    impact: Impact | None,
):
    policy = modest(policy)

    plain = decide(definition, user, env_id, PLAIN, impact)
    decision = decide(definition, user, env_id, settings(policy), impact)

    if plain["verdict"] == "deny":
        assert decision["verdict"] == "deny"
    assert RISKS.index(decision["risk"]) >= RISKS.index(plain["risk"])


@given(definitions, users, policies, some_place, impacts)
def test_writes_ask_and_no_policy_lets_a_reader_write(
    definition: ToolDefinition,
    user: User,
    policy: dict[str, Any],
    env_id: str | None,
    impact: Impact | None,
):
    # What a declaration says is not the policy's to change: keep its roles to writers.
    if definition.effect == "write":
        definition = replace(definition, roles=definition.roles & EDITORS)

    decision = decide(definition, user, env_id, settings(policy), impact)

    if definition.effect == "write":
        assert decision["verdict"] in ("confirm", "deny")
        if user.role in ("viewer", "analyst"):
            assert decision["verdict"] == "deny"
    assert (decision["verdict"] == "deny") == (decision["reason"] != "ok")
    assert decision["reason"] in get_args(Reason)


@given(definitions, users, policies, st.sampled_from(["tool", "user", "role", "environment"]))
def test_everything_unknown_is_denied(
    definition: ToolDefinition, user: User, policy: dict[str, Any], unknown: str
):
    known: dict[str, Any] = {"definition": definition, "user": user, "env_id": "dev"}
    change: dict[str, dict[str, Any]] = {
        "tool": {"definition": None},
        "user": {"user": None},
        "role": {"user": replace(user, role="owner")},
        "environment": {"env_id": "elsewhere"},
    }

    decision = decide(**(known | change[unknown]), settings=settings(policy), impact=ONE)

    assert decision["verdict"] == "deny"


@pytest.mark.parametrize("name", SUPERSET.definitions)
@given(role=roles, policy=policies, impact=impacts)
def test_every_declared_tool_is_never_milder_where_mistakes_hurt_more(
    name: str, role: Role, policy: dict[str, Any], impact: Impact | None
):
    definition = SUPERSET.definitions[name]
    renamed = {
        key: {name if tool == "tool" else tool: entry for tool, entry in value.items()}
        if key == "tools"
        else value
        for key, value in policy.items()
    }
    for deployment in (PLAIN, settings(renamed)):
        made = [decide(definition, User("u", role), at, deployment, impact) for at in STAGES]
        levels = [RISKS.index(decision["risk"]) for decision in made]
        assert levels == sorted(levels)
        if definition.effect == "write":
            tones = [TONES.index(decision["tone"]) for decision in made]
            assert tones == sorted(tones)


answers = st.fixed_dictionaries(
    {
        "deny": st.none() | st.booleans(),
        "confirm": st.none() | st.booleans(),
        "approval": st.sampled_from([None, "own", "peer"]),
    }
)


@given(definitions, places, answers, answers, answers, st.sampled_from(["tool", "*"]))
def test_a_narrower_entry_takes_no_question_back_unless_it_says_so(
    definition: ToolDefinition, env_id: str, widest: Any, middle: Any, narrowest: Any, key: str
):
    stage = PLAIN.environments[env_id].stage
    policy = {"tools": {"*": widest}}
    policies = [
        policy,
        policy | {"stages": {stage: {key: middle}}},
        policy | {"stages": {stage: {key: middle}}, "environments": {env_id: {"tool": narrowest}}},
    ]
    rules = [rule_of(definition, env_id, stage, settings(one)) for one in policies]

    for wider, narrower in pairwise(rules):
        assert narrower.deny >= wider.deny
        assert narrower.confirm >= wider.confirm
        assert (narrower.approval == "peer") >= (wider.approval == "peer")


@given(definitions, users, policies, places, st.dictionaries(roles, st.just("viewer")))
def test_the_role_of_the_target_is_the_one_that_counts(
    definition: ToolDefinition,
    user: User,
    policy: dict[str, Any],
    env_id: str,
    lowered: dict[Role, Role],
):
    deployment = settings(policy, {env_id: {"roles": lowered}})
    here = role_in(user, env_id, deployment.environments[env_id])
    if definition.environment == "none":
        here = user.role
    plain = settings(policy, {env_id: {"roles": {}}})

    decision = decide(definition, user, env_id, deployment, ONE)

    same = decide(definition, replace(user, role=here, roles={}), env_id, plain, ONE)
    assert decision == same
