"""What the words of a call mean: an environment, an object. Several or none: a question."""

from tools.resolve.completion import complete, place
from tools.resolve.dashboards import dashboard
from tools.resolve.data import database, dataset, dataset_dashboards
from tools.resolve.environments import environment_id, environments_named
from tools.resolve.question import Question

__all__ = [
    "Question",
    "complete",
    "dashboard",
    "database",
    "dataset",
    "dataset_dashboards",
    "environment_id",
    "environments_named",
    "place",
]
