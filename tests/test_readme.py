"""The README says what the code does: its generated parts, its commands, its links."""

import re

import pytest

from scripts.layout import ROOT
from scripts.readme import PARTS, generated

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [
    "README.md",
    "ARCHITECTURE.md",
    *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")),
]


def test_the_generated_parts_are_fresh() -> None:
    assert generated(README) == README, "run: make readme"


def test_a_stale_part_is_noticed() -> None:
    stale = README.replace("`start_maintenance` | write", "`start_maintenance` | read")
    assert stale != README
    assert generated(stale) == README


@pytest.mark.parametrize("name", PARTS)
def test_missing_markers_are_noticed(name: str) -> None:
    with pytest.raises(ValueError, match=f"no part named {name}"):
        generated(README.replace(f"<!-- /{name} -->", ""))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_make_targets_exist(document: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)\b(?=`|\s*$|\s+#)", read(document), re.MULTILINE))
    assert named <= targets
    assert "README" not in document or {"demo", "demo-stop", "test", "serve"} <= named


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_files_exist(document: str) -> None:
    text = read(document)
    links = re.findall(r"\]\((?!https?://)([^)#]+)", text)
    paths = re.findall(
        r"`((?:graph|nodes|tools|evals|web|demo|docs|tests|scripts)/[\w./-]+)`", text
    )
    base = (ROOT / document).parent
    assert [link for link in links if not (base / link).exists()] == []
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_ci_command_is_the_readmes_test_command() -> None:
    commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert commands[-1] == "make test"
    assert re.search(r"^make test\b", README, re.MULTILINE)


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")
