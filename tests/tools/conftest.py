"""The records on both kinds of database, without a row at the start of each test."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy.engine import URL, make_url

from tests.postgres import Postgres
from tools.records import Records

ENGINES = ("sqlite", "postgresql")


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest) -> URL:
    """Where a test's records are; in PostgreSQL they are there, without a row."""
    if request.param == "sqlite":
        return make_url(f"sqlite:///{Path.cwd()}/records.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.clean()


@pytest.fixture(params=ENGINES)
def new_urls(request: pytest.FixtureRequest) -> Callable[[], URL]:
    """Makes places where no records are yet."""
    numbers = count()
    if request.param == "sqlite":
        return lambda: make_url(f"sqlite:///{Path.cwd()}/new/{next(numbers)}/records.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.empty


@pytest.fixture
def records(url: URL) -> Iterator[Records]:
    """Records, opened."""
    with Records.open(url) as opened:
        yield opened
