"""docs/configuration.md describes every key of the settings, and its example is valid."""

import re
import tomllib
from typing import get_args

import pytest

from scripts.layout import ROOT
from tools.context import Stage
from tools.settings import (
    Auth,
    Credentials,
    Environment,
    Limits,
    Model,
    Policy,
    Records,
    Section,
    Settings,
    ToolPolicy,
    parse_settings,
)

TEXT = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
TABLES = {
    "### Top level": Settings,
    "### `[environments.<id>]`": Environment,
    "### `[[environments.<id>.credentials]]`": Credentials,
    "### `[auth]`": Auth,
    "### `[model]`": Model,
    "### `[records]`": Records,
    "### `[limits]`": Limits,
    "### `[policy]`": Policy,
    "For one tool:": ToolPolicy,
}


def rows(heading: str) -> dict[str, str]:
    """The keys of the first table under a heading, and their defaults."""
    part = TEXT[TEXT.index(heading) :]
    table = re.search(r"^\| key .*\n\|.*\n((?:\|.*\n)+)", part, re.MULTILINE)
    assert table is not None
    cells = [line.split(" | ") for line in table[1].splitlines()]
    return {cell[0].strip("| `"): cell[1].strip("`") for cell in cells}


@pytest.mark.parametrize(("heading", "model"), TABLES.items())
def test_every_key_is_described_with_its_default(heading: str, model: type[Section]) -> None:
    described = rows(heading)
    sections = {"environments", "auth", "model", "records", "limits", "policy"}
    expected = set(model.model_fields) - (sections if model is Settings else set())
    assert set(described) == expected
    for name, default in described.items():
        field = model.model_fields[name]
        if default == "required":
            assert field.is_required()
        elif default == "none":
            assert field.default is None
        else:
            (value,) = tomllib.loads(f"value = {default}").values()
            assert value == field.get_default(call_default_factory=True)


def test_the_examples_are_valid() -> None:
    parsed = [
        parse_settings(tomllib.loads(example))
        for example in re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    ]
    settings = parsed[0]
    assert {item.stage for item in settings.environments.values()} < set(get_args(Stage))
    named = {
        entry.variable for item in settings.environments.values() for entry in item.credentials
    }
    (secrets,) = re.findall(r"```sh\n# \.env\n(.*?)```", TEXT, re.DOTALL)
    assert set(re.findall(r"^(\w+)=", secrets, re.MULTILINE)) == {*named, settings.auth.secret_env}
