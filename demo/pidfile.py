"""A pid file that is not fooled by a stranger with the same number."""

import json
import subprocess
from pathlib import Path


def identity(pid: int) -> str | None:
    """Return a mark of the process `pid` that another process with this number lacks.

    None when there is no such process, or only its remains that nobody has collected.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None if Path("/proc/self/stat").exists() else _identity_by_ps(pid)
    # The name in parentheses may itself hold spaces and parentheses.
    fields = stat.rpartition(")")[2].split()
    state, started = fields[0], fields[19]
    return None if state in "ZX" else started


def _identity_by_ps(pid: int) -> str | None:
    # Systems without /proc.
    done = subprocess.run(  # noqa: S603 - a fixed command
        ["/bin/ps", "-o", "stat=,lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    state, _, started = done.stdout.strip().partition(" ")
    return started.strip() if started and not state.startswith("Z") else None


def write(path: Path, pid: int) -> None:
    """Record that `pid` is the process that this file stands for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps({"pid": pid, "started": identity(pid)}), encoding="utf-8")
    draft.replace(path)


def read(path: Path) -> int | None:
    """Return the process id if exactly that process still runs, else None."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        pid, started = int(content["pid"]), content["started"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return pid if started is not None and identity(pid) == started else None
