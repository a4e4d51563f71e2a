"""What proving the audit takes: its chain from the first row to the last."""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime

from benchmarks.measure import Figure, measure
from tools.records import Records

ROWS = 10_000
NOW = datetime(2026, 1, 1, tzinfo=UTC)
DETAIL = {
    "outcome": "done",
    "arguments": {"env_id": "prod", "query": "Продажи по регионам", "limit": 25},
    "ms": 120,
    "attempts": 1,
    "characters": 4000,
}


def audit() -> Iterator[Figure]:
    """Follow 10,000 rows in a file, as `pilothouse audit verify` does once it has started."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Records.open(f"sqlite:///{folder}/records.db") as records,
    ):
        with records.together():
            for number in range(ROWS):
                _append(records, number)
        assert records.verify().rows == ROWS
        seconds = measure(records.verify, rounds=5)
    yield Figure(f"audit_verify_{ROWS}_rows_seconds", seconds, "s", "follow the audit's chain", 1)


def _append(records: Records, number: int) -> None:
    records.audit.append(
        "executed",
        user_id="bench",
        thread_id=f"thread-{number // 10}",
        call_id=f"call-{number}",
        tool="search_dashboards",
        env_id="prod",
        detail=DETAIL,
        now=NOW,
    )


BENCHMARKS = (audit,)
