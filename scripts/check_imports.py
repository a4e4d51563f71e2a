"""Import everything that langgraph.json names, as the server does; fail with the reason."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def missing(config: dict[str, Any]) -> list[str]:
    """What the auth and the http section name and no module has, a sentence each."""
    wrong = []
    for name in (config["auth"]["path"], config["http"]["app"]):
        module, _, variable = name.partition(":")
        if not hasattr(importlib.import_module(module), variable):
            wrong.append(f"langgraph.json: {module} has no {variable}")
    return wrong


def main() -> int:
    """Check the graphs with the server's own command, then the auth and the app."""
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    environment = {
        **os.environ,
        "LANGSERVE_GRAPHS": json.dumps(config["graphs"]),
        "LANGGRAPH_RUNTIME_EDITION": "inmem",
        "DATABASE_URI": ":memory:",
        "REDIS_URI": "fake",
        "PYTHONPATH": str(ROOT),
        "LOG_LEVEL": "WARNING",
        "LOG_COLOR": "false",
        "PILOTHOUSE_CONFIG": os.devnull,
    }
    verify = str(Path(sys.executable).with_name("langgraph-verify-graphs"))
    graphs = subprocess.run([verify], cwd=ROOT, env=environment, check=False)
    wrong = missing(config)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong or graphs.returncode else 0


if __name__ == "__main__":
    os.environ["PILOTHOUSE_CONFIG"] = os.devnull
    os.environ.setdefault("PILOTHOUSE_JWT_SECRET", "of no deployment, only for imports")
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
