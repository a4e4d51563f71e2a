"""The parts of README.md that are generated from the code, between markers.

Run as a program it rewrites them; `tests/test_readme.py` fails when they are stale.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graph.cli_tools import roles_in_words  # noqa: E402 - the checkout comes first on the path
from graph.superset import graph  # noqa: E402
from tools.catalog import SUPERSET  # noqa: E402
from tools.definition import ANYWHERE, ToolDefinition  # noqa: E402


def tool_table() -> str:
    """A table of all declared tools."""
    head = "| tool | effect | risk | roles | pages | does |\n|---|---|---|---|---|---|"
    return "\n".join([head, *(_row(tool) for tool in SUPERSET.definitions.values())])


def _row(tool: ToolDefinition) -> str:
    pages = "all" if tool.affinity == ANYWHERE else ", ".join(sorted(tool.affinity))
    if tool.when == "shortened":
        pages = "after a result was shortened"
    does = re.split(r"(?<=\.)\s", tool.description, maxsplit=1)[0].replace("|", r"\|")
    roles = roles_in_words(tool.roles)
    return f"| `{tool.name}` | {tool.effect} | {tool.risk} | {roles} | {pages} | {does} |"


def diagram() -> str:
    """The compiled graph as it is drawn by LangGraph Studio."""
    return f"```mermaid\n{graph.get_graph().draw_mermaid().strip()}\n```"


PARTS: Mapping[str, Callable[[], str]] = MappingProxyType({"tools": tool_table, "graph": diagram})
"""Name of the markers, and what stands between them."""


def generated(text: str) -> str:
    """The README with all generated parts renewed.

    Raises:
        ValueError: a pair of markers is missing.
    """
    for name, make in PARTS.items():
        opening = re.search(rf"^<!-- {name}: .*-->\n", text, re.MULTILINE)
        end = text.find(f"<!-- /{name} -->", opening.end()) if opening else -1
        if opening is None or end < 0:
            raise ValueError(f"README.md has no part named {name}")
        text = f"{text[: opening.end()]}{make()}\n{text[end:]}"
    return text


if __name__ == "__main__":
    readme = ROOT / "README.md"
    readme.write_text(generated(readme.read_text(encoding="utf-8")), encoding="utf-8")
