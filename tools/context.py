"""Who asks, from which page, in which language: the facts of one run.

`Context` is what a client may say. `User` is what only the server says.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.alias_generators import to_camel

from tools.settings import Environment, Role, Stage

Language = Literal["ru", "en"]
"""The languages of the texts people read."""

ObjectType = Literal["dashboard", "dataset", "migration"]
"""What a page is about: a dashboard, a dataset, or a migration task."""

ROLES: tuple[Role, ...] = get_args(Role)
"""From the least to the most powerful."""

MAX_PAYLOAD = 4096
"""Bytes of UTF-8 that a page context may have."""

EnvironmentId = Annotated[str, StringConstraints(max_length=64)]


class UIContext(BaseModel):
    """The page the user came from (version 1), camelCase on the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=False, extra="forbid", strict=True, frozen=True
    )

    object_type: ObjectType | None = Field(
        default=None,
        title="Object type",
        description="What the page is about: a dashboard, a dataset, or a migration task.",
    )
    object_id: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,18}$")] | None = Field(
        default=None,
        title="Object id",
        description="The object's number in its installation, in digits: 3 for the dashboard of "
        "/superset/dashboard/3/; on a migration page the task's number.",
        examples=["3"],
    )
    object_name: Annotated[str, StringConstraints(max_length=256)] | None = Field(
        default=None,
        title="Object name",
        description="The title the page showed. Only data: the real title is read from Superset.",
    )
    env_id: EnvironmentId | None = Field(
        default=None,
        title="Environment",
        description="Id of the installation that the page belongs to; null means no environment.",
    )
    route: (
        Annotated[str, StringConstraints(max_length=512, pattern=r"^/([^/\s\\][^\s\\]*)?$")] | None
    ) = Field(
        default=None,
        title="Route",
        description="Path of the page in the browser, with one leading slash.",
        examples=["/superset/dashboard/3/"],
    )
    context_version: Literal[1] = Field(
        default=1, title="Version", description="Version of this structure: 1."
    )


class Context(BaseModel):
    """What a client may say with a run, beside the messages. It is closed: never a role."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    ui: UIContext | None = Field(
        default=None,
        title="Page",
        description="The page the user came from. Without one, the words must name the object "
        "and the environment.",
    )
    language: Language | None = Field(
        default=None,
        title="Language",
        description="Language of the answers; null: that of the words.",
    )


@dataclass(frozen=True)
class User:
    """The authenticated user, as the server or `build(local_user=...)` says."""

    id: str
    role: Role
    name: str = ""
    environments: frozenset[str] | None = None
    """Ids of the environments the user may touch; None: all that the deployment has."""
    roles: Mapping[str, Role] = field(default_factory=dict)
    """The role in environments, by their id, where it is another than `role`."""
    until: float | None = field(default=None, compare=False)
    """When the token ends, in seconds since 1970-01-01 UTC; None: the user came without one."""

    def is_signed_in(self, now: datetime) -> bool:
        """Whether the token is good at a moment; a run may wait longer than its token lives."""
        return self.until is None or now.timestamp() < self.until


def role_in(user: User, env_id: str | None, environment: Environment | None) -> Role:
    """The role that a user has where a call acts: the token's for that place, lowered by settings.

    Args:
        user: Who acts.
        env_id: The environment; None: the call acts on none.
        environment: Its settings, if any.
    """
    role = user.roles.get(env_id, user.role) if env_id is not None else user.role
    return environment.roles.get(role, role) if environment is not None else role


def identify(server_user: Any, studio_role: Role | None = None) -> User | None:
    """Read the user that a server authenticated; None where nobody may act.

    Args:
        server_user: `runtime.server_info.user`, a request's user, or a mapping of the same facts;
            never something a client sent. None: nobody.
        studio_role: The role that the deployment gives to LangGraph Studio's user, if any.

    Returns:
        None also for a missing id, a role that is none of ours, and broken environments or ends.
    """
    if server_user is None:
        return None
    user_id, name = _fact(server_user, "identity"), _fact(server_user, "display_name")
    role, environments = _fact(server_user, "role"), _fact(server_user, "environments")
    roles, until = _fact(server_user, "environment_roles"), _fact(server_user, "until")
    if _fact(server_user, "kind") == "StudioUser":
        role, environments, roles = studio_role, None, None
    if not isinstance(user_id, str) or not user_id:
        return None
    if role not in ROLES or not are_roles(roles or {}) or not isinstance(until, float | int | None):
        return None
    if environments is not None:
        if not isinstance(environments, list | tuple | set | frozenset):
            return None
        if not all(isinstance(environment, str) for environment in environments):
            return None
        environments = frozenset(environments)
    name = name if isinstance(name, str) else ""
    return User(user_id, role, name, environments, dict(roles or {}), until)


def are_roles(value: Any) -> bool:
    """Whether a value names a role of ours for each of some environments."""
    return isinstance(value, Mapping) and all(
        isinstance(env_id, str) and isinstance(role, str) and role in ROLES
        for env_id, role in value.items()
    )


def _fact(server_user: Any, name: str) -> Any:
    """A fact of a user, which is an object, a mapping, or the server's mix of both."""
    if isinstance(server_user, Mapping):
        return server_user.get(name)
    try:
        value = getattr(server_user, name, None)
        # Studio's user has some facts only as a mapping; the server wraps a mapping of a fact.
        value = server_user.get(name) if value is None else value
        return value.dict() if callable(getattr(value, "dict", None)) else value
    except Exception:  # noqa: BLE001 - a strange user object is nobody
        return None


