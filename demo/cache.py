"""The cached base: Superset's environment and two seeded installations, built once."""

import hashlib
import json
import secrets
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from demo import disk
from demo.accounts import INSTALLATIONS
from demo.base import Base
from demo.locks import exclusive
from demo.places import cache_folder
from demo.private import write_private
from demo.seed_build import build_seed
from demo.tooling import find_python, find_uv, run

Report = Callable[[str], None]
_HERE = Path(__file__).parent
_LOCK = _HERE / "requirements-superset.lock"
_MARK = "ready.json"


def seeding_sources() -> list[Path]:
    """Return the files that, with the lock, decide what the seeded installations contain."""
    named = ("superset_config.py", "bootstrap_superset.py", "accounts.py", "seed_build.py")
    return [*(_HERE / name for name in named), *sorted((_HERE / "seeding").glob("*.py"))]


def digest(files: Iterable[Path], extra: str = "") -> str:
    """Return a short key that changes with the names and contents of `files`."""
    total = hashlib.sha256(extra.encode())
    for path in files:
        content = path.read_bytes()
        total.update(f"{path.name} {len(content)}\n".encode() + content)
    return total.hexdigest()[:16]


# Taken when the seeding code is loaded: what a process has in memory must not be stored under
# the key of what somebody has edited since.
_SEED_KEY = digest(seeding_sources())


def ensure_base(report: Report) -> Base:
    """Return the base of this checkout's pins and seeding; build what is missing of it.

    Args:
        report: Called with one line for each step.

    Raises:
        DemoError: The disk, Python or network does not suffice; the message says which.
    """
    root = cache_folder()
    environment = root / f"env-{digest([_LOCK])}"
    seed = root / f"seed-{digest([_LOCK], _SEED_KEY)}"
    if not (_environment_ready(environment) and _is_ready(seed)):
        root.mkdir(parents=True, exist_ok=True)
        with exclusive(
            root / "build.lock", lambda: report("Waiting for another build of the Superset base")
        ):
            _build_environment(environment, report)
            _build_seed(environment, seed, report)
    build = json.loads((seed / _MARK).read_text(encoding="utf-8"))["build"]
    return Base(environment / "bin" / "python", seed, build)


def _is_ready(folder: Path) -> bool:
    return (folder / _MARK).is_file()


def _environment_ready(folder: Path) -> bool:
    # The interpreter that the environment points to may have been removed since.
    return _is_ready(folder) and (folder / "bin" / "python").exists()


def _build_environment(target: Path, report: Report) -> None:
    if _environment_ready(target):
        return
    disk.require_free(target, disk.ENVIRONMENT_MB, "Superset")
    uv = find_uv(report)
    python = find_python(uv)
    # An environment cannot be moved: it is built in place and counts only with its mark.
    shutil.rmtree(target, ignore_errors=True)
    report(f"Installing Superset into {target}")
    run([str(uv), "venv", "--quiet", "--python", str(python), str(target)], "Creating a venv")
    install = [str(uv), "pip", "install", "--quiet", "--require-hashes"]
    interpreter = str(target / "bin" / "python")
    run([*install, "--python", interpreter, "-r", str(_LOCK)], "Installing Superset")
    _mark(target)


def _build_seed(environment: Path, target: Path, report: Report) -> None:
    if _is_ready(target):
        return
    disk.require_free(target, disk.STATE_MB, "the demo's data")
    unfinished = target.with_name(f"{target.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    for name in INSTALLATIONS:
        (unfinished / name).mkdir(parents=True)
        write_private(unfinished / name / "secret", secrets.token_urlsafe(48))
    base = Base(environment / "bin" / "python", unfinished, "")
    build_seed(base, report)
    _mark(unfinished)
    shutil.rmtree(target, ignore_errors=True)
    unfinished.rename(target)


def _mark(folder: Path) -> None:
    draft = folder / f"{_MARK}.draft"
    draft.write_text(json.dumps({"build": secrets.token_hex(8)}), encoding="utf-8")
    draft.rename(folder / _MARK)
