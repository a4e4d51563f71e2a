"""Free space is looked at before something big is started, not after it failed half-way."""

import shutil
from pathlib import Path

from demo.errors import DemoError

MB = 1024 * 1024
ENVIRONMENT_MB = 2000
"""Superset's environment: 0.8 GB installed, as much again for what is unpacked on the way."""
STATE_MB = 100


def require_free(folder: Path, megabytes: int, purpose: str) -> None:
    """Raise DemoError when the disk of `folder` has less than `megabytes` free."""
    existing = folder
    while not existing.exists():
        existing = existing.parent
    free = shutil.disk_usage(existing).free // MB
    if free < megabytes:
        message = (
            f"Not enough disk space for {purpose}: {megabytes} MB are needed in {folder},"
            f" {free} MB are free."
        )
        raise DemoError(message)
