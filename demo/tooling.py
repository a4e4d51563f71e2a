"""Finding what builds the cached base: a Python that Superset runs on, and uv."""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

from demo.children import Child
from demo.errors import DemoError
from demo.places import CHECKOUT, cache_folder

_VERSIONS = ("3.11", "3.12")
_PROBE = (
    "import sys, sqlite3; print('%d.%d' % sys.version_info[:2], sys.implementation.name,"
    " sys.executable)"
)
_UV = "uv>=0.5"


def find_python(uv: Path) -> Path:
    """Return an interpreter of CPython 3.11 or 3.12; raise DemoError when there is none."""
    for candidate in _candidates(uv):
        found = _probe(candidate)
        if found is not None:
            return found
    message = (
        "Superset 6.1 runs on Python 3.11 or 3.12, and neither was found. Install one"
        " (for example `uv python install 3.12`) so that `python3.12` is on the PATH."
    )
    raise DemoError(message)


def _candidates(uv: Path) -> Iterator[str]:
    yield sys.executable
    for version in _VERSIONS:
        on_path = shutil.which(f"python{version}")
        if on_path:
            yield on_path
    for version in _VERSIONS:
        found = _output([str(uv), "python", "find", "--no-python-downloads", version])
        if found:
            yield found


def _probe(candidate: str) -> Path | None:
    # A name on the PATH may be a shim without an interpreter behind it: ask it.
    words = _output([candidate, "-c", _PROBE]).split(maxsplit=2)
    if len(words) == 3 and words[0] in _VERSIONS and words[1] == "cpython":
        return Path(words[2])
    return None


def _output(command: list[str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed commands, no shell
            command, capture_output=True, text=True, timeout=60, check=False, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def find_uv(report: Callable[[str], None]) -> Path:
    """Return uv: from the PATH, the project's environment, or fetched by pip into the cache."""
    fetched = cache_folder() / "uv" / "bin" / "uv"
    beside = (Path(sys.prefix) / "bin" / "uv", CHECKOUT / ".venv" / "bin" / "uv", fetched)
    on_path = shutil.which("uv")
    for candidate in ([Path(on_path)] if on_path else []) + list(beside):
        if _output([str(candidate), "--version"]):
            return candidate
    report("Fetching uv (it installs Superset in seconds, pip takes minutes)")
    try:
        venv.create(fetched.parent.parent, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        message = (
            "uv was not found and could not be fetched: put `uv` on the PATH (pip install uv)."
        )
        raise DemoError(message) from error
    run([str(fetched.with_name("python")), "-m", "pip", "install", "--quiet", _UV], "Fetching uv")
    return fetched


def run(command: list[str], what: str, env: dict[str, str] | None = None) -> None:
    """Run a command to its end; raise DemoError with the end of its output when it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        # A kept child: one that outlived a killed build would write into the next one.
        # And a project file of the current directory must not change what is installed.
        child = Child(
            what, command, Path(scratch, "log"), cwd=cache_folder(), env=env or os.environ, grace=3
        )
        try:
            status = child.wait()
        finally:
            child.stop()
        if status:
            message = f"{what} failed (status {status}):\n{child.log_tail()}"
            raise DemoError(message)
