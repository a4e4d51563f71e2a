"""What the built packages, the lock, the image and the checkout hold, and what they never hold."""

import ast
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import image
from scripts.layout import PACKAGES, ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
LANGGRAPH: dict[str, Any] = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))


def checkout(*paths: str) -> list[str]:
    """Files of the checkout that git has or would take."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *paths]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in run.stdout.splitlines() if (ROOT / name).exists()]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> set[str]:
    """Names of the files in the wheel."""
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_wheel_holds_exactly_the_five_packages(wheel: set[str]) -> None:
    version = PROJECT["project"]["version"]
    info = f"pilothouse-{version}.dist-info"
    assert {name.split("/")[0] for name in wheel} == {*PACKAGES, info}
    assert {name for name in wheel if not name.startswith(info)} == set(checkout(*PACKAGES))
    assert {f"{info}/entry_points.txt", f"{info}/licenses/LICENSE"} <= wheel


def test_wheel_holds_what_is_read_at_run_time(wheel: set[str]) -> None:
    assert {f"{package}/py.typed" for package in PACKAGES} <= wheel
    for language in ("ru", "en"):
        assert f"tools/messages/{language}/common.ftl" in wheel
    assert any(re.fullmatch(r"tools/records/migrations/versions/\w+\.py", name) for name in wheel)


def test_demo_and_tests_are_only_in_the_sdist(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "langgraph.json"} <= names
    assert set(checkout("demo", "tests", *PACKAGES)) <= names
    assert not [name for name in names if re.search(r"\.env|pilothouse\.toml|\.venv|\.db$", name)]


def entries() -> dict[str, tuple[str, list[str]]]:
    """The lock: canonical name to version and hashes."""
    found: dict[str, tuple[str, list[str]]] = {}
    for block in re.split(r"\n(?=[a-z0-9])", LOCK):
        match = re.match(r"([a-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", block)
        if match:
            found[match[1]] = match[2], re.findall(r"--hash=sha256:([0-9a-f]{64})\b", block)
    return found


def test_every_entry_of_the_lock_has_a_version_and_hashes() -> None:
    lines = [line for line in LOCK.splitlines() if re.match(r"[^\s#]", line)]
    assert len(entries()) == len(lines) > 80
    assert [name for name, (_, hashes) in entries().items() if not hashes] == []


def test_the_lock_names_no_address_and_no_folder() -> None:
    assert re.findall(r"\S*(?:://|@ |file:|--\w*index|--find-links)\S*", LOCK) == []
    assert re.findall(r"(?:^|\s)\.{0,2}/\S+", LOCK) == []


def test_the_lock_fits_the_project() -> None:
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    wanted += PROJECT["build-system"]["requires"]
    locked = entries()
    for requirement in map(Requirement, wanted):
        version, _ = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), requirement


def test_what_the_packages_import_is_declared() -> None:
    owners = packages_distributions()
    declared = {canonicalize_name(Requirement(line).name) for line in requires("pilothouse") or []}
    undeclared = {
        (module, name)
        for name in checkout(*PACKAGES)
        if name.endswith(".py")
        for module in imports(ROOT / name)
        if module not in {*sys.stdlib_module_names, *PACKAGES}
        and not declared & {canonicalize_name(owner) for owner in owners.get(module, [])}
    }
    assert undeclared == set()


def imports(path: Path) -> set[str]:
    """Top-level names of the modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module.split(".")[0])
    return found


def test_no_secret_and_no_state_enters_an_image() -> None:
    assert image.problems() == []


@pytest.mark.parametrize("rule", ["!.env", "!.pilothouse", "!**", "!pilothouse.toml", "!.git"])
def test_a_hole_in_dockerignore_is_found(rule: str) -> None:
    rules = [*image.patterns(), rule]
    assert any(image.enters(path, rules) for path in image.SECRETS)


@pytest.mark.parametrize(
    ("path", "rules", "sent"),
    [
        ("a/b.py", [], True),
        ("a/b.py", ["a"], False),
        ("a/b.py", ["*"], False),
        ("a/b.py", ["*", "!a"], True),
        ("a/b.pyc", ["*", "!a", "**/*.pyc"], False),
        ("b.pyc", ["**/*.pyc"], False),
        ("a/b.pyc", ["*.pyc"], True),
        ("ab", ["a?"], False),
        ("a/.env", ["**/.*"], False),
        ("a.env/b", ["!a.env", "a.env/"], False),
    ],
)
def test_dockerignore_is_read_as_docker_reads_it(path: str, rules: list[str], sent: bool) -> None:
    assert image.enters(path, rules) is sent


def test_the_server_is_configured_by_module_and_closed() -> None:
    names = [entry["path"] for entry in LANGGRAPH["graphs"].values()]
    names += [LANGGRAPH["auth"]["path"], LANGGRAPH["http"]["app"]]
    assert all(re.fullmatch(r"[a-z_]+(\.[a-z_]+)+:[a-z_]+", name) for name in names)
    assert LANGGRAPH["auth"]["disable_studio_auth"] is False
    assert LANGGRAPH["http"]["middleware_order"] == "auth_first"
    assert all(LANGGRAPH["http"][f"disable_{door}"] for door in ("mcp", "a2a", "webhooks"))
    assert isinstance(LANGGRAPH["env"], str)  # never values, which would enter the image


def test_every_way_to_start_the_server_makes_no_objects_of_what_is_stored() -> None:
    line = "LANGGRAPH_STRICT_MSGPACK=true"
    assert f"ENV {line}" in LANGGRAPH["dockerfile_lines"]
    assert line in (ROOT / "scripts" / "serve.sh").read_text(encoding="utf-8")


def test_the_changelog_knows_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {PROJECT['project']['version']}" in text


def test_no_tracked_file_names_a_persons_folder_or_a_registry() -> None:
    # /home/me stands for anybody's; the folder of this checkout and real names do not.
    local = re.compile(
        rf"{re.escape(str(ROOT))}\b|/(?:root|home|Users)/(?!me\b)[\w.]|(?:pypi|pythonhosted)\.org"
    )
    found = []
    for name in checkout():
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if name != "tests/test_packaging.py" and (match := local.search(text)):
            found.append((name, match[0]))
    assert found == []


def test_secrets_are_ignored_by_git() -> None:
    names = [".env", "pilothouse.toml", ".pilothouse/records.db", ".langgraph_api/x", ".venv/x"]
    command = ["git", "check-ignore", "--no-index", *names]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.stdout.split() == names
