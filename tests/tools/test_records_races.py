"""Many threads, many processes, and processes that die: a call is run at most once."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.engine import URL

from tests.tools.records_help import EXPIRY, NOW, approved, begin, request
from tools.records import Audit, LedgerError, Records, RecordsError, digest
from tools.records.engine import Database

ROOT = Path(__file__).parents[2]
SCRIPT = [sys.executable, "-W", "error", "-m", "tests.tools.records_processes"]
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def told(url: URL) -> str:
    """A URL as an argument of a process."""
    return url.render_as_string(hide_password=False)


def processes(url: URL, what: str, count: int) -> Counter[str]:
    done = subprocess.run(
        [*SCRIPT, told(url), what, str(count)],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Counter(done.stdout.split("\n"))


def threads(count: int, act: Callable[[int], str]) -> Counter[str]:
    """Start threads at one moment; each answers a word."""
    gate = threading.Barrier(count)

    def one(number: int) -> str:
        gate.wait()
        try:
            return act(number)
        except LedgerError as error:
            return error.code

    with ThreadPoolExecutor(count) as pool:
        return Counter(pool.map(one, range(count)))


def test_of_twenty_threads_one_begins(url):
    with Records.open(url) as records:
        row = approved(records)
        assert threads(20, lambda _: begin(records).state) == {"executing": 1, "unknown": 19}
        assert records.approvals.get(row.id).state == "unknown"
        assert [found.kind for found in records.audit.list()] == [
            "asked",
            "decided",
            "executing",
            "unknown",
        ]
        assert records.approvals.finish(row.id, "done", {}, NOW).state == "done"


def test_of_twenty_threads_with_records_of_their_own_one_begins(url):
    with Records.open(url) as records:
        approved(records)

    def act(_: int) -> str:
        with Records.open(url) as own:
            return begin(own).state

    assert threads(20, act) == {"executing": 1, "unknown": 19}


def test_of_twenty_processes_one_begins(url):
    with Records.open(url) as records:
        row = approved(records)
        assert processes(url, "begin", 20) == {"won": 1, "unknown": 19}
        assert records.approvals.get(row.id).state == "unknown"
        kinds = Counter(found.kind for found in records.audit.list())
        assert kinds == {"asked": 1, "decided": 1, "executing": 1, "unknown": 1}
        assert records.verify().bad is None


def test_processes_that_open_a_new_database_do_not_collide(new_urls):
    first = new_urls()
    # The switch of a file's journal fails once in hundreds of times; a server has none.
    others = [new_urls(), new_urls()] if first.get_backend_name() == "sqlite" else []
    for url in (first, *others):
        assert processes(url, "open", 12) == {"opened": 12}


def test_threads_that_open_a_new_database_do_not_collide(new_urls):
    urls = [new_urls(), new_urls()]

    def act(number: int) -> str:
        with Records.open(urls[number % 2]) as records:
            records.approvals.ask(request(call_id=f"call{number}"), NOW)
        return "opened"

    assert threads(12, act) == {"opened": 12}


def test_asking_from_many_threads_makes_one_card(url):
    with Records.open(url) as records:
        ids = threads(20, lambda _: records.approvals.ask(request(), NOW).id)
        assert list(ids.values()) == [20]


def test_of_many_answers_to_a_card_one_counts(url):
    with Records.open(url) as records:
        row = records.approvals.ask(request(), NOW)

        def act(_: int) -> str:
            return records.approvals.approve(row.id, row.digest, "alice", NOW).state

        assert threads(20, act) == {"approved": 1, "wrong_state": 19}


def test_a_no_and_a_use_exclude_each_other(url):
    with Records.open(url) as records:
        row = approved(records)

        def act(number: int) -> str:
            if number:
                return records.approvals.reject(row.id, "alice", "no", NOW).state
            return begin(records).state

        answers = threads(2, act)
        state = records.approvals.get(row.id).state
        assert state in {"executing", "rejected"}
        assert answers == {state: 1, "wrong_state": 1}


def test_of_two_cards_for_one_call_the_last_one_counts(url):
    with Records.open(url) as records:
        digests = [digest(number) for number in range(20)]
        threads(20, lambda n: records.approvals.ask(request(digest=digests[n]), NOW).id)
        rows = records.approvals.for_call("thread", "call")
        assert [row.state for row in rows] == ["rejected"] * 19 + ["asked"]


def test_expiry_and_use_exclude_each_other(url):
    with Records.open(url) as records:
        row = approved(records)

        def act(number: int) -> str:
            if number:
                return f"expired {records.approvals.expire_due(EXPIRY)}"
            return begin(records).state

        answers = threads(2, act)
        state = records.approvals.get(row.id).state
        assert answers in ({"executing": 1, "expired 0": 1}, {"expired": 1, "expired 1": 1})
        assert (state == "executing") == ("executing" in answers)


def test_readers_go_on_while_a_writer_holds_its_turn(url):
    with Records.open(url) as records:
        row = approved(records)
        with records.database.write():
            assert records.approvals.get(row.id) == row


def test_audit_rows_of_many_threads_are_all_there(url):
    with Records.open(url) as records:
        threads(
            16,
            lambda n: records.audit.append("received", user_id="u", detail={"n": n}, now=NOW).kind,
        )
        rows = records.audit.list()
        assert [row.id for row in rows] == list(range(1, 17))
        assert {row.detail["n"] for row in rows} == set(range(16))
        assert records.verify().bad is None


def test_a_call_whose_process_was_killed_is_unknown_and_never_begun_again(url):
    holder = subprocess.Popen(
        [*SCRIPT, told(url), "hold"], cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        row_id = holder.stdout.readline().strip()
        holder.send_signal(signal.SIGKILL)
        assert holder.wait(30) == -signal.SIGKILL

    with Records.open(url) as records:
        assert records.approvals.get(row_id).state == "executing"
        for _ in range(2):
            with pytest.raises(LedgerError) as caught:
                begin(records)
            assert caught.value.code == "unknown"
        assert records.approvals.get(row_id).state == "unknown"
        assert [row.kind for row in records.audit.list()][-2:] == ["executing", "unknown"]


def test_without_turns_from_the_start_the_chain_would_fork(url):
    """What the turns are for: with the driver's usual transactions two writers see one last row."""
    Records.open(url).close()
    engine = create_engine(url.set(drivername=DRIVERS[url.get_backend_name()]))
    usual = Database(engine, engine)
    usual._turn = nullcontext()
    audit, gate = Audit(usual), threading.Barrier(8, timeout=60)

    def act(_: int) -> str:
        gate.wait()
        try:
            for _ in range(20):
                audit.append("received", user_id="u", detail={}, now=NOW)
        except RecordsError as error:
            return (
                "forked" if re.search("unique|duplicate", str(error), re.IGNORECASE) else str(error)
            )
        return "written"

    answers = threads(8, act)
    usual.close()
    assert answers["forked"] > 0
    # The database refuses the second branch, so that even then the chain is one.
    with Records.open(url) as records:
        assert records.verify().bad is None
