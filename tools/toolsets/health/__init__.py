"""The state of an environment and of a dashboard, in one look."""

from tools.toolsets.health import summary
from tools.toolsets.health.base import HEALTH

__all__ = ["HEALTH", "summary"]
