"""Several steps in one transaction: all of them or none, but what a refusal notes stays."""

import pytest

from tests.tools.records_help import EXPIRY, approved, begin
from tools.records import ExpiredError, Records


def begin_and_fail(records: Records) -> None:
    """As `Writes` begins, where the task cannot be opened."""
    with records.together():
        assert begin(records).state == "executing"
        raise OSError("no task")


def note_and_be_refused(records: Records) -> None:
    with records.together():
        records.audit.append("received", user_id="alice", detail={}, now=EXPIRY)
        begin(records, now=EXPIRY)


def test_an_approval_is_still_good_when_what_goes_with_its_begin_fails(records: Records) -> None:
    row = approved(records)
    before = records.audit.list()
    with pytest.raises(OSError, match="no task"):
        begin_and_fail(records)
    assert records.audit.list() == before
    assert begin(records).id == row.id


def test_a_refusal_undoes_nothing(records: Records) -> None:
    row = approved(records)
    with pytest.raises(ExpiredError):
        note_and_be_refused(records)
    left = records.approvals.get(row.id)
    assert left is not None
    assert left.state == "expired"
    assert [line.kind for line in records.audit.list()][-2:] == ["received", "decided"]
    assert records.verify().bad is None
