"""Fixtures with real Supersets; a pytest plugin, so that every test folder can use them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from demo.supersets import Pair, ensure_base, start_pair


@pytest.fixture(scope="session")
def supersets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Both installations, started once for this test process on free ports."""
    base = ensure_base(print)
    folder: Path = tmp_path_factory.mktemp("supersets")
    with start_pair(base, folder, report=print) as pair:
        yield pair


@pytest.fixture
def pair(supersets: Pair) -> Pair:
    """Both installations with their seeded content, whatever the test before did."""
    supersets.reset()
    return supersets
