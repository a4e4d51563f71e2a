"""`pilothouse config check`: are the settings sound, and does every account get in?"""

import asyncio
from dataclasses import dataclass

from graph.cli_table import table
from tools.catalog import SUPERSET
from tools.clients.http import LoginFailed, SupersetError
from tools.clients.superset_logins import made_at
from tools.connect import Services
from tools.models import load_model
from tools.policy import check_policy
from tools.settings import Credentials, Environment, Settings, SettingsError
from tools.tokens import make_verifier


@dataclass(frozen=True)
class Probe:
    """What became of one login: a problem, or the version, the seconds it took, and who it is.

    Attributes:
        more: What the person should know of a login that works.
        public: Whether Superset shows it no more than it shows to anybody.
    """

    env_id: str
    environment: Environment
    account: Credentials
    version: str = ""
    seconds: float = 0.0
    who: str | None = None
    more: str = ""
    public: bool = False
    problem: str = ""

    @property
    def row(self) -> tuple[str, ...]:
        """The line of the table."""
        told = f"ok, {self.seconds:.2f} s" + (f", as {self.who}" if self.who else "")
        told += f"; {self.more}" if self.more else ""
        return (
            self.env_id,
            self.environment.stage,
            self.account.username or f"{way_of(self.account)} {self.account.variable}",
            ", ".join(self.account.roles),
            self.version,
            self.problem or told,
        )


async def check(services: Services) -> int:
    """Probe each environment with each account, print what was found, and close the services.

    Returns:
        0: all accounts get in and nothing is amiss. 1: something is, but the server would start.
        2: it would not, or would let nobody in.
    """
    settings = services.settings
    try:
        probes = [
            await _probe(services, env_id, environment, account)
            for env_id, environment in settings.environments.items()
            for account in environment.credentials
        ]
    finally:
        await services.aclose()
    head = ("ENVIRONMENT", "STAGE", "ACCOUNT", "ROLES", "VERSION", "RESULT")
    if probes:
        print(table(head, [probe.row for probe in probes]))
    problems = [*_problems(settings), *_public(probes)]
    # Key files are read and a provider's package is imported: not on the event loop.
    fatal = await asyncio.to_thread(_fatal, settings)
    for problem in [*problems, *fatal]:
        print(f"- {problem}")
    if fatal:
        print("The server can't work like this, see above.")
        return 2
    failed = bool(problems) or any(probe.problem for probe in probes)
    print("Something is amiss, see above; the server can start." if failed else "All is well.")
    return 1 if failed else 0


async def _probe(
    services: Services, env_id: str, environment: Environment, account: Credentials
) -> Probe:
    try:
        client = services.client(env_id, environment, account)
        seconds = await client.ping()
        version, who = await client.version(), await client.whoami()
        public = await client.reads_as_public()
        more = _end_of(account)
        return Probe(env_id, environment, account, version, seconds, who, more, public)
    except LoginFailed as error:
        problem = f"{error}; renew {account.variable}"
    except (SupersetError, SettingsError, NotImplementedError, OSError) as error:
        # OSError: the file of the certificates. Its text names a path, never a secret.
        problem = str(error)
    return Probe(env_id, environment, account, problem=problem)


def _end_of(account: Credentials) -> str:
    """That a session cookie ends, and since when it is good."""
    if account.session_cookie_env is None:
        return ""
    made = made_at(account.secret().strip())
    since = f"made on {made:%Y-%m-%d}, it" if made else "it"
    return f"{since} will end, by Superset's default after 31 days: renew it in time"


def _public(probes: list[Probe]) -> list[str]:
    """The installations where tokens and keys see less than their account may."""
    shown = dict.fromkeys(probe.env_id for probe in probes if probe.public)
    return [
        f"[environments.{env_id}] shows dashboards to the public. Superset then answers the reads"
        " of passwords and API keys as it answers anybody: take can_read on Dashboard from its"
        " role Public, or use session cookies."
        for env_id in shown
    ]


def way_of(account: Credentials) -> str:
    """How an account without a user name signs in."""
    return "cookie" if account.session_cookie_env is not None else "API key"


def _problems(settings: Settings) -> list[str]:
    """What is amiss beside the accounts and does not stop the server, a sentence each."""
    found = []
    if not settings.environments:
        found.append("No environments are configured: nobody is offered a tool that needs one.")
    found += [
        f"[environments.{env_id}] has no credentials: no role has tools there."
        for env_id, environment in settings.environments.items()
        if not environment.credentials
    ]
    return found


def _fatal(settings: Settings) -> list[str]:
    """What keeps the server from starting, or from letting anybody in, a sentence each."""
    nobody = "nobody can sign in"
    needed = (
        (lambda: make_verifier(settings.auth), nobody),
        (lambda: settings.studio_role, nobody),
        (lambda: load_model(settings), "the server can't start"),
        (lambda: check_policy(settings, SUPERSET.definitions.values()), "the server can't start"),
    )
    found = []
    for probe, consequence in needed:
        try:
            probe()
        except SettingsError as error:
            # LangChain's words for an unknown provider are several lines.
            words = " ".join(str(error).split()).removesuffix(".")
            found.append(f"{words}: {consequence}.")
    return found
