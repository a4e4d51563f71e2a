"""pilothouse.toml: what a deployment has and allows. Strict: an unknown key is an error."""

import os
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    Field,
    PositiveFloat,
    PositiveInt,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from tools.overrides import ANY_TOOL as ANY_TOOL
from tools.overrides import Approver as Approver
from tools.overrides import Policy as Policy
from tools.overrides import Risk as Risk
from tools.overrides import Role as Role
from tools.overrides import Section as Section
from tools.overrides import Stage as Stage
from tools.overrides import ToolPolicies as ToolPolicies
from tools.overrides import ToolPolicy as ToolPolicy
from tools.problems import in_words

_ID = r"^[a-z0-9][a-z0-9_-]{0,63}$"
_VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"
_URL = r"^https?://[^\s/?#@]+(/[^\s?#@]*)?$"
_COOKIE = r"^[A-Za-z0-9_.-]{1,100}$"
_MODEL = r"^[a-z0-9_]+:\S+$"
PROVIDER_KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "openai": "OPENAI_API_KEY",
}
"""Providers of models that need a key, and the variable read when the settings name none."""

FORMS = {
    _ID: "an id is lower case letters, digits, - and _, at most 64 characters",
    _VARIABLE: "must be the name of an environment variable: letters, digits and _",
    _URL: "must be an address such as https://bi.example.org/path, without login and query",
    _COOKIE: "must be the name of a cookie: letters, digits, _, . and -",
    _MODEL: "must be written as provider:model, such as openai:gpt-4.1",
}
"""What a text must look like, in words, by its pattern."""

EnvironmentId = Annotated[str, StringConstraints(pattern=_ID)]
VariableName = Annotated[str, StringConstraints(pattern=_VARIABLE)]


class SettingsError(ValueError):
    """The settings are wrong; the text names each section and key, and never a secret."""


class Credentials(Section):
    """An account of an installation, and the roles it serves.

    Three ways to log in: a user name and password (`username` with `password_env`), an API key
    (`api_key_env`), or a browser session's cookie (`session_cookie_env`). The values come from
    environment variables, never from the file.
    """

    roles: list[Role] = Field(min_length=1)
    username: str | None = None
    password_env: VariableName | None = None
    provider: str = "db"
    api_key_env: VariableName | None = None
    session_cookie_env: VariableName | None = None
    session_cookie_name: Annotated[str, StringConstraints(pattern=_COOKIE)] = "session"
    """Superset's SESSION_COOKIE_NAME."""

    @model_validator(mode="after")
    def _one_way(self) -> "Credentials":
        ways = [self.password_env, self.api_key_env, self.session_cookie_env]
        if sum(way is not None for way in ways) != 1:
            raise ValueError(
                "give exactly one of password_env (with username), api_key_env, session_cookie_env"
            )
        if (self.password_env is None) != (self.username is None):
            raise ValueError("username and password_env belong together")
        needs = {"provider": self.password_env, "session_cookie_name": self.session_cookie_env}
        for name, way in needs.items():
            # Written out with its default it is harmless: settings that were dumped hold it.
            usual = type(self).model_fields[name].default
            if way is None and getattr(self, name) != usual:
                raise ValueError(f"{name} is of no use with another way to log in")
        return self

    @property
    def variable(self) -> str:
        """Name of the environment variable that holds the secret."""
        name = self.password_env or self.api_key_env or self.session_cookie_env
        assert name is not None  # noqa: S101 - _one_way has seen to it
        return name

    def secret(self) -> str:
        """The secret itself.

        Raises:
            SettingsError: the variable is not set.
        """
        value = os.environ.get(self.variable)
        if not value:
            raise SettingsError(f"The environment variable {self.variable} is not set")
        return value


class Environment(Section):
    """One Superset installation."""

    title: str = Field(min_length=1, max_length=100)
    stage: Stage
    url: Annotated[str, StringConstraints(pattern=_URL)]
    group: str = "main"
    verify_tls: bool = True
    ca_file: str | None = None
    connect_timeout: PositiveFloat = 5.0
    """Seconds to reach the installation."""
    timeout: PositiveFloat = 30.0
    """Seconds for one request."""
    max_connections: PositiveInt = 10
    roles: dict[Role, Role] = Field(default={})
    """What a role counts as here, where that is less than elsewhere."""
    credentials: list[Credentials] = Field(default=[])

    @model_validator(mode="after")
    def _less(self) -> "Environment":
        order = get_args(Role)
        more = [role for role, here in self.roles.items() if order.index(here) > order.index(role)]
        if more:
            raise ValueError(f"roles may only become less: {', '.join(more)}")
        return self

    @model_validator(mode="after")
    def _role_once(self) -> "Environment":
        roles = [role for entry in self.credentials for role in entry.roles]
        twice = sorted({role for role in roles if roles.count(role) > 1})
        if twice:
            raise ValueError(f"roles served by two credentials: {', '.join(twice)}")
        return self

    def credentials_for(self, role: Role) -> Credentials | None:
        """The account that serves a role, or None: then the role has no tools here."""
        return next((entry for entry in self.credentials if role in entry.roles), None)


