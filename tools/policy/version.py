"""Which rules are in force, and what a policy says in vain."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from tools.context import Role
from tools.definition import ToolDefinition
from tools.policy.rules import WRITERS, moved_risk
from tools.settings import ANY_TOOL, Environment, Settings, SettingsError, ToolPolicy

_RULES = 2
"""Part of the version: raised when the rules of this package change."""


def policy_version(settings: Settings, definitions: Iterable[ToolDefinition]) -> str:
    """Name the rules that are in force: other rules have another version.

    It covers the policy's settings, the environments' stages and roles, and the facts of the
    declarations; not their order, titles or secrets.

    Returns:
        16 hexadecimal characters.
    """
    facts = {
        "rules": _RULES,
        "policy": settings.policy.model_dump(mode="json"),
        "environments": {
            env_id: [environment.stage, sorted(_served(environment)), dict(environment.roles)]
            for env_id, environment in settings.environments.items()
        },
        "tools": {definition.name: _facts(definition) for definition in definitions},
    }
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def policy_problems(settings: Settings, definitions: Iterable[ToolDefinition]) -> list[str]:
    """Find what a policy says in vain, so that a slip of the pen does not weaken it unseen.

    Returns:
        A sentence for each unknown tool, each widening that is not marked as one, and each
        reader who would write; empty when all is well.
    """
    known = {definition.name: definition for definition in definitions}
    policy = settings.policy
    sections = {"policy.tools": policy.tools}
    sections |= {f"policy.stages.{stage}": tools for stage, tools in policy.stages.items()}
    sections |= {f"policy.environments.{env}": tools for env, tools in policy.environments.items()}
    return [
        f"[{section}.{name}] {problem}"
        for section, tools in sections.items()
        for name, override in tools.items()
        for problem in _entry_problems(name, known.get(name), override)
    ]


def check_policy(settings: Settings, definitions: Iterable[ToolDefinition]) -> None:
    """Refuse a policy that says something in vain: a slip of the pen would open what it closes.

    Raises:
        SettingsError: names every such entry.
    """
    problems = policy_problems(settings, definitions)
    if problems:
        raise SettingsError("; ".join(problems))


def _served(environment: Environment) -> list[Role]:
    return [role for entry in environment.credentials for role in entry.roles]


def _facts(definition: ToolDefinition) -> dict[str, Any]:
    """What of a declaration a judgement depends on, as plain JSON."""
    return {
        "effect": definition.effect,
        "risk": definition.risk,
        "roles": sorted(definition.roles),
        "affinity": sorted(definition.affinity),
        "environment": definition.environment,
        "target": definition.target,
        "required": sorted(definition.required),
    }


def _entry_problems(
    name: str, definition: ToolDefinition | None, override: ToolPolicy
) -> list[str]:
    problems = []
    if name != ANY_TOOL:
        problems += ["there is no such tool"] if definition is None else []
        problems += _override_problems(definition, override) if definition is not None else []
    # These loosen what a wider entry says, or nothing at all.
    loose = {"deny": False, "confirm": False, "approval": "own"}
    problems += [
        f"{key} = {json.dumps(value)} needs widen = true"
        for key, value in loose.items()
        if getattr(override, key) == value and not override.widen
    ]
    return problems


def _override_problems(definition: ToolDefinition, override: ToolPolicy) -> list[str]:
    problems = []
    more = set(override.roles or ()) - definition.roles
    if definition.effect == "write" and more - WRITERS:
        problems.append("only editor, operator and admin may write")
    if more and not override.widen:
        problems.append("more roles than the declaration's need widen = true")
    if override.risk is not None and override.risk != moved_risk(definition, override):
        problems.append("less risk than the declaration's needs widen = true")
    return problems
