"""What the audit adds up to, in both databases."""

import importlib
from datetime import timedelta
from typing import Any

import pytest

from tests.tools.records_help import NOW
from tools.records import AuditFilter, Records

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


def write(records: Records, *rows: dict[str, Any]) -> None:
    """Rows, an hour apart."""
    for number, row in enumerate(rows):
        full = {"kind": "executed", "user_id": "olga", "thread_id": "t", "detail": {}} | row
        records.audit.append(full.pop("kind"), now=NOW + timedelta(hours=number), **full)


def test_stats_add_up(records: Records) -> None:
    write(records, *FACTS)
    assert vars(records.stats(AuditFilter())) == {
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


def test_stats_of_an_environment_know_what_of_its_results_was_shortened(
    records: Records,
) -> None:
    done = {"outcome": "done", "characters": 1000}
    short = {"kind": "shortened", "detail": {"characters": 1000, "sent": 100}}
    write(
        records,
        {"call_id": "1", "env_id": "dev", "detail": done},
        short | {"call_id": "1"},
        {"call_id": "2", "env_id": "prod", "detail": done},
        short | {"call_id": "2"},
    )
    found = records.stats(AuditFilter(env_id="prod"))
    assert (found.raw, found.sent, found.outcomes) == (1000, 100, {"done": 1})


def test_more_results_than_are_remembered(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is forgotten counts as sent whole: the sum never promises too much."""
    module = importlib.import_module("tools.records.stats")
    monkeypatch.setattr(module, "REMEMBERED", 1)
    done = {"outcome": "done", "characters": 1000}
    short = {"kind": "shortened", "detail": {"characters": 1000, "sent": 100}}
    calls = [{"call_id": "1", "detail": done}, {"call_id": "2", "detail": done}]
    write(records, *calls, short | {"call_id": "1"}, short | {"call_id": "2"})
    found = records.stats(AuditFilter())
    assert (found.raw, found.sent) == (2000, 1100)


@pytest.mark.parametrize("detail", [[], {"outcome": "done", "ms": "1"}, {}])
def test_a_row_that_is_none_of_ours_is_an_error(records: Records, detail: Any) -> None:
    write(records, {"detail": detail})
    with pytest.raises(ValueError, match="not what was written"):
        records.stats(AuditFilter())
