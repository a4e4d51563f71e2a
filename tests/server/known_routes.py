"""The routes that a server of the product has, and those that hold nothing of anybody."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.server_process import PRODUCT, ROOT
from tests.signing import SECRET

META_ROUTES = {"/", "/docs", "/info", "/metrics", "/ok", "/openapi.json"}
"""What the server itself tells anybody; the door narrows /metrics."""

HIDDEN_ROUTES = {
    "/internal/debug/thread/{thread_id}",
    "/internal/truncate",
    "/deploy",
    "/deploy/{operation_id}/stream",
}
"""Of the development server; the door says that they do not exist."""

PAGE_ROUTES = {
    "/agent",
    "/agent/",
    "/agent/agent.js",
    "/agent/icon.svg",
    *(
        f"/agent/modules/{name}.js"
        for name in (
            *("address", "api", "card", "conversation", "dom", "follow", "inline", "markdown"),
            *("notice", "peers", "scroll", "sse", "strip", "texts", "turn"),
        )
    ),
    *(f"/agent/styles/{name}.css" for name in ("card", "conversation", "page")),
    "/agent/texts/en.json",
    "/agent/texts/ru.json",
}
"""The page's files: anybody may read them, for they hold no secret."""

Listed = tuple[list[str], str, bool, bool]
"""Methods, path, whether the door stands before it, and whether sign-in does."""


def list_routes(folder: Path) -> list[Listed]:
    """The routes of a server with the product's configuration, listed in a process of its own."""
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PILOTHOUSE_CONFIG": os.devnull,
        "PILOTHOUSE_JWT_SECRET": SECRET,
        "DATABASE_URI": ":memory:",
        "REDIS_URI": "fake",
        "MIGRATIONS_PATH": "__inmem",
        "LANGGRAPH_RUNTIME_EDITION": "inmem",
        "LANGSERVE_GRAPHS": "{}",
        "LANGGRAPH_AUTH": json.dumps(PRODUCT["auth"]),
        "LANGGRAPH_HTTP": json.dumps(PRODUCT["http"]),
    }
    script = Path(__file__).with_name("list_routes.py")
    made = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert made.returncode == 0, made.stderr
    [line] = [line for line in made.stdout.splitlines() if line.startswith("ROUTES ")]
    return [tuple(route) for route in json.loads(line.removeprefix("ROUTES "))]
