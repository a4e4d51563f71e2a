"""The committed snapshot of every tool's contract: what clients, prompts and policies rely on.

Run as a program it rewrites the snapshot; `tests/tools/test_contract.py` fails on a difference,
so that a change of the contract is seen in review.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SNAPSHOT = ROOT / "tests" / "tools" / "contract.json"
sys.path.insert(0, str(ROOT))

from graph.cli_tools import declaration  # noqa: E402 - the checkout comes first on the path
from tools.catalog import SUPERSET  # noqa: E402


def contract() -> str:
    """The contract of every tool as JSON, sorted by name."""
    tools = sorted(map(declaration, SUPERSET.definitions.values()), key=lambda tool: tool["name"])
    return json.dumps(tools, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    SNAPSHOT.write_text(contract(), encoding="utf-8")
