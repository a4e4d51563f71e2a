"""A conversation is left: what of it could still run is closed, and nothing else."""

from typing import get_args

import pytest

from tests.tools.records_help import NOW, in_state
from tools.records import ApprovalState, Records


@pytest.mark.parametrize("state", get_args(ApprovalState))
def test_only_what_is_open_is_withdrawn(records: Records, state: ApprovalState) -> None:
    row = in_state(records, state)
    before = records.audit.list(limit=1000)

    records.approvals.withdraw("another thread", "olga", "left", NOW)
    assert records.approvals.get(row.id) == row
    assert records.audit.list(limit=1000) == before

    records.approvals.withdraw(row.thread_id, "olga", "left", NOW)
    after = records.approvals.get(row.id)
    told = records.audit.list(limit=1000)[len(before) :]
    assert after is not None
    if state not in ("asked", "approved"):
        assert (after, told) == (row, [])
        return
    assert (after.state, after.decided_by, after.reason) == ("rejected", "olga", "left")
    [said] = told
    assert (said.kind, said.detail["from"], said.detail["to"]) == ("decided", state, "rejected")
    assert records.verify().bad is None
