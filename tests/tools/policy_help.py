"""Tools, deployments and users of the policy's tests, by hand and at random."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from hypothesis import strategies as st

from tools.context import ROLES, User
from tools.definition import (
    ADMINS,
    ANALYSTS,
    EVERYONE,
    OPERATORS,
    Impact,
    Lexicon,
    Prepared,
    ToolDefinition,
    Toolset,
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


def settings(
    policy: Mapping[str, Any] | None = None, more: Mapping[str, dict[str, Any]] | None = None
) -> Settings:
    """Three environments of the three stages, and one without accounts for most roles.

    Args:
        policy: The section `[policy]`.
        more: Further keys of environments, by their id.
    """

    def environment(stage: str, roles: list[str]) -> dict[str, Any]:
        account = {"roles": roles, "username": "u", "password_env": "SECRET"}
        return {"title": stage, "stage": stage, "url": "http://127.0.0.1", "credentials": [account]}

    everyone = list(ROLES)
    places = {stage: environment(stage, everyone) for stage in STAGES}
    places |= {"closed": environment("dev", ["admin"])}  # type: ignore[dict-item]
    for env_id, keys in (more or {}).items():
        places[env_id] |= keys  # type: ignore[index]
    return parse_settings({"policy": dict(policy or {}), "environments": places})


PLAIN = settings()
READ = tool("read")
WRITE = tool("write", effect="write", roles=OPERATORS)
OPERATOR = User("olga", "operator")
ADMIN = User("anna", "admin")
VIEWER = User("vera", "viewer")
ONE = Impact(changed=1)


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
        "deny": st.booleans(),
        "confirm": st.booleans(),
        "approval": st.sampled_from(["own", "peer"]),
    },
)
sections = st.fixed_dictionaries({}, optional={"tool": overrides, "*": overrides})
places = st.sampled_from([*STAGES, "closed"])
policies = st.fixed_dictionaries(
    {
        "confirm_reads": st.booleans(),
        "tools": sections,
        "stages": st.dictionaries(st.sampled_from(STAGES), sections),
        "environments": st.dictionaries(places, sections),
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
    environments=st.none() | st.frozensets(places),
    roles=st.dictionaries(places, roles),
)
some_place = st.none() | places
