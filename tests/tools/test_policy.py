"""The pure policy: tables of the rules, its version, and what it says in vain."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.layout import ROOT
from tests.tools.policy_help import (
    ADMIN,
    CATALOGUE,
    ONE,
    OPERATOR,
    PLAIN,
    READ,
    VIEWER,
    WRITE,
    settings,
    tool,
)
from tools.context import ROLES, User
from tools.definition import ADMINS, OPERATORS, Impact, ToolDefinition
from tools.policy import (
    MANY,
    check_policy,
    decide,
    policy_problems,
    policy_version,
    refused_everywhere,
)
from tools.settings import SettingsError, parse_settings


@pytest.mark.parametrize(
    ("definition", "user", "env_id", "verdict", "reason"),
    [
        (READ, VIEWER, "dev", "run", "ok"),
        (READ, VIEWER, "prod", "run", "ok"),
        (WRITE, OPERATOR, "dev", "confirm", "ok"),
        (WRITE, OPERATOR, "prod", "confirm", "ok"),
        (None, ADMIN, "dev", "deny", "unknown_tool"),
        (READ, None, "dev", "deny", "unknown_user"),
        (READ, User("x", "root"), "dev", "deny", "unknown_user"),
        (READ, ADMIN, "nowhere", "deny", "unknown_environment"),
        (tool(environment="none"), ADMIN, "nowhere", "deny", "unknown_environment"),
        (READ, ADMIN, None, "deny", "environment_needed"),
        (tool(environment="optional"), VIEWER, None, "run", "ok"),
        (tool(environment="none"), VIEWER, None, "run", "ok"),
        (WRITE, VIEWER, "dev", "deny", "role"),
        (WRITE, VIEWER, None, "deny", "role"),
        (WRITE, OPERATOR, "closed", "deny", "no_credentials"),
        (WRITE, ADMIN, "closed", "confirm", "ok"),
        (READ, replace(VIEWER, environments=frozenset({"dev"})), "dev", "run", "ok"),
        (
            READ,
            replace(VIEWER, environments=frozenset({"dev"})),
            "prod",
            "deny",
            "environment_not_allowed",
        ),
        (READ, replace(ADMIN, environments=frozenset()), "dev", "deny", "environment_not_allowed"),
    ],
)
def test_verdicts(
    definition: ToolDefinition | None,
    user: User | None,
    env_id: str | None,
    verdict: str,
    reason: str,
):
    decision = decide(definition, user, env_id, PLAIN, ONE)

    assert (decision["verdict"], decision["reason"]) == (verdict, reason)


@pytest.mark.parametrize(
    ("base", "stage", "impact", "risk", "tone"),
    [
        ("safe", "dev", ONE, "safe", "info"),
        ("safe", "staging", ONE, "guarded", "info"),
        ("safe", "prod", ONE, "guarded", "destructive"),
        ("guarded", "dev", ONE, "guarded", "info"),
        ("guarded", "staging", ONE, "guarded", "info"),
        ("guarded", "prod", ONE, "dangerous", "destructive"),
        ("dangerous", "dev", ONE, "dangerous", "warning"),
        ("guarded", "dev", Impact(changed=MANY), "guarded", "info"),
        ("guarded", "dev", Impact(changed=MANY + 1), "dangerous", "warning"),
        ("guarded", "dev", Impact(changed=6, removed=5), "dangerous", "warning"),
        ("guarded", "dev", Impact(changed=1, created=50), "guarded", "info"),
        ("guarded", "dev", Impact(changed=1, everything=True), "dangerous", "warning"),
        ("guarded", "dev", Impact(changed=None), "dangerous", "warning"),
        ("guarded", "dev", None, "dangerous", "warning"),
        ("safe", "dev", None, "guarded", "info"),
    ],
)
def test_risk_and_tone_of_writes(
    base: str, stage: str, impact: Impact | None, risk: str, tone: str
):
    definition = tool(effect="write", roles=OPERATORS, risk=base)

    decision = decide(definition, OPERATOR, stage, PLAIN, impact)

    assert (decision["risk"], decision["tone"], decision["stage"]) == (risk, tone, stage)


def test_a_write_without_environment_counts_as_production():
    decision = decide(
        tool(effect="write", roles=OPERATORS, environment="none"), OPERATOR, None, PLAIN, ONE
    )

    assert decision["tone"] == "destructive"
    assert decision["stage"] is None
    assert decision["risk"] == "dangerous"


def test_reads_look_like_success_and_ask_only_under_confirm_reads():
    asking = settings({"confirm_reads": True})

    assert decide(READ, VIEWER, "prod", PLAIN)["tone"] == "success"
    decision = decide(READ, VIEWER, "prod", asking)
    assert (decision["verdict"], decision["tone"], decision["risk"]) == (
        "confirm",
        "success",
        "safe",
    )


def test_required_roles_stand_in_order_of_power():
    assert decide(WRITE, VIEWER, "dev", PLAIN)["required_roles"] == ["operator", "admin"]
    assert decide(READ, None, "dev", PLAIN)["required_roles"] == list(ROLES)
    assert decide(None, ADMIN, "dev", PLAIN)["required_roles"] == []


GUEST = User("g", "viewer", roles={"dev": "operator"})
LESS = settings(more={"prod": {"roles": {"operator": "viewer"}}})


@pytest.mark.parametrize(
    ("user", "env_id", "deployment", "reason"),
    [
        (GUEST, "dev", PLAIN, "ok"),
        (GUEST, "prod", PLAIN, "role"),
        (GUEST, None, PLAIN, "role"),
        (replace(GUEST, role="admin", roles={"prod": "viewer"}), "prod", PLAIN, "role"),
        (OPERATOR, "prod", LESS, "role"),
        (OPERATOR, "dev", LESS, "ok"),
        (ADMIN, "prod", LESS, "ok"),
        (User("g", "viewer", roles={"prod": "operator"}), "prod", LESS, "role"),
        # An account must serve the role that one has there.
        (replace(ADMIN, roles={"closed": "operator"}), "closed", PLAIN, "no_credentials"),
        (replace(GUEST, roles={"closed": "admin"}), "closed", PLAIN, "ok"),
    ],
)
def test_the_role_is_that_of_the_environment(
    user: User, env_id: str | None, deployment: Any, reason: str
):
    assert decide(WRITE, user, env_id, deployment, ONE)["reason"] == reason


@pytest.mark.parametrize(
    ("definition", "user", "reason"),
    [
        (WRITE, VIEWER, "role"),
        (WRITE, OPERATOR, None),
        (WRITE, GUEST, None),
        (replace(WRITE, environment="none"), GUEST, "role"),
        (None, ADMIN, "unknown_tool"),
        (WRITE, None, "unknown_user"),
        (WRITE, User("x", "root"), "unknown_user"),  # type: ignore[arg-type]
    ],
)
def test_what_is_refused_before_it_is_known_where(
    definition: ToolDefinition | None, user: User | None, reason: str | None
):
    refusal = refused_everywhere(definition, user, PLAIN)

    assert (refusal and refusal["reason"]) == reason


# Versions and mistakes --------------------------------------------------------------------------


def test_the_version_follows_rules_and_facts_only():
    plain = policy_version(PLAIN, CATALOGUE)

    assert len(plain) == 16
    assert policy_version(settings(), [*reversed(CATALOGUE)]) == plain
    assert policy_version(settings({"confirm_reads": True}), CATALOGUE) != plain
    assert policy_version(PLAIN, CATALOGUE[1:]) != plain
    moved = [replace(CATALOGUE[0], roles=ADMINS), *CATALOGUE[1:]]
    assert policy_version(PLAIN, moved) != plain
    text = PLAIN.model_dump(mode="json")
    text["environments"]["dev"]["title"] = "Another title"
    assert policy_version(parse_settings(text), CATALOGUE) == plain
    text["environments"]["dev"]["roles"] = {"admin": "viewer"}
    assert policy_version(parse_settings(text), CATALOGUE) != plain
    text["environments"]["dev"]["stage"] = "prod"
    assert policy_version(parse_settings(text), CATALOGUE) != plain


@pytest.mark.parametrize(
    ("policy", "problems"),
    [
        ({}, []),
        ({"tools": {"write": {"roles": ["admin"], "risk": "dangerous"}}}, []),
        ({"tools": {"writ": {"roles": ["admin"]}}}, ["[policy.tools.writ] there is no such tool"]),
        (
            {"stages": {"prod": {"write": {"roles": ["editor"]}}}},
            ["[policy.stages.prod.write] more roles than the declaration's need widen = true"],
        ),
        (
            {"tools": {"write": {"roles": ["analyst"], "widen": True}}},
            ["[policy.tools.write] only editor, operator and admin may write"],
        ),
        (
            {"tools": {"write": {"risk": "safe"}}},
            ["[policy.tools.write] less risk than the declaration's needs widen = true"],
        ),
        (
            {"environments": {"dev": {"*": {"deny": False}}}},
            ["[policy.environments.dev.*] deny = false needs widen = true"],
        ),
        (
            {"stages": {"prod": {"write": {"approval": "own", "confirm": False}}}},
            [
                "[policy.stages.prod.write] confirm = false needs widen = true",
                '[policy.stages.prod.write] approval = "own" needs widen = true',
            ],
        ),
    ],
)
def test_what_a_policy_says_in_vain_is_found(policy: dict[str, Any], problems: list[str]):
    deployment = settings(policy)
    assert policy_problems(deployment, [READ, WRITE]) == problems
    if problems:
        with pytest.raises(SettingsError, match=re.escape(problems[0])):
            check_policy(deployment, [READ, WRITE])
    else:
        check_policy(deployment, [READ, WRITE])


def test_a_policy_with_a_slip_of_the_pen_stops_the_server(tmp_path: Path):
    config = tmp_path / "pilothouse.toml"
    config.write_text("[policy.tools.start_maintenence]\nroles = ['admin']\n", encoding="utf-8")
    env = {"PILOTHOUSE_CONFIG": str(config), "PYTHONPATH": str(ROOT), "PATH": ""}

    made = subprocess.run(
        [sys.executable, "-c", "import graph.superset"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert made.returncode == 1
    assert "[policy.tools.start_maintenence] there is no such tool" in made.stderr
