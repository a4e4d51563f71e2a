"""`pilothouse audit`: what is on record, is it whole, and what does it add up to."""

import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage
from sqlalchemy import delete, update
from sqlalchemy.engine import URL, make_url

from graph.cli import main
from scripts.layout import ROOT
from tests.agent import asks
from tests.doubles import ScriptedChatModel
from tests.postgres import Postgres
from tools.connect import Services
from tools.records import AuditFilter, AuditRow, Records, RecordsError, Stats
from tools.records.chain import GENESIS
from tools.records.schema import audit

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DEV = {"env_id": "ss-dev"}


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> URL:
    """Where the records of the deployment are, without a row; its settings name them."""
    if request.param == "sqlite":
        place = make_url(f"sqlite:///{Path.cwd()}/records.db")
    else:
        server: Postgres = request.getfixturevalue("postgres")
        place = server.clean()
    configure(place)
    return place


def configure(place: URL, more: str = "") -> None:
    told = place.render_as_string(hide_password=False)
    Path("pilothouse.toml").write_text(f"[records]\nurl = {json.dumps(told)}\n{more}")


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTHOUSE_CONFIG", str(Path("pilothouse.toml").absolute()))


def write(url: URL, *rows: dict[str, Any]) -> None:
    """Rows, an hour apart."""
    with Records.open(url) as records:
        for number, row in enumerate(rows):
            full = {"kind": "executed", "user_id": "olga", "thread_id": "t", "detail": {}} | row
            records.audit.append(full.pop("kind"), now=NOW + timedelta(hours=number), **full)


@pytest.fixture
def rows(url: URL) -> URL:
    write(
        url,
        {"kind": "received", "detail": {"role": "operator"}},
        {"tool": "a", "env_id": "dev", "detail": {"words": "привет"}},
        {"tool": "b", "env_id": "prod", "user_id": "\x1b[2Jpeter", "thread_id": None},
    )
    return url


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def audit_command(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run `pilothouse audit`; gives its exit code and what it wrote."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(["audit", *arguments])
        except SystemExit as error:
            code = int(str(error.code))
        out, err = capsysbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


def test_rows_are_listed_newest_last_and_steer_no_terminal(rows: URL, audit_command: Run) -> None:
    code, out, _ = audit_command("list")
    head, *lines = out.splitlines()
    assert code == 0
    assert head.split() == ["ID", "TIME", "(UTC)", "KIND", "USER", "ENV", "TOOL", "THREAD", "FACTS"]
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert lines[1].split()[1:] == [
        "2026-03-01", "13:00:00", "executed", "olga", "dev", "a", "t", '{"words":"привет"}',
    ]  # fmt: skip
    assert "\ufffd[2Jpeter" in lines[2]
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ([], [1, 2, 3]),
        (["--limit", "2"], [2, 3]),
        (["--since", "2026-03-01T13:00"], [2, 3]),
        (["--since", "2026-03-01T15:00+02:00"], [2, 3]),
        (["--until", "2026-03-01T13:00Z"], [1]),
        (["--until", "2026-03-01"], []),
        (["--kind", "executed"], [2, 3]),
        (["--user", "olga"], [1, 2]),
        (["--thread", "t", "--kind", "executed"], [2]),
        (["--tool", "b"], [3]),
        (["--env", "dev"], [2]),
        (["--env", "dev", "--tool", "b"], []),
    ],
)
def test_each_filter(rows: URL, audit_command: Run, options: list[str], ids: list[int]) -> None:
    code, out, _ = audit_command("list", "--json", *options)
    assert (code, [row["id"] for row in json.loads(out)]) == (0, ids)


def test_a_row_as_json_is_whole(rows: URL, audit_command: Run) -> None:
    [row] = json.loads(audit_command("list", "--json", "--tool", "a")[1])
    assert row == {
        "id": 2,
        "at": "2026-03-01T13:00:00+00:00",
        "kind": "executed",
        "user_id": "olga",
        "thread_id": "t",
        "call_id": None,
        "tool": "a",
        "env_id": "dev",
        "detail": {"words": "привет"},
    }