class Auth(Section):
    """How tokens are verified."""

    algorithm: Literal["HS256", "RS256"] = "HS256"
    secret_env: VariableName = "PILOTHOUSE_JWT_SECRET"  # noqa: S105 - the name of a variable
    jwks_file: str | None = None
    jwks_url: str | None = None
    audience: str | None = None
    issuer: str | None = None
    leeway: int = Field(default=10, ge=0, le=300)
    """Seconds of clock difference that are forgiven."""
    studio_role: Role | None = None
    """Role of LangGraph Studio's user; none: Studio is refused. STUDIO_ROLE wins over it."""

    @model_validator(mode="after")
    def _keys(self) -> "Auth":
        if self.algorithm == "RS256" and (self.jwks_file is None) == (self.jwks_url is None):
            raise ValueError("RS256 needs exactly one of jwks_file and jwks_url")
        return self


class Model(Section):
    """The chat model. PILOTHOUSE_MODEL wins over `name`; neither means the embedded planner."""

    name: Annotated[str, StringConstraints(pattern=_MODEL)] | None = None
    base_url: str | None = None
    api_key_env: VariableName | None = None
    timeout: PositiveFloat = 120.0
    """Seconds for one answer of the model."""


Days = Annotated[int, Field(ge=1, le=36_500)]


class Records(Section):
    """Where approvals, audit rows, results, tasks and events are kept."""

    url: str = "sqlite:///.pilothouse/records.db"
    audit_days: Days | None = None
    """Days after which audit rows are cut off; none: they are kept for ever."""
    result_days: Days | None = None
    """Days after which whole results are removed; none: they are kept for ever."""
    approval_days: Days | None = None
    """Days after which ended approvals are removed; none: they are kept for ever."""


class Limits(Section):
    """Bounds that keep a turn finite."""

    tool_timeout: PositiveFloat = 30.0
    """Seconds a tool may take where its declaration says nothing else."""
    preview_timeout: PositiveFloat = 10.0
    model_calls: int = Field(default=12, ge=1, le=100)
    """Model calls in one turn."""
    identical_reads: int = Field(default=2, ge=1, le=10)
    """How often one read with the same arguments may run in a turn."""
    result_characters: int = Field(default=4000, ge=500, le=100_000)
    state_bytes: int = Field(default=65_536, ge=4096, le=1_000_000)
    """What one result may put into the state; the whole is kept in the records."""
    card_minutes: float = Field(default=15.0, gt=0, le=24 * 60)
    message_characters: int = Field(default=100_000, ge=1000, le=1_000_000)
    request_bytes: int = Field(default=16 * 2**20, ge=65_536, le=2**28)
    """Body of one request: room for an upload of 10 MB written as base64."""


class Settings(Section):
    """A deployment."""

    language: Literal["ru", "en"] = "en"
    timezone: str = "UTC"
    """IANA name of the zone in which people mean clock times."""
    auth: Auth = Auth()
    model: Model = Model()
    records: Records = Records()
    limits: Limits = Limits()
    policy: Policy = Policy()
    environments: dict[EnvironmentId, Environment] = Field(default={})
    repositories: dict[str, str] = Field(default={})
    """Dashboards-as-code repository of each environment group: group to path or URL."""

    @field_validator("timezone")
    @classmethod
    def _zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, ZoneInfoNotFoundError):
            raise ValueError("no time zone of this name") from None
        return value

    @model_validator(mode="after")
    def _known_places(self) -> "Settings":
        unknown = sorted(self.policy.environments.keys() - self.environments.keys())
        if unknown:
            raise ValueError(f"[policy.environments] names unknown environments: {unknown}")
        return self

    @cached_property
    def studio_role(self) -> Role | None:
        """Role of LangGraph Studio's user, or None."""
        value = os.environ.get("STUDIO_ROLE") or self.auth.studio_role
        if value is not None and value not in get_args(Role):
            raise SettingsError(f"STUDIO_ROLE: {value!r} is none of {', '.join(get_args(Role))}")
        return value  # type: ignore[return-value]

    @property
    def model_name(self) -> str | None:
        """`provider:model`, or None for the embedded planner."""
        return os.environ.get("PILOTHOUSE_MODEL") or self.model.name

    def secrets(self) -> list[str]:
        """Every secret that is set, so that texts can be cleared of them."""
        names = [entry.variable for env in self.environments.values() for entry in env.credentials]
        names += [self.auth.secret_env, *filter(None, [self.model.api_key_env])]
        names += PROVIDER_KEYS.values()
        given = [os.environ.get(name) for name in names]
        password = urlsplit(self.records.url).password or ""
        return list(filter(None, [*given, password, unquote(password)]))


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings of a deployment.

    Args:
        path: The file; None: PILOTHOUSE_CONFIG, else pilothouse.toml in the working folder. Only
            a file in the working folder may be missing: then there are no environments.

    Raises:
        SettingsError: the file is missing, no TOML, or has an unknown or wrong key.
    """
    named = path or (Path(value) if (value := os.environ.get("PILOTHOUSE_CONFIG")) else None)
    source = named or Path("pilothouse.toml")
    try:
        raw = tomllib.loads(source.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        if named is None:
            return Settings()
        raise SettingsError(f"{source}: there is no such file") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{source}: {error}") from error
    return parse_settings(raw, str(source))


def parse_settings(raw: dict[str, Any], source: str = "pilothouse.toml") -> Settings:
    """Make settings of parsed TOML.

    Raises:
        SettingsError: names every wrong key with its section.
    """
    try:
        return Settings.model_validate(raw)
    except ValidationError as error:
        lines = in_words(error, Settings, FORMS)
        raise SettingsError("\n  ".join([f"{source}:", *lines])) from None