@dataclass(frozen=True)
class ContextProblem:
    """One thing wrong with a context, as an API client reads it."""

    loc: tuple[str | int, ...]
    msg: str
    type: str


def check_context(raw: Any, environments: Mapping[str, Any]) -> list[ContextProblem]:
    """Say what is wrong with a client's context; an empty list means that it is good.

    Args:
        raw: The `context` of a run as it came, JSON types. None is good.
        environments: The environments this deployment knows, by id.
    """
    if raw is None:
        return []
    try:
        context = Context.model_validate(raw)
        size = len(json.dumps(raw, ensure_ascii=False).encode())
    except ValidationError as error:
        return [
            ContextProblem(tuple(item["loc"]), item["msg"], item["type"]) for item in error.errors()
        ]
    except (ValueError, RecursionError) as error:  # lone surrogates, absurd nesting
        return [ContextProblem((), str(error), "value_error")]
    if size > MAX_PAYLOAD:
        return [ContextProblem((), f"The context is longer than {MAX_PAYLOAD} bytes", "too_long")]
    page = context.ui
    if page is not None and page.env_id is not None and page.env_id not in environments:
        return [ContextProblem(("ui", "envId"), "Unknown environment", "unknown_environment")]
    return []


def check_request(body: Any, environments: Mapping[str, Any]) -> list[ContextProblem]:
    """Say what is wrong with the contexts in a request that can start or store a run.

    `context` is closed. Where the server mixes it with keys of its own (`config.configurable`,
    `checkpoint`), only `ui` and `language` are judged.

    Args:
        body: The parsed JSON: an object, a list of them (a batch), or a command of the stream
            protocol, which has all of it in `params`.
        environments: The environments this deployment knows, by id.

    Returns:
        The problems; their `loc` starts in the body.
    """
    parts: list[tuple[tuple[str | int, ...], Any]] = [((), body)]
    if isinstance(body, list):
        parts = [((index,), item) for index, item in enumerate(body)]
    parts += [
        ((*loc, "params"), part["params"])
        for loc, part in parts
        if isinstance(part, Mapping) and "params" in part
    ]
    return [
        ContextProblem((*loc, *problem.loc), problem.msg, problem.type)
        for loc, part in parts
        if isinstance(part, Mapping)
        for problem in _check_part(part, environments)
    ]


def _check_part(part: Mapping[str, Any], environments: Mapping[str, Any]) -> list[ContextProblem]:
    claims: list[tuple[tuple[str, ...], Any]] = [(("context",), part.get("context"))]
    config = part.get("config")
    mixed = {
        ("config", "configurable"): config.get("configurable")
        if isinstance(config, Mapping)
        else None,
        ("checkpoint",): part.get("checkpoint"),
    }
    for place, keys in mixed.items():
        if isinstance(keys, Mapping):
            claims.append((place, {key: keys[key] for key in ("ui", "language") if key in keys}))
    return _check_command(part) + [
        ContextProblem((*place, *problem.loc), problem.msg, problem.type)
        for place, claim in claims
        for problem in check_context(claim, environments)
    ]


def _check_command(part: Mapping[str, Any]) -> list[ContextProblem]:
    """What the server takes and should not.

    An empty answer ends the thread in an error, and a webhook would send the state to an address
    that a client names.
    """
    problems = []
    command = part.get("command")
    if isinstance(command, Mapping) and "resume" in command and command["resume"] is None:
        told = "An answer to a card is needed, such as {'decisions': [...]}"
        problems.append(ContextProblem(("command", "resume"), told, "missing"))
    if part.get("webhook") is not None:
        problems.append(ContextProblem(("webhook",), "Webhooks are off", "webhook"))
    return problems


def language_of(text: str, asked: Language | None, default: Language) -> Language:
    """Choose the language of the answers.

    The client's word decides, else the letters of the text, else the deployment's default.
    """
    if asked is not None:
        return asked
    if re.search("[а-яё]", text, re.IGNORECASE):
        return "ru"
    return "en" if re.search("[a-z]", text, re.IGNORECASE) else default


__all__ = [
    "MAX_PAYLOAD",
    "ROLES",
    "Context",
    "ContextProblem",
    "EnvironmentId",
    "Language",
    "ObjectType",
    "Role",
    "Stage",
    "UIContext",
    "User",
    "are_roles",
    "check_context",
    "check_request",
    "identify",
    "language_of",
    "role_in",
]
