"""Four eyes in the ledger: the asker's own yes is none, and another's is good for the asker."""

from typing import Any

import pytest
from sqlalchemy import update

from tests.tools.records_help import EXPIRY, NOW, begin, request
from tools.records import Approval, Records, WrongStateError, WrongUserError
from tools.records.schema import approvals

PEER = {"approval": "peer"}


def asked(records: Records, **changes: Any) -> Approval:
    """A row that needs a second person."""
    return records.approvals.ask(request(card=PEER, **changes), NOW)


def test_the_asker_can_not_approve(records: Records):
    row = asked(records)

    with pytest.raises(WrongUserError):
        records.approvals.approve(row.id, row.digest, "alice", NOW)
    with pytest.raises(WrongStateError):
        begin(records)

    assert records.approvals.get(row.id) == row


def test_another_s_yes_lets_the_asker_run_it_once_and_both_are_on_record(records: Records):
    row = asked(records)

    records.approvals.approve(row.id, row.digest, "bob", NOW)

    with pytest.raises(WrongUserError):
        begin(records, user_id="bob")
    begun = begin(records)
    assert (begun.state, begun.user_id, begun.decided_by) == ("executing", "alice", "bob")
    decided = [one for one in records.audit.list() if one.kind == "decided"]
    assert [(one.user_id, one.detail["by"]) for one in decided] == [("alice", "bob")]


def test_a_yes_of_the_asker_s_own_is_none_however_it_came_there(records: Records):
    row = asked(records)
    forged = update(approvals).values(state="approved", decided_by="alice")
    with records.database.write() as connection:
        connection.execute(forged.where(approvals.c.id == row.id))

    with pytest.raises(WrongUserError):
        begin(records)


def test_who_asks_alone_is_not_answered_by_another(records: Records):
    row = records.approvals.ask(request(), NOW)

    with pytest.raises(WrongUserError):
        records.approvals.approve(row.id, row.digest, "bob", NOW)


def test_another_may_say_no(records: Records):
    row = asked(records)

    rejected = records.approvals.reject(row.id, "bob", "not today", NOW)

    assert (rejected.decided_by, rejected.reason) == ("bob", "not today")
    with pytest.raises(WrongStateError):
        begin(records)


def test_what_waits_for_a_second_person_is_found_until_it_expires(records: Records):
    row = asked(records)
    records.approvals.ask(request(call_id="own"), NOW)
    decided = asked(records, call_id="decided")
    records.approvals.approve(decided.id, decided.digest, "bob", NOW)

    assert records.approvals.for_peers(NOW) == [row]
    assert records.approvals.for_peers(EXPIRY) == []
