"""The short top-level names are ours; a stranger that ships one of them is noticed."""

import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from scripts.layout import DISTRIBUTION, PACKAGES, ROOT, strangers


def run(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the check in a process of its own, with a folder earlier on its path."""
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "layout.py")],
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_packages_are_ours() -> None:
    assert strangers() == []


def test_the_installed_distribution_is_this_checkout() -> None:
    files = {str(file) for file in distribution(DISTRIBUTION).files or []}
    assert any(name.endswith(".pth") or name == "tools/__init__.py" for name in files)
    run = subprocess.run(
        [sys.executable, "-P", "-c", "import tools; print(tools.__file__)"],
        cwd=Path.cwd(),  # an empty folder: nothing but the installation can provide it
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == str(ROOT / "tools" / "__init__.py")


def test_the_check_passes_as_a_program(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", PACKAGES)
def test_a_shadowing_folder_is_noticed(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    result = run(tmp_path)
    assert result.returncode == 1
    assert f"{name} comes from {tmp_path}" in result.stdout


def test_a_stranger_that_ships_our_name_is_noticed_though_it_loses(tmp_path: Path) -> None:
    info = tmp_path / "stranger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (info / "top_level.txt").write_text("tools\n")
    result = run(tmp_path)
    assert result.returncode == 1
    assert "tools is also shipped by stranger" in result.stdout
