"""Results, tasks, maintenance events and audit rows."""

from datetime import timedelta
from typing import get_args

import pytest

from tests.tools.records_help import NOW
from tools.records import (
    AuditKind,
    Banner,
    BannerState,
    MaintenanceEvent,
    Records,
    RecordsError,
    RowNotFoundError,
    Task,
    TaskEnd,
    TaskStateError,
    new_event_id,
)

LATER = NOW + timedelta(hours=1)


def test_a_result_of_ten_megabytes_comes_back_whole(records):
    content = "ё" * 5_000_000
    key = records.results.keep("thread", "call", "alice", "run_sql", content, NOW)
    found = records.results.read(key, "alice")
    assert found.content == content
    assert (found.id, found.thread_id, found.call_id) == (key, "thread", "call")
    assert (found.user_id, found.tool, found.kept_at) == ("alice", "run_sql", NOW)


@pytest.mark.parametrize("content", ["", "\0 nul", "half \ud800", "\r\n", "'; DROP TABLE results"])
def test_a_result_comes_back_letter_for_letter(records, content):
    key = records.results.keep("thread", "call", "alice", "run_sql", content, NOW)
    assert records.results.read(key, "alice").content == content


def test_a_result_is_its_owners_only(records):
    key = records.results.keep("thread", "call", "alice", "run_sql", "mine", NOW)
    assert records.results.read(key, "bob") is None
    assert records.results.read("0" * 32, "alice") is None
    assert records.results.keep("thread", "call", "alice", "run_sql", "mine", NOW) != key


def started(records: Records, **changes: object) -> Task:
    values = {
        "env_id": "dev",
        "thread_id": "thread",
        "user_id": "alice",
        "title": "Баннеры",
        "total": 3,
        "now": NOW,
        **changes,
    }
    return records.tasks.start("maintenance", **values)


def test_the_life_of_a_task(records):
    task = started(records)
    assert task == Task(
        id=1,
        kind="maintenance",
        env_id="dev",
        thread_id="thread",
        user_id="alice",
        state="running",
        title="Баннеры",
        progress=0,
        total=3,
        started_at=NOW,
        ended_at=None,
        result=None,
        error=None,
    )
    assert records.tasks.progress(task.id, 2)
    assert records.tasks.get(task.id, "alice").progress == 2
    assert records.tasks.progress(task.id, 3, 5)
    ended = records.tasks.end(task.id, "done", {"n": 3}, None, LATER)
    assert ended == records.tasks.get(task.id, "alice")
    assert (ended.state, ended.progress, ended.total) == ("done", 3, 5)
    assert (ended.result, ended.error, ended.ended_at) == ({"n": 3}, None, LATER)


@pytest.mark.parametrize("end", get_args(TaskEnd))
@pytest.mark.parametrize("again", get_args(TaskEnd))
def test_a_task_ends_once_unless_its_end_was_unknown(records, end, again):
    task = started(records)
    first = records.tasks.end(task.id, end, None, "because", NOW)
    assert (first.state, first.error) == (end, "because")
    assert not records.tasks.progress(task.id, 1)
    if end == "unknown":
        assert records.tasks.end(task.id, again, {}, None, LATER).state == again
    else:
        with pytest.raises(TaskStateError, match=f"has ended: {end}"):
            records.tasks.end(task.id, again, {}, None, LATER)
        assert records.tasks.get(task.id, "alice") == first


def test_tasks_are_their_owners_only_and_newest_first(records):
    mine = [started(records, env_id=env) for env in ("dev", "prod", "dev")]
    other = started(records, user_id="bob")
    assert records.tasks.get(other.id, "alice") is None
    assert records.tasks.latest("alice") == mine[::-1]
    assert records.tasks.latest("alice", "dev") == [mine[2], mine[0]]
    assert records.tasks.latest("alice", limit=1) == [mine[2]]
    assert records.tasks.latest("carol") == []


def test_a_task_nobody_knows(records):
    assert records.tasks.get(7, "alice") is None
    assert not records.tasks.progress(7, 1)
    with pytest.raises(RowNotFoundError, match="no task 7"):
        records.tasks.end(7, "done", None, None, NOW)


def banner(number: int, **changes: object) -> Banner:
    values = {
        "dashboard_id": number,
        "dashboard_uuid": f"uuid-{number}",
        "title": f"Дашборд {number}",
        "nodes": [],
        "layout_hash": "h",
        **changes,
    }
    return Banner(**values)


def opened(records: Records, event_id: str | None = None, env_id: str = "dev", numbers=(1, 2)):
    rows = [banner(number) for number in numbers]
    return records.maintenance.open_event(
        event_id or new_event_id(), env_id, "Идут работы", "alice", LATER, rows, NOW
    )