def test_a_whole_audit_and_its_head(rows: URL, audit_command: Run) -> None:
    code, out, _ = audit_command("verify")
    told, head = out.splitlines()
    assert (code, told) == (0, "3 rows are whole.")
    noted = head.removeprefix("Head: ")
    assert audit_command("verify", "--head", noted)[0] == 0
    verdict = json.loads(audit_command("verify", "--json")[1])
    assert (verdict["whole"], verdict["rows"], verdict["problem"]) == (True, 3, None)
    assert f"{verdict['head']['id']}:{verdict['head']['hash']}" == noted


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (update(audit).where(audit.c.id == 2).values(user_id="olgb"), "row 2: it is not what was"),
        (delete(audit).where(audit.c.id == 2), "row 3: rows before it were removed, or put in"),
        (delete(audit).where(audit.c.id == 1), "row 2: the rows before it were removed"),
        (delete(audit).where(audit.c.id == 3), "row 3: the end of the audit is not there"),
        (update(audit).where(audit.c.id == 2).values(detail="{"), "row 2: it is not what was"),
    ],
)
def test_what_is_not_whole_is_1_with_the_row_and_the_problem(
    rows: URL, audit_command: Run, harm: Any, words: str
) -> None:
    assert audit_command("verify")[0] == 0
    with Records.open(rows) as records, records.database.write() as connection:
        connection.execute(harm)
    code, out, _ = audit_command("verify")
    assert code == 1
    assert f"The audit is NOT whole: {words}" in out
    assert "Head" not in out
    code, out, _ = audit_command("verify", "--json")
    assert (code, json.loads(out)["whole"]) == (1, False)
    assert words in json.loads(out)["problem"]


def test_a_head_of_another_audit(rows: URL, audit_command: Run) -> None:
    code, out, _ = audit_command("verify", "--head", f"2:{GENESIS}")
    assert code == 1
    assert "row 2: the noted head is not in this audit" in out


def test_what_was_cut_is_told(rows: URL, audit_command: Run) -> None:
    noted = audit_command("verify")[1].splitlines()[-1].removeprefix("Head: ")
    with Records.open(rows) as records:
        first = records.audit.list()[0]
        assert records.cut(timedelta(days=1), NOW + timedelta(days=3)) == 3
        records.audit.append("received", user_id="o", detail={}, now=NOW + timedelta(days=3))
    assert first.id == 1
    code, out, _ = audit_command("verify")
    assert code == 0
    assert "Rows up to 3 were cut off: their time was over." in out
    assert audit_command("verify", "--head", noted)[0] == 0
    code, out, _ = audit_command("verify", "--head", f"2:{GENESIS}")
    assert code == 1
    assert "the noted head was cut off" in out


def test_an_audit_without_rows(url: URL, audit_command: Run) -> None:
    Records.open(url).close()
    assert audit_command("verify")[:2] == (0, "0 rows are whole.\n")
    assert audit_command("export")[:2] == (0, "")
    assert json.loads(audit_command("list", "--json")[1]) == []
    code, out, _ = audit_command("stats")
    assert code == 0
    assert "Outcomes: none" in out
    assert "%" not in out


def test_an_export_is_written_once_for_its_owner(rows: URL, audit_command: Run) -> None:
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


def test_an_export_is_followed_as_the_documentation_says(rows: URL) -> None:
    audit_page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", audit_page, re.DOTALL)
    assert main(["audit", "export", "--output", "audit.jsonl"]) == 0
    exec(code, {})
    lines = Path("audit.jsonl").read_text(encoding="utf-8").splitlines()
    for harmed in ([lines[0], lines[2]], [lines[0].replace("olga", "olgb"), *lines[1:]]):
        Path("audit.jsonl").write_text("\n".join(harmed), encoding="utf-8")
        with pytest.raises(AssertionError):
            exec(code, {})


def test_half_an_export_does_not_stay(rows: URL, audit_command: Run, monkeypatch: Any) -> None:
    def broken(_: Records) -> Any:
        yield "{}"
        raise RecordsError("The records cannot be used: gone")

    monkeypatch.setattr(Records, "export", broken)
    code, _, err = audit_command("export", "--output", "out.jsonl")
    assert (code, err) == (2, "The records cannot be used: gone\n")
    assert not Path("out.jsonl").exists()


