"""`pilothouse audit`: what is on record, is it whole, and what does it add up to."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, update
from sqlalchemy.engine import URL, make_url

from tests.graph.auditing import NOW, Run, configure, write
from tests.postgres import Postgres
from tools.records import Records
from tools.records.chain import GENESIS
from tools.records.schema import audit


def test_rows_are_listed_newest_last_and_steer_no_terminal(
    audit_rows: URL, audit_command: Run
) -> None:
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
def test_each_filter(
    audit_rows: URL, audit_command: Run, options: list[str], ids: list[int]
) -> None:
    code, out, _ = audit_command("list", "--json", *options)
    assert (code, [row["id"] for row in json.loads(out)]) == (0, ids)


def test_a_row_as_json_is_whole(audit_rows: URL, audit_command: Run) -> None:
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


def test_a_whole_audit_and_its_head(audit_rows: URL, audit_command: Run) -> None:
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
    audit_rows: URL, audit_command: Run, harm: Any, words: str
) -> None:
    assert audit_command("verify")[0] == 0
    with Records.open(audit_rows) as records, records.database.write() as connection:
        connection.execute(harm)
    code, out, _ = audit_command("verify")
    assert code == 1
    assert f"The audit is NOT whole: {words}" in out
    assert "Head" not in out
    code, out, _ = audit_command("verify", "--json")
    assert (code, json.loads(out)["whole"]) == (1, False)
    assert words in json.loads(out)["problem"]


def test_a_head_of_another_audit(audit_rows: URL, audit_command: Run) -> None:
    code, out, _ = audit_command("verify", "--head", f"2:{GENESIS}")
    assert code == 1
    assert "row 2: the noted head is not in this audit" in out


def test_what_was_cut_is_told(audit_rows: URL, audit_command: Run) -> None:
    noted = audit_command("verify")[1].splitlines()[-1].removeprefix("Head: ")
    with Records.open(audit_rows) as records:
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


def test_an_audit_without_rows(audit_url: URL, audit_command: Run) -> None:
    Records.open(audit_url).close()
    assert audit_command("verify")[:2] == (0, "0 rows are whole.\n")
    assert audit_command("export")[:2] == (0, "")
    assert json.loads(audit_command("list", "--json")[1]) == []
    code, out, _ = audit_command("stats")
    assert code == 0
    assert "Outcomes: none" in out
    assert "%" not in out


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


def test_stats_in_words_and_as_json(audit_url: URL, audit_command: Run) -> None:
    done = {"outcome": "done", "ms": 30, "characters": 1000}
    again = {"outcome": "done", "ms": 10, "fault": "busy", "again": 4, "helped": 3}
    write(
        audit_url,
        {"call_id": "1", "env_id": "dev", "detail": done},
        {"kind": "shortened", "call_id": "1", "detail": {"characters": 1000, "sent": 250}},
        {"call_id": "2", "env_id": "prod", "detail": again},
        {"call_id": "3", "env_id": "prod", "detail": {"outcome": "failed", "error": "busy"}},
    )
    code, out, _ = audit_command("stats")
    assert code == 0
    assert out.splitlines() == [
        "Outcomes: done 2, failed 1",
        "Faults of failed calls: busy 1",
        "Duration: 20 ms on average, of 2 calls",
        "Passing faults: 1 calls met one (busy 1)",
        "Retry success: 3 of 4 reads sent again were answered (75.0 %); "
        "1 of 1 calls ended well (100.0 %)",
        "Result reduction: 1000 characters of 1 results, 250 sent to the model (75.0 % less)",
    ]
    found = json.loads(audit_command("stats", "--json", "--env", "dev")[1])
    assert (found["outcomes"], found["raw"], found["sent"]) == ({"done": 1}, 1000, 250)
