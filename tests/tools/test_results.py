"""Shortened results: always valid, never too long, first items whole, totals and numbers right."""

import json
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.results import MINIMUM, dumped, items_of, shorten, total_of

LIMIT = 4000
KEYS = {"summary", "result_id"}
MARK = "[...]"
ANY_TEXT = st.text(st.characters(codec=None), max_size=60)
"""Half characters, control characters and NUL too: a title may hold them."""

NUMBERS = st.one_of(
    st.integers(-(10**80), 10**80),
    st.floats(allow_nan=False, allow_infinity=False),
    st.from_regex(r"-?(0|[1-9][0-9]{0,25})\.[0-9]{1,25}([eE][+-]?[0-9]{1,3})?", fullmatch=True).map(
        Decimal
    ),
)
LEAVES = st.one_of(
    st.none(), st.booleans(), NUMBERS, ANY_TEXT, st.text('слово. n"\\🙂', max_size=900)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=30),
        st.dictionaries(ANY_TEXT, inner, max_size=12),
        st.tuples(inner, st.integers(2, 60)).map(lambda pair: [pair[0]] * pair[1]),
        st.tuples(st.text("ключ", max_size=20), inner, st.integers(1, 90)).map(
            lambda made: {f"{made[0]}{n}": made[1] for n in range(made[2])}
        ),
    ),
    max_leaves=25,
)
exact = partial(json.loads, parse_float=Decimal)
"""JSON with its numbers as they are written."""


def same(one: Any, other: Any) -> bool:
    """Whether two values are alike to the digit: 1.10 is not 1.1, and true is not 1."""
    if isinstance(one, Decimal) and isinstance(other, Decimal):
        return one.as_tuple() == other.as_tuple()
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def short(value: Any, limit: int = LIMIT) -> Any:
    content = value if isinstance(value, str) else dumped(value)
    made = shorten(content, limit, "r1")
    assert len(made) <= max(limit, MINIMUM)
    made.encode()
    return exact(made)


@settings(max_examples=300, deadline=None)
@given(VALUES, st.integers(MINIMUM, 2000))
def test_any_result_is_valid_fits_and_has_its_first_parts_in_order(value: Any, limit: int) -> None:
    content = dumped(value)
    told = short(content, limit)
    if len(content) <= limit:
        assert same(told, exact(content))
        return
    assert told["result_id"] == "r1"
    assert "read_result" in told["summary"]
    if isinstance(value, list | dict):
        _compare(told, exact(content))


def _compare(made: Any, whole: Any) -> None:
    """Whatever was cut, in whatever depth, is the beginning of what was there."""
    if same(made, whole):
        return
    if isinstance(whole, list) and isinstance(made, dict):
        _compare_list(made, whole)
    elif isinstance(whole, list) and isinstance(made, list):
        assert len(made) == len(whole)  # a row of a table
        for cell, before in zip(made, whole, strict=True):
            _compare(cell, before)
    elif isinstance(whole, dict) and isinstance(made, dict):
        _compare_object({key: item for key, item in made.items() if key not in KEYS}, whole)
    elif isinstance(whole, str):
        assert made.endswith(MARK)
        assert whole.startswith(made.removesuffix(MARK).rstrip(" "))
    else:
        assert made == MARK


def _compare_list(made: dict[str, Any], whole: list[Any]) -> None:
    assert made.keys() - KEYS == {"total", "shown", "items"}
    assert made["total"] == len(whole)
    assert made["shown"] == len(made["items"])
    assert same(made["items"][1:], whole[1 : made["shown"]])
    for item in made["items"][:1]:
        _compare(item, whole[0])


def _compare_object(made: dict[str, Any], whole: dict[str, Any]) -> None:
    if made.keys() == {"value"} != whole.keys():
        return _compare(made["value"], whole)  # it has our own keys
    if made.keys() == {"total", "shown", "items"} != whole.keys():
        assert made["total"] == len(whole)
        assert made["shown"] == len(made["items"])
        made = made["items"]
    else:
        assert len(made) == len(whole.keys() - KEYS)
    kept = [key for key in whole if key in made]
    assert list(made) == kept
    for key, item in made.items():
        _compare(item, whole[key])
    return None


