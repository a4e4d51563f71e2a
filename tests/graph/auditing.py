"""Not a test: a deployment with an audit, and `pilothouse audit` on it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL, make_url

from graph.cli import main
from tests.postgres import Postgres
from tools.records import Records

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgresql"])
def audit_url(request: pytest.FixtureRequest) -> URL:
    """Where the records of the deployment are, without a row; its settings name them."""
    if request.param == "sqlite":
        place = make_url(f"sqlite:///{Path.cwd()}/records.db")
    else:
        server: Postgres = request.getfixturevalue("postgres")
        place = server.clean()
    configure(place)
    return place


def configure(place: URL) -> None:
    """Write the settings that the command finds, and no others."""
    told = place.render_as_string(hide_password=False)
    Path("pilothouse.toml").write_text(f"[records]\nurl = {json.dumps(told)}\n")


def write(url: URL, *rows: dict[str, Any]) -> None:
    """Rows, an hour apart."""
    with Records.open(url) as records:
        for number, row in enumerate(rows):
            full = {"kind": "executed", "user_id": "olga", "thread_id": "t", "detail": {}} | row
            records.audit.append(full.pop("kind"), now=NOW + timedelta(hours=number), **full)


@pytest.fixture
def audit_rows(audit_url: URL) -> URL:
    """The same with three rows."""
    write(
        audit_url,
        {"kind": "received", "detail": {"role": "operator"}},
        {"tool": "a", "env_id": "dev", "detail": {"words": "привет"}},
        {"tool": "b", "env_id": "prod", "user_id": "\x1b[2Jpeter", "thread_id": None},
    )
    return audit_url


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def audit_command(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run `pilothouse audit`; gives its exit code and what it wrote."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(["audit", *arguments, "--config", "pilothouse.toml"])
        except SystemExit as error:
            code = int(str(error.code))
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return run
