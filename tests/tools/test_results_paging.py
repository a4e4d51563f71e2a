"""Pages of a kept result: joined they are the whole, and each one fits."""

import json
import time
import tracemalloc
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.results import PageError, dumped, page, shorten

TEXT = st.text(st.characters(codec=None), max_size=200)
ITEM = st.one_of(
    st.none(),
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False),
    TEXT,
    st.dictionaries(st.text(max_size=9), st.none()),
    st.lists(st.booleans(), max_size=5),
)
ITEMS = st.lists(ITEM, min_size=1, max_size=60)


def pages(content: str, limit: int) -> list[dict[str, Any]]:
    """All pages, one after the other."""
    found: list[dict[str, Any]] = []
    offset = 0
    while offset is not None:
        made = page(content, offset, limit)
        assert len(dumped(made)) <= limit
        assert made["offset"] == offset
        assert made["shown"] == len(made[made["unit"].replace("characters", "text")]) > 0
        found.append(made)
        offset = made["next_offset"]
    assert len({made["total"] for made in found}) == 1
    assert sum(made["shown"] for made in found) == found[0]["total"]
    return found


def items(found: list[dict[str, Any]]) -> list[Any]:
    return [item for made in found for item in made["items"]]


@settings(max_examples=150, deadline=None)
@given(ITEMS, st.integers(500, 2000))
def test_the_pages_of_a_list_are_the_list(whole: list[Any], limit: int) -> None:
    content = dumped(whole)
    found = pages(content, limit)
    if found[0]["unit"] == "items":
        assert dumped(items(found)) == content
    else:
        assert "".join(made["text"] for made in found) == content


@settings(max_examples=100, deadline=None)
@given(ITEMS, st.dictionaries(st.text(max_size=20), ITEM, max_size=6), st.integers(500, 2000))
def test_the_pages_of_an_object_are_the_object(
    whole: list[Any], facts: dict[str, Any], limit: int
) -> None:
    content = dumped(facts | {"rows": whole})
    found = pages(content, limit)
    if found[0]["unit"] == "characters":
        assert "".join(made["text"] for made in found) == content
        return
    told = found[0].get("facts", {}) | {found[0]["list"]: items(found)}
    # As text: 1.10 is not 1.1. The keys' order is that of the facts, the list comes last.
    assert json.loads(dumped(told), parse_float=str) == json.loads(content, parse_float=str)
    assert all(made.get("facts", found[0].get("facts")) == found[0].get("facts") for made in found)


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec=None), min_size=1, max_size=5000), st.integers(500, 2000))
def test_the_pages_of_a_text_are_the_text(content: str, limit: int) -> None:
    found = pages(content, limit)
    if found[0]["unit"] == "characters":
        assert "".join(made["text"] for made in found) == content


@pytest.mark.parametrize("character", ["x", "ж", '"', "\x01", "🙂"])
def test_a_page_uses_its_room(character: str) -> None:
    first = pages(character * 50_000, 4000)[0]
    assert len(dumped(first)) > 3980
    rows = [{"n": n} for n in range(5000)]
    for made in pages(dumped({"environment": "ss-dev", "items": rows}), 4000)[:-1]:
        assert len(dumped(made)) > 3970


def test_short_facts_stand_on_every_page() -> None:
    rows = [{"id": n, "title": "t" * 40} for n in range(100)]
    found = pages(dumped({"environment": "ss-dev", "total": 100, "items": rows}), 1000)
    assert all(made["facts"] == {"environment": "ss-dev", "total": 100} for made in found)
    assert all(made["list"] == "items" for made in found)
    assert items(found) == rows
    assert len(found) > 5


def test_long_facts_stand_on_the_first_page() -> None:
    rows = [[n] for n in range(2000)]
    first, *others = pages(dumped({"sql": "x" * 1500, "rows": rows}), 4000)
    assert first["facts"] == {"sql": "x" * 1500}
    assert all("facts" not in made for made in others)
    assert items([first, *others]) == rows


