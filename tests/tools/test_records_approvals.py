"""The ledger: each step from each state, and the records of each step."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any, get_args

import pytest

from tests.tools.records_help import (
    ARGUMENTS,
    EXPIRY,
    NOW,
    approved,
    begin,
    in_state,
    request,
    sabotaged,
)
from tools.records import (
    Approval,
    ApprovalState,
    CanonicalError,
    LedgerCode,
    LedgerError,
    Records,
    RecordsError,
    digest,
)

STATES: tuple[ApprovalState, ...] = get_args(ApprovalState)
Step = Callable[[Records, Approval], Approval]

STEPS: dict[str, Step] = {
    "approve": lambda records, row: records.approvals.approve(row.id, row.digest, "alice", NOW),
    "reject": lambda records, row: records.approvals.reject(row.id, "alice", "no", NOW),
    "begin": lambda records, _: begin(records),
    "done": lambda records, row: records.approvals.finish(row.id, "done", {"n": 1}, NOW),
    "failed": lambda records, row: records.approvals.finish(row.id, "failed", None, NOW),
    "unknown": lambda records, row: records.approvals.finish(row.id, "unknown", None, NOW),
    "release": lambda records, row: records.approvals.release(row.id, NOW),
}

LEGAL: dict[tuple[str, str], tuple[str, str]] = {
    ("asked", "approve"): ("approved", "decided"),
    ("asked", "reject"): ("rejected", "decided"),
    ("approved", "reject"): ("rejected", "decided"),
    ("approved", "begin"): ("executing", "executing"),
    ("executing", "done"): ("done", "outcome"),
    ("executing", "failed"): ("failed", "outcome"),
    ("executing", "unknown"): ("unknown", "unknown"),
    ("executing", "release"): ("approved", "outcome"),
    ("unknown", "done"): ("done", "outcome"),
    ("unknown", "failed"): ("failed", "outcome"),
    ("unknown", "unknown"): ("unknown", "unknown"),
}
"""State and step to the state after it and the kind of its audit row."""

CODES: dict[tuple[str, str], LedgerCode] = {
    ("expired", "approve"): "expired",
    ("expired", "begin"): "expired",
    ("executing", "begin"): "unknown",
    ("unknown", "begin"): "unknown",
    ("done", "begin"): "already",
    ("failed", "begin"): "already",
    ("handed_over", "begin"): "already",
}
"""The refusals that are no wrong_state."""

PAIRS = [(state, step) for state in STATES for step in STEPS]


def refused(records: Records, step: Callable[[], Any]) -> LedgerError:
    with pytest.raises(LedgerError) as caught:
        step()
    return caught.value


def audited(records: Records) -> list[tuple[str, str | None, str]]:
    rows = records.audit.list()
    return [(row.kind, row.detail.get("from"), row.detail["to"]) for row in rows]


@pytest.mark.parametrize(("state", "step"), [pair for pair in PAIRS if pair in LEGAL])
def test_a_legal_step_moves_the_row_and_writes_one_audit_row(records, state, step):
    row = in_state(records, state)
    before = audited(records)
    after, kind = LEGAL[state, step]

    moved = STEPS[step](records, row)

    assert moved.state == after
    assert records.approvals.get(row.id) == moved
    assert audited(records) == [*before, (kind, state, after)]


@pytest.mark.parametrize(("state", "step"), [pair for pair in PAIRS if pair not in LEGAL])
def test_an_illegal_step_is_refused_and_changes_nothing(records, state, step):
    row = in_state(records, state)
    before = audited(records)

    error = refused(records, lambda: STEPS[step](records, row))

    assert error.code == CODES.get((state, step), "wrong_state")
    if (state, step) == ("executing", "begin"):  # the one refusal that leaves a mark
        assert audited(records) == [*before, ("unknown", "executing", "unknown")]
        assert error.approval == records.approvals.get(row.id)
        assert error.approval.state == "unknown"
    else:
        assert audited(records) == before
        assert records.approvals.get(row.id) == row


@pytest.mark.parametrize("state", STATES)
def test_expire_due_touches_only_what_is_unused(records, state):
    row = in_state(records, state)
    before = audited(records)
    unused = state in {"asked", "approved"}

    assert records.approvals.expire_due(EXPIRY) == int(unused)

    found = records.approvals.get(row.id)
    assert found.state == ("expired" if unused else state)
    assert audited(records) == before + ([("decided", state, "expired")] if unused else [])


def test_a_row_comes_back_as_it_was_asked(records):
    asked = request(
        env_id=None, user_text="half \ud800 and \0 of «USA»", arguments={"x": [1, None]}
    )
    row = records.approvals.ask(asked, NOW.astimezone(timezone(timedelta(hours=3))))

    assert len(bytes.fromhex(row.id)) == 16
    assert row == records.approvals.get(row.id)
    assert row.asked_at == NOW
    assert row.asked_at.utcoffset() == timedelta(0)
    assert {name: getattr(row, name) for name in vars(asked)} == {
        **vars(asked),
        "user_text": "half \ufffd and \ufffd of «USA»",
    }
    assert (row.state, row.decided_at, row.decided_by, row.outcome) == ("asked", None, None, None)


def test_the_life_of_an_approval_is_kept(records):
    later = [NOW + timedelta(seconds=n) for n in range(4)]
    row = records.approvals.ask(request(), later[0])
    records.approvals.approve(row.id, row.digest, "alice", later[1])
    begun = begin(records, now=later[2])
    done = records.approvals.finish(row.id, "done", {"banners": 3}, later[3])

    assert begun.arguments == request().arguments
    assert (done.asked_at, done.decided_at, done.started_at, done.finished_at) == tuple(later)
    assert (done.decided_by, done.outcome) == ("alice", {"banners": 3})
    rows = records.audit.list(thread_id="thread")
    assert [row.kind for row in rows] == ["asked", "decided", "executing", "outcome"]
    assert {row.user_id for row in rows} == {"alice"}
    assert rows[1].detail["by"] == "alice"
    assert rows[1].detail["digest"] == row.digest
    assert rows[0].detail["arguments"] == request().arguments
    assert not any("arguments" in row.detail for row in rows[1:])


def test_asking_again_gives_the_same_row(records):
    first = records.approvals.ask(request(), NOW)
    later = replace(request(), card={"risk": "other"}, expires_at=EXPIRY + timedelta(hours=1))

    assert records.approvals.ask(later, NOW + timedelta(minutes=1)) == first
    yes = records.approvals.approve(first.id, first.digest, "alice", NOW)
    assert records.approvals.ask(request(), NOW) == yes
    assert records.approvals.for_call("thread", "call") == [yes]
    assert audited(records) == [("asked", None, "asked"), ("decided", "asked", "approved")]


@pytest.mark.parametrize("state", ["asked", "approved"])
def test_another_action_for_the_call_takes_the_place_of_an_unused_one(records, state):
    first = in_state(records, state)
    second = records.approvals.ask(request(digest=digest("edited")), NOW)

    old, new = records.approvals.for_call("thread", "call")
    assert (old.id, old.state, old.reason) == (first.id, "rejected", "superseded")
    assert (new, new.state) == (second, "asked")
    assert records.approvals.open("thread") == [new]
    assert audited(records)[-2:] == [("decided", state, "rejected"), ("asked", None, "asked")]
    assert refused(records, lambda: begin(records)).code == "wrong_state"


def test_cards_of_other_calls_and_threads_are_left_alone(records):
    rows = [
        records.approvals.ask(request(call_id=call, thread_id=thread), NOW)
        for thread in ("thread", "other")
        for call in ("call", "call2")
    ]
    assert len({row.id for row in rows}) == 4
    assert records.approvals.open("thread") == rows[:2]
    assert records.approvals.open("other") == rows[2:]


@pytest.mark.parametrize("state", ["rejected", "expired", "executing", "done", "failed", "unknown"])
def test_a_used_or_closed_row_is_never_opened_again(records, state):
    row = in_state(records, state)
    again = records.approvals.ask(request(), NOW)
    assert again.id != row.id
    assert records.approvals.get(row.id) == row

    records.approvals.approve(again.id, again.digest, "alice", NOW)
    if state in {"rejected", "expired"}:  # the call did not run: the new yes counts
        assert begin(records).id == again.id
    else:
        code = "already" if state in {"done", "failed"} else "unknown"
        assert refused(records, lambda: begin(records)).code == code


def test_the_card_of_another_user_stays_and_only_its_asker_can_answer(records):
    row = records.approvals.ask(request(), NOW)
    for other in (request(user_id="bob"), request(user_id="bob", digest=digest("other"))):
        assert records.approvals.ask(other, NOW) == row
    error = refused(records, lambda: records.approvals.approve(row.id, row.digest, "bob", NOW))
    assert error.code == "wrong_user"
    assert records.approvals.get(row.id) == row


def test_an_approval_ends_exactly_at_its_expiry(records):
    last = EXPIRY - timedelta(microseconds=1)
    row = records.approvals.ask(request(), NOW)
    assert records.approvals.expire_due(last) == 0
    assert records.approvals.ask(request(), last) == row
    assert records.approvals.approve(row.id, row.digest, "alice", last).state == "approved"
    assert begin(records, now=last).state == "executing"


def test_a_late_yes_is_noted_as_expired(records):
    row = records.approvals.ask(request(), NOW)
    error = refused(records, lambda: records.approvals.approve(row.id, row.digest, "alice", EXPIRY))
    assert error.code == "expired"
    assert records.approvals.get(row.id) == error.approval
    assert error.approval.state == "expired"
    assert audited(records)[-1] == ("decided", "asked", "expired")


def test_a_late_use_is_noted_as_expired_and_keeps_who_said_yes(records):
    row = approved(records)
    error = refused(records, lambda: begin(records, now=EXPIRY))
    assert (error.code, error.approval.state) == ("expired", "expired")
    assert (error.approval.decided_by, error.approval.decided_at) == ("alice", row.decided_at)
    assert audited(records)[-1] == ("decided", "approved", "expired")


def test_asking_after_expiry_makes_a_new_card(records):
    old = records.approvals.ask(request(), NOW)
    new = records.approvals.ask(request(expires_at=EXPIRY + timedelta(minutes=15)), EXPIRY)
    assert new.id != old.id
    assert [row.state for row in records.approvals.for_call("thread", "call")] == [
        "expired",
        "asked",
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"thread_id": "other"}, "none"),
        ({"call_id": "other"}, "none"),
        ({"user_id": "bob"}, "wrong_user"),
        ({"tool": "end_maintenance"}, "wrong_digest"),
        ({"requested": {**ARGUMENTS, "hours": "7"}}, "wrong_digest"),
        ({"requested": {**ARGUMENTS, "hours": True}}, "wrong_digest"),
        ({"requested": {**ARGUMENTS, "tags": ["b", "a"]}}, "wrong_digest"),
        ({"requested": {**ARGUMENTS, "extra": None}}, "wrong_digest"),
        ({"requested": {**ARGUMENTS, "hours": 2**70}}, "wrong_digest"),
        ({"requested": {**ARGUMENTS, "hours": float("nan")}}, "wrong_digest"),
        ({"policy_version": "2"}, "wrong_policy"),
    ],
)
def test_begin_takes_exactly_what_was_approved(records, changes, code):
    row = approved(records)
    before = audited(records)
    assert refused(records, lambda: begin(records, **changes)).code == code
    assert records.approvals.get(row.id) == row
    assert audited(records) == before
    assert begin(records).id == row.id


def test_the_order_of_keys_is_no_difference(records):
    approved(records)
    turned = dict(reversed(ARGUMENTS.items()))
    assert list(turned) != list(ARGUMENTS)
    assert begin(records, requested=turned).state == "executing"


def test_a_number_too_large_for_json_integers_survives_the_way_through(records):
    arguments = {"x": 1e20, "y": -0.0, "z": 0.1}
    approved(records, requested=arguments)
    assert begin(records, requested=arguments).requested == arguments


def test_a_foreign_user_leaves_no_mark_on_a_running_call(records):
    row = in_state(records, "executing")
    assert refused(records, lambda: begin(records, user_id="bob")).code == "wrong_user"
    assert records.approvals.get(row.id) == row


@pytest.mark.parametrize("state", ["executing", "done", "failed", "unknown"])
@pytest.mark.parametrize(
    "changes", [{"tool": "end_maintenance"}, {"requested": {**ARGUMENTS, "hours": 8}}]
)
def test_another_call_of_the_same_id_is_not_told_that_ones_end(records, state, changes):
    row = in_state(records, state)
    assert refused(records, lambda: begin(records, **changes)).code == "wrong_digest"
    assert records.approvals.get(row.id) == row


def test_a_wrong_digest_is_no_yes(records):
    row = records.approvals.ask(request(), NOW)
    error = refused(records, lambda: records.approvals.approve(row.id, "0" * 64, "alice", NOW))
    assert error.code == "wrong_digest"
    assert records.approvals.get(row.id) == row


def test_anybody_may_say_no(records):
    row = records.approvals.ask(request(), NOW)
    no = records.approvals.reject(row.id, "bob", "слишком рано", NOW)
    assert (no.state, no.decided_by, no.reason) == ("rejected", "bob", "слишком рано")


@pytest.mark.parametrize("step", ["approve", "reject", "done", "release"])
def test_an_id_nobody_knows(records, step):
    ghost = replace(records.approvals.ask(request(), NOW), id="f" * 32)
    assert refused(records, lambda: STEPS[step](records, ghost)).code == "not_found"
    assert records.approvals.get("f" * 32) is None


def test_the_sender_can_still_tell_the_end_after_a_second_attempt_saw_it_running(records):
    approved(records)
    row = begin(records)
    assert refused(records, lambda: begin(records)).code == "unknown"
    assert records.approvals.finish(row.id, "done", {"ok": True}, NOW).state == "done"
    error = refused(records, lambda: begin(records))
    assert (error.code, error.approval.outcome) == ("already", {"ok": True})


def test_a_released_call_can_be_begun_again(records):
    approved(records)
    row = begin(records)
    released = records.approvals.release(row.id, NOW)
    assert (released.state, released.started_at) == ("approved", None)
    assert begin(records).id == row.id


def test_a_card_asked_while_the_call_ran_takes_the_place_of_the_released_one(records):
    approved(records)
    row = begin(records)
    newer = records.approvals.ask(request(digest=digest("edited")), NOW)
    records.approvals.release(row.id, NOW)
    assert refused(records, lambda: begin(records)).code == "wrong_state"
    records.approvals.approve(newer.id, newer.digest, "alice", NOW)
    assert begin(records).id == newer.id
    assert refused(records, lambda: begin(records)).code == "unknown"


def test_an_odd_outcome_is_kept_as_near_as_json_can(records):
    row = in_state(records, "executing")
    odd = {"id": 2**60, "share": float("nan"), "name": "\ud800", "when": NOW, 5: (1, 2.5)}
    done = records.approvals.finish(row.id, "done", odd, NOW)
    assert done.outcome == {
        "id": str(2**60),
        "share": "nan",
        "name": "\ufffd",
        "when": "<datetime>",
        "5": [1, 2.5],
    }


@pytest.mark.parametrize("field", ["requested", "arguments", "targets", "card"])
def test_what_has_no_canonical_json_cannot_be_asked(records, field):
    with pytest.raises(CanonicalError, match=r"\$\.n\[0\]: a whole number beyond 2\^53"):
        records.approvals.ask(request(**{field: {"n": [2**60]}}), NOW)
    assert records.approvals.for_call("thread", "call") == []
    assert records.audit.list() == []


def test_a_time_without_a_zone_is_refused(records):
    with pytest.raises(ValueError, match="time zone"):
        records.approvals.ask(request(), NOW.replace(tzinfo=None))


@pytest.mark.parametrize("where", ["audit", "update"])
@pytest.mark.parametrize(("state", "step"), sorted({**LEGAL, ("executing", "begin"): ("", "")}))
def test_a_step_and_its_audit_row_are_written_both_or_neither(records, where, state, step):
    row = in_state(records, state)
    before = audited(records)
    with sabotaged(records, where), pytest.raises(RecordsError) as caught:
        STEPS[step](records, row)

    assert not isinstance(caught.value, LedgerError)
    assert records.approvals.get(row.id) == row
    assert audited(records) == before
    if (state, step) in LEGAL:  # and nothing is left that would hinder the next attempt
        assert STEPS[step](records, row).state == LEGAL[state, step][0]


@pytest.mark.parametrize("where", ["audit", "insert"])
def test_a_card_and_its_audit_row_are_written_both_or_neither(records, where):
    with sabotaged(records, where), pytest.raises(RecordsError, match="no"):
        records.approvals.ask(request(), NOW)
    assert records.approvals.for_call("thread", "call") == []
    assert records.audit.list() == []


def test_superseding_is_one_transaction(records):
    row = records.approvals.ask(request(), NOW)
    with sabotaged(records, "insert"), pytest.raises(RecordsError):
        records.approvals.ask(request(digest=digest("edited")), NOW)
    assert records.approvals.for_call("thread", "call") == [row]


def test_no_error_shows_what_people_said(records):
    with sabotaged(records, "insert"), pytest.raises(RecordsError) as caught:
        records.approvals.ask(request(user_text="a secret of mine"), NOW)
    chain, error = "", caught.value
    while error is not None:
        chain, error = f"{chain}{error!r}{error}", error.__cause__
    assert "secret of mine" not in chain


def test_a_call_whose_process_is_gone_is_unknown_and_on_record(records):
    approved(records)
    row = begin(records)
    assert records.approvals.give_up(NOW, NOW) == 0  # it has only just begun
    later = NOW + timedelta(minutes=11)
    assert records.approvals.give_up(later, later) == 1
    assert records.approvals.get(row.id).state == "unknown"
    assert audited(records)[-1] == ("unknown", "executing", "unknown")
    assert refused(records, lambda: begin(records)).code == "unknown"
