"""A tool's contract changes only on purpose."""

import json

from scripts.contract import SNAPSHOT, contract
from tools.catalog import SUPERSET


def test_the_contract_is_the_committed_one() -> None:
    committed = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    # Compared as data, so that a failure shows the tool and the fact; `make contract` rewrites it.
    assert json.loads(contract()) == committed


def test_the_contract_covers_every_tool_and_its_arguments() -> None:
    tools = {tool["name"]: tool for tool in json.loads(contract())}
    assert set(tools) == set(SUPERSET.definitions)
    for tool in tools.values():
        schema = tool["arguments"]
        assert schema["additionalProperties"] is False
        assert "call" not in schema["properties"]
        assert set(tool["required"]) | set(tool["page"]) <= set(schema["properties"])
        for name, argument in schema["properties"].items():
            assert argument.get("description"), (tool["name"], name)