def test_the_life_of_a_maintenance_event(records):
    event = opened(records, "0123456789ab")
    assert event == MaintenanceEvent(
        id="0123456789ab",
        env_id="dev",
        message="Идут работы",
        started_by="alice",
        started_at=NOW,
        ends_at=LATER,
        closed_at=None,
        closed_by=None,
        state="open",
        banners=[banner(1), banner(2)],
    )
    records.maintenance.set_banner(event.id, "uuid-1", "placed", nodes=["ROW", "MARKDOWN"])
    records.maintenance.set_banner(event.id, "uuid-2", "failed", layout_hash="h2")
    records.maintenance.set_banner(event.id, "uuid-1", "removed")

    closed = records.maintenance.close(event.id, "bob", LATER)

    assert closed == records.maintenance.get(event.id)
    assert (closed.state, closed.closed_by, closed.closed_at) == ("closed", "bob", LATER)
    assert closed.banners == [
        banner(1, nodes=["ROW", "MARKDOWN"], state="removed"),
        banner(2, layout_hash="h2", state="failed"),
    ]
    assert records.maintenance.close(event.id, "carol", LATER + timedelta(hours=1)) == closed


@pytest.mark.parametrize("state", get_args(BannerState))
def test_every_state_of_a_banner_is_kept_but_all_begin_as_placing(records, state):
    rows = [banner(1, state=state, layout_hash=None)]
    event = records.maintenance.open_event(new_event_id(), "dev", "text", "alice", None, rows, NOW)
    assert event.banners[0].state == "placing"
    assert (event.ends_at, event.banners[0].layout_hash) == (None, None)
    records.maintenance.set_banner(event.id, "uuid-1", state)
    assert records.maintenance.get(event.id).banners[0].state == state


def test_an_event_id_or_a_dashboard_is_not_taken_twice(records):
    event = opened(records)
    with pytest.raises(RecordsError, match="already"):
        opened(records, event.id, numbers=(3,))
    with pytest.raises(RecordsError, match="twice"):
        opened(records, numbers=(4, 4))
    assert records.maintenance.list() == ([event], 1)


def test_events_and_banners_nobody_knows(records):
    event = opened(records)
    assert records.maintenance.get("0" * 12) is None
    with pytest.raises(RowNotFoundError):
        records.maintenance.close("0" * 12, "alice", NOW)
    for event_id, uuid in ((event.id, "uuid-9"), ("0" * 12, "uuid-1")):
        with pytest.raises(RowNotFoundError):
            records.maintenance.set_banner(event_id, uuid, "placed")


def test_events_are_listed_newest_first_in_pages(records):
    events = [opened(records, env_id=env) for env in ("dev", "prod", "dev", "dev")]
    closed = records.maintenance.close(events[0].id, "alice", NOW)
    listing = records.maintenance.list

    assert listing() == ([*events[:0:-1], closed], 4)
    assert listing("dev") == ([events[3], events[2], closed], 3)
    assert listing("dev", "open") == ([events[3], events[2]], 2)
    assert listing(state="closed") == ([closed], 1)
    assert listing(limit=1, offset=1) == ([events[2]], 4)
    assert listing(limit=5, offset=9) == ([], 4)
    assert listing("nowhere") == ([], 0)


def test_the_events_of_a_dashboard(records):
    first = opened(records, numbers=(1,))
    second = opened(records, numbers=(1, 2))
    opened(records, env_id="prod", numbers=(1,))
    of = records.maintenance.for_dashboard

    assert of("dev", "uuid-1") == [second, first]
    assert of("dev", "uuid-2") == [second]  # with the banners of its other dashboards
    assert of("dev", "uuid-3") == []
    closed = records.maintenance.close(first.id, "alice", NOW)
    assert of("dev", "uuid-1") == [second]
    assert of("dev", "uuid-1", "closed") == [closed]
    assert of("dev", "uuid-1", None) == [second, closed]


def test_an_event_without_banners(records):
    event = opened(records, numbers=())
    assert records.maintenance.get(event.id).banners == []


@pytest.mark.parametrize("kind", get_args(AuditKind))
def test_an_audit_row_of_every_kind_comes_back(records, kind):
    row = records.audit.append(
        kind,
        user_id="alice",
        thread_id="thread",
        call_id="call",
        tool="tool",
        env_id="dev",
        detail={"n": 2**60, "words": "ж"},
        now=NOW,
    )
    assert records.audit.list() == [row]
    assert (row.kind, row.at, row.user_id, row.env_id) == (kind, NOW, "alice", "dev")
    assert row.detail == {"n": str(2**60), "words": "ж"}


def test_audit_rows_are_filtered_and_paged(records):
    for number in range(6):
        records.audit.append(
            "received" if number % 2 else "offered",
            user_id="alice" if number < 4 else "bob",
            thread_id=None if number == 5 else f"thread{number % 3}",
            detail={},
            now=NOW,
        )

    def ids(**filters: object) -> list[int]:
        return [row.id for row in records.audit.list(**filters)]

    assert ids() == [1, 2, 3, 4, 5, 6]
    assert ids(kind="received") == [2, 4, 6]
    assert ids(user_id="bob") == [5, 6]
    assert ids(thread_id="thread0") == [1, 4]
    assert ids(thread_id="thread0", kind="received", user_id="alice") == [4]
    assert ids(after=2, limit=3) == [3, 4, 5]
