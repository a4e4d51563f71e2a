"""`pilothouse tools`: the declarations, and the offer as the graph would make it."""

import json
import sys
from dataclasses import dataclass
from typing import Any

from graph.cli_table import table
from tools.catalog import SUPERSET
from tools.context import ROLES, Role, UIContext, User
from tools.definition import ToolDefinition
from tools.policy import offer
from tools.settings import Settings, SettingsError


@dataclass(frozen=True)
class Question:
    """Who asks for the offer, and from where.

    Attributes:
        role: Role of the user; None: the declarations themselves are asked for.
        page: Kind of object of the page; "none": a page about no object; None: no page, unless
            an environment is named.
        env_id: Environment of the page.
        as_json: Whether the answer is for a program.
    """

    role: Role | None
    page: str | None
    env_id: str | None
    as_json: bool


def show(settings: Settings, question: Question) -> int:
    """Print the tools and return the exit code.

    Raises:
        SettingsError: the environment is unknown, or a page is given without a role.
    """
    definitions = list(SUPERSET.definitions.values())
    if question.role is None:
        if question.page is not None or question.env_id is not None:
            raise SettingsError("--page and --env need --role: an offer is made to somebody")
    else:
        user = User(id="cli", role=question.role)
        definitions = offer(definitions, user, _page(settings, question), settings, frozenset())
        if not settings.environments:
            print("No environments are configured: nothing that needs one.", file=sys.stderr)
    if question.as_json:
        facts = [declaration(definition) for definition in definitions]
        print(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        print(
            table(("TOOL", "EFFECT", "RISK", "ROLES", "GROUP", "WHEN"), [*map(_row, definitions)])
        )
    return 0


def declaration(definition: ToolDefinition) -> dict[str, Any]:
    """The contract of a tool as plain JSON: what others rely on."""
    return {
        "name": definition.name,
        "group": definition.group,
        "description": definition.description,
        "effect": definition.effect,
        "risk": definition.risk,
        "roles": [role for role in ROLES if role in definition.roles],
        "affinity": sorted(definition.affinity),
        "environment": definition.environment,
        "target": definition.target,
        "page": dict(definition.page),
        "when": definition.when,
        "required": sorted(definition.required),
        "examples": dict(definition.examples),
        "arguments": definition.arguments.model_json_schema(),
    }


def roles_in_words(roles: frozenset[Role]) -> str:
    """Say roles briefly: a role and all above it is `editor+`."""
    named = [role for role in ROLES if role in roles]
    if named == list(ROLES):
        return "everyone"
    if len(named) > 1 and named == list(ROLES)[-len(named) :]:
        return f"{named[0]}+"
    return ", ".join(named)


def _row(definition: ToolDefinition) -> tuple[str, ...]:
    roles = roles_in_words(definition.roles)
    when = "after a result was shortened" if definition.when == "shortened" else "always"
    return (definition.name, definition.effect, definition.risk, roles, definition.group, when)


def _page(settings: Settings, question: Question) -> UIContext | None:
    """The page context that a client would send."""
    if question.env_id is not None and question.env_id not in settings.environments:
        known = ", ".join(settings.environments) or "none"
        raise SettingsError(f"Unknown environment {question.env_id!r}; known: {known}")
    if question.page is None and question.env_id is None:
        return None
    kind = None if question.page in (None, "none") else question.page
    return UIContext.model_validate({"objectType": kind, "envId": question.env_id})
