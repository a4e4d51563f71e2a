"""Where a user, an environment and a deployment's settings become clients and records."""

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import httpx
from langchain_core.tools import ToolException

from tools.clients.superset import Account, ApiKey, Login, SessionCookie, Superset, SupersetConfig
from tools.context import Language, Role, UIContext, User, role_in
from tools.definition import ToolDefinition
from tools.messages import text
from tools.records import Records
from tools.settings import Credentials, Environment, Settings, SettingsError

T = TypeVar("T")

LOST = timedelta(minutes=10)
"""After so long a write that never ended is lost: every tool is given up much earlier."""


def utc_now() -> datetime:
    """The time, aware, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Services:
    """What a deployment's nodes and tools share: settings, records and open clients.

    Attributes:
        settings: The deployment.
        clock: Gives the time; tests move it.
        transport: Replaces the network of every client; tests inject faults with it.
    """

    settings: Settings
    clock: Callable[[], datetime] = utc_now
    transport: httpx.AsyncBaseTransport | None = None
    _records: list[Records] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _clients: WeakKeyDictionary[Any, dict[tuple[str, str], Superset]] = field(
        default_factory=WeakKeyDictionary, repr=False
    )

    def records(self) -> Records:
        """The records, opened at the first use. Blocks: call it from a thread."""
        with self._lock:
            if not self._records:
                self._records.append(Records.open(self.settings.records.url))
            return self._records[0]

    def tidy(self, records: Records) -> None:
        """Close what time has closed: cards, writes whose process is gone; remove what is over."""
        now = self.clock()
        with records.together():
            records.approvals.expire_due(now)
            records.approvals.give_up(now - LOST, now)
            records.tasks.give_up(now - LOST, now)
            kept = self.settings.records
            # The audit first: an approval whose end is not known goes after it.
            for days, remove in (
                (kept.audit_days, records.cut),
                (kept.approval_days, records.forget_approvals),
                (kept.result_days, records.forget_results),
            ):
                if days is not None:
                    remove(timedelta(days=days), now)

    async def store(self, action: Callable[[Records], T]) -> T:
        """Run an action on the records in a thread, and give back what it returns."""
        return await asyncio.to_thread(lambda: action(self.records()))

    def superset(self, env_id: str, role: Role) -> Superset:
        """The client of an environment with the account that serves a role.

        Clients are kept for the running event loop, one an environment and account.

        Raises:
            SettingsError: there is no such environment, no account, or its secret is not set.
        """
        environment = self.settings.environments.get(env_id)
        credentials = environment.credentials_for(role) if environment else None
        if environment is None or credentials is None:
            raise SettingsError(f"No account of {env_id!r} serves the role {role!r}")
        return self.client(env_id, environment, credentials)

    def client(self, env_id: str, environment: Environment, credentials: Credentials) -> Superset:
        """The client of one account of an environment, on the running event loop."""
        clients = self._clients.setdefault(asyncio.get_running_loop(), {})
        key = (env_id, credentials.variable)
        if key not in clients:
            clients[key] = Superset(_config(environment), _login(credentials), self.transport)
        return clients[key]

    async def aclose(self) -> None:
        """Close the clients of the running loop, and the records."""
        for client in self._clients.pop(asyncio.get_running_loop(), {}).values():
            await client.aclose()
        if self._records:
            await asyncio.to_thread(self._records.pop().close)


@dataclass(frozen=True)
class Call:
    """What a running tool knows beside its arguments.

    Attributes:
        id: The tool call's id in the model's message.
        thread_id: The conversation.
        user: The authenticated user.
        language: Language of the texts a person will read.
        page: The page the user came from, or None.
        services: Settings, records, clients.
        offered: The tools this user was offered here.
        targets: What `prepare` found the arguments to mean.
        ledger_id: The approval that is being used up; None for reads.
        emit: Writes an object to the run's custom stream.
    """

    id: str
    thread_id: str
    user: User
    language: Language
    page: UIContext | None
    services: Services
    offered: tuple[ToolDefinition, ...] = ()
    targets: Mapping[str, Any] = field(default_factory=dict)
    ledger_id: str | None = None
    task_id: int | None = None
    emit: Callable[[dict[str, Any]], None] = lambda _: None

    @property
    def settings(self) -> Settings:
        """The deployment's settings."""
        return self.services.settings

    def now(self) -> datetime:
        """The time, aware, in UTC."""
        return self.services.clock()

    def environment(self, env_id: str) -> Environment:
        """An environment that this user may touch.

        Raises:
            ToolException: there is none, in the user's language.
        """
        known = self.environments()
        if env_id not in known:
            names = ", ".join(known) or "-"
            raise ToolException(
                text(self.language, "unknown-environment", name=env_id, known=names)
            )
        return known[env_id]

    def environments(self) -> dict[str, Environment]:
        """The environments that this user may know of, by id."""
        allowed = self.user.environments
        return {
            env_id: environment
            for env_id, environment in self.settings.environments.items()
            if (allowed is None or env_id in allowed)
            and environment.credentials_for(self.role_in(env_id)) is not None
        }

    def role_in(self, env_id: str | None) -> Role:
        """The user's role in an environment; None: where none is acted on."""
        return role_in(self.user, env_id, self.settings.environments.get(env_id or ""))

    def superset(self, env_id: str) -> Superset:
        """The client of an environment, with the account of the user's role.

        Raises:
            ToolException: the environment is not the user's.
        """
        self.environment(env_id)
        return self.services.superset(env_id, self.role_in(env_id))

    async def report(self, done: int, total: int) -> None:
        """Say how far a long call is: on the custom stream, and in its task if it has one."""
        self.emit({"type": "tool_progress", "tool_call_id": self.id, "done": done, "total": total})
        task_id = self.task_id
        if task_id is not None:
            await self.services.store(lambda records: records.tasks.progress(task_id, done, total))


def _config(environment: Environment) -> SupersetConfig:
    return SupersetConfig(
        url=environment.url,
        verify=environment.ca_file or environment.verify_tls,
        connect_timeout=environment.connect_timeout,
        timeout=environment.timeout,
        max_connections=environment.max_connections,
    )


def _login(credentials: Credentials) -> Login:
    secret = credentials.secret()
    if credentials.username is not None:
        return Account(credentials.username, secret)
    secret = secret.strip()  # what is copied into a file often ends its line
    if credentials.api_key_env is not None:
        return ApiKey(secret)
    return SessionCookie(secret, credentials.session_cookie_name, "deployment")
