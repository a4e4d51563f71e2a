"""What becomes of one call: who may make it there, how risky it is, how its card looks."""

from typing import Literal, TypedDict

from tools.context import ROLES, Role, Stage, User, role_in
from tools.definition import Effect, Impact, ToolDefinition
from tools.policy.rules import RISKS, Rule, rule_of
from tools.settings import Approver, Environment, Risk, Settings

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
    "policy",
]
"""Why a call is denied.

ok: it is not. unknown_tool: no such tool is declared. unknown_user: nobody is signed in, or the
role is none of ours. unknown_environment: the deployment has no such environment.
environment_needed: the tool acts on an environment and none is named. environment_not_allowed:
the user's token does not name this environment. stage: the policy keeps the tool out of
environments of this stage. role: another role is required. no_credentials: the environment has no
account for the user's role. policy: the deployment lets nobody call the tool there.
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
    approval: Approver
    """Whose yes a call needs that asks: the asker's own, or another user's."""


MANY = 10
"""More changed objects than this make a guarded call dangerous."""


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
        return _decision("deny", "write", "dangerous", stage, [], "unknown_tool", "own")
    unknown = env_id is not None and environment is None
    if definition.environment == "none":
        env_id, environment, stage = None, None, None
    rule = rule_of(definition, env_id, stage, settings)
    if user is None or user.role not in ROLES:
        reason: Reason = "unknown_user"
    elif unknown:
        reason = "unknown_environment"
    else:
        reason = _refusal(definition, user, env_id, environment, rule)
    verdict: Verdict = "deny"
    if reason == "ok":
        verdict = "confirm" if definition.effect == "write" or rule.confirm else "run"
    risk = _risk(definition.effect, rule.risk, stage, impact)
    return _decision(verdict, definition.effect, risk, stage, rule.roles, reason, rule.approval)


def refused_everywhere(
    definition: ToolDefinition | None, user: User | None, settings: Settings
) -> GuardrailDecision | None:
    """The refusal of a call that this user may make in no place at all; None: in some, perhaps."""
    first = decide(definition, user, None, settings)
    if definition is None or first["reason"] in ("unknown_tool", "unknown_user"):
        return first
    if first["reason"] not in ("role", "policy"):
        return None
    places = settings.environments if definition.environment != "none" else ()
    decisions = (decide(definition, user, env_id, settings) for env_id in places)
    return None if any(one["verdict"] != "deny" for one in decisions) else first


def _decision(
    verdict: Verdict,
    effect: Effect,
    risk: Risk,
    stage: Stage | None,
    roles: list[Role],
    reason: Reason,
    approval: Approver,
) -> GuardrailDecision:
    return {
        "verdict": verdict,
        "effect": effect,
        "risk": risk,
        "tone": _tone(effect, risk, stage),
        "stage": stage,
        "required_roles": roles,
        "reason": reason,
        "approval": approval,
    }


def _refusal(
    definition: ToolDefinition,
    user: User,
    env_id: str | None,
    environment: Environment | None,
    rule: Rule,
) -> Reason:
    """The first reason against a known user's call, or ok; who comes before where."""
    role = role_in(user, env_id, environment)
    if role not in rule.roles:
        return "role"
    if rule.deny:
        return "policy"
    if environment is None:
        if definition.environment == "required":
            return "environment_needed"
        return "ok" if rule.stages is None else "stage"
    if user.environments is not None and env_id not in user.environments:
        return "environment_not_allowed"
    if rule.stages is not None and environment.stage not in rule.stages:
        return "stage"
    return "ok" if environment.credentials_for(role) is not None else "no_credentials"


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
