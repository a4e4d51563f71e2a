"""What enters a Docker image of the checkout, by the rules of .dockerignore.

Run as a program it writes the Dockerfile to a temporary folder, as `langgraph dockerfile` does,
and fails when a secret or a server's state would enter the image.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SECRETS = (
    ".env",
    ".env.local",
    "demo.env",
    "tools/.env",
    "pilothouse.toml",
    ".pilothouse/records.db",
    ".langgraph_api/.langgraph_checkpoint.1.pckl",
    ".git/config",
    ".venv/bin/python",
    "graph/__pycache__/cli.cpython-311.pyc",
    "records.db",
    "id_ed25519",
)
"""Paths that must never enter, whether they exist here or not."""

NEEDED = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "graph/superset.py",
    "nodes/state.py",
    "tools/settings.py",
    "tools/messages/ru/common.ftl",
    "evals/__init__.py",
    "web/app.py",
)
"""Paths without which the image can't be built or can't run."""


def patterns(root: Path = ROOT) -> list[str]:
    """The patterns of .dockerignore, comments left out."""
    lines = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def enters(path: str, rules: Iterable[str]) -> bool:
    """Whether Docker sends a file: the last pattern that matches it or a folder above decides."""
    parts = path.split("/")
    names = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    sent = True
    for rule in rules:
        regex = _regex(rule.removeprefix("!").strip("/"))
        if any(regex.fullmatch(name) for name in names):
            sent = rule.startswith("!")
    return sent


def _regex(pattern: str) -> re.Pattern[str]:
    """Docker's wildcards: `**/` any folders, `*` and `?` inside one name."""
    tokens = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    found = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern)
    return re.compile("".join(tokens.get(token) or re.escape(token) for token in found))


def problems(root: Path = ROOT) -> list[str]:
    """What is wrong with the image's content, a sentence each."""
    rules = patterns(root)
    wrong = [f"{path} would enter the image" for path in SECRETS if enters(path, rules)]
    return wrong + [f"{path} is missing in the image" for path in NEEDED if not enters(path, rules)]


def main() -> int:
    """Write the Dockerfile and check what enters the image; 1 when something is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "Dockerfile"
        command = [str(Path(sys.executable).with_name("langgraph")), "dockerfile", str(target)]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        written = target.read_text(encoding="utf-8") if target.exists() else ""
    wrong = problems()
    if run.returncode or "LANGSERVE_GRAPHS" not in written:
        wrong.append(f"langgraph dockerfile failed:\n{run.stdout}{run.stderr}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
