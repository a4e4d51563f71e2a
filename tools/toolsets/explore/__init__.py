"""Databases and datasets: what is in them."""

from tools.toolsets.explore import tool
from tools.toolsets.explore.base import EXPLORE

__all__ = ["EXPLORE", "tool"]
