"""Banners come and go without a trace, whatever the layout and whatever a person did meanwhile."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


class Builder:
    """Draws layouts as Superset has them: rows, columns, charts, tabs in tabs."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.nodes: Layout = {}

    def node(self, kind: str, parents: list[str], **meta: Any) -> str:
        key = f"{kind}-{len(self.nodes)}"
        self.nodes[key] = {
            "type": kind,
            "id": key,
            "children": [],
            "parents": list(parents),
            "meta": meta,
        }
        return key

    def fill(self, holder: str, parents: list[str], depth: int) -> None:
        """Give a grid, tab or column its content."""
        inside = [*parents, holder]
        kinds = ["ROW", "CHART", "MARKDOWN", *(["TABS"] if depth else [])]
        for kind in self.draw(st.lists(st.sampled_from(kinds), max_size=3)):
            if kind == "TABS":
                self.tabs(holder, inside, depth - 1)
                continue
            key = self.node(
                kind, inside, chartId=len(self.nodes), text=self.draw(st.text(max_size=5))
            )
            self.nodes[holder]["children"].append(key)
            if kind == "ROW" and depth:
                self.fill(key, inside, depth - 1)

    def tabs(self, holder: str, inside: list[str], depth: int) -> None:
        key = self.node("TABS", inside)
        self.nodes[holder]["children"].append(key)
        for _ in range(self.draw(st.integers(1, 3))):
            tab = self.node("TAB", [*inside, key], text="Вкладка")
            self.nodes[key]["children"].append(tab)
            self.fill(tab, [*inside, key], depth)


@st.composite
def layouts(draw: Any) -> Layout:
    """A grid, or tabs at the top, or nothing at all."""
    shape = draw(st.sampled_from(["grid", "tabs", "empty", "version"]))
    if shape == "empty":
        return {}
    if shape == "version":
        return {VERSION_KEY: "v2", "HEADER_ID": {"type": "HEADER", "id": "HEADER_ID"}}
    build = Builder(draw)
    build.nodes = {
        VERSION_KEY: "v2",
        ROOT: {"type": "ROOT", "id": ROOT, "children": []},
        GRID: {"type": "GRID", "id": GRID, "children": [], "parents": [ROOT]},
    }
    if shape == "tabs":
        build.tabs(ROOT, [], draw(st.integers(0, 2)))
    else:
        build.nodes[ROOT]["children"].append(GRID)
        build.fill(GRID, [ROOT], draw(st.integers(0, 2)))
    return build.nodes


def simple() -> Layout:
    """Root, grid, one row with a chart."""
    return {
        VERSION_KEY: "v2",
        ROOT: {"type": "ROOT", "id": ROOT, "children": [GRID]},
        GRID: {"type": "GRID", "id": GRID, "children": ["ROW-a"], "parents": [ROOT]},
        "ROW-a": {"type": "ROW", "id": "ROW-a", "children": ["CHART-a"], "parents": [ROOT, GRID]},
        "CHART-a": {"type": "CHART", "id": "CHART-a", "children": [], "meta": {"chartId": 1}},
    }


def tabbed() -> Layout:
    """Two tabs at the top: one with a tab inside, one empty."""
    nodes = {
        ROOT: ["TABS-1"],
        GRID: [],
        "TABS-1": ["TAB-1", "TAB-2"],
        "TAB-1": ["TABS-2"],
        "TAB-2": [],
        "TABS-2": ["TAB-3"],
        "TAB-3": ["CHART-1"],
        "CHART-1": [],
    }
    kinds = {ROOT: "ROOT", GRID: "GRID"}
    return {
        key: {"type": kinds.get(key, key.split("-")[0]), "id": key, "children": children}
        for key, children in nodes.items()
    }


def dangling(layout: Layout) -> set[str]:
    """References to nodes that are not there."""
    refs = {
        ref
        for node in layout.values()
        if isinstance(node, dict)
        for name in ("children", "parents")
        for ref in node.get(name, [])
    }
    return refs - set(layout)


def reachable(layout: Layout, start: str = ROOT) -> set[str]:
    seen, waiting = set(), [start]
    while waiting:
        key = waiting.pop()
        if key in layout and key not in seen:
            seen.add(key)
            waiting += layout[key].get("children", [])
    return seen


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


def edit(layout: Layout, rng: random.Random) -> None:
    """What a person does to a dashboard: move a node, add one, or delete a leaf."""
    holders = [
        key
        for key, node in layout.items()
        if isinstance(node, dict) and node["type"] in ("GRID", "TAB", "ROW", "COLUMN")
    ]
    movable = [
        key
        for key, node in layout.items()
        if isinstance(node, dict) and node["type"] in ("ROW", "CHART", "MARKDOWN")
    ]
    what = rng.choice(["move", "move", "add", "delete"])
    if what == "add" and holders:
        new = f"CHART-new-{len(layout)}-{rng.randrange(10**6)}"
        layout[new] = {"type": "CHART", "id": new, "children": [], "parents": []}
        insert(layout, rng.choice(holders), new, rng)
    elif what == "move" and movable and holders:
        key = rng.choice(movable)
        free = [holder for holder in holders if holder not in reachable(layout, key)]
        if free:
            detach(layout, key)
            insert(layout, rng.choice(free), key, rng)
    elif what == "delete" and (leaves := [key for key in movable if not layout[key]["children"]]):
        key = rng.choice(leaves)
        detach(layout, key)
        del layout[key]


def detach(layout: Layout, key: str) -> None:
    for node in layout.values():
        if isinstance(node, dict) and key in node.get("children", []):
            node["children"].remove(key)


def insert(layout: Layout, holder: str, key: str, rng: random.Random) -> None:
    children = layout[holder]["children"]
    children.insert(rng.randint(0, len(children)), key)
    layout[key]["parents"] = [holder]


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
