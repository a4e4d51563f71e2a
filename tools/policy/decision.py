"""What becomes of one call: who may make it there, how risky it is, how its card looks."""

from typing import Literal, NamedTuple, TypedDict, get_args

from tools.context import ROLES, Role, Stage, User
from tools.definition import Effect, Impact, ToolDefinition
from tools.settings import Environment, Policy, Risk, Settings, ToolPolicy

Verdict = Literal["run", "confirm", "deny"]
"""What becomes of a call: it runs, a person is asked first, or it never runs."""

Tone = Literal["success", "info", "warning", "destructive"]
"""How a card looks: a read, a small change, a dangerous one, a change where mistakes hurt most."""

Reason = Literal[
    "ok",
    "unknown_tool",
    "unknown_user",
    "unknown_environment",
    "environment_needed",
    "environment_not_allowed",
    "stage",
    "role",
    "no_credentials",
]
"""Why a call is denied.

ok: it is not. unknown_tool: no such tool is declared. unknown_user: nobody is signed in, or the
role is none of ours. unknown_environment: the deployment has no such environment.
environment_needed: the tool acts on an environment and none is named. environment_not_allowed:
the user's token does not name this environment. stage: the policy keeps the tool out of
environments of this stage. role: another role is required. no_credentials: the environment has no
account for the user's role.
"""


class GuardrailDecision(TypedDict):
    """The judgement of one call."""

    verdict: Verdict
    effect: Effect
    risk: Risk
    tone: Tone
    stage: Stage | None
    """Stage of the target environment; None: there is none, or it is unknown."""
    required_roles: list[Role]
    """Roles that may make this call, from the least powerful; empty for an unknown tool."""
    reason: Reason


MANY = 10
"""More changed objects than this make a guarded call dangerous."""

WRITERS: frozenset[Role] = frozenset({"editor", "operator", "admin"})
"""Roles that a policy may let write; no policy makes a reader a writer."""

STAGES: tuple[Stage, ...] = get_args(Stage)
"""From the mildest to the one where mistakes hurt most; an unknown one counts as the last."""

RISKS: tuple[Risk, ...] = ("safe", "guarded", "dangerous")
"""From the mildest to the worst."""


class _Rule(NamedTuple):
    """What declaration and policy together say of one tool in one stage."""

    roles: list[Role]
    risk: Risk
    stages: list[Stage] | None


def decide(
    definition: ToolDefinition | None,
    user: User | None,
    env_id: str | None,
    settings: Settings,
    impact: Impact | None = None,
) -> GuardrailDecision:
    """Judge one call.

    Args:
        definition: The called tool; None: there is none of that name.
        user: The authenticated user; None: nobody.
        env_id: The environment the call acts on, if any.
        settings: The deployment.
        impact: What a preview counted; None for a write means that nobody counted.
    """
    environment = settings.environments.get(env_id) if env_id is not None else None
    stage = environment.stage if environment is not None else None
    if definition is None:
        return _decision("deny", "write", "dangerous", stage, [], "unknown_tool")
    if definition.environment == "none":
        stage = None
    rule = _rule(definition, stage, settings)
    reason = _refusal(definition, user, env_id, environment, rule)
    verdict: Verdict = "deny"
    if reason == "ok":
        asks = definition.effect == "write" or settings.policy.confirm_reads
        verdict = "confirm" if asks else "run"
    risk = _risk(definition.effect, rule.risk, stage, impact)
    return _decision(verdict, definition.effect, risk, stage, rule.roles, reason)


def _decision(
    verdict: Verdict,
    effect: Effect,
    risk: Risk,
    stage: Stage | None,
    roles: list[Role],
    reason: Reason,
) -> GuardrailDecision:
    return {
        "verdict": verdict,
        "effect": effect,
        "risk": risk,
        "tone": _tone(effect, risk, stage),
        "stage": stage,
        "required_roles": roles,
        "reason": reason,
    }


def _refusal(
    definition: ToolDefinition,
    user: User | None,
    env_id: str | None,
    environment: Environment | None,
    rule: _Rule,
) -> Reason:
    """The first reason against a call, or ok; who one is comes before where one may act."""
    if user is None or user.role not in ROLES:
        return "unknown_user"
    if env_id is not None and environment is None:
        return "unknown_environment"
    if user.role not in rule.roles:
        return "role"
    if environment is None or definition.environment == "none":
        if definition.environment == "required":
            return "environment_needed"
        return "ok" if rule.stages is None else "stage"
    return _place_refusal(user, environment, env_id, rule)


def _place_refusal(user: User, environment: Environment, env_id: str | None, rule: _Rule) -> Reason:
    """The first reason against acting in an environment, or ok."""
    if user.environments is not None and env_id not in user.environments:
        return "environment_not_allowed"
    if rule.stages is not None and environment.stage not in rule.stages:
        return "stage"
    return "ok" if environment.credentials_for(user.role) is not None else "no_credentials"


def _rule(definition: ToolDefinition, stage: Stage | None, settings: Settings) -> _Rule:
    """Join the declaration with the policy: a stage's entry, then the tool's, wins field-wise."""
    policy, name = settings.policy, definition.name
    roles, stages = definition.roles, None
    general = policy.tools.get(name)
    special = policy.stages[stage].get(name) if stage in policy.stages else None
    for override in (general, special):
        if override is None:
            continue
        if override.roles is not None:
            roles = moved_roles(definition, override)
        if override.stages is not None:
            stages = override.stages
    return _Rule(
        [role for role in ROLES if role in roles], _base(definition, stage, policy), stages
    )


def _base(definition: ToolDefinition, stage: Stage | None, policy: Policy) -> Risk:
    """The risk before stage and impact raise it; a stage is never below a milder one."""
    general = moved_risk(definition, policy.tools.get(definition.name))
    if not policy.stages:
        return general
    level = 0
    for each in STAGES:
        entry = policy.stages.get(each, {}).get(definition.name)
        special = moved_risk(definition, entry) if entry and entry.risk else general
        level = max(level, RISKS.index(special))
        if each == stage:
            break
    return RISKS[level]


def moved_roles(definition: ToolDefinition, override: ToolPolicy) -> frozenset[Role]:
    """The roles that an override leaves or gives to a tool."""
    roles = frozenset(override.roles or ())
    if not override.widen:
        return roles & definition.roles
    return roles & WRITERS if definition.effect == "write" else roles


def moved_risk(definition: ToolDefinition, override: ToolPolicy | None) -> Risk:
    """The base risk that an override gives to a tool."""
    if override is None or override.risk is None:
        return definition.risk
    if override.widen:
        return override.risk
    return max(definition.risk, override.risk, key=RISKS.index)


def _risk(effect: Effect, base: Risk, stage: Stage | None, impact: Impact | None) -> Risk:
    """Raise the declared risk of a write by where it acts and by how much it would change."""
    if effect == "read":
        return base
    level = RISKS.index(base)
    if stage == "staging":
        level = max(level, 1)
    elif stage != "dev":
        level += 1
    return RISKS[min(level + _is_much(impact), 2)]


def _is_much(impact: Impact | None) -> bool:
    """Whether more objects change than a person takes in, or nobody knows how many."""
    if impact is None or impact.changed is None or impact.everything:
        return True
    return impact.changed + impact.removed > MANY


def _tone(effect: Effect, risk: Risk, stage: Stage | None) -> Tone:
    if effect == "read":
        return "success"
    if stage not in ("dev", "staging"):
        return "destructive"
    return "warning" if risk == "dangerous" else "info"