def test_an_export_does_not_hold_all_rows_in_memory(url: URL) -> None:
    rows, letters = 4000, 3000
    with Records.open(url) as records, records.together():
        for _ in range(rows):
            records.audit.append("received", user_id="o", detail={"a": "x" * letters}, now=NOW)
    tracemalloc.start()
    try:
        assert main(["audit", "export", "--output", "out.jsonl"]) == 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert Path("out.jsonl").stat().st_size > rows * letters
    assert peak < rows * letters * 0.75


@pytest.mark.parametrize("action", ["list", "stats", "export"])
def test_a_row_that_cannot_be_read_is_told_without_a_trace(audit_command: Run, action: str) -> None:
    place = make_url(f"sqlite:///{Path.cwd()}/records.db")
    configure(place)
    write(place, {"detail": {"outcome": "done"}}, {})
    with Records.open(place) as records, records.database.write() as connection:
        connection.exec_driver_sql("UPDATE audit SET detail = CAST(x'7bff' AS TEXT) WHERE id = 2")
    code, _, err = audit_command(action)
    assert code == 1
    assert err == "A row cannot be read: `pilothouse audit verify` tells which.\n"
    assert audit_command("verify")[0] == 1


@pytest.mark.parametrize("action", ["list", "verify", "export", "stats"])
def test_without_records_nothing_is_made(audit_command: Run, action: str) -> None:
    configure(make_url("sqlite:///new/records.db"))
    code, out, err = audit_command(action)
    assert (code, out) == (2, "")
    assert "there is no such file" in err
    assert not Path("new").exists()


def test_a_server_that_is_not_there_is_2_without_its_password(
    postgres: Postgres, audit_command: Run
) -> None:
    configure(postgres.url("nowhere"))
    code, out, err = audit_command("verify")
    assert (code, out) == (2, "")
    assert "nowhere" in err
    assert postgres.password not in err


@pytest.mark.parametrize(
    "wrong",
    [
        ["verify", "--head", "7"],
        ["verify", "--head", f"7:{GENESIS.upper()}x"],
        ["list", "--since", "yesterday"],
        ["list", "--limit", "0"],
        ["list", "--limit", "²"],
        ["list", "--kind", "nothing"],
        [],
    ],
)
def test_wrong_options_are_2(audit_command: Run, wrong: list[str]) -> None:
    configure(make_url("sqlite:///records.db"))
    code, out, err = audit_command(*wrong)
    assert (code, out) == (2, "")
    assert "usage: pilothouse audit" in err


def test_who_reads_only_the_first_lines_sees_no_fault() -> None:
    place = make_url(f"sqlite:///{Path.cwd()}/records.db")
    configure(place)
    with Records.open(place) as records, records.together():
        for number in range(3000):
            records.audit.append("received", user_id="o", detail={"n": number}, now=NOW)
    command = [sys.executable, "-m", "graph.cli", "audit", "export"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ}
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


