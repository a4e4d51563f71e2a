"""The process behind `make demo`: starts the programs, watches them, ends them."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from demo import pidfile
from demo.agent_server import launch_server, wait_server
from demo.children import Child
from demo.errors import DemoError
from demo.live import Live, Phase, ServiceState
from demo.places import state_folder
from demo.ports import HOST, next_free
from demo.settings_files import write_config
from demo.supersets import Pair, continues, ensure_base, start_pair

DEV, PROD, SERVER = "Superset dev", "Superset prod", "LangGraph server"
USUAL = {DEV: 8088, PROD: 8089, SERVER: 2024}
STAY = b"stay\n"
"""What `up` writes into the supervisor's input once everything is ready."""
_RESTARTS = 3


class Stop(BaseException):
    """The supervisor was asked to end; not an error, and nothing may swallow it."""


@dataclass
class Service:
    """A program that is watched, and how to start it again."""

    child: Child
    url: str
    again: Callable[[], Child]
    restarts: int = 0


@dataclass
class Supervisor:
    """Runs the demo of one checkout."""

    checkout: Path
    fresh: bool = False
    live: Live = field(default_factory=Live)
    services: dict[str, Service] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Return the folder of the demo's live state."""
        return state_folder(self.checkout)

    def run(self) -> int:
        """Start everything and watch it until a signal asks to stop; return the exit status."""
        pidfile.write(pid_path(self.checkout), os.getpid())
        self.live.save(self.folder)
        with _signals():
            try:
                with ExitStack() as running:
                    self._serve(running)
            except Stop:
                self.live.phase = "stopped"
            except Exception as error:  # noqa: BLE001 - whatever it is, `up` has to hear of it
                self.live.phase = "failed"
                self.live.error = str(error) if isinstance(error, DemoError) else repr(error)
                self.report(self.live.error)
        self.live.services.clear()
        self.live.save(self.folder)
        pid_path(self.checkout).unlink(missing_ok=True)
        return int(self.live.phase == "failed")

    def _serve(self, running: ExitStack) -> None:
        try:
            self._start(running)
            self._enter("ready")
            while True:
                self._look_after()
                time.sleep(1)
        except BaseException:
            # Said before the programs are ended, which takes a while.
            self._enter("stopping")
            raise

    def _enter(self, phase: Phase) -> None:
        self.live.phase = phase
        self._save()

    def report(self, line: str) -> None:
        """Add a line to the log, and to what `up` shows."""
        sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}\n")
        sys.stderr.flush()
        self.live.lines.append(line)
        self.live.save(self.folder)

    def _start(self, running: ExitStack) -> None:
        base = ensure_base(self.report)
        home = self.folder / "superset"
        keep = not self.fresh and continues(base, home)
        if not keep:
            # Records about installations that are replaced would be wrong.
            for leftover in self.folder.glob("records.db*"):
                leftover.unlink()
        ports = self._ports()
        pair = start_pair(base, home, (ports[DEV], ports[PROD]), self.report, keep=keep)
        running.callback(pair.stop)
        for name, superset in ((DEV, pair.dev), (PROD, pair.prod)):
            again = _superset_again(pair, superset.name)
            self.services[name] = Service(superset.child, superset.url, again)
        write_config(pair, self.checkout, f"sqlite:///{self.folder / 'records.db'}")
        url = f"http://{HOST}:{ports[SERVER]}"
        self.report(f"Starting the LangGraph server on {url}")
        self._start_server(running, ports[SERVER], url)
        self.report("The LangGraph server answers")

    def _start_server(self, running: ExitStack, port: int, url: str) -> None:
        log = self.folder / "server.log"

        def start() -> Child:
            child = launch_server(self.checkout, port, log)
            with ExitStack() as undo:
                undo.callback(child.stop)
                wait_server(child, port)
                running.push(undo.pop_all())
            return child

        self.services[SERVER] = Service(start(), url, start)

    def _ports(self) -> dict[str, int]:
        chosen: dict[str, int] = {}
        for name, usual in USUAL.items():
            chosen[name] = next_free(usual, chosen.values())
            if chosen[name] != usual:
                self.report(f"Port {usual} is taken: {name} uses {chosen[name]}")
        return chosen

    def _look_after(self) -> None:
        for name, service in self.services.items():
            if service.child.alive() or service.restarts >= _RESTARTS:
                continue
            service.restarts += 1
            self.report(service.child.epitaph("ended unexpectedly"))
            self.report(f"Starting {name} again ({service.restarts} of {_RESTARTS})")
            try:
                service.child = service.again()
            except DemoError as error:
                self.report(str(error))
            self._save()
        if any(
            state.running != self.services[name].child.alive()
            for name, state in self.live.services.items()
        ):
            self._save()

    def _save(self) -> None:
        self.live.services = {
            name: ServiceState(
                service.url, service.child.pid, service.restarts, service.child.alive()
            )
            for name, service in self.services.items()
        }
        self.live.save(self.folder)


def pid_path(checkout: Path) -> Path:
    """Return the pid file of the supervisor of `checkout`."""
    return state_folder(checkout) / "supervisor.pid"


def stop_without(stream: int) -> None:
    """Ask this process to stop when `stream` ends before it has said STAY.

    So the demo does not outlive an `up` that was interrupted, killed, or lost its terminal.
    """

    def watch() -> None:
        heard = b""
        while chunk := os.read(stream, 64):
            heard += chunk
        if heard != STAY:
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def _superset_again(pair: Pair, name: str) -> Callable[[], Child]:
    def again() -> Child:
        pair.restart(name)
        return (pair.dev if name == "dev" else pair.prod).child

    return again


@contextmanager
def _signals() -> Iterator[None]:
    asked = (signal.SIGTERM, signal.SIGINT)

    def stop(_number: int, _frame: FrameType | None) -> None:
        # A second signal must not interrupt the ending itself.
        for number in asked:
            signal.signal(number, signal.SIG_IGN)
        raise Stop

    for number in asked:
        signal.signal(number, stop)
    yield
