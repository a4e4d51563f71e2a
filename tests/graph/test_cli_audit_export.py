"""`pilothouse audit export`: a line a row, to be followed by anybody."""

import json
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL, make_url

from graph.cli import main
from scripts.layout import ROOT
from tests.graph.auditing import NOW, Run, configure
from tools.records import Records, RecordsError
from tools.records.chain import GENESIS

EXPORT = ["audit", "export", "--config", "pilothouse.toml"]


def test_an_export_is_written_once_for_its_owner(audit_rows: URL, audit_command: Run) -> None:
    assert audit_command("export", "--output", "out.jsonl") == (0, "", "")
    written = Path("out.jsonl").read_bytes()
    assert Path("out.jsonl").stat().st_mode & 0o777 == 0o600
    lines = [json.loads(line) for line in written.decode().splitlines()]
    assert [line["id"] for line in lines] == [1, 2, 3]
    assert [line["prev_hash"] for line in lines] == [GENESIS] + [line["hash"] for line in lines[:2]]
    code, out, err = audit_command("export", "--output", "out.jsonl")
    assert (code, out, err) == (2, "", "out.jsonl: File exists\n")
    assert Path("out.jsonl").read_bytes() == written
    assert audit_command("export")[:2] == (0, written.decode())
    assert audit_command("export", "--output", "no/out.jsonl")[0] == 2


def test_an_export_is_followed_as_the_documentation_says(audit_rows: URL) -> None:
    audit_page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", audit_page, re.DOTALL)
    assert main([*EXPORT, "--output", "audit.jsonl"]) == 0
    exec(code, {})
    lines = Path("audit.jsonl").read_text(encoding="utf-8").splitlines()
    for harmed in ([lines[0], lines[2]], [lines[0].replace("olga", "olgb"), *lines[1:]]):
        Path("audit.jsonl").write_text("\n".join(harmed), encoding="utf-8")
        with pytest.raises(AssertionError):
            exec(code, {})


def test_half_an_export_does_not_stay(
    audit_rows: URL, audit_command: Run, monkeypatch: Any
) -> None:
    def broken(_: Records) -> Any:
        yield "{}"
        raise RecordsError("The records cannot be used: gone")

    monkeypatch.setattr(Records, "export", broken)
    code, _, err = audit_command("export", "--output", "out.jsonl")
    assert (code, err) == (2, "The records cannot be used: gone\n")
    assert not Path("out.jsonl").exists()


def test_an_export_does_not_hold_all_rows_in_memory(audit_url: URL) -> None:
    rows, letters = 4000, 3000
    with Records.open(audit_url) as records, records.together():
        for _ in range(rows):
            records.audit.append("received", user_id="o", detail={"a": "x" * letters}, now=NOW)
    tracemalloc.start()
    try:
        assert main([*EXPORT, "--output", "out.jsonl"]) == 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert Path("out.jsonl").stat().st_size > rows * letters
    assert peak < rows * letters * 0.75


def test_who_reads_only_the_first_lines_sees_no_fault() -> None:
    place = make_url(f"sqlite:///{Path.cwd()}/records.db")
    configure(place)
    with Records.open(place) as records, records.together():
        for number in range(3000):
            records.audit.append("received", user_id="o", detail={"n": number}, now=NOW)
    command = [sys.executable, "-m", "graph.cli", *EXPORT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0