FACTS: list[dict[str, Any]] = [
    # A read, shortened; shortened again by a replay; one that needed a second try; one in vain.
    {"call_id": "1", "detail": {"outcome": "done", "ms": 30, "attempts": 1, "characters": 1000}},
    {"kind": "shortened", "call_id": "1", "detail": {"characters": 1000, "sent": 400}},
    {"kind": "shortened", "call_id": "1", "detail": {"characters": 1000, "sent": 400}},
    {
        "call_id": "2",
        "detail": {
            "outcome": "done", "ms": 10, "attempts": 2, "fault": "busy", "again": 3, "helped": 3,
            "characters": 200,
        },
    },
    {
        "call_id": "3",
        "detail": {
            "outcome": "failed", "ms": 20, "attempts": 2, "fault": "unreachable", "again": 1,
            "helped": 0, "error": "unreachable",
        },
    },
    # Approved calls: done; unknown and then done; unknown; the work on one of many objects.
    {"kind": "outcome", "call_id": "4", "detail": {"to": "done", "ms": 40, "characters": 20001}},
    {"kind": "shortened", "call_id": "4", "detail": {"characters": 50000, "sent": 600}},
    {"kind": "unknown", "call_id": "5", "detail": {"to": "unknown"}},
    {"kind": "outcome", "call_id": "5", "detail": {"from": "unknown", "to": "done"}},
    {"kind": "unknown", "call_id": "6", "detail": {"to": "unknown"}},
    {"kind": "outcome", "call_id": "7", "detail": {"item": "x", "to": "done"}},
    {"kind": "outcome", "call_id": "7", "detail": {"to": "approved"}},
    # What did not run: denied; a person who may not decide; rejected; replaced; expired.
    {"kind": "denied", "call_id": "8", "detail": {"message": "no"}},
    {"kind": "denied", "call_id": "8", "detail": {"message": "no", "approval": "x"}},
    {"kind": "decided", "call_id": "9", "detail": {"to": "rejected", "reason": "no"}},
    {"kind": "decided", "call_id": "9", "detail": {"to": "rejected", "reason": "superseded"}},
    {"kind": "decided", "call_id": "9", "detail": {"to": "approved"}},
    {"kind": "decided", "call_id": "9", "detail": {"to": "expired"}},
]  # fmt: skip


def test_stats_add_up(url: URL, audit_command: Run) -> None:
    write(url, *FACTS)
    code, out, _ = audit_command("stats", "--json")
    assert code == 0
    assert json.loads(out) == {
        "outcomes": {
            "done": 4, "failed": 1, "unknown": 1, "denied": 1, "rejected": 1, "expired": 1,
        },
        "errors": {"unreachable": 1},
        "faults": {"busy": 1, "unreachable": 1},
        "met": 2,
        "saved": 1,
        "again": 4,
        "helped": 3,
        "results": 3,
        "raw": 1000 + 200 + 50000,
        "sent": 400 + 200 + 600,
        "ms": 100,
        "timed": 4,
    }  # fmt: skip
    code, out, _ = audit_command("stats")
    assert code == 0
    assert "3 of 4 reads sent again were answered (75.0 %)" in out
    assert "1 of 2 calls ended well (50.0 %)" in out
    assert "51200 characters of 3 results, 1200 sent to the model, less by (97.7 %)" in out
    assert "Duration: 25 ms on average, of 4 calls" in out


def test_stats_of_an_environment_know_what_of_its_results_was_shortened(
    url: URL, audit_command: Run
) -> None:
    done = {"outcome": "done", "characters": 1000}
    short = {"kind": "shortened", "detail": {"characters": 1000, "sent": 100}}
    write(
        url,
        {"call_id": "1", "env_id": "dev", "detail": done},
        short | {"call_id": "1"},
        {"call_id": "2", "env_id": "prod", "detail": done},
        short | {"call_id": "2"},
    )
    found = json.loads(audit_command("stats", "--json", "--env", "prod")[1])
    assert (found["raw"], found["sent"], found["outcomes"]) == (1000, 100, {"done": 1})


SEARCH, START = "search_dashboards", "start_maintenance"


async def noted(services: Services, *kinds: str) -> list[AuditRow]:
    rows = await services.store(lambda records: records.audit.list(limit=1000))
    return [row for row in rows if row.kind in kinds]


async def sums(services: Services) -> Stats:
    return await services.store(lambda records: records.stats(AuditFilter()))


async def test_a_read_and_how_it_was_shortened_are_on_record(talk: Any, services: Services) -> None:
    call = DEV | {"limit": 100, "query": "password=hunter2"}
    state = await talk(asks((SEARCH, DEV | {"limit": 100})), asks((SEARCH, call), prefix="d"),
                       AIMessage(".")).say("go")  # fmt: skip
    long, short = [one for one in state["messages"] if one.type == "tool"]
    first, second = await noted(services, "executed")
    [shorter] = await noted(services, "shortened")
    assert (first.tool, first.env_id, first.user_id, first.call_id) == (
        SEARCH, "ss-dev", "olga", "c1",
    )  # fmt: skip
    assert first.detail["arguments"] == DEV | {"limit": 100}
    assert first.detail["outcome"] == "done"
    assert first.detail["attempts"] == 1
    assert {"again", "helped", "fault", "error"}.isdisjoint(first.detail)
    assert "hunter2" not in json.dumps(second.detail)
    assert shorter.detail["characters"] == first.detail["characters"]
    assert shorter.detail["sent"] == len(long.text) < first.detail["characters"]
    found = await sums(services)
    assert found.raw == first.detail["characters"] + second.detail["characters"]
    assert found.sent == len(long.text) + len(short.text)


