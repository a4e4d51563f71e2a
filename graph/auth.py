"""Who is calling the server, and whose threads they see: the `auth` entry of langgraph.json.

Every hook fails closed: what no rule names is refused.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from langgraph_sdk import Auth

from tools.context import ROLES, Language, Role, User, check_request, identify
from tools.messages import text
from tools.settings import SettingsError, load_settings
from tools.tokens import TokenRefusedError, Verifier, make_verifier, token_of
from tools.wall import broken_by_run, language_of_run, take_as_meant

log = logging.getLogger(__name__)

Filter = dict[str, str]
Hook = Auth.types.AuthContext

CRON = (
    "Access denied: a scheduled run would fire without anybody's role. "
    "Start the run yourself, or schedule a client that signs in."
)


@dataclass(frozen=True)
class Rules:
    """The hooks of one deployment.

    Attributes:
        verifier: Proves tokens; None: nobody can sign in, because the settings are broken.
        studio_role: The role of LangGraph Studio's user; None: it is refused.
        environments: The environments a context may name, by id.
        language: The language of refusals, where a request shows none.
    """

    verifier: Verifier | None
    studio_role: Role | None
    environments: Mapping[str, Any]
    language: Language = "en"

    async def authenticate(self, headers: Mapping[Any, Any]) -> dict[str, Any]:
        """Prove who sends a request; the token itself goes no further."""
        token = token_of(headers)
        if token is None:
            raise refusal(401, "Sign in: send a token as Authorization: Bearer or as x-api-key")
        if self.verifier is None:
            raise refusal(401, "Nobody can sign in: the server's log says what its settings lack")
        try:
            return _facts(await self.verifier.verify(token))
        except TokenRefusedError as error:
            log.info("token refused: %s", error)
            raise refusal(error.status, str(error)) from None

    async def threads(self, ctx: Hook, value: Any) -> Filter:
        """One's own threads, whatever is done with them."""
        return _own(self._known(ctx), value)

    async def create_run(self, ctx: Hook, value: Any) -> Filter:
        """A run on one's own thread, with a sound context, of what the second wall allows."""
        user = self._known(ctx)
        self._check(_asked(value))
        asked = value.get("kwargs") or value
        take_as_meant(asked)  # in place, as in `_own`
        broken = broken_by_run(asked)
        if broken and user.role != "admin":
            log.warning("%s: refused for %s", broken, user.id)
            raise refusal(403, text(language_of_run(asked, self.language), broken))
        return _own(user, value)

    async def read_assistants(self, ctx: Hook, value: Any) -> None:
        """Assistants are the deployment's, not a person's: every known user may see them."""
        self._known(ctx)

    async def change_assistants(self, ctx: Hook, value: Any) -> Filter:
        """Only an admin makes assistants, and changes only the own ones, never the built-in."""
        user = self._known(ctx)
        self._check(value)
        if user.role != "admin":
            raise refusal(403, "Access denied: only the role admin changes assistants")
        return _own(user, value)

    async def crons(self, ctx: Hook, value: Any) -> Filter:
        """No schedule is ever made, so there is nothing to find either."""
        user = self._known(ctx)
        if ctx.action in ("create", "update"):
            raise refusal(403, CRON)
        return _own(user, value)

    async def store(self, ctx: Hook, value: Any) -> None:
        """One's own part of the store: every namespace starts with its owner."""
        home = ("users", _label(self._known(ctx).id))
        namespace = tuple(value.get("namespace") or ())
        value["namespace"] = namespace if namespace[:2] == home else home + namespace

    async def other(self, ctx: Hook, value: Any) -> bool:
        """Refuse what has no rule of its own."""
        self._known(ctx)
        log.warning("no rule for %s of %s: refused", ctx.action, ctx.resource)
        return False

    def _known(self, ctx: Hook) -> User:
        """The user behind a hook.

        Raises:
            HTTPException: 403 for a user without a role, as Studio's is by default.
        """
        user = identify(ctx.user, self.studio_role)
        if user is None:
            raise refusal(403, f"Access denied: it needs one of the roles {', '.join(ROLES)}")
        return user

    def _check(self, asked: Any) -> None:
        """Refuse an unsound context; the door does it first, in more detail.

        Raises:
            HTTPException: 422 that names each field.
        """
        problems = check_request(asked, self.environments)
        if problems:
            lines = [f"{'.'.join(map(str, problem.loc))}: {problem.msg}" for problem in problems]
            raise refusal(422, "; ".join(lines[:20]))


def register(rules: Rules) -> Auth:
    """Make the server's entry of a deployment's rules."""
    entry = Auth()
    entry.authenticate(rules.authenticate)
    entry.on.threads(rules.threads)
    entry.on.threads.create_run(rules.create_run)
    entry.on.assistants(actions=["read", "search"])(rules.read_assistants)
    entry.on.assistants(actions=["create", "update", "delete"])(rules.change_assistants)
    entry.on.crons(rules.crons)
    entry.on.store(rules.store)
    entry.on(rules.other)
    return entry


def load_rules() -> Rules:
    """Read the rules from the settings; broken settings let nobody in, Studio neither."""
    try:
        settings = load_settings()
        verifier = make_verifier(settings.auth)
        return Rules(verifier, settings.studio_role, settings.environments, settings.language)
    except SettingsError as error:
        log.error("nobody can sign in: %s", error)  # noqa: TRY400 - the words say it all
        return Rules(None, None, {})


def refusal(status: int, text: str) -> Exception:
    """The server's error of a status; the text is for the client."""
    return Auth.exceptions.HTTPException(status_code=status, detail=text)


def _facts(user: User) -> dict[str, Any]:
    """What the server keeps of a user: it comes back in a run's kwargs, so never the token."""
    return {
        "identity": user.id,
        "display_name": user.name,
        "is_authenticated": True,
        "role": user.role,
        "environments": None if user.environments is None else sorted(user.environments),
        "environment_roles": dict(user.roles),
        "until": user.until,
    }


def _own(user: User, value: Any) -> Filter:
    """Stamp the owner over what a client wrote, and give the filter for what exists."""
    metadata = value.get("metadata")
    if isinstance(metadata, dict):
        metadata["owner"] = user.id  # in place: the server keeps this dict, not the value's key
    else:
        value["metadata"] = {"owner": user.id}
    return {"owner": user.id}


def _asked(value: Any) -> Any:
    """What a client asked of a run.

    langgraph-api mirrors a `context` in `configurable`, marks that, and without one makes
    `context` of `configurable` with its own keys in it: then only the latter is a client's.
    """
    kwargs = value.get("kwargs")
    if kwargs is None:
        return value
    configurable = (kwargs.get("config") or {}).get("configurable") or {}
    return kwargs if configurable.get("__context_provided__") else {**kwargs, "context": None}


def _label(user_id: str) -> str:
    """A user id as a label of a namespace, which may hold no dot."""
    return quote(user_id, safe="").replace(".", "%2E")


auth = register(load_rules())
