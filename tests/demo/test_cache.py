"""The cached base is built once, whole or not at all, and again when what it is made of changes."""

import re
import stat
import threading
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from demo import cache
from demo.base import Base
from demo.errors import DemoError


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A cache in a folder of its own whose expensive steps only leave a note."""
    done: list[str] = []

    def run(command: list[str], what: str, env: object = None) -> None:
        done.append(what)
        if command[1] == "venv":
            Path(command[-1], "bin").mkdir(parents=True)
            Path(command[-1], "bin", "python").symlink_to("/bin/true")

    def build_seed(base: Base, report: object) -> None:
        done.append("seed")
        (base.seed / "dev" / "superset.db").write_text("metadata")

    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "find_uv", lambda report: Path("uv"))
    monkeypatch.setattr(cache, "find_python", lambda uv: Path("python3.11"))
    monkeypatch.setattr(cache, "run", run)
    monkeypatch.setattr(cache, "build_seed", build_seed)
    return done


def silent(line: str) -> None:
    pass


def test_the_second_time_nothing_is_built(builds: list[str]) -> None:
    first = cache.ensure_base(silent)
    assert builds == ["Creating a venv", "Installing Superset", "seed"]
    assert cache.ensure_base(silent) == first
    assert len(builds) == 3


def test_secret_keys_are_made_for_each_build_and_readable_by_the_owner_only(
    builds: list[str],
) -> None:
    seed = cache.ensure_base(silent).seed
    keys = [seed / name / "secret" for name in ("dev", "prod")]
    assert len({key.read_text() for key in keys}) == 2
    assert all(len(key.read_text()) > 40 for key in keys)
    assert [stat.S_IMODE(key.stat().st_mode) for key in keys] == [0o600, 0o600]


def test_a_changed_seed_builds_a_new_seed_in_the_same_environment(
    builds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cache.ensure_base(silent)
    extra = tmp_path / "more.py"
    extra.write_text("one more dashboard")
    monkeypatch.setattr(cache, "_SEED_KEY", cache.digest([*cache.seeding_sources(), extra]))
    second = cache.ensure_base(silent)
    assert builds[3:] == ["seed"]
    assert second.python == first.python
    assert second.seed != first.seed
    assert second.build != first.build


def test_a_changed_lock_builds_everything_anew(
    builds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cache.ensure_base(silent)
    lock = tmp_path / "other.lock"
    lock.write_text("apache-superset==6.2.0")
    monkeypatch.setattr(cache, "_LOCK", lock)
    assert cache.ensure_base(silent).python != first.python
    assert len(builds) == 6


def test_a_half_built_environment_is_never_used(
    builds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = cache.run

    def fails(command: list[str], what: str, env: object = None) -> None:
        whole(command, what, None)
        if what == "Installing Superset":
            raise DemoError("no network")

    monkeypatch.setattr(cache, "run", fails)
    with pytest.raises(DemoError, match="no network"):
        cache.ensure_base(silent)
    monkeypatch.setattr(cache, "run", whole)
    cache.ensure_base(silent)
    assert builds[2:] == ["Creating a venv", "Installing Superset", "seed"]


def test_a_half_built_seed_is_never_used(
    builds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = cache.build_seed

    def fails(base: Base, report: object) -> None:
        whole(base, silent)
        raise KeyboardInterrupt

    monkeypatch.setattr(cache, "build_seed", fails)
    with pytest.raises(KeyboardInterrupt):
        cache.ensure_base(silent)
    monkeypatch.setattr(cache, "build_seed", whole)
    base = cache.ensure_base(silent)
    assert builds[2:] == ["seed", "seed"]
    assert not list(base.seed.parent.glob("*.unfinished"))


def test_two_at_a_time_build_once(builds: list[str]) -> None:
    found: list[Base] = []
    threads = [
        threading.Thread(target=lambda: found.append(cache.ensure_base(silent))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert builds == ["Creating a venv", "Installing Superset", "seed"]
    assert len(set(found)) == 1


def test_an_environment_whose_python_has_gone_is_built_again(builds: list[str]) -> None:
    base = cache.ensure_base(silent)
    base.python.unlink()
    base.python.symlink_to("/nowhere/python")
    assert cache.ensure_base(silent) == base
    assert builds[3:] == ["Creating a venv", "Installing Superset"]


def test_the_key_covers_the_settings_and_all_seeding_code() -> None:
    names = {path.name for path in cache.seeding_sources()}
    assert {
        "superset_config.py",
        "bootstrap_superset.py",
        "accounts.py",
        "seed.py",
        "dashboards.py",
        "layouts.py",
        "people.py",
    } <= names


def test_the_digest_changes_with_a_name_and_with_a_content(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("same")
    two.write_text("same")
    assert cache.digest([one]) != cache.digest([two])
    before = cache.digest([one])
    one.write_text("other")
    assert cache.digest([one]) != before


def test_the_lock_has_hashes_and_no_addresses() -> None:
    lines = cache._LOCK.read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith((" ", "#"))]
    assert len(pins) > 100
    assert all("==" in line and line.endswith("\\") for line in pins)
    assert not [line for line in lines if "://" in line or line.startswith("--")]


@pytest.mark.parametrize(
    ("package", "versions"),
    [("cachetools", ""), ("rich", ""), ("marshmallow", "<4"), ("flask", "<3")],
)
def test_the_lock_has_what_superset_forgets_to_ask_for(package: str, versions: str) -> None:
    """Without them it does not start, or loses the LIMIT of a query."""
    found = re.findall(rf"^{package}==(\S+)", cache._LOCK.read_text(), re.MULTILINE)
    assert len(found) == 1
    assert SpecifierSet(versions).contains(found[0])
