"""The detector of blocking calls is on in async tests, and sees our own file access."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from blockbuster import BlockingError
from hypothesis import given, settings
from hypothesis.strategies import integers

from tools.settings import load_settings

ROOT = Path(__file__).resolve().parent.parent


async def test_sleep_raises() -> None:
    with pytest.raises(BlockingError, match=r"time\.sleep"):
        time.sleep(0.001)  # noqa: ASYNC251 - the fault that is to be found


async def test_sql_raises() -> None:
    connection = await asyncio.to_thread(sqlite3.connect, ":memory:", check_same_thread=False)
    with pytest.raises(BlockingError, match="sqlite3"):
        connection.execute("select 1")
    connection.close()


async def test_our_own_file_access_raises() -> None:
    path = Path("pilothouse.toml")
    await asyncio.to_thread(path.write_text, 'language = "ru"\n')
    with pytest.raises(BlockingError):
        load_settings(path)
    assert (await asyncio.to_thread(load_settings, path)).language == "ru"


def test_sync_code_may_block() -> None:
    time.sleep(0.001)


def test_environment_is_known_before_imports() -> None:
    code = (
        "import conftest, json, os, sys;"
        "print(json.dumps([os.environ.get(n) for n in sys.argv[1:]]))"
    )
    names = ["LANGGRAPH_STRICT_MSGPACK", "LANGSMITH_TRACING", "PILOTHOUSE_MODEL", "STUDIO_ROLE"]
    run = subprocess.run(
        [sys.executable, "-c", code, *names],
        cwd=ROOT,
        env={**os.environ, "PILOTHOUSE_MODEL": "a:b", "STUDIO_ROLE": "admin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == ["true", "false", None, None]


def test_each_test_has_an_empty_folder() -> None:
    assert list(Path.cwd().iterdir()) == []


def test_proofs_are_short_unless_asked_for(
    effort: Callable[[int, int], int], request: pytest.FixtureRequest
) -> None:
    asked = request.config.getoption("--long")
    assert effort(1, 100) == (100 if asked else 1)
    assert settings.default is not None
    assert settings.default.max_examples == (5000 if asked else 100)


@given(integers())
def test_property_tests_are_proofs(number: int) -> None:
    assert isinstance(number, int)


def test_make_prove_finds_the_property_tests() -> None:
    command = [sys.executable, "-m", "pytest", "-m", "prove", "--long", "--collect-only", "-q"]
    run = subprocess.run(
        [*command, str(Path(__file__))], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stdout.splitlines()[0].endswith("::test_property_tests_are_proofs")
