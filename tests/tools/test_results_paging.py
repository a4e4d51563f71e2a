"""Pages of a kept result: joined they are the whole, and each one fits."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.results import PageError, page

ITEMS = st.lists(
    st.one_of(
        st.integers(), st.text(max_size=200), st.dictionaries(st.text(max_size=9), st.none())
    ),
    min_size=1,
    max_size=60,
)


def pages(content: str, limit: int) -> list[dict[str, Any]]:
    """All pages, one after the other."""
    found, offset = [], 0
    while offset is not None:
        made = page(content, offset, limit)
        assert len(json.dumps(made, ensure_ascii=False)) <= limit
        assert made["offset"] == offset
        assert made["shown"] > 0
        found.append(made)
        offset = made["next_offset"]
    return found


@settings(max_examples=150, deadline=None)
@given(ITEMS, st.integers(500, 2000))
def test_the_pages_of_a_list_are_the_list(items: list[Any], limit: int) -> None:
    content = json.dumps(items, ensure_ascii=False)
    found = pages(content, limit)
    if found[0]["unit"] == "items":
        assert [item for made in found for item in made["items"]] == items
    else:
        assert "".join(made["text"] for made in found) == content


@settings(max_examples=150, deadline=None)
@given(st.text(min_size=1, max_size=5000), st.integers(500, 2000))
def test_the_pages_of_a_text_are_the_text(content: str, limit: int) -> None:
    found = pages(content, limit)
    if found[0]["unit"] == "characters":
        assert "".join(made["text"] for made in found) == content


def test_the_one_list_of_an_object_is_paged_beside_its_facts() -> None:
    items = [{"id": n, "title": "t" * 40} for n in range(100)]
    whole = {"environment": "ss-dev", "total": 100, "items": items}
    first, *others = pages(json.dumps(whole), 1000)
    assert first["facts"] == {"environment": "ss-dev", "total": 100}
    assert first["list"] == "items"
    assert first["total"] == 100
    assert all("facts" not in made for made in others)
    assert [item for made in (first, *others) for item in made["items"]] == items


def test_an_item_too_long_for_a_page_is_read_as_text() -> None:
    content = json.dumps([{"id": 1, "text": "x" * 9000}, {"id": 2}])
    found = pages(content, 4000)
    assert {made["unit"] for made in found} == {"characters"}
    assert json.loads("".join(made["text"] for made in found))[1] == {"id": 2}


@pytest.mark.parametrize("offset", [-1, 3, 10**9])
def test_an_offset_outside_is_refused_with_the_last_one(offset: int) -> None:
    with pytest.raises(PageError) as caught:
        page("[1, 2, 3]", offset, 4000)
    assert caught.value.last == 2
