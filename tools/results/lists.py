"""Read a list that may have been shortened."""

from typing import Any


def items_of(value: Any) -> list[Any]:
    """The entries that are left of a list, `{total, shown, items}` or not."""
    found = value["items"] if isinstance(value, dict) else value
    return found if isinstance(found, list) else []


def total_of(value: Any) -> int:
    """How many entries a list had."""
    return int(value["total"]) if isinstance(value, dict) else len(value)
