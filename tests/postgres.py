"""A PostgreSQL server of the tests' own: on loopback, as an unprivileged user, gone at the end.

It is Debian's (`scripts/test_tools.sh` installs it). PostgreSQL refuses root, so that root starts
it as the user that the package made; others start it as themselves.
"""

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import URL

from tests.server_process import free_port
from tools.records import Records
from tools.records.chain import GENESIS
from tools.records.schema import audit_head, metadata

USER = "postgres"
SHARED = "records"
START_SECONDS = 60.0
OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    # What a test wrote need not outlive a power cut.
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
}

# A new database takes a tenth of a second, this a few milliseconds.
TABLES = [table.name for table in reversed(metadata.sorted_tables) if table is not audit_head]
EMPTIED = ";".join(
    # A test may have removed the row.
    ["DELETE FROM audit_head", f"INSERT INTO audit_head VALUES (1, 0, '{GENESIS}')"]
    + [f"DELETE FROM {name}" for name in TABLES]
    + [
        f"ALTER SEQUENCE {table.name}_{column.name}_seq RESTART"
        for table in metadata.sorted_tables
        if (column := table.autoincrement_column) is not None
    ]
)


@dataclass
class Postgres:
    """A running server."""

    port: int
    password: str = field(repr=False)
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, database: str) -> URL:
        """The address of a database, as `Records.open` takes it."""
        return URL.create("postgresql", USER, self.password, "127.0.0.1", self.port, database)

    def clean(self) -> URL:
        """The one database that tests share, as it is before the first row."""
        self.run(EMPTIED, SHARED)
        return self.url(SHARED)

    def empty(self) -> URL:
        """A new database without anything."""
        name = f"empty_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    def run(self, statement: str, database: str = "postgres") -> None:
        """Run a statement as the server's own administrator."""
        with psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=USER,
            password=self.password,
            dbname=database,
            autocommit=True,
        ) as connection:
            connection.execute(statement)  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server, started once for this test process."""
    folder = Path(tempfile.mkdtemp(prefix="pilothouse-postgres-"))
    try:
        server = Postgres(free_port(), secrets.token_hex(16))
        _make(folder, server.password)
        process = _start(folder, server.port)
        try:
            _wait(server, process, folder)
            server.run(f"CREATE DATABASE {SHARED}")
            Records.open(server.url(SHARED)).close()
            yield server
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: nothing is kept
            process.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _program(name: str) -> str:
    # Debian keeps them outside of PATH, a folder for each version.
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name)
    )
    path = os.pathsep.join([*map(str, reversed(folders)), os.environ.get("PATH", "")])
    found = shutil.which(name, path=path)
    if found is None:
        raise RuntimeError(f"{name} is missing: run scripts/test_tools.sh")
    return found


def _as_user(command: list[str]) -> list[str]:
    if os.geteuid() != 0:
        return command
    # setpriv becomes the program, so that our signals reach it; it ends when we end.
    switch = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    return [*switch, "--pdeathsig", "QUIT", *command]


def _make(folder: Path, password: str) -> None:
    secret = folder / "password"
    secret.write_text(password)
    if os.geteuid() == 0:
        owner = pwd.getpwnam(USER)
        for path in (folder, secret):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    command = [_program("initdb"), "--no-sync", "--auth=scram-sha-256", f"--username={USER}"]
    command += [f"--pwfile={secret}", "--encoding=UTF8", "--locale=C.UTF-8", str(folder / "data")]
    made = subprocess.run(
        _as_user(command), cwd=folder, capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        raise RuntimeError(f"initdb failed: {made.stdout}{made.stderr}")


def _start(folder: Path, port: int) -> subprocess.Popen[bytes]:
    command = [_program("postgres"), "-D", str(folder / "data"), "-p", str(port)]
    for name, value in OPTIONS.items():
        command += ["-c", f"{name}={value}"]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(_as_user(command), cwd=folder, stdout=log, stderr=log)


def _wait(server: Postgres, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return server.run("SELECT 1")
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                log = (folder / "log").read_text(errors="replace")
                raise RuntimeError(f"PostgreSQL did not start: {log}") from error
            time.sleep(0.05)
