"""The layout of a dashboard, and maintenance banners in it. Pure functions.

A layout is a flat map of nodes, `{id: {type, id, children: [ids], parents: [ids], meta}}`, with
ROOT_ID at the top, below it GRID_ID or a TABS node with TAB children, which may nest. A banner
is a ROW with one MARKDOWN. Its ids carry the event, so that it is found again wherever a person
moves it; taking the banners away leaves the layout as if they had never been.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Layout = dict[str, Any]

ROOT = "ROOT_ID"
GRID = "GRID_ID"
VERSION_KEY = "DASHBOARD_VERSION_KEY"

SCAFFOLD = "maintenanceScaffold"
"""Key in the grid's meta: the nodes we added because the layout had none to stand on."""

HEIGHT = 14
"""Of a banner, in grid units of 8 pixels: three lines."""

_OURS = re.compile(r"(?:ROW|MARKDOWN)-maintenance-([0-9a-zA-Z]{1,64})-\d+")


def layout_hash(layout: Mapping[str, Any]) -> str:
    """SHA-256 of a layout, hex; the order of its keys does not matter."""
    text = json.dumps(layout, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def banners(layout: Mapping[str, Any]) -> set[str]:
    """Ids of the events that have a banner in the layout."""
    return {
        event
        for key in layout
        if (event := _event(key))
        and (key.startswith("MARKDOWN") or not _others(layout, key, set()))
    }


def add_banner(layout: Layout, event_id: str, markdown: str) -> tuple[Layout, list[str]]:
    """Put an event's banner at the top of the grid and of every tab that holds content.

    A banner of the same event that is there already is replaced.

    Args:
        layout: The layout as it is; it stays untouched.
        event_id: Letters and digits, at most 64.
        markdown: What the banner says.

    Returns:
        The new layout, and the ids of the nodes added: none where a broken layout has no place.

    Raises:
        ValueError: the event id has other characters.
    """
    if not re.fullmatch(r"[0-9a-zA-Z]{1,64}", event_id):
        raise ValueError("an event id has letters and digits only, 64 at most")
    bare, _ = remove_banner(layout, event_id)
    new = _scaffolded(bare)
    added: list[str] = []
    number = 0
    for place in _places(new):
        number += 1
        while f"ROW-maintenance-{event_id}-{number}" in new:  # a row that a person made theirs
            number += 1
        added += _insert(new, place, event_id, number, markdown)
    return (new, added) if added else (bare, [])


def remove_banner(layout: Layout, event_id: str) -> tuple[Layout, list[str]]:
    """Take an event's banners away, wherever they are now.

    A banner row that a person put other things into stays, with those things. References to what
    is gone go too.

    Returns:
        The new layout, and the ids of the nodes removed.
    """
    gone = {key for key in layout if _event(key) == event_id and key.startswith("MARKDOWN")}
    while emptied := _emptied_rows(layout, event_id, gone):
        gone |= emptied
    referred = gone | {
        key
        for node in layout.values()
        for key in _children(node)
        if _event(key) == event_id and key not in layout
    }
    if not referred:
        return layout, []
    new = {key: _without(node, referred) for key, node in layout.items() if key not in gone}
    return _unscaffolded(new), sorted(gone)


def _event(key: str) -> str | None:
    """The event that a node id belongs to."""
    found = _OURS.fullmatch(key)
    return found[1] if found else None


def _children(node: Any) -> set[str]:
    """Ids of a node's children; a broken node has none."""
    children = node.get("children") if isinstance(node, dict) else None
    return (
        {key for key in children if isinstance(key, str)} if isinstance(children, list) else set()
    )


def _emptied_rows(layout: Mapping[str, Any], event_id: str, gone: set[str]) -> set[str]:
    """Banner rows that hold nothing any more once some nodes are gone.

    A row of another event goes only if one of these nodes was what filled it.
    """
    return {
        key
        for key in layout
        if key not in gone
        and key.startswith("ROW")
        and (owner := _event(key))
        and not _others(layout, key, gone)
        and (owner == event_id or _children(layout[key]) & gone)
    }


def _others(layout: Mapping[str, Any], row: str, ours: set[str]) -> set[str]:
    """Things in a row beside our own."""
    return {key for key in _children(layout[row]) if key in layout} - ours


def _without(node: Any, gone: set[str]) -> Any:
    """A node that refers to nothing that is gone; the same object where it never did."""
    if not isinstance(node, dict):
        return node
    changed = {
        name: [key for key in node[name] if not isinstance(key, str) or key not in gone]
        for name in ("children", "parents")
        if isinstance(node.get(name), list)
        and any(isinstance(key, str) and key in gone for key in node[name])
    }
    return {**node, **changed} if changed else node


def _places(layout: Mapping[str, Any]) -> list[str]:
    """Where banners go: the grid, and the tabs that hold content; if none does, every tab."""
    reachable = list(_reachable(layout))
    grids = [key for key in reachable if key == GRID]
    tabs = [key for key in reachable if layout[key].get("type") == "TAB"]
    full = [key for key in tabs if any(child in layout for child in _children(layout[key]))]
    return grids + (full or (tabs if not grids else []))


def _reachable(layout: Mapping[str, Any]) -> Iterator[str]:
    """Ids of the nodes that can hold a banner's row, from the root down, each once."""
    seen: set[str] = set()
    waiting = [ROOT]
    while waiting:
        key = waiting.pop(0)
        node = layout.get(key)
        if key in seen or not isinstance(node, dict) or not isinstance(node.get("children"), list):
            continue
        seen.add(key)
        yield key
        waiting += [child for child in node["children"] if isinstance(child, str)]


def _insert(layout: Layout, place: str, event_id: str, number: int, markdown: str) -> list[str]:
    """Put one banner on top of a node of a layout that is ours to change."""
    row, text = (f"{kind}-maintenance-{event_id}-{number}" for kind in ("ROW", "MARKDOWN"))
    holder = layout[place]
    known = holder.get("parents")
    parents = [*(known if isinstance(known, list) else []), place]
    layout[place] = {**holder, "children": [row, *holder["children"]]}
    layout[row] = {
        "type": "ROW",
        "id": row,
        "children": [text],
        "parents": parents,
        "meta": {"background": "BACKGROUND_TRANSPARENT"},
    }
    layout[text] = {
        "type": "MARKDOWN",
        "id": text,
        "children": [],
        "parents": [*parents, row],
        "meta": {"width": 12, "height": HEIGHT, "code": markdown},
    }
    return [row, text]


def _scaffolded(layout: Layout) -> Layout:
    """A copy that has a root and a grid. A dashboard that was never laid out has neither."""
    if ROOT in layout or GRID in layout:
        return dict(layout)
    nodes: Layout = {
        VERSION_KEY: "v2",
        ROOT: {"type": "ROOT", "id": ROOT, "children": [GRID]},
        GRID: {"type": "GRID", "id": GRID, "children": [], "parents": [ROOT]},
    }
    added = sorted(key for key in nodes if key not in layout)
    nodes[GRID]["meta"] = {SCAFFOLD: added}
    return {**nodes, **layout}


def _unscaffolded(layout: Layout) -> Layout:
    """Take the scaffold away when nothing stands on it, or forget that it is one."""
    grid = layout.get(GRID)
    if not isinstance(grid, dict) or not isinstance(meta := grid.get("meta"), dict):
        return layout
    if SCAFFOLD not in meta or banners(layout):
        return layout
    if not grid["children"] and _children(layout.get(ROOT)) <= {GRID}:
        return {key: node for key, node in layout.items() if key not in meta[SCAFFOLD]}
    rest = {name: value for name, value in meta.items() if name != SCAFFOLD}
    kept = {name: value for name, value in grid.items() if name != "meta"}
    return {**layout, GRID: {**kept, "meta": rest} if rest else kept}
