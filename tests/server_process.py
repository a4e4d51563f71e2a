"""A real LangGraph server for tests: `langgraph dev` in a process group of its own.

The server reads its configuration when it is imported, so one configuration is one process.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from langgraph_sdk import get_client  # noqa: TID251 - a client outside of the server
from langgraph_sdk.client import LangGraphClient

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 120.0
STOP_SECONDS = 30.0

PRODUCT: dict[str, Any] = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
"""What is deployed; a server of the tests differs only where a test says so."""

QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
    "LOG_COLOR": "false",
    "LOG_LEVEL": "INFO",
    "NO_PROXY": "127.0.0.1,localhost",
    "PYTHONUNBUFFERED": "1",
}


class Server:
    """A LangGraph server in a folder; what it stores outlives `restart()`.

    Usage: `with Server(folder, {"PILOTHOUSE_CONFIG": "..."}) as server: server.client(token)`.

    Args:
        folder: Working folder of the process: langgraph.json, server.log and the server's state.
        env: Environment variables of the process. Of the caller's own only PATH, HOME and the
            like are passed, so that a developer's keys stay out.
        graphs: Graph id to `module:variable` or `/path/file.py:variable`; none: the product's.
        auth: The `auth` section; none: the product's.
        http: Keys that replace or join the product's `http` section.
        config: Further top-level keys of langgraph.json.
    """

    def __init__(
        self,
        folder: Path,
        env: Mapping[str, str],
        graphs: Mapping[str, str] | None = None,
        *,
        auth: Mapping[str, Any] | None = None,
        http: Mapping[str, Any] | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self.folder = folder
        self.log_file = folder / "server.log"
        self.port = free_port()
        self.env = dict(env)
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        content = {
            "dependencies": ["."],
            "graphs": dict(graphs or PRODUCT["graphs"]),
            "auth": dict(PRODUCT["auth"] if auth is None else auth),
            "http": PRODUCT["http"] | dict(http or {}),
            **(config or {}),
        }
        (folder / "langgraph.json").write_text(json.dumps(content, indent=2), encoding="utf-8")

    @property
    def url(self) -> str:
        """Where it listens, on loopback."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What it has written so far, over all starts."""
        return self.log_file.read_text(encoding="utf-8", errors="replace")

    @property
    def pid(self) -> int:
        """The process, which leads its group."""
        if self._process is None:
            raise RuntimeError("The server is not running")
        return self._process.pid

    def start(self) -> Self:
        """Start it and wait until it answers.

        Raises:
            RuntimeError: it ended, or did not answer in time; the text ends with its log.
        """
        if self._process is not None:
            raise RuntimeError("The server is running")
        command = [str(Path(sys.executable).with_name("langgraph")), "dev"]
        command += ["--no-browser", "--no-reload", "--n-jobs-per-worker", "10"]
        command += ["--host", "127.0.0.1", "--port", str(self.port)]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._wait()
        except BaseException:
            self.kill()
            raise
        return self

    def stop(self) -> None:
        """End it as an operator would (SIGTERM), so that it stores its state."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it without a chance to store anything (SIGKILL to the whole group)."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop with SIGTERM and start again on the same port with the same state."""
        self.stop()
        self.start()

    def client(self, token: str | None = None) -> LangGraphClient:
        """An SDK client; it must be closed by `async with` or `aclose()`."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return get_client(url=self.url, api_key=None, headers=headers)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _environment(self) -> dict[str, str]:
        passed = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
        own = {name: os.environ[name] for name in passed if name in os.environ}
        return own | QUIET | {"PYTHONPATH": str(ROOT)} | self.env

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"The server ended.\n{self.log[-4000:]}")
            try:
                with urllib.request.urlopen(f"{self.url}/ok", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(f"No answer in {START_SECONDS:.0f} s.\n{self.log[-4000:]}")

    def _end(self, first: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            _signal_group(process.pid, first)
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            # Also for children that outlived their parent.
            _signal_group(process.pid, signal.SIGKILL)
            process.wait()


def free_port() -> int:
    """A TCP port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return