@pytest.mark.parametrize(
    "whole",
    [
        [{"id": 1, "text": "x" * 9000}, {"id": 2}],
        {"a": {"b": "x" * 9000}},
        {"a": ["x" * 3000] * 3, "b": ["x" * 3000] * 3},
        [],
        {"items": []},
    ],
)
def test_what_has_no_pages_of_items_is_read_as_text(whole: Any) -> None:
    content = json.dumps(whole)
    found = pages(content, 4000)
    assert {made["unit"] for made in found} == {"characters"}
    assert json.loads("".join(made["text"] for made in found)) == whole


@pytest.mark.parametrize("depth", [900, 3000])
def test_bottomless_nesting_is_read_as_text(depth: int) -> None:
    content = "[" * depth + "]" * depth
    assert "".join(made["text"] for made in pages(content, 1000)) == content


@pytest.mark.parametrize("content", ["[1, 2, 3]", "abc", '{"items": [1, 2, 3], "n": 1.10}'])
@pytest.mark.parametrize("offset", [-1, 31, 10**9, 10**30, -(10**30)])
def test_an_offset_outside_is_refused_with_the_last_one(content: str, offset: int) -> None:
    with pytest.raises(PageError) as caught:
        page(content, offset, 4000)
    assert caught.value.last == 2


def test_numbers_keep_every_digit() -> None:
    content = '{"rows": [[1.10, 12345678901234567890.12345], [1e400]], "n": 0.10}'
    (made,) = pages(content, 1000)
    assert made["items"] == [
        [Decimal("1.10"), Decimal("12345678901234567890.12345")],
        [Decimal("1E+400")],
    ]
    assert "[1.10, 12345678901234567890.12345]" in dumped(made)
    assert '"n": 0.10' in dumped(made)


def test_reading_on_begins_where_a_shortened_result_ends() -> None:
    rows = [{"id": n, "title": f"Отчёт {n}"} for n in range(500)]
    for whole, inner in ((rows, False), ({"environment": "x", "items": rows}, True)):
        content = dumped(whole)
        made = json.loads(shorten(content, 4000, "r1"))
        shown = (made["items"] if inner else made)["shown"]
        assert page(content, shown, 4000)["items"][0] == rows[shown]
    text = "Слово за слово. " * 900
    made = json.loads(shorten(text, 4000, "r1"))
    assert made["text"] == text[: made["shown"]] + " [...]"
    following = page(text, made["shown"], 4000)
    assert text[made["shown"] :].startswith(following["text"])


HUGE = {
    "rows": lambda: dumped([{"id": n, "name": f"строка {n}", "r": n / 7} for n in range(200_000)]),
    "keys": lambda: dumped({f"key{n}": "x" * 2000 for n in range(5000)}),
    "lists": lambda: dumped({f"key{n}": list(range(30_000)) for n in range(50)}),
    "text": lambda: "слово " * 1_700_000,
    "one word": lambda: "x" * 10_000_000,
    "escapes": lambda: "\x01" * 10_000_000,
    "a key": lambda: dumped({"k" * 5_000_000: 1, "b": "x" * 5_000_000}),
    "deep": lambda: '{"a": [' * 20 + "1, " * 3_000_000 + "1" + "]}" * 20,
    "deeper": lambda: "[" * 5_000_000 + "]" * 5_000_000,
    "exact": lambda: "[" + ", ".join(["1.10"] * 1_700_000) + "]",
}


@pytest.mark.parametrize("name", HUGE)
def test_ten_megabytes_take_a_bounded_time(name: str) -> None:
    content = HUGE[name]()
    assert len(content.encode()) > 9_000_000
    start = time.process_time()
    made = shorten(content, 4000, "r1")
    first = page(content, 0, 4000)
    # A hundred times less on this kind of content is usual; what is not linear takes minutes.
    assert time.process_time() - start < 20
    assert max(len(made), len(dumped(first))) <= 4000
    assert json.loads(made)["result_id"] == "r1"


def test_a_long_text_takes_little_memory() -> None:
    content = "слово " * 1_700_000
    tracemalloc.start()
    try:
        shorten(content, 4000, "r1")
        page(content, 5_000_000, 4000)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
