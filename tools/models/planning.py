"""The user's words as calls of the offered tools, in the order in which they were said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tools.definition import ToolDefinition
from tools.intent import Choice, Clause, EnvironmentNames, Reading, choose, clauses, read
from tools.models.slots import fill

MAX_CALLS = 8
"""The most calls one message leads to."""

MAX_CLAUSES = 40
"""The most clauses that are looked at, so that the time stays linear."""


class Planned(NamedTuple):
    """A call: the tool's name and its arguments."""

    name: str
    arguments: dict[str, Any]


class Unclear(NamedTuple):
    """A clause that leads to no call: its words, and why not."""

    words: str
    choice: Choice


@dataclass
class Plan:
    """What a text leads to.

    Attributes:
        calls: The calls, each once.
        unclear: The clauses that lead to none.
        cut: There is more than can be done at once.
    """

    calls: list[Planned] = field(default_factory=list)
    unclear: list[Unclear] = field(default_factory=list)
    cut: bool = False


def plan(
    text: str, definitions: Mapping[str, ToolDefinition], names: EnvironmentNames
) -> tuple[Plan, Reading]:
    """Plan a text. Nothing but the text and the declarations decides.

    Args:
        text: The user's own words.
        definitions: The tools that are offered, by name.
        names: The environments of the deployment.
    """
    reading = read(text, definitions, names)
    made = Plan()
    before: Clause | None = None
    previous: Planned | None = None
    parts = clauses(reading)
    for clause in parts[:MAX_CLAUSES]:
        choice = choose(reading, clause, before)
        if choice.kind == "call":
            for arguments in fill(choice.tools[0], reading, clause):
                call = _carry(choice, arguments, previous, definitions)
                if call not in made.calls:
                    made.calls.append(call)
                previous = call
        else:
            made.unclear.append(Unclear(_words(reading, clause), choice))
        before = clause
    made.cut = len(parts) > MAX_CLAUSES or len(made.calls) > MAX_CALLS
    del made.calls[MAX_CALLS:]
    return made, reading


def _carry(
    choice: Choice,
    arguments: dict[str, Any],
    previous: Planned | None,
    definitions: Mapping[str, ToolDefinition],
) -> Planned:
    """«…, потом заверши его»: what was named before is meant again."""
    definition = choice.tools[0]
    if choice.carried and previous is not None and previous.name in definitions:
        named = {"dashboards", "dashboard", "dashboard_id", definition.target}
        for name in named & set(definition.arguments.model_fields) & set(previous.arguments):
            arguments.setdefault(name, previous.arguments[name])
    return Planned(definition.name, arguments)


def _words(reading: Reading, clause: Clause) -> str:
    tokens = reading.source.tokens
    return reading.source.text[tokens[clause.start].start : tokens[clause.end - 1].end]
