"""Layouts as Superset has them, drawn at random, and what people do to them."""

import random
from typing import Any

from hypothesis import strategies as st

from tools.clients.layout import GRID, ROOT, VERSION_KEY, Layout


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
