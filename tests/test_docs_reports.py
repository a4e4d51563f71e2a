"""Every reported fault in docs/reports has a test that exists, and stands there once."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from scripts.layout import ROOT

PAGES = sorted((ROOT / "docs" / "reports").glob("*.md"))
REFERENCE = re.compile(r"[\w./-]+(?: PR)?#\d+|GHSA-[\w-]+|CVE-\d+-\d+")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
UNBUILT = "not built yet"

Row = list[str]


def rows(page: Path) -> list[Row]:
    """The rows of a page's tables, without their heads and rules."""
    lines = page.read_text(encoding="utf-8").splitlines()
    body: list[Row] = []
    for before, line in zip(["", *lines], lines, strict=False):
        is_head = line.startswith("|") and not before.startswith("|")
        if line.startswith("|") and not is_head and not set(line) <= set("|- :"):
            body.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return body


@cache
def defined_in(path: str) -> frozenset[str]:
    """The names of the tests that a file defines; none where there is no file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(node.name for node in found if node.name.startswith("test_"))


def problems(table: list[Row]) -> list[str]:
    """What is wrong with the rows of a page."""
    wrong: list[str] = []
    for row in table:
        named = NAMED.findall(row[-1])
        if len(row) < 3 or not all(row):
            wrong.append(f"not three cells: {row}")
        elif not named and UNBUILT not in row[-1]:
            wrong.append(f"no test: {row[0]}")
        wrong += [f"{path}::{name}" for path, name in named if name not in defined_in(path)]
        # Whatever looks like a test is one: a slip in its form must not hide it.
        if row[-1].count("::") != len(named):
            wrong.append(f"not a test's name: {row[-1]}")
    seen = Counter(found for row in table for found in set(REFERENCE.findall(row[0])))
    return wrong + [f"twice: {name}" for name, count in seen.items() if count > 1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_report_has_tests_that_exist(page: Path) -> None:
    table = rows(page)
    assert len(table) > 10
    assert problems(table) == []


def test_there_are_pages() -> None:
    assert "agents" in [page.stem for page in PAGES]


HERE = "`tests/test_docs_reports.py::test_there_are_pages`"


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ([["a#1", "is well", HERE]], 0),
        ([["a#1", "is well", UNBUILT]], 0),
        ([["a#1", "is well", "trust us"]], 1),
        ([["a#1", HERE]], 1),
        ([["a#1", "is well", "`tests/test_docs_reports.py::test_of_nothing`"]], 1),
        ([["a#1", "is well", "`tests/test_no_file.py::test_x`"]], 1),
        ([["a#1", "is well", f"{HERE}, tests/x.py::test_x"]], 1),
        ([["a#1, b#2", "is well", HERE], ["b PR#2, a#1", "is well", HERE]], 1),
    ],
)
def test_what_is_wrong_is_found(table: list[Row], wrong: int) -> None:
    assert len(problems(table)) == wrong
