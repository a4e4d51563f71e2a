"""Old audit rows are cut off and the rest proves itself; old results and approvals go too."""

from datetime import timedelta
from typing import get_args

import pytest
from sqlalchemy import delete, func, select

from tests.tools.records_help import NOW, approved, begin, hand_over, in_state, request, sabotaged
from tools.connect import Services
from tools.records import ApprovalState, BadRow, Mark, Records, RecordsError
from tools.records.schema import approvals, audit, tickets, work_items
from tools.settings import parse_settings

KEEP = timedelta(days=10)


def written(records: Records, *days: float) -> list[Mark]:
    """Rows of some days after NOW; gives their marks."""
    for day in days:
        records.audit.append("received", user_id="o", detail={}, now=NOW + timedelta(days=day))
    with records.database.read() as connection:
        rows = connection.execute(select(audit.c.id, audit.c.hash).order_by(audit.c.id))
        return [Mark(*row) for row in rows]


def ids(records: Records) -> list[int]:
    return [row.id for row in records.audit.list()]


def test_what_is_over_is_cut_and_the_rest_is_whole(records: Records) -> None:
    marks = written(records, 0, 1, 5, 20)
    assert records.cut(KEEP, NOW + timedelta(days=15.5)) == 3
    kept, checkpoint = records.audit.list()
    assert (kept.id, checkpoint.id, checkpoint.kind) == (4, 5, "checkpoint")
    assert checkpoint.detail == {"through": 3, "hash": marks[2].hash, "rows": 3}
    verdict = records.verify()
    assert (verdict.bad, verdict.rows, verdict.cut) == (None, 2, marks[2])


def test_a_noted_head_is_in_the_chain_or_was_cut_or_never_was(records: Records) -> None:
    marks = written(records, 0, 1, 5, 20)
    records.cut(KEEP, NOW + timedelta(days=15.5))
    assert records.verify(marks[3]).bad is None
    assert records.verify(marks[2]).bad is None  # what is left follows on it
    assert records.verify(marks[1]).bad == BadRow(2, "cut_off")
    assert records.verify(Mark(3, "f" * 64)).bad == BadRow(3, "other_chain")


def test_nothing_is_cut_before_a_whole_day_is_over(records: Records) -> None:
    written(records, 0, 20)
    assert records.cut(KEEP, NOW + KEEP + timedelta(days=1)) == 0
    assert ids(records) == [1, 2]
    assert records.cut(KEEP, NOW + KEEP + timedelta(days=1, seconds=1)) == 1


def test_an_old_row_behind_a_newer_one_stays(records: Records) -> None:
    written(records, 0, 20, 1)
    assert records.cut(KEEP, NOW + timedelta(days=25)) == 1
    assert ids(records) == [2, 3, 4]
    assert records.verify().bad is None


def test_all_rows_and_again_and_again(records: Records) -> None:
    written(records, 0, 1)
    for number in range(1, 4):
        assert records.cut(KEEP, NOW + timedelta(days=20 * number)) in (1, 2)
        [left] = records.audit.list()
        assert left.kind == "checkpoint"
        assert records.verify().bad is None
    assert ids(records) == [5]


def test_an_audit_without_rows_has_nothing_to_cut(records: Records) -> None:
    assert records.cut(KEEP, NOW) == 0
    assert ids(records) == []


def test_rows_and_checkpoint_go_together_or_not_at_all(records: Records) -> None:
    written(records, 0, 1, 20)
    with sabotaged(records, "audit"), pytest.raises(RecordsError):
        records.cut(KEEP, NOW + timedelta(days=20))
    assert ids(records) == [1, 2, 3]
    assert records.verify().bad is None


def test_rows_removed_without_a_checkpoint_or_behind_one_are_found(records: Records) -> None:
    written(records, 0, 1, 20, 21)
    records.cut(KEEP, NOW + timedelta(days=20))
    with records.database.write() as connection:
        connection.execute(delete(audit).where(audit.c.id == 3))
    assert records.verify().bad == BadRow(4, "missing_start")


