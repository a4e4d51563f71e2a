"""What a deployment's policy changes: per tool, stage and environment, and never by accident."""

from dataclasses import replace
from typing import Any

import pytest

from tests.tools.policy_help import (
    ADMIN,
    ONE,
    OPERATOR,
    READ,
    STAGES,
    VIEWER,
    WRITE,
    settings,
    tool,
)
from tools.context import User
from tools.definition import OPERATORS
from tools.policy import decide


@pytest.mark.parametrize(
    ("policy", "role", "stage", "reason"),
    [
        # Tighter, per tool and per stage.
        ({"tools": {"write": {"roles": ["admin"]}}}, "operator", "dev", "role"),
        ({"tools": {"write": {"roles": ["admin"]}}}, "admin", "dev", "ok"),
        ({"stages": {"prod": {"write": {"roles": ["admin"]}}}}, "operator", "prod", "role"),
        ({"stages": {"prod": {"write": {"roles": ["admin"]}}}}, "operator", "dev", "ok"),
        ({"tools": {"write": {"roles": []}}}, "admin", "dev", "role"),
        # The stage's entry wins over the tool's.
        (
            {
                "tools": {"write": {"roles": ["admin"]}},
                "stages": {"dev": {"write": {"roles": ["operator", "admin"]}}},
            },
            "operator",
            "dev",
            "ok",
        ),
        # Stages in which a tool may act.
        ({"tools": {"write": {"stages": ["dev"]}}}, "operator", "prod", "stage"),
        ({"tools": {"write": {"stages": ["dev"]}}}, "operator", "dev", "ok"),
        ({"tools": {"write": {"stages": []}}}, "admin", "dev", "stage"),
        # Wider only where the policy says that it is meant, and never for readers.
        ({"tools": {"write": {"roles": ["editor"]}}}, "editor", "dev", "role"),
        ({"tools": {"write": {"roles": ["editor"], "widen": True}}}, "editor", "dev", "ok"),
        ({"tools": {"write": {"roles": ["analyst"], "widen": True}}}, "analyst", "dev", "role"),
        # Nobody at all.
        ({"tools": {"write": {"deny": True}}}, "admin", "dev", "policy"),
        ({"tools": {"*": {"deny": True}}}, "admin", "dev", "policy"),
        ({"stages": {"prod": {"write": {"deny": True}}}}, "admin", "prod", "policy"),
        ({"stages": {"prod": {"write": {"deny": True}}}}, "admin", "dev", "ok"),
        ({"environments": {"dev": {"write": {"deny": True}}}}, "admin", "dev", "policy"),
        ({"environments": {"dev": {"write": {"deny": True}}}}, "admin", "prod", "ok"),
        # What is denied widely is allowed narrowly only where that is meant.
        (
            {"tools": {"*": {"deny": True}}, "stages": {"dev": {"write": {"deny": False}}}},
            "admin",
            "dev",
            "policy",
        ),
        (
            {
                "tools": {"*": {"deny": True}},
                "stages": {"dev": {"write": {"deny": False, "widen": True}}},
            },
            "admin",
            "dev",
            "ok",
        ),
        # The environment's entry wins over the stage's.
        (
            {
                "stages": {"dev": {"write": {"roles": ["admin"]}}},
                "environments": {"dev": {"write": {"roles": ["operator"]}}},
            },
            "operator",
            "dev",
            "ok",
        ),
    ],
)
def test_policy_overrides(policy: dict[str, Any], role: Any, stage: str, reason: str):
    assert decide(WRITE, User("u", role), stage, settings(policy), ONE)["reason"] == reason


