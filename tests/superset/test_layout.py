"""Banners come and go without a trace, whatever the layout and whatever a person did meanwhile."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.superset.layouts import dangling, edit, layouts, reachable, simple, tabbed
from tools.clients.layout import (
    GRID,
    ROOT,
    VERSION_KEY,
    Layout,
    add_banner,
    banners,
    layout_hash,
    remove_banner,
)

EVENT, OTHER = "0a1b2c3d4e5f", "ffffffffffff"


@given(layouts())
@settings(max_examples=200, deadline=None)
def test_add_then_remove_leaves_the_same_hash(layout: Layout) -> None:
    before = copy.deepcopy(layout)
    added, nodes = add_banner(layout, EVENT, "**Обслуживание** до 18:00")
    assert layout == before, "the argument was changed"
    assert nodes
    assert set(nodes) == set(added) - set(layout) - {ROOT, GRID, VERSION_KEY}
    assert banners(added) == {EVENT}
    assert set(nodes) <= reachable(added), "a banner that nobody sees"
    assert dangling(added) == set()
    removed, gone = remove_banner(added, EVENT)
    assert sorted(nodes) == gone
    assert removed == before
    assert layout_hash(removed) == layout_hash(before)


@given(layouts(), st.permutations([EVENT, OTHER, "c"]), st.permutations([EVENT, OTHER, "c"]))
@settings(max_examples=100, deadline=None)
def test_events_that_overlap_leave_the_same_hash_in_any_order(
    layout: Layout, come: list[str], go: list[str]
) -> None:
    now = layout
    for event in come:
        now, _ = add_banner(now, event, event)
    assert banners(now) == set(come)
    for event in go:
        now, gone = remove_banner(now, event)
        assert gone
    assert layout_hash(now) == layout_hash(layout)


@given(layouts(), st.randoms(use_true_random=False), st.integers(1, 12))
@settings(max_examples=300, deadline=None)
def test_removal_after_any_edits_takes_ours_and_leaves_theirs(
    layout: Layout, rng: random.Random, edits: int
) -> None:
    now, nodes = add_banner(layout, EVENT, "x")
    now = copy.deepcopy(now)
    for _ in range(edits):
        edit(now, rng)
    theirs = set(now) - set(nodes)
    shown = reachable(now) & theirs
    after, gone = remove_banner(now, EVENT)
    assert banners(after) == set()
    assert not any("MARKDOWN-maintenance" in key for key in after)
    kept_rows = {key for key in after if key.startswith("ROW-maintenance")}
    assert all(set(after[row]["children"]) & set(after) for row in kept_rows), (
        "an empty row is left"
    )
    scaffold = {ROOT, GRID, VERSION_KEY}
    assert theirs - scaffold <= set(after), "something of theirs went too"
    assert shown - scaffold <= reachable(after), "something of theirs is out of sight"
    assert not dangling(after) & set(nodes), "a reference to what is gone"
    assert set(gone).isdisjoint(after)
    assert remove_banner(after, EVENT) == (after, []), "the second time there is nothing to do"
    for key in theirs & set(after):
        if isinstance(now[key], dict):
            mine = [ref for ref in now[key].get("children", []) if ref in after]
            assert after[key].get("children", []) == mine, "their order changed"


def test_banner_is_on_top_of_the_grid() -> None:
    added, nodes = add_banner(simple(), EVENT, "**x**")
    row, text = f"ROW-maintenance-{EVENT}-1", f"MARKDOWN-maintenance-{EVENT}-1"
    assert nodes == [row, text]
    assert added[GRID]["children"] == [row, "ROW-a"]
    assert added[row]["children"] == [text]
    assert added[row]["parents"] == [ROOT, GRID]
    assert added[text]["meta"]["code"] == "**x**"


def test_every_tab_with_content_has_a_banner_nested_ones_too() -> None:
    added, nodes = add_banner(tabbed(), EVENT, "x")
    assert len(nodes) == 4
    assert added["TAB-1"]["children"] == [f"ROW-maintenance-{EVENT}-1", "TABS-2"]
    assert added["TAB-3"]["children"] == [f"ROW-maintenance-{EVENT}-2", "CHART-1"]
    assert added["TAB-2"]["children"] == []
    assert added[GRID]["children"] == [], "nobody sees a grid that hangs nowhere"


def test_tabs_that_are_all_empty_have_banners_nevertheless() -> None:
    layout = tabbed()
    layout["TABS-1"]["children"] = ["TAB-2"]
    added, nodes = add_banner(layout, EVENT, "x")
    assert added["TAB-2"]["children"] == [nodes[0]]


def test_a_row_that_holds_their_chart_too_stays_for_it() -> None:
    added, (row, text) = add_banner(simple(), EVENT, "x")
    added["ROW-a"]["children"], added[row]["children"] = [], [text, "CHART-a"]
    after, gone = remove_banner(added, EVENT)
    assert gone == [text]
    assert after[row]["children"] == ["CHART-a"]
    assert banners(after) == set()
    again, nodes = add_banner(after, EVENT, "x")
    assert nodes == [f"ROW-maintenance-{EVENT}-2", f"MARKDOWN-maintenance-{EVENT}-2"]
    assert remove_banner(again, EVENT)[0] == after


def test_a_row_lent_to_another_event_goes_with_the_last_banner() -> None:
    first, (row, _) = add_banner(simple(), EVENT, "x")
    both, (other_row, other_text) = add_banner(first, OTHER, "y")
    both[row]["children"].append(other_text)
    both[GRID]["children"].remove(other_row)
    del both[other_row]
    left, _ = remove_banner(both, EVENT)
    assert banners(left) == {OTHER}
    after, gone = remove_banner(left, OTHER)
    assert gone == [other_text, row]
    assert layout_hash(after) == layout_hash(simple())


def test_the_same_event_again_replaces_its_banner() -> None:
    once, _ = add_banner(simple(), EVENT, "x")
    twice, nodes = add_banner(once, EVENT, "y")
    assert len(nodes) == 2
    assert twice[nodes[1]]["meta"]["code"] == "y"
    assert layout_hash(remove_banner(twice, EVENT)[0]) == layout_hash(simple())


def test_nothing_of_another_event_is_touched() -> None:
    layout, _ = add_banner(simple(), OTHER, "x")
    assert remove_banner(layout, EVENT) == (layout, [])
    assert remove_banner(simple(), EVENT) == (simple(), [])


def test_an_event_whose_id_begins_like_another_is_another() -> None:
    layout, _ = add_banner(simple(), "ab", "x")
    layout, _ = add_banner(layout, "abc", "y")
    after, _ = remove_banner(layout, "ab")
    assert banners(after) == {"abc"}


@pytest.mark.parametrize("event", ["", "a-1", "a b", "x" * 65, "a\n", "ключ"])
def test_other_event_ids_are_refused(event: str) -> None:
    with pytest.raises(ValueError, match="event id"):
        add_banner(simple(), event, "x")


@pytest.mark.parametrize(
    "broken",
    [
        {ROOT: {"type": "ROOT", "children": ["gone"]}},
        {ROOT: "text", GRID: 3},
        {ROOT: {"type": "ROOT"}, GRID: {"type": "GRID"}},
        {GRID: {"type": "GRID", "children": []}},
        {ROOT: {"type": "ROOT", "children": [[], 5, None, ROOT]}},
        {ROOT: {"type": "ROOT", "children": [GRID]}, GRID: {"type": "GRID", "children": "ab"}},
    ],
)
def test_a_broken_layout_has_no_place_and_stays_as_it_is(broken: Layout) -> None:
    assert add_banner(broken, EVENT, "x") == (broken, [])
    assert remove_banner(broken, EVENT) == (broken, [])


def test_the_hash_is_of_the_content_not_of_the_order_of_keys() -> None:
    layout = simple()
    assert layout_hash(dict(reversed(layout.items()))) == layout_hash(layout)
    changed = simple()
    changed[GRID]["children"] = ["ROW-a", "ROW-a"]
    assert layout_hash(changed) != layout_hash(layout)
    assert layout_hash({"emoji": "😀"}) == layout_hash({"emoji": "\U0001f600"})
