"""Old audit rows are cut off, and the rest still proves itself, in both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import delete, select

from tests.tools.records_help import NOW, sabotaged
from tools.connect import Services
from tools.records import BadRow, Mark, Records, RecordsError
from tools.records.schema import audit
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


@pytest.mark.parametrize(("setting", "left"), [({}, 2), ({"audit_days": 10}, 1)])
async def test_the_setting_decides(setting: dict[str, int], left: int) -> None:
    settings = parse_settings({"records": {"url": "sqlite:///r.db"} | setting})
    services = Services(settings, clock=lambda: NOW + timedelta(days=20))
    await services.store(lambda records: written(records, 0, 1))
    await services.store(services.tidy)
    rows = await services.store(lambda records: records.audit.list())
    assert len(rows) == left
    await services.aclose()
