"""The chat models: the embedded planner, and the loader of real ones."""

from tools.intent import EnvironmentName
from tools.models.embedded import EmbeddedPlanner
from tools.models.loader import load_model

__all__ = ["EmbeddedPlanner", "EnvironmentName", "load_model"]