@pytest.mark.parametrize("lasting", [False, True])
async def test_a_passing_fault_and_what_the_second_try_was_good_for(on: Any, lasting: bool) -> None:
    refused: list[str] = []

    async def busy(request: httpx.Request) -> httpx.Response | None:
        if request.url.path.endswith("/dashboard/") and (lasting or not refused):
            refused.append(request.url.path)
            return httpx.Response(429, headers={"Retry-After": "0"}, json={"message": "slow"})
        return None

    conversation, _ = on(busy)
    conversation.model = ScriptedChatModel(steps=[asks((SEARCH, DEV)), AIMessage(".")])
    await conversation.say("go")
    [row] = await noted(conversation.services, "executed")
    assert len(refused) == (2 if lasting else 1)
    expected = {
        "outcome": "failed" if lasting else "done",
        "attempts": 2,
        "fault": "busy",
        "again": 1,
        "helped": 0 if lasting else 1,
    }
    assert expected.items() <= row.detail.items()
    assert row.detail.get("error") == ("busy" if lasting else None)
    found = await sums(conversation.services)
    assert (found.met, found.saved) == (1, 0 if lasting else 1)


async def test_a_write_tells_how_it_went_with_its_outcome(talk: Any, services: Services) -> None:
    conversation = talk(asks((START, DEV | {"dashboards": ["usa"]})), AIMessage("."))
    await conversation.say("go")
    state = await conversation.approve()
    [row] = await noted(services, "outcome")
    assert row.detail["to"] == "done"
    assert row.detail["attempts"] == 1
    assert row.detail["ms"] > 0
    [answer] = [one for one in state["messages"] if one.type == "tool"]
    assert row.detail["characters"] == pytest.approx(len(answer.text), rel=0.1)
    assert await noted(services, "executed") == []


@pytest.mark.parametrize(
    ("fault", "end", "error"),
    [("refused", "failed", "ToolException"), ("lost", "unknown", "OutcomeUnknown")],
)
async def test_a_write_that_did_not_end_well_tells_the_fault(
    on: Any, fault: str, end: str, error: str
) -> None:
    async def refuse(request: httpx.Request) -> httpx.Response | None:
        if request.method != "PUT":
            return None
        if fault == "lost":
            raise httpx.ReadError("lost", request=request)
        return httpx.Response(403, json={"message": "no"})

    conversation, _ = on(refuse)
    call = asks((START, DEV | {"dashboards": ["usa"]}))
    conversation.model = ScriptedChatModel(steps=[call, AIMessage(".")])
    await conversation.say("go")
    await conversation.approve()
    [row] = await noted(conversation.services, "outcome", "unknown")
    assert {"to": end, "error": error, "attempts": 1}.items() <= row.detail.items()
    assert row.detail["ms"] >= 0
    found = await sums(conversation.services)
    assert (found.outcomes, found.errors) == ({end: 1}, {error: 1})


async def test_a_read_that_cannot_be_put_on_record_is_not_given_out(
    talk: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = await services.store(lambda records: records)
    usual = records.audit.append

    def refuse(kind: Any, **facts: Any) -> AuditRow:
        if kind == "executed":
            raise RecordsError("The records cannot be used: full")
        return usual(kind, **facts)

    monkeypatch.setattr(records.audit, "append", refuse)
    state = await talk(asks((SEARCH, DEV)), AIMessage(".")).say("go")
    [answer] = [one for one in state["messages"] if one.type == "tool"]
    assert (answer.status, answer.artifact["kind"]) == ("error", "error")
    assert "USA" not in answer.text
