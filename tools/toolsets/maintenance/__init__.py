"""Announce maintenance on dashboards: banners that can be taken back exactly."""

from tools.toolsets.maintenance import events, start, stop
from tools.toolsets.maintenance.base import MAINTENANCE

__all__ = ["MAINTENANCE", "events", "start", "stop"]
