"""Dashboard layouts as Superset's editor writes them: rows, tabs, tabs within tabs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from demo.seeding.ids import shared

Json = dict[str, Any]
_COLUMNS = 12
_PER_ROW = 2


@dataclass(frozen=True)
class Placed:
    """A created chart, as a layout names it."""

    id: int
    uuid: str
    title: str


@dataclass(frozen=True)
class Tab:
    """One tab: charts first, then tabs of its own."""

    title: str
    charts: tuple[str, ...] = ()
    tabs: tuple["Tab", ...] = ()


class Layout:
    """Builds the `position_json` of one dashboard."""

    def __init__(self, key: str, title: str) -> None:
        """Begin an empty layout; ids of its parts derive from the dashboard's key."""
        self._key = key
        self._count = 0
        self.parts: Json = {"DASHBOARD_VERSION_KEY": "v2"}
        self._put("ROOT", "ROOT_ID", None, {})
        self._put("GRID", "GRID_ID", "ROOT_ID", {})
        self.parts["HEADER_ID"] = {"type": "HEADER", "id": "HEADER_ID", "meta": {"text": title}}

    def rows(self, parent: str, charts: Sequence[Placed]) -> None:
        """Add charts to `parent`, two in a row."""
        for start in range(0, len(charts), _PER_ROW):
            row = self._add("ROW", parent, {"background": "BACKGROUND_TRANSPARENT"})
            for chart in charts[start : start + _PER_ROW]:
                meta = {"chartId": chart.id, "uuid": chart.uuid, "sliceName": chart.title}
                self._add("CHART", row, meta | {"width": _COLUMNS // _PER_ROW, "height": 50})

    def text(self, parent: str, code: str) -> None:
        """Add a row with a block of Markdown."""
        row = self._add("ROW", parent, {"background": "BACKGROUND_TRANSPARENT"})
        self._add("MARKDOWN", row, {"width": _COLUMNS, "height": 20, "code": code})

    def tabs(self, parent: str, tabs: Sequence[Tab], charts: dict[str, Placed]) -> None:
        """Add a set of tabs with their charts and inner tabs."""
        holder = self._add("TABS", parent, {})
        for tab in tabs:
            meta = {"text": tab.title, "defaultText": "Tab title", "placeholder": "Tab title"}
            page = self._add("TAB", holder, meta)
            self.rows(page, [charts[key] for key in tab.charts])
            if tab.tabs:
                self.tabs(page, tab.tabs, charts)

    def tabs_at_top(self, tabs: Sequence[Tab], charts: dict[str, Placed]) -> None:
        """Make the whole dashboard tabbed: the tabs take the place of the grid."""
        # The editor leaves the empty grid in the layout, but no longer under the root.
        self.parts["ROOT_ID"]["children"].remove("GRID_ID")
        self.tabs("ROOT_ID", tabs, charts)

    def _add(self, kind: str, parent: str, meta: Json) -> str:
        self._count += 1
        name = f"{kind}-{shared('layout', f'{self._key}/{self._count}').replace('-', '')[:12]}"
        self._put(kind, name, parent, meta)
        return name

    def _put(self, kind: str, name: str, parent: str | None, meta: Json) -> None:
        part: Json = {"type": kind, "id": name, "children": []}
        if meta or kind in {"TABS", "TAB"}:
            part["meta"] = meta
        if parent is not None:
            above = self.parts[parent]
            part["parents"] = [*above.get("parents", ()), parent]
            above["children"].append(name)
        self.parts[name] = part