@pytest.mark.parametrize(
    ("policy", "env_id", "approval"),
    [
        ({}, "prod", "own"),
        ({"stages": {"prod": {"*": {"approval": "peer"}}}}, "prod", "peer"),
        ({"stages": {"prod": {"*": {"approval": "peer"}}}}, "dev", "own"),
        # No environment, and who knows what is hit: as in production.
        ({"stages": {"prod": {"*": {"approval": "peer"}}}}, None, "peer"),
        ({"stages": {"prod": {"write": {"approval": "peer"}}}}, "prod", "peer"),
        ({"environments": {"dev": {"write": {"approval": "peer"}}}}, "dev", "peer"),
        ({"environments": {"dev": {"write": {"approval": "peer"}}}}, "staging", "own"),
        (
            {
                "stages": {"prod": {"*": {"approval": "peer"}, "write": {"approval": "own"}}},
            },
            "prod",
            "peer",
        ),
        (
            {
                "stages": {
                    "prod": {
                        "*": {"approval": "peer"},
                        "write": {"approval": "own", "widen": True},
                    }
                },
            },
            "prod",
            "own",
        ),
    ],
)
def test_whose_yes_a_call_needs(policy: dict[str, Any], env_id: str | None, approval: str):
    definition = replace(WRITE, environment="optional")

    assert decide(definition, OPERATOR, env_id, settings(policy), ONE)["approval"] == approval


@pytest.mark.parametrize(
    ("policy", "verdict"),
    [
        ({"tools": {"read": {"confirm": True}}}, "confirm"),
        ({"environments": {"prod": {"*": {"confirm": True}}}}, "run"),
        ({"confirm_reads": True, "tools": {"read": {"confirm": False}}}, "confirm"),
        ({"confirm_reads": True, "tools": {"read": {"confirm": False, "widen": True}}}, "run"),
    ],
)
def test_reads_are_asked_about_where_the_policy_says_so(policy: dict[str, Any], verdict: str):
    assert decide(READ, VIEWER, "dev", settings(policy))["verdict"] == verdict


def test_no_policy_keeps_a_write_from_asking():
    loose = settings({"tools": {"write": {"confirm": False, "widen": True}}})

    assert decide(WRITE, OPERATOR, "dev", loose, ONE)["verdict"] == "confirm"


def test_an_environment_s_risk_counts_there_and_where_mistakes_hurt_more():
    definition = tool(effect="write", roles=OPERATORS, risk="safe")
    changed = settings({"environments": {"dev": {"tool": {"risk": "dangerous"}}}})

    made = {at: decide(definition, ADMIN, at, changed, ONE)["risk"] for at in [*STAGES, "closed"]}

    assert made == dict.fromkeys(STAGES, "dangerous") | {"closed": "safe"}


def test_a_tool_kept_to_stages_does_not_run_without_an_environment():
    kept = settings({"tools": {"tool": {"stages": ["dev"]}}})

    assert decide(tool(environment="optional"), ADMIN, None, kept)["reason"] == "stage"


@pytest.mark.parametrize(
    ("override", "risk"),
    [
        ({"risk": "dangerous"}, "dangerous"),
        ({"risk": "safe"}, "guarded"),
        ({"risk": "safe", "widen": True}, "safe"),
    ],
)
def test_risk_is_lowered_only_where_that_is_meant(override: dict[str, Any], risk: str):
    changed = settings({"tools": {"write": override}})

    assert decide(WRITE, OPERATOR, "dev", changed, ONE)["risk"] == risk


@pytest.mark.parametrize(
    ("raised", "risks"),
    [
        # A stage's risk holds there and where mistakes hurt more, not where they hurt less.
        ("dev", ["dangerous", "dangerous", "dangerous"]),
        ("staging", ["safe", "dangerous", "dangerous"]),
        ("prod", ["safe", "guarded", "dangerous"]),
    ],
)
def test_a_stage_s_risk_counts_from_there_on(raised: str, risks: list[str]):
    definition = tool(effect="write", roles=OPERATORS, risk="safe")
    changed = settings({"stages": {raised: {"tool": {"risk": "dangerous"}}}})

    made = [decide(definition, OPERATOR, stage, changed, ONE)["risk"] for stage in STAGES]

    assert made == risks
