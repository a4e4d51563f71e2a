"""What holds for every test: a known environment, and no blocking call in async code."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

# Before any import of the product: some of these are read once, at import.
os.environ.update(
    LANGGRAPH_STRICT_MSGPACK="true",
    LANGSMITH_TRACING="false",
    LANGSMITH_TEST_TRACKING="false",
    LANGGRAPH_CLI_NO_ANALYTICS="1",
    # The checkout may hold a developer's pilothouse.toml: tests start from empty settings.
    PILOTHOUSE_CONFIG=os.devnull,
)
for _name in ("PILOTHOUSE_MODEL", "STUDIO_ROLE", "LANGSMITH_API_KEY", "LANGCHAIN_TRACING_V2"):
    os.environ.pop(_name, None)

import pytest  # noqa: E402 - the environment comes first
from blockbuster import BlockBuster  # noqa: E402 - as above
from hypothesis import is_hypothesis_test, settings  # noqa: E402 - as above

pytest_plugins = ["tests.superset_fixtures", "tests.postgres"]

PRODUCT = ["graph", "nodes", "tools", "evals", "web"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long`: the long form of the proofs, as `make prove` runs them."""
    parser.addoption("--long", action="store_true", help="run proofs in their long form")


def pytest_configure(config: pytest.Config) -> None:
    """Times differ too much between machines for a deadline of single examples."""
    settings.register_profile("short", deadline=None)
    settings.register_profile("long", deadline=None, max_examples=5000)
    settings.load_profile("long" if config.getoption("--long") else "short")


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every property test is a proof: more examples make it longer."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("prove")


@pytest.fixture
def effort(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """How often a proof repeats: `effort(short, long)`; mark such a test with `prove`."""
    return lambda short, long: long if request.config.getoption("--long") else short


def _blocking_calls() -> BlockBuster:
    """What blocks an event loop: for all code as the LangGraph server does, for ours also files."""
    everywhere, ours = BlockBuster(), BlockBuster(scanned_modules=PRODUCT)
    for name, function in ours.functions.items():
        if name.startswith(("os.", "io.")):
            everywhere.functions[name] = function
        elif name.startswith("threading."):  # held for a moment elsewhere: no fault
            del everywhere.functions[name]
    everywhere.functions["os.path.abspath"].can_block_in("inspect.py", "getmodule")
    return everywhere


@pytest.fixture(autouse=True, scope="session")
def blocking_calls_raise() -> Iterator[BlockBuster]:
    """Make a blocking call inside an event loop a BlockingError, in every test."""
    detector = _blocking_calls()
    detector.activate()
    yield detector
    detector.deactivate()


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run each test in an empty folder, so that none writes into the checkout."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        monkeypatch.chdir(folder)
        yield
        os.chdir(Path(__file__).parent)
