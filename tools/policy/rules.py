"""What the declaration and a deployment's policy together say of one tool in one place."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from tools.context import ROLES, Role, Stage
from tools.definition import ToolDefinition
from tools.settings import ANY_TOOL, Approver, Policy, Risk, Settings, ToolPolicies, ToolPolicy

WRITERS: frozenset[Role] = frozenset({"editor", "operator", "admin"})
"""Roles that a policy may let write; no policy makes a reader a writer."""

STAGES: tuple[Stage, ...] = get_args(Stage)
"""From the mildest to the one where mistakes hurt most; an unknown one counts as the last."""

RISKS: tuple[Risk, ...] = get_args(Risk)
"""From the mildest to the worst."""


class Rule(NamedTuple):
    """What holds for a tool in a place.

    Attributes:
        roles: Who may call it, from the least powerful.
        risk: Before stage and impact raise it.
        stages: Where it may act; None: everywhere.
        deny: Whether nobody may call it.
        confirm: Whether a person is asked before a read, too.
        approval: Whose yes it needs.
    """

    roles: list[Role]
    risk: Risk
    stages: list[Stage] | None
    deny: bool
    confirm: bool
    approval: Approver


def rule_of(
    definition: ToolDefinition, env_id: str | None, stage: Stage | None, settings: Settings
) -> Rule:
    """Join the declaration with the policy: a narrower entry wins over a wider one, key by key.

    What a wider entry denies, asks about or gives to a peer, a narrower one takes back only where
    it says `widen`.

    Args:
        definition: The tool.
        env_id: The environment it acts on; None: none.
        stage: Stage of that environment; None: there is none, and it counts as the last.
        settings: The deployment.
    """
    policy = settings.policy
    roles, stages = definition.roles, None
    deny, confirm, approval = False, policy.confirm_reads, _nowhere(definition, stage, policy)
    for entry in _entries(definition.name, env_id, stage, policy):
        if entry.roles is not None:
            roles = moved_roles(definition, entry)
        if entry.stages is not None:
            stages = entry.stages
        if entry.deny is not None and (entry.deny or entry.widen):
            deny = entry.deny
        if entry.confirm is not None and (entry.confirm or entry.widen):
            confirm = entry.confirm
        if entry.approval == "peer" or (entry.approval is not None and entry.widen):
            approval = entry.approval
    ordered = [role for role in ROLES if role in roles]
    return Rule(
        ordered, _base(definition, env_id, stage, settings), stages, deny, confirm, approval
    )


def _entries(
    name: str, env_id: str | None, stage: Stage | None, policy: Policy
) -> Iterator[ToolPolicy]:
    """The entries that are about a tool in a place, from the widest to the narrowest."""
    sections = [policy.tools]
    if stage is not None and stage in policy.stages:
        sections.append(policy.stages[stage])
    if env_id is not None and env_id in policy.environments:
        sections.append(policy.environments[env_id])
    for section in sections:
        for key in (ANY_TOOL, name):
            if key in section:
                yield section[key]


def _nowhere(definition: ToolDefinition, stage: Stage | None, policy: Policy) -> Approver:
    """Whose yes a call without an environment needs: as in the stage where mistakes hurt most."""
    if stage is not None or not policy.stages or definition.effect == "read":
        return "own"
    entries = _entries(definition.name, None, STAGES[-1], policy)
    return "peer" if any(entry.approval == "peer" for entry in entries) else "own"


def _base(
    definition: ToolDefinition, env_id: str | None, stage: Stage | None, settings: Settings
) -> Risk:
    """The risk before stage and impact raise it; a stage is never below a milder one."""
    policy = settings.policy
    general = _moved(definition, policy.tools)
    level = RISKS.index(general or definition.risk)
    if policy.stages:
        level = _of_stages(definition, level, stage, policy)
    for place, section in policy.environments.items():
        there = settings.environments[place].stage
        if place == env_id or stage is None or STAGES.index(there) < STAGES.index(stage):
            level = max(level, RISKS.index(_moved(definition, section) or "safe"))
    return RISKS[level]


def _of_stages(
    definition: ToolDefinition, general: int, stage: Stage | None, policy: Policy
) -> int:
    """The highest risk of the stages up to one, where one without an entry has the general risk."""
    level = 0
    for each in STAGES:
        special = _moved(definition, policy.stages.get(each, {}))
        level = max(level, general if special is None else RISKS.index(special))
        if each == stage:
            break
    return level


def _moved(definition: ToolDefinition, section: ToolPolicies) -> Risk | None:
    """The risk that a section gives to a tool, or None."""
    for key in (definition.name, ANY_TOOL):
        entry = section.get(key)
        if entry is not None and entry.risk is not None:
            return moved_risk(definition, entry)
    return None


def moved_roles(definition: ToolDefinition, override: ToolPolicy) -> frozenset[Role]:
    """The roles that an override leaves or gives to a tool."""
    roles = frozenset(override.roles or ())
    if not override.widen:
        return roles & definition.roles
    return roles & WRITERS if definition.effect == "write" else roles


def moved_risk(definition: ToolDefinition, override: ToolPolicy) -> Risk:
    """The base risk that an override gives to a tool."""
    if override.risk is None:
        return definition.risk
    if override.widen:
        return override.risk
    return max(definition.risk, override.risk, key=RISKS.index)
