"""One running Superset installation: its process, its probe, its accounts."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from demo.accounts import HUMAN, accounts
from demo.children import Child
from demo.errors import DemoError
from demo.ports import HOST, take
from demo.rest import Rest, RestError

CONFIG = Path(__file__).with_name("superset_config.py")
_PATIENCE = 180.0
_FOREIGN = ("SUPERSET_", "FLASK_", "GUNICORN_", "PYTHON", "VIRTUAL_ENV")


@dataclass(frozen=True)
class Installation:
    """Where one installation lives and what it runs with."""

    name: str
    python: Path
    """Interpreter of Superset's own environment."""
    secret: Path
    """File with the key that its metadata are encrypted with."""
    home: Path
    """Folder of its live metadata, data files and log."""


@dataclass
class Superset:
    """A running installation."""

    name: str
    port: int
    child: Child
    accounts: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Return the address of the installation, without a slash at its end."""
        return f"http://{HOST}:{self.port}"

    @property
    def pid(self) -> int:
        """Return the process id of its server."""
        return self.child.pid

    @property
    def alive(self) -> bool:
        """Tell whether its server still runs."""
        return self.child.alive()

    def stop(self) -> None:
        """Stop the server; harmless when it is stopped already."""
        self.child.stop()


def environment(installation: Installation) -> dict[str, str]:
    """Return the environment of Superset's processes, without settings meant for others."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    return clean | {
        "PILOTHOUSE_DEMO_NAME": installation.name,
        "PILOTHOUSE_DEMO_HOME": str(installation.home),
        "PILOTHOUSE_DEMO_SECRET_FILE": str(installation.secret),
        "SUPERSET_CONFIG_PATH": str(CONFIG),
        "SUPERSET_HOME": str(installation.home),
        "PYTHONUNBUFFERED": "1",
    }


def launch(installation: Installation, port: int = 0) -> Superset:
    """Start the server on `port` (0: a free one) and return at once; see `wait_ready`."""
    with take(port) as listening:
        number = listening.fileno()
        command = [
            *(str(installation.python), "-m", "gunicorn", "superset.app:create_app()"),
            *("--workers", "1", "--worker-class", "gthread", "--threads", "8"),
            # Longer than a client keeps an idle connection, so that none is closed under it.
            *("--keep-alive", "75", "--timeout", "120", "--graceful-timeout", "3"),
            *("--bind", f"fd://{number}"),
        ]
        child = Child(
            f"Superset {installation.name}",
            command,
            installation.home / "superset.log",
            # gunicorn reads a settings file of its working directory: here there is none.
            cwd=installation.home,
            env=environment(installation),
            pass_fds=(number,),
        )
        chosen = int(listening.getsockname()[1])
    return Superset(installation.name, chosen, child, accounts(installation.name))


def wait_ready(superset: Superset, login: tuple[str, str] = HUMAN) -> None:
    """Return when the installation answers a logged-in request; raise DemoError otherwise."""
    _wait(superset.child, lambda: _answers(superset.url, login))


def _answers(url: str, login: tuple[str, str]) -> bool:
    # /health says OK even without metadata, so the probe is a real request.
    try:
        client = Rest(url, timeout=30).login(*login)
        client.call("GET", "/api/v1/dashboard/", query={"columns": ["id"], "page_size": 1})
    except RestError as error:
        if error.status:
            raise DemoError(str(error)) from error
        return False
    return True


def _wait(child: Child, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            answered = ready()
        except DemoError as error:
            raise DemoError(child.epitaph(f"answers wrongly ({error})")) from error
        # The order matters: a program that died after its answer is not ready.
        if not child.alive():
            raise DemoError(child.epitaph("ended while starting"))
        if answered:
            return
        if time.monotonic() > deadline:
            raise DemoError(child.epitaph(f"was not ready after {_PATIENCE:.0f} s"))
        time.sleep(0.2)
