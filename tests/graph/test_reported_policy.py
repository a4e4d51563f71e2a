"""An agent cannot change its own rules: no tool and no step writes settings or environment.

Users reported an agent that switched its gate off in its configuration (docs/reports/agents.md).
"""

import ast
import asyncio
import os
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from scripts.layout import ROOT
from tests.agent import answers, asks, cards
from tools.catalog import SUPERSET
from tools.policy import policy_version

WRITING = {
    "write_text", "write_bytes", "touch", "mkdir", "makedirs", "unlink", "rename",
    "symlink_to", "hardlink_to", "chmod", "truncate", "putenv", "setenv", "unsetenv", "set_key",
    "Popen", "system", "check_call", "check_output",
}  # fmt: skip
"""Methods and functions that change files or the environment, or start what could."""

ALLOWED = {
    ("graph/cli_audit.py", "open"),  # a person's export
    ("graph/cli_audit.py", "unlink"),  # half an export does not stay
    ("tools/records/sqlite.py", "open"),  # the ledger and its folder
    ("tools/records/sqlite.py", "mkdir"),
    ("tools/records/sqlite.py", "chmod"),
}


def changes(path: str, source: str) -> set[tuple[str, str]]:
    """What in a source may change a file, the environment, or start a program."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            if ast.unparse(node.value) == "os.environ":
                found.add((path, "environ"))
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            owner, _, last = name.rpartition(".")
            if last in WRITING and not owner.startswith(("self.", "records.")):
                found.add((path, last))
            if name in ("open", "os.open", "os.remove") or (
                owner == "os.environ" and last != "get"
            ):
                found.add((path, last))
    return found


def test_nothing_deployed_writes_files_but_the_records_and_a_person_s_export() -> None:
    found = set()
    for package in ("graph", "nodes", "tools", "web"):
        for file in (ROOT / package).rglob("*.py"):
            path = file.relative_to(ROOT).as_posix()
            found |= changes(path, file.read_text(encoding="utf-8"))
    assert found == ALLOWED


def test_what_would_write_is_noticed() -> None:
    source = (
        "Path('pilothouse.toml').write_text('')\nos.environ['A'] = 'b'\nopen('x', 'w')\n"
        "os.environ.update(a='b')\nsubprocess.Popen('x')\nos.environ.get('A')\nos.environ['A']\n"
    )
    names = {"write_text", "environ", "open", "update", "Popen"}
    assert {name for _, name in changes("x.py", source)} == names


async def test_every_tool_carried_out_leaves_rules_settings_and_environment_alone(
    talk: Any, services: Any, tmp_path: Path, dev: Any
) -> None:
    """An admin approves all that a model asks for: it asks for everything there is."""
    usa = str((await dev.dashboard("usa")).id)
    given = {"env_id": "ss-dev", "dashboards": [usa], "dashboard": usa, "query": "usa"}
    given |= {"database": "Analytics", "sql": "select 1 as one", "message": "[policy]"}
    every = [
        (one.name, {key: given[key] for key in one.arguments.model_fields if key in given})
        for one in SUPERSET.definitions.values()
    ]
    files = [tmp_path / name for name in ("pilothouse.toml", ".env")]
    before = [await asyncio.to_thread(file.read_bytes) for file in files], dict(os.environ)
    version = policy_version(services.settings, SUPERSET.definitions.values())

    conversation = talk(asks(*every), AIMessage("done"), role="admin")
    page = {"envId": "ss-dev", "route": "/x", "contextVersion": 1}
    state = await conversation.say("go", page)
    assert [card["tool"] for card in cards(state)] == ["start_maintenance"]
    state = await conversation.approve()

    ran = {one.name for one in answers(state["messages"]) if one.artifact["kind"] == "result"}
    assert {"start_maintenance", "search_dashboards", "superset_execute_sql"} <= ran
    assert (
        [await asyncio.to_thread(file.read_bytes) for file in files],
        dict(os.environ),
    ) == before
    assert policy_version(services.settings, SUPERSET.definitions.values()) == version