@settings(max_examples=200, deadline=None)
@given(VALUES, st.integers(MINIMUM, 900), st.integers(0, 2000))
def test_shortening_twice_keeps_totals_and_id(value: Any, limit: int, more: int) -> None:
    content = dumped(value)
    once = shorten(content, limit + more, "r1")
    twice = shorten(once, limit, "r2")
    assert len(twice) <= limit
    assert shorten(twice, limit, "r3") == twice
    if len(content) <= limit + more:
        return
    told = exact(twice)
    assert told["result_id"] == "r1"
    if isinstance(value, list):
        _compare(told, exact(content))
    if isinstance(value, str):
        assert told["total"] == len(content)
        assert content.startswith(told["text"].removesuffix(MARK).rstrip(" "))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(0, 300), min_size=5, max_size=300), st.booleans(), st.integers(600, 4000)
)
def test_as_many_whole_items_as_fit_are_kept(lengths: list[int], inside: bool, limit: int) -> None:
    items = ["x" * length for length in lengths]
    made = short({"total": len(items), "items": items} if inside else items, limit)
    if "result_id" not in made:
        return
    part = made["items"] if inside else made
    one_more = {"total": len(items), "shown": part["shown"] + 1}
    part |= one_more | {"items": items[: part["shown"] + 1]}
    # 8 for the longest count that was reckoned with, and the commas.
    assert len(dumped(made)) > limit - 8


def test_an_object_keeps_its_facts_and_gives_its_list_the_room() -> None:
    items = [{"id": n, "title": f"Отчёт {n}"} for n in range(500)]
    made = short({"environment": "ss-dev", "total": 500, "link": "/x", "items": items})
    assert (made["environment"], made["total"], made["link"]) == ("ss-dev", 500, "/x")
    assert made["items"]["total"] == 500
    assert made["items"]["items"] == items[: made["items"]["shown"]]
    assert len(dumped(made)) > LIMIT * 0.95


def test_two_long_lists_share_the_room() -> None:
    made = short({"a": list(range(3000)), "b": list(range(3000)), "c": [1, 2]})
    assert made["c"] == [1, 2]
    assert made["a"]["shown"] > 200
    assert made["b"]["shown"] > 200


def test_short_facts_leave_all_the_room_to_the_long_ones() -> None:
    whole = {f"fact{n}": n for n in range(30)} | {"a": "y" * 5000, "b": "z" * 900}
    made = short(whole)
    assert made["b"] == whole["b"]
    assert len(dumped(made)) > LIMIT * 0.95


def test_nested_lists_say_their_totals() -> None:
    made = short({"tables": {"orders": {"columns": [f"column_{n}" for n in range(900)]}}})
    columns = made["tables"]["orders"]["columns"]
    assert columns["total"] == 900
    assert columns["items"] == [f"column_{n}" for n in range(columns["shown"])]
    made = short([{"id": 1, "columns": list(range(9000))}, {"id": 2}])
    assert (made["total"], made["shown"], made["items"][0]["id"]) == (2, 1, 1)
    assert made["items"][0]["columns"]["total"] == 9000


def test_a_row_too_long_keeps_its_cells() -> None:
    made = short({"columns": ["id", "text", "more"], "rows": [[7, "Слово. " * 900, "end"]] * 5})
    (row,) = made["rows"]["items"]
    assert (row[0], row[2]) == (7, "end")
    assert row[1].startswith("Слово. Слово.")
    assert len(dumped(made)) > LIMIT * 0.95
    assert made["rows"]["total"] == 5
    (row,) = short([list(range(3000))] * 5)["items"]
    assert (row["total"], row["items"]) == (3000, list(range(row["shown"])))


@pytest.mark.parametrize("many", [70, 5000])
def test_many_keys_keep_the_first(many: int) -> None:
    made = short({f"key{n}": "v" * 50 for n in range(many)})
    assert made["total"] == many
    assert list(made["items"]) == [f"key{n}" for n in range(made["shown"])]
    assert made["shown"] > 50


