"""The pure policy: tables of the rules, and properties that hold for any facts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.context import ROLES, ObjectType, Role, UIContext, User
from tools.definition import (
    ADMINS,
    ANALYSTS,
    EDITORS,
    EVERYONE,
    OPERATORS,
    Impact,
    Lexicon,
    Prepared,
    ToolDefinition,
    Toolset,
)
from tools.policy import (
    MANY,
    STRICT_AFFINITY,
    Reason,
    decide,
    offer,
    policy_problems,
    policy_version,
)
from tools.settings import Settings, Stage, parse_settings

RISKS = ("safe", "guarded", "dangerous")
TONES = ("info", "warning", "destructive")
STAGES: tuple[Stage, ...] = get_args(Stage)


async def nothing(arguments: dict[str, Any], call: Any) -> Prepared:
    """Prepare nothing: only facts are judged here."""
    return Prepared(arguments)


def tool(name: str = "tool", **facts: Any) -> ToolDefinition:
    async def function(env_id: str | None = None) -> str:
        """Do something.

        Args:
            env_id: Where.
        """
        return "done"

    function.__name__ = name
    toolset = Toolset("test")
    given_facts = {"effect": "read", "roles": EVERYONE, "prepare": nothing} | facts
    toolset.tool(lexicon=Lexicon(("thing",)), ru="Сделай", en="Do it", **given_facts)(function)
    return toolset.definitions[0]


def settings(policy: Mapping[str, Any] | None = None) -> Settings:
    """Three environments of the three stages, and one without accounts for most roles."""

    def environment(stage: str, roles: list[str]) -> dict[str, Any]:
        account = {"roles": roles, "username": "u", "password_env": "SECRET"}
        return {"title": stage, "stage": stage, "url": "http://127.0.0.1", "credentials": [account]}

    everyone = list(ROLES)
    return parse_settings(
        {
            "policy": dict(policy or {}),
            "environments": {stage: environment(stage, everyone) for stage in STAGES}
            | {"closed": environment("dev", ["admin"])},
        }
    )


PLAIN = settings()
READ = tool("read")
WRITE = tool("write", effect="write", roles=OPERATORS)
OPERATOR = User("olga", "operator")
ADMIN = User("anna", "admin")
VIEWER = User("vera", "viewer")
ONE = Impact(changed=1)


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
    ],
)
def test_policy_overrides(policy: dict[str, Any], role: Any, stage: str, reason: str):
    assert decide(WRITE, User("u", role), stage, settings(policy), ONE)["reason"] == reason


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


# Properties -------------------------------------------------------------------------------------

roles = st.sampled_from(ROLES)
role_sets = st.frozensets(roles)
impacts = st.none() | st.builds(
    Impact,
    changed=st.none() | st.integers(0, 30),
    created=st.integers(0, 30),
    removed=st.integers(0, 30),
    everything=st.booleans(),
)
overrides = st.fixed_dictionaries(
    {},
    optional={
        "roles": st.lists(roles, unique=True),
        "risk": st.sampled_from(RISKS),
        "stages": st.lists(st.sampled_from(STAGES), unique=True),
        "widen": st.booleans(),
    },
)
policies = st.fixed_dictionaries(
    {
        "confirm_reads": st.booleans(),
        "tools": st.fixed_dictionaries({}, optional={"tool": overrides}),
        "stages": st.dictionaries(
            st.sampled_from(STAGES), st.fixed_dictionaries({}, optional={"tool": overrides})
        ),
    }
)
VARIANTS = {
    (effect, need): tool(effect=effect, environment=need)
    for effect in ("read", "write")
    for need in ("none", "optional", "required")
}
definitions = st.builds(
    lambda shape, risk, allowed: replace(VARIANTS[shape], risk=risk, roles=allowed),
    st.sampled_from(list(VARIANTS)),
    st.sampled_from(RISKS),
    role_sets,
)
users = st.builds(
    User,
    id=st.just("u"),
    role=roles,
    environments=st.none() | st.frozensets(st.sampled_from([*STAGES, "closed"])),
)
places = st.none() | st.sampled_from([*STAGES, "closed"])


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


@given(definitions, users, policies, places, st.integers(0, 30), st.integers(0, 30))
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


@given(definitions, users, policies, places, impacts)
def test_policy_never_softens_a_denial_unless_it_says_so(
    definition: ToolDefinition,
    user: User,
    policy: dict[str, Any],
    env_id: str | None,
    impact: Impact | None,
):
    entries = [*policy["tools"].values()]
    entries += [entry for tools in policy["stages"].values() for entry in tools.values()]
    for entry in entries:
        entry.pop("widen", None)

    plain = decide(definition, user, env_id, PLAIN, impact)
    decision = decide(definition, user, env_id, settings(policy), impact)

    if plain["verdict"] == "deny":
        assert decision["verdict"] == "deny"
    assert RISKS.index(decision["risk"]) >= RISKS.index(plain["risk"])


@given(definitions, users, policies, places, impacts)
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


# The offer --------------------------------------------------------------------------------------

CATALOGUE = [
    tool("show_capabilities", environment="none", affinity=frozenset()),
    tool("list_environments", environment="none", affinity=frozenset({"dashboard", "dataset"})),
    tool("search_dashboards"),
    tool("get_health_summary", environment="optional", affinity=frozenset({"dashboard"})),
    tool(
        "superset_explore_database",
        roles=ANALYSTS,
        affinity=frozenset({"dataset"}),
    ),
    tool("start_maintenance", effect="write", roles=OPERATORS, affinity=frozenset({"dashboard"})),
    tool("superset_audit_permissions", roles=ADMINS, affinity=frozenset({"dataset"})),
]


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


@given(st.sampled_from([*ROLES]), st.sampled_from([None, *STAGES, "closed"]), policies)
def test_nothing_is_offered_that_would_be_denied(role: Any, env_id: str | None, policy: Any):
    user, deployment = User("u", role), settings(policy)

    for definition in offer([*VARIANTS.values()], user, page(envId=env_id), deployment):
        assert decide(definition, user, env_id, deployment)["verdict"] != "deny"


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
    ],
)
def test_what_a_policy_says_in_vain_is_found(policy: dict[str, Any], problems: list[str]):
    assert policy_problems(settings(policy), [READ, WRITE]) == problems
