"""Whatever a client sends as an answer is taken whole, or refused with words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.answers import SCHEMA, Answer, AnswerError, read_answers


def card(number: int) -> Any:
    return {
        "id": f"ledger{number}",
        "tool_call_id": f"call{number}",
        "tool": "start_maintenance",
        "digest": f"{number}" * 64,
        "arguments": {"dashboards": ["1"], "limit": 5, "message": "Back soon"},
    }


ONE, TWO = [card(1)], [card(1), card(2)]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["decisions", "type", "args", "edited_action", "id", "call1", "x"]),
            inner,
        )
    ),
)


@given(JSON)
def test_any_json_is_an_answer_or_a_readable_refusal(raw):
    try:
        answers = read_answers(raw, TWO, "en")
    except AnswerError:
        return
    assert answers
    assert set(answers) <= {"call1", "call2"}


@given(st.sampled_from(["approve", "accept", "edit", "reject", "respond", "ignore", "response"]))
def test_only_a_plain_yes_approves(kind):
    raw = {"decisions": [{"type": kind, "args": {"args": {"a": 1}}}]}
    [answer] = read_answers(raw, ONE, "ru").values()
    assert (answer.kind == "approve") == (kind in ("approve", "accept"))


@pytest.mark.parametrize("word", ["yes", "да", "ok", "approve", "APPROVE", "1"])
def test_typed_words_are_no_approval(word):
    for raw in (word, {"decisions": [word]}, {"decisions": [{"type": word.upper()}]}, [word]):
        with pytest.raises(AnswerError):
            read_answers(raw, ONE, "en")


def test_fewer_decisions_decide_the_first_cards():
    answers = read_answers({"decisions": [{"type": "approve"}]}, TWO, "en")
    assert answers == {"call1": Answer("approve")}


def test_all_cards_are_decided_at_once_in_their_order():
    raw = {"decisions": [{"type": "approve"}, {"type": "reject", "message": "no"}]}
    assert read_answers(raw, TWO, "en") == {
        "call1": Answer("approve"),
        "call2": Answer("reject", "no"),
    }


def test_one_no_may_stand_for_all_cards_and_nothing_else_may():
    no = read_answers({"decisions": {"*": {"type": "reject"}}}, TWO, "en")
    assert no == {"call1": Answer("reject"), "call2": Answer("reject")}
    for kind in ("approve", "accept", "edit", "perhaps"):
        with pytest.raises(AnswerError):
            read_answers({"decisions": {"*": {"type": kind}}}, TWO, "en")


def test_decisions_by_id_decide_those_cards():
    raw = {"decisions": [{"type": "reject", "tool_call_id": "call2", "message": "no"}]}
    assert read_answers(raw, TWO, "en") == {"call2": Answer("reject", "no")}


def test_one_wrong_decision_refuses_all():
    good = {"type": "approve"}
    for bad in (good | {"id": "other"}, {"type": "maybe"}, good | {"digest": "0" * 64}):
        with pytest.raises(AnswerError):
            read_answers({"decisions": [good, bad]}, TWO, "en")


def test_a_card_is_decided_once_in_an_answer():
    twice = {"type": "approve", "id": "ledger1"}
    with pytest.raises(AnswerError):
        read_answers({"decisions": [twice, twice]}, TWO, "en")


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "edit", "edited_action": {"name": "start_maintenance", "args": {"a": 1}}},
        {
            "decisions": [
                {"type": "edit", "args": {"action": "start_maintenance", "args": {"a": 1}}}
            ]
        },
        [{"type": "edit", "args": {"action": "start_maintenance", "args": {"a": 1}}}],
    ],
)
def test_each_form_of_an_edit(raw):
    assert read_answers(raw, ONE, "en") == {"call1": Answer("edit", arguments={"a": 1})}


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ({"dashboards": '["1", "2"]'}, {"dashboards": ["1", "2"]}),
        ({"limit": "7"}, {"limit": 7}),
        ({"message": '["not", "a", "list"]'}, {"message": '["not", "a", "list"]'}),
        ({"dashboards": "1, 2"}, {"dashboards": "1, 2"}),
        ({"dashboards": "7"}, {"dashboards": "7"}),
        ({"limit": "true"}, {"limit": "true"}),
        ({"dashboards": "[" * 100_000}, {"dashboards": "[" * 100_000}),
        ({"new": "[1]"}, {"new": "[1]"}),
    ],
)
def test_text_of_an_edit_is_read_as_the_kind_that_the_card_showed(typed, taken):
    """Chat clients have a text field for each argument, also for a list."""
    raw = {"decisions": [{"type": "edit", "edited_action": {"name": None, "args": typed}}]}
    assert read_answers(raw, ONE, "en") == {"call1": Answer("edit", arguments=taken)}


def test_schema_names_the_decisions_that_are_taken():
    kinds = SCHEMA["properties"]["decisions"]["items"]["properties"]["type"]["enum"]
    for kind in kinds:
        raw = {"decisions": [{"type": kind, "edited_action": {"name": None, "args": {}}}]}
        assert read_answers(raw, ONE, "en")
