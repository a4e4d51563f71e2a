"""Announce maintenance on dashboards: banners that can be taken back exactly."""

from tools.toolsets.maintenance import end, events, start
from tools.toolsets.maintenance.base import MAINTENANCE

__all__ = ["MAINTENANCE", "end", "events", "start"]
