"""What a text asks for, by the words of the tools' own declarations. Pure, and linear in time."""

from tools.intent.choice import Choice, choose
from tools.intent.clauses import clauses
from tools.intent.environments import EnvironmentName, EnvironmentNames
from tools.intent.reading import Clause, Reading, read

__all__ = [
    "Choice",
    "Clause",
    "EnvironmentName",
    "EnvironmentNames",
    "Reading",
    "choose",
    "clauses",
    "read",
]
