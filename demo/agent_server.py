"""The LangGraph server of the demo."""

import http.client
import os
import sys
import time
from pathlib import Path

from demo.children import Child
from demo.errors import DemoError
from demo.ports import HOST, is_free

_PATIENCE = 120.0
_QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
    "PYTHONUNBUFFERED": "1",
}


def command_of(checkout: Path) -> Path:
    """Return the server's command; raise DemoError when the project is not set up."""
    command = checkout / ".venv" / "bin" / "langgraph"
    if not command.exists():
        message = f"There is no {command}: run `make setup` (or `make demo`) first."
        raise DemoError(message)
    return command


def launch_server(checkout: Path, port: int, log: Path) -> Child:
    """Start the server of `checkout` and return at once; see `wait_server`."""
    if not is_free(port):
        message = f"Port {port} on {HOST} is taken by another program."
        raise DemoError(message)
    inherited = {name: value for name, value in os.environ.items() if name != "PILOTHOUSE_CONFIG"}
    return Child(
        "LangGraph server",
        [
            *(str(command_of(checkout)), "dev", "--no-browser", "--no-reload"),
            *("--host", HOST, "--port", str(port), "--n-jobs-per-worker", "10"),
        ],
        log,
        cwd=checkout,
        env=inherited | _QUIET,
        # It writes what it remembers to disk when it ends.
        grace=20.0,
    )


def wait_server(child: Child, port: int) -> None:
    """Return when the server answers and the port is its own; raise DemoError otherwise."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        answered = _is_ok(port)
        if not child.alive():
            raise DemoError(child.epitaph("ended while starting"))
        if answered:
            if not owns_port(child.pid, port):
                raise DemoError(child.epitaph(f"lost port {port} to another program"))
            return
        if time.monotonic() > deadline:
            raise DemoError(child.epitaph(f"was not ready after {_PATIENCE:.0f} s"))
        time.sleep(0.3)


def _is_ok(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=10)
    try:
        connection.request("GET", "/ok")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def owns_port(group: int, port: int) -> bool:
    """Tell whether a process of the group listens on `port`; True where that is not to be seen."""
    if sys.platform != "linux":
        return True
    sockets = _listening(port)
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and _group(int(entry.name)) == group:
            try:
                names = [str(link.readlink()) for link in (entry / "fd").iterdir()]
            except OSError:
                continue
            if sockets.intersection(names):
                return True
    return False


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return 0


def _listening(port: int) -> set[str]:
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            # Column 1 is the local address, column 3 the state (0A: listening), 9 the inode.
            if int(fields[1].rpartition(":")[2], 16) == port and fields[3] == "0A":
                found.add(f"socket:[{fields[9]}]")
    return found
