"""Where the demo keeps its files."""

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
"""The folder that holds this package: settings and state of the demo live beside it."""


def cache_folder() -> Path:
    """Return the folder in the user's cache that holds the prepared Superset."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    # The convention says that a relative value is to be ignored.
    base = Path(root) if Path(root).is_absolute() else Path.home() / ".cache"
    return base / "pilothouse"


def state_folder(checkout: Path = CHECKOUT) -> Path:
    """Return the folder with the live state of a running demo of this checkout."""
    return checkout / ".pilothouse" / "demo"
