"""What every message and every tool call pays: page, judgement, offer, digest, and the ledger."""

import hashlib
import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, compare, figure, measure
from tools.catalog import SUPERSET
from tools.context import UIContext, User, check_context
from tools.definition import Impact
from tools.policy import decide, offer
from tools.records import Approval, ApprovalRequest, Records, digest
from tools.settings import parse_settings

SETTINGS = parse_settings(
    {
        "environments": {
            name: {
                "title": name,
                "stage": name,
                "url": "http://127.0.0.1",
                "credentials": [{"roles": ["operator"], "username": "o", "password_env": "P"}],
            }
            for name in ("dev", "staging", "prod")
        }
    }
)
TOOL = "start_maintenance"
USER = User("bench", "operator")
ARGUMENTS: dict[str, Any] = {
    "env_id": "prod",
    "message": "Обновление витрины, до 18:00",
    "dashboards": [{"id": n, "uuid": f"{n:032x}", "title": f"Отчёт {n}"} for n in range(10)],
}
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PAGE: dict[str, Any] = {
    "objectType": "dashboard",
    "objectId": "3",
    "objectName": "Продажи по регионам",
    "envId": "prod",
    "route": "/superset/dashboard/3/",
    "contextVersion": 1,
}
LONGEST = PAGE | {"objectName": "😀" * 256, "route": "/" + "😀" * 511}
"""Every text as long as it may be, in characters that a client escapes to twelve each."""
TRANSITIONS = 200


def judgement() -> Iterator[Figure]:
    """The pure rules: one decision, and the offer on a page."""
    definition = SUPERSET.definitions[TOOL]
    impact = Impact(changed=3)
    seconds = measure(lambda: decide(definition, USER, "prod", SETTINGS, impact), calls=1000)
    yield figure("policy_decision", seconds, "us", "one decision of the policy", 10)
    page = UIContext.model_validate({"objectType": "dashboard", "objectId": "3", "envId": "prod"})
    tools = list(SUPERSET.definitions.values())
    seconds = measure(lambda: offer(tools, USER, page, SETTINGS, frozenset()), calls=100)
    yield figure("policy_offer", seconds, "us", f"the offer of {len(tools)} tools on a page")


def context() -> Iterator[Figure]:
    """A client's context checked, the usual and the longest, against only parsing its JSON."""
    for name, page in (("page", PAGE), ("longest", LONGEST)):
        raw = {"ui": page, "language": "ru"}
        wire = json.dumps(raw)
        ours, _, ratio = compare(
            lambda raw=raw: check_context(raw, SETTINGS.environments),
            lambda wire=wire: json.loads(wire),
            calls=50,
        )
        what = f"a context of {len(wire) / 1000:.1f} KB checked"
        yield figure(f"context_{name}", ours, "us", what, 20)
        yield Figure(f"context_{name}_vs_json", ratio, "ratio", "the same against json.loads")


def canonical() -> Iterator[Figure]:
    """The digest of a call's arguments, against plain sorted JSON."""

    def peer() -> str:
        text = json.dumps(ARGUMENTS, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    ours, _, ratio = compare(lambda: digest(ARGUMENTS), peer, calls=50)
    yield figure("canonical_digest", ours, "us", "digest of arguments with 10 dashboards", 60)
    yield Figure("canonical_digest_vs_json", ratio, "ratio", "the same against json.dumps + sha256")


def ledger() -> Iterator[Figure]:
    """One approval's life on disk, against as many bare SQLite commits."""
    with tempfile.TemporaryDirectory() as folder:
        records = Records.open(f"sqlite:///{folder}/records.db")
        plain = _bare(Path(folder) / "bare.db")
        numbers = count()
        ours, _, ratio = compare(
            lambda: _life(records, next(numbers)), lambda: _four_commits(plain), rounds=100
        )
        plain.close()
        records.close()
    yield figure("ledger_life", ours, "ms", "asked, approved, executing, done with audit rows")
    yield Figure("ledger_life_vs_sqlite", ratio, "ratio", "the same against four bare commits")


def transition() -> Iterator[Figure]:
    """One step of the ledger with its audit row, against a bare insert of as many bytes.

    Both are one transaction that begins with BEGIN IMMEDIATE and ends on the disk.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.db"
        records = Records.open(f"sqlite:///{path}")
        plain = _bare(Path(folder) / "bare.db")
        with records.together():
            asked = iter([_asked(records, f"call-{n}") for n in range(TRANSITIONS + 1)])
        words = "x" * _bytes_of_a_step(path)
        ours, _, ratio = compare(
            lambda: _approved(records, next(asked)),
            lambda: _commit(plain, words),
            rounds=TRANSITIONS,
        )
        plain.close()
        records.close()
    yield figure("ledger_transition", ours, "ms", "approved, with its audit row, on the disk")
    what = f"the same against a bare insert of {len(words)} bytes"
    yield Figure("ledger_transition_vs_sqlite", ratio, "ratio", what)


def _approved(records: Records, row: Approval) -> Approval:
    return records.approvals.approve(row.id, row.digest, USER.id, NOW)


def _commit(connection: sqlite3.Connection, words: str) -> None:
    connection.execute("begin immediate")
    connection.execute("insert into t values (?, ?)", (0, words))
    connection.execute("commit")


def _bytes_of_a_step(path: Path) -> int:
    """What a step writes: a row of the ledger, and one of the audit."""
    with closing(sqlite3.connect(path)) as connection:
        rows = [
            connection.execute(f"select * from {table} limit 1").fetchone()  # noqa: S608
            for table in ("approvals", "audit")
        ]
    return sum(len(str(value).encode()) for row in rows for value in row if value is not None)


def _life(records: Records, number: int) -> None:
    call = f"call-{number}"
    asked = _asked(records, call)
    _approved(records, asked)
    records.approvals.begin(
        "bench",
        call,
        tool=TOOL,
        requested=ARGUMENTS,
        user_id=USER.id,
        policy_version="bench",
        now=NOW,
    )
    records.approvals.finish(asked.id, "done", {"ok": True}, NOW)


def _asked(records: Records, call: str) -> Approval:
    request = ApprovalRequest(
        thread_id="bench",
        call_id=call,
        tool=TOOL,
        requested=ARGUMENTS,
        env_id="prod",
        user_id=USER.id,
        role=USER.role,
        language="ru",
        user_text="Запусти обслуживание",
        arguments=ARGUMENTS,
        targets=ARGUMENTS,
        digest=digest(ARGUMENTS),
        policy_version="bench",
        card={"tool": TOOL},
        expires_at=NOW + timedelta(minutes=15),
    )
    return records.approvals.ask(request, NOW)


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "pragma journal_mode = wal; pragma synchronous = full; create table t (n, text)"
    )
    return connection


def _four_commits(connection: sqlite3.Connection) -> None:
    text = json.dumps(ARGUMENTS)
    for number in range(4):
        connection.execute("begin immediate")
        connection.execute("insert into t values (?, ?)", (number, text))
        connection.execute("insert into t values (?, ?)", (number, "audit"))
        connection.execute("commit")


BENCHMARKS = (judgement, context, canonical, ledger, transition)