def test_results_go_when_their_time_is_over(records: Records) -> None:
    old, new = (
        records.results.keep("t", "c", "alice", "tool", "x", NOW + timedelta(days=day))
        for day in (0, 1)
    )
    assert records.forget_results(KEEP, NOW + KEEP) == 0
    assert records.forget_results(KEEP, NOW + KEEP + timedelta(seconds=1)) == 1
    assert records.results.read(old, "alice") is None
    assert records.results.read(new, "alice") is not None


@pytest.mark.parametrize("state", get_args(ApprovalState))
def test_only_ended_approvals_go(records: Records, state: ApprovalState) -> None:
    row = in_state(records, state)
    ended = state in ("rejected", "expired", "done", "failed")
    assert records.forget_approvals(KEEP, NOW + KEEP) == 0
    assert records.forget_approvals(KEEP, NOW + 2 * KEEP) == ended
    left = records.approvals.get(row.id)
    assert (left.state if left else None) == (None if ended else state)
    assert records.verify().bad is None


def test_an_unknown_end_goes_after_its_audit(records: Records) -> None:
    row = in_state(records, "unknown")
    later = NOW + 2 * KEEP
    assert records.forget_approvals(KEEP, later) == 0
    assert records.cut(KEEP, later) > 0
    assert records.forget_approvals(KEEP, later) == 1
    assert records.approvals.get(row.id) is None


def test_the_cards_of_a_call_go_together(records: Records) -> None:
    done = in_state(records, "done")
    late = NOW + 2 * KEEP
    again = request(expires_at=late + timedelta(minutes=15))
    asked = records.approvals.ask(again, late)
    assert asked.id != done.id
    assert records.forget_approvals(KEEP, late) == 0  # else the call could be begun again
    records.approvals.reject(asked.id, "alice", "no", late)
    assert records.forget_approvals(KEEP, late + 2 * KEEP) == 2


def test_an_end_counts_from_when_it_came(records: Records) -> None:
    row = approved(records)
    begin(records)
    records.approvals.finish(row.id, "done", {}, NOW + timedelta(days=5))
    assert records.forget_approvals(KEEP, NOW + timedelta(days=14)) == 0
    assert records.forget_approvals(KEEP, NOW + timedelta(days=16)) == 1


def test_objects_and_tickets_go_with_their_approval(records: Records) -> None:
    row = approved(records)
    begin(records)
    hand_over(records, row, "a", "b")
    for key in ("a", "b"):
        records.work.begin(row.id, key, NOW)
        records.work.finish(row.id, key, "done", None, NOW)
    assert records.forget_approvals(KEEP, NOW + 2 * KEEP) == 0
    records.work.close(row.id, NOW)
    assert records.forget_approvals(KEEP, NOW + 2 * KEEP) == 1
    with records.database.read() as connection:
        for table in (approvals, work_items, tickets):
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0


@pytest.mark.parametrize(
    ("setting", "left"),
    [({}, (1, 1)), ({"approval_days": 10}, (0, 1)), ({"result_days": 10}, (1, 0))],
)
async def test_settings_decide_of_approvals_and_results(
    setting: dict[str, int], left: tuple[int, int]
) -> None:
    settings = parse_settings({"records": {"url": "sqlite:///r.db"} | setting})
    services = Services(settings, clock=lambda: NOW + timedelta(days=20))

    def fill(records: Records) -> None:
        in_state(records, "done")
        records.results.keep("thread", "call", "alice", "tool", "x", NOW)

    await services.store(fill)
    await services.store(services.tidy)
    found = await services.store(
        lambda records: (
            len(records.approvals.for_call("thread", "call")),
            int(records.results.any("thread", "alice")),
        )
    )
    assert found == left
    await services.aclose()


@pytest.mark.parametrize(("setting", "left"), [({}, 2), ({"audit_days": 10}, 1)])
async def test_the_setting_decides(setting: dict[str, int], left: int) -> None:
    settings = parse_settings({"records": {"url": "sqlite:///r.db"} | setting})
    services = Services(settings, clock=lambda: NOW + timedelta(days=20))
    await services.store(lambda records: written(records, 0, 1))
    await services.store(services.tidy)
    rows = await services.store(lambda records: records.audit.list())
    assert len(rows) == left
    await services.aclose()
