"""Shortened results: always valid, never too long, first items whole, totals right."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.results import MINIMUM, shorten

LIMIT = 4000
KEYS = {"summary", "result_id"}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**80), 10**80),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.text('слово. \n"\\🙂', max_size=900),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=30),
        st.dictionaries(TEXTS, inner, max_size=12),
        st.tuples(inner, st.integers(2, 60)).map(lambda pair: [pair[0]] * pair[1]),
    ),
    max_leaves=25,
)


def json_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def short(value: Any, limit: int = LIMIT) -> Any:
    content = value if isinstance(value, str) else json_of(value)
    made = shorten(content, limit, "r1")
    assert len(made) <= max(limit, MINIMUM)
    return json.loads(made)


@settings(max_examples=300, deadline=None)
@given(VALUES, st.integers(MINIMUM, 2000))
def test_any_result_is_valid_and_fits(value: Any, limit: int) -> None:
    content = json_of(value)
    made = shorten(content, limit, "r1")
    assert len(made) <= limit
    told = json.loads(made)
    if len(content) <= limit:
        assert made == content
    else:
        assert told["result_id"] == "r1"
        assert "r1" in told["summary"]


@settings(max_examples=300, deadline=None)
@given(VALUES, st.integers(MINIMUM, 1500))
def test_lists_keep_their_first_items_whole_with_the_total(value: Any, limit: int) -> None:
    content = json_of(value)
    if len(content) > limit and isinstance(json.loads(content), list):
        _compare(json.loads(shorten(content, limit, "r1")), json.loads(content))


def _compare(made: Any, whole: Any) -> None:
    """Whatever was cut, in whatever depth, is a prefix of what was there."""
    if isinstance(whole, list) and isinstance(made, dict):
        _compare_list(made, whole)
    elif isinstance(whole, dict) and isinstance(made, dict):
        parts = made.keys() - KEYS == {"total", "shown", "items"} != whole.keys() - KEYS
        for key, item in (made["items"] if parts else made).items():
            if key not in KEYS or key in whole:
                _compare(item, whole[key])
        assert not parts or made["total"] == len(whole)
    elif isinstance(whole, str):
        assert made == whole or made.endswith("[...]")
    else:
        assert made == "[...]" or (made == whole and type(made) is type(whole))


def _compare_list(made: dict[str, Any], whole: list[Any]) -> None:
    assert made["total"] == len(whole)
    assert made["shown"] == len(made["items"])
    assert made["items"][:-1] == whole[: max(made["shown"] - 1, 0)]
    if made["items"]:
        _compare(made["items"][-1], whole[made["shown"] - 1])


@settings(max_examples=200, deadline=None)
@given(VALUES, st.integers(MINIMUM, 900), st.integers(0, 2000))
def test_shortening_twice_keeps_totals_and_id(value: Any, limit: int, more: int) -> None:
    once = shorten(json_of(value), limit + more, "r1")
    twice = shorten(once, limit, "r2")
    assert len(twice) <= limit
    if len(json_of(value)) > limit + more:
        told = json.loads(twice)
        assert told["result_id"] == "r1"
        if isinstance(value, list):
            assert told["total"] == len(value)
    assert shorten(twice, limit, "r3") == twice


def test_as_many_items_as_fit_are_kept() -> None:
    items = [{"id": n, "big": 2**60 + n, "ratio": 0.1 + n} for n in range(1000)]
    made = short(items)
    assert made["total"] == 1000
    assert made["items"] == items[: made["shown"]]
    one_more = made | {"items": items[: made["shown"] + 1], "shown": made["shown"] + 1}
    assert len(json_of(one_more)) > LIMIT - 8


def test_an_object_keeps_its_facts_and_gives_its_list_the_room() -> None:
    items = [{"id": n, "title": f"Отчёт {n}"} for n in range(500)]
    made = short({"environment": "ss-dev", "total": 500, "link": "/x", "items": items})
    assert (made["environment"], made["total"], made["link"]) == ("ss-dev", 500, "/x")
    assert made["items"]["total"] == 500
    assert made["items"]["items"] == items[: made["items"]["shown"]]
    assert len(json_of(made)) > LIMIT * 0.95


def test_two_long_lists_share_the_room() -> None:
    made = short({"a": list(range(3000)), "b": list(range(3000)), "c": [1, 2]})
    assert made["c"] == [1, 2]
    assert made["a"]["shown"] > 200
    assert made["b"]["shown"] > 200


def test_thousands_of_keys_keep_the_first() -> None:
    made = short({f"key{n}": n for n in range(5000)})
    assert made["total"] == 5000
    assert list(made["items"])[:2] == ["key0", "key1"]
    assert made["shown"] == len(made["items"]) > 100


@pytest.mark.parametrize("content", ["One. Two! " * 2000, "x" * 9000, "слово " * 3000, "\n" * 9000])
def test_texts_end_with_a_sentence(content: str) -> None:
    made = short(content)
    assert made["total"] == len(content)
    assert made["text"].endswith("[...]")
    if "Two!" in content:
        assert made["text"].removesuffix(" [...]").endswith(("One.", "Two!"))
        assert made["shown"] > 3000


@pytest.mark.parametrize("depth", [30, 300, 3000, 100_000])
def test_bottomless_nesting_is_shortened(depth: int) -> None:
    made = short("[" * depth + '"x"' + "]" * depth + " " * LIMIT)
    assert made["result_id"] == "r1"


def test_ten_megabytes_are_shortened_at_once() -> None:
    rows = [{"id": n, "name": f"строка {n}", "values": [n] * 20} for n in range(60_000)]
    content = json_of(rows)
    assert len(content.encode()) > 10_000_000
    assert short(content)["total"] == 60_000


def test_no_invalid_json_comes_out() -> None:
    made = short('[NaN, Infinity, "' + "x" * LIMIT + '"]')
    assert made["items"][:2] == [None, None]