@pytest.mark.parametrize("value", [{"k" * 9000: 1, "b": 2}, {"k" * 9000: "v" * 9000}])
def test_a_key_too_long_to_say_is_counted(value: dict[str, Any]) -> None:
    assert short(value) == {"total": len(value), "shown": 0, "items": {}} | _head()


def _head() -> dict[str, str]:
    made = json.loads(shorten("x" * 9000, LIMIT, "r1"))
    return {key: made[key] for key in ("summary", "result_id")}


NUMBER_TEXTS = (
    *("1.10", "-0.0", "0.1", "1e5", "12345678901234567890.123456789", "1E400", "0.10e-3"),
    *("123456789012345678901234567890", "-9007199254740993", "1" * 4000),
)


def test_numbers_keep_every_digit() -> None:
    content = "[" + ", ".join(f'{{"n": {n}}}' for n in NUMBER_TEXTS) + ', "' + "x" * 9000 + '"]'
    made = shorten(content, 9000, "r1")
    shown = json.loads(made, parse_float=Decimal)["items"]
    assert [item["n"] for item in shown] == [
        exact(n) if "." in n or "e" in n.lower() else int(n) for n in NUMBER_TEXTS
    ]
    assert '"n": 1.10}' in made
    assert '"n": 12345678901234567890.123456789}' in made


@pytest.mark.parametrize("number", ["1" * 5000, "1e99999999999999999999", "1e" + "9" * 5000])
def test_numbers_that_no_program_reads_are_text(number: str) -> None:
    made = short(f"[{number}, {' ' * LIMIT}1]", 600)
    assert made["total"] > LIMIT
    assert made["text"].startswith(f"[{number[:9]}")


@pytest.mark.parametrize(
    "content",
    ["One. Two! " * 2000, "x" * 9000, "слово " * 3000, "\n" * 9000, "\x01" * 9000, '"' * 9000],
)
def test_texts_end_with_a_sentence(content: str) -> None:
    made = short(content)
    assert made["total"] == len(content)
    assert made["text"].endswith(MARK)
    assert content[: made["shown"]] == made["text"].removesuffix(f" {MARK}").removesuffix(MARK)
    if "Two!" in content:
        assert made["text"].removesuffix(" [...]").endswith(("One.", "Two!"))
        assert made["shown"] > 3700


def test_a_text_without_sentences_ends_with_a_word() -> None:
    assert short("слово " * 3000)["text"].endswith("слово [...]")


@pytest.mark.parametrize("depth", [20, 30, 300, 990, 3000, 100_000])
def test_bottomless_nesting_is_shortened(depth: int) -> None:
    assert short("[" * depth + '"x"' + "]" * depth + " " * LIMIT)["result_id"] == "r1"
    assert short('{"a":' * depth + "1" + "}" * depth + " " * LIMIT)["result_id"] == "r1"


def test_what_only_looks_shortened_is_not_believed() -> None:
    whole = {"summary": "mine", "result_id": "theirs", "items": list(range(3000))}
    made = short(whole)
    assert made["result_id"] == "r1"
    assert made["value"]["result_id"] == "theirs"
    assert made["value"]["items"]["total"] == 3000
    part = {"total": 2, "shown": 9, "items": list(range(3000))}
    assert short([part] * 3)["items"][0]["total"] == 2
    assert short([part] * 3)["items"][0]["items"]["total"] == 3000


def test_a_result_that_is_not_kept_names_no_way_to_read_it() -> None:
    made = json.loads(shorten("x" * 9000, LIMIT, ""))
    assert "read_result" not in made["summary"]


def test_nan_in_a_foreign_text_is_null() -> None:
    made = short('[NaN, -Infinity, "' + "x" * LIMIT + '"]')
    assert made["items"][:2] == [None, None]


def test_lists_are_read_shortened_or_not() -> None:
    assert items_of([1, 2]) == items_of({"total": 9, "shown": 2, "items": [1, 2]}) == [1, 2]
    assert items_of({"total": 9, "shown": 1, "items": {"a": 1}}) == []
    assert (total_of([1, 2]), total_of({"total": 9, "shown": 0, "items": []})) == (2, 9)
