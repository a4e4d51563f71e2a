"""`pilothouse config check`: are the settings sound, and does every account get in?"""

import asyncio
from dataclasses import dataclass

from graph.cli_table import table
from graph.tokens import make_verifier
from tools.catalog import SUPERSET
from tools.clients.http import SupersetError
from tools.connect import Services
from tools.models import load_model
from tools.policy import policy_problems
from tools.settings import Credentials, Environment, Settings, SettingsError


@dataclass(frozen=True)
class Probe:
    """What became of one login: a problem, or the version and the seconds it took."""

    env_id: str
    environment: Environment
    account: Credentials
    version: str = ""
    seconds: float = 0.0
    problem: str = ""

    @property
    def row(self) -> tuple[str, ...]:
        """The line of the table."""
        return (
            self.env_id,
            self.environment.stage,
            self.account.username or self.account.variable,
            ", ".join(self.account.roles),
            self.version,
            self.problem or f"ok, {self.seconds:.2f} s",
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
    problems = _problems(settings)
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
        return Probe(env_id, environment, account, await client.version(), seconds)
    except (SupersetError, SettingsError, NotImplementedError, OSError) as error:
        # OSError: the file of the certificates. Its text names a path, never a secret.
        return Probe(env_id, environment, account, problem=str(error))


def _problems(settings: Settings) -> list[str]:
    """What is amiss beside the accounts and does not stop the server, a sentence each."""
    found = policy_problems(settings, SUPERSET.definitions.values())
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
