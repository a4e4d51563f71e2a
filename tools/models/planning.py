"""The user's words as calls of the offered tools, in the order in which they were said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from tools.definition import ToolDefinition
from tools.intent import Choice, Clause, EnvironmentNames, Reading, choose, clauses, read
from tools.intent.typos import corrected
from tools.models.checking import TOOL as HEALTH
from tools.models.checking import checking
from tools.models.exploring import TOOL as EXPLORE
from tools.models.exploring import exploring
from tools.models.querying import querying
from tools.models.scope import Scope
from tools.models.slots import filled
from tools.models.strict import Refusal, missed, refusal

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
        refused: The clauses that would write, but are not understood to the last word.
        missed: Words of reads that narrow nothing, as no tool can.
        cut: There is more than can be done at once.
    """

    calls: list[Planned] = field(default_factory=list)
    unclear: list[Unclear] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    cut: bool = False


def plan(
    text: str,
    definitions: Mapping[str, ToolDefinition],
    names: EnvironmentNames,
    known: Mapping[str, ToolDefinition] = MappingProxyType({}),
) -> tuple[Plan, Reading]:
    """Plan a text. Nothing but the text and the declarations decides.

    Args:
        text: The user's own words.
        definitions: The tools that are offered, by name.
        names: The environments of the deployment.
        known: All tools there are. What only one that is not offered can do leads to its call,
            so that the user is told why it is not offered.
    """
    everything = {**definitions, **known}
    spoken = querying(text, names, everything)
    if spoken is not None:
        return Plan(calls=[Planned(*spoken)]), read("", definitions, names)
    full = read(text, everything, names)
    parts = clauses(full)
    better = corrected(full, parts)
    if better is not None:
        full, parts = better, clauses(better)
    reading = full.only(definitions)
    made = Plan()
    before: Clause | None = None
    previous: Planned | None = None
    for clause in parts[:MAX_CLAUSES]:
        previous = _take(clause, before, previous, reading, full, made)
        before = clause
    made.cut = len(parts) > MAX_CLAUSES or len(made.calls) > MAX_CALLS
    del made.calls[MAX_CALLS:]
    return made, reading


def _take(
    clause: Clause,
    before: Clause | None,
    previous: Planned | None,
    reading: Reading,
    full: Reading,
    made: Plan,
) -> Planned | None:
    """Add what a clause leads to; returns the last call so far."""
    choice, meant = _choice(clause, before, reading, full)
    if choice.carried and previous is None:
        choice = Choice("none")
    special = _special(choice, full, clause)
    if special is None and choice.kind != "call":
        made.unclear.append(Unclear(_words(reading, clause), choice))
    if special is not None and previous is not None and previous in made.calls:
        whole = joined(previous, special)
        if whole is not None:
            made.calls[made.calls.index(previous)] = whole
            return whole
    calls = _calls(choice, meant, clause, previous, made) if special is None else [special]
    if len(calls) == 1 and previous in made.calls and _repeats(calls[0], previous, reading):
        whole = Planned(calls[0].name, {**calls[0].arguments, **previous.arguments})
        made.calls[made.calls.index(previous)] = whole
        return whole
    for call in calls:
        if call not in made.calls:
            made.calls.append(call)
        previous = call
    return previous


def joined(first: Planned, second: Planned) -> Planned | None:
    """«… таблицы clients? База core»: one call that was said in two clauses; None: it is two."""
    if first.name != second.name or first.name != EXPLORE:
        return None
    whole = {**first.arguments, **second.arguments}
    agree = all(whole[name] == value for name, value in first.arguments.items())
    objects = {"table", "dataset", "listing"} & whole.keys()
    return Planned(first.name, whole) if agree and len(objects) <= 1 else None


def _repeats(call: Planned, previous: Planned, reading: Reading) -> bool:
    """«Техработы на X закончились, сними баннер»: the same write again, of nothing that is new."""
    definition = reading.definitions.get(call.name)
    if definition is None or definition.effect != "write" or call.name != previous.name:
        return False
    new = call.arguments.keys() - previous.arguments.keys()
    same = all(previous.arguments.get(n, v) == v for n, v in call.arguments.items())
    return same and not new & {"dashboard", "dashboards", "datasets", "event_id"}


def _special(choice: Choice, reading: Reading, clause: Clause) -> Planned | None:
    """The call of what has a grammar of its own: health, databases. Never in place of a write."""
    writes = choice.kind == "call" and choice.tools[0].effect == "write"
    if writes or choice.kind in ("how", "cannot"):
        return None
    for tool, arguments_of in ((EXPLORE, exploring), (HEALTH, checking)):
        arguments = arguments_of(reading, clause) if tool in reading.definitions else None
        if arguments is not None:
            return Planned(tool, arguments)
    return None


def _choice(
    clause: Clause, before: Clause | None, offered: Reading, full: Reading
) -> tuple[Choice, Reading]:
    """The choice among the offered tools; of the others where none of those is meant."""
    choice = choose(offered, clause, before)
    reads = choice.kind == "call" and choice.tools[0].effect == "read" and not choice.exact
    if len(full.definitions) == len(offered.definitions) or not (choice.kind == "none" or reads):
        return choice, offered
    other = choose(full, clause, before)
    fits = other.kind == "call" and other.tools[0].name not in offered.definitions
    if fits and (choice.kind == "none" or other.tools[0].effect == "write"):
        return other, full
    return choice, offered


def _calls(
    choice: Choice, reading: Reading, clause: Clause, previous: Planned | None, made: Plan
) -> list[Planned]:
    """The calls of a clause; one that would write is refused where words are left over."""
    if choice.kind != "call":
        return []
    definition = choice.tools[0]
    scope = Scope.of(definition, reading, clause)
    calls = filled(scope)
    if definition.effect == "write" and not choice.exact:
        refused = refusal(scope, calls)
        if refused is not None:
            made.refused.append(refused)
            return []
    if definition.effect == "read" and not choice.exact:
        made.missed += missed(scope, calls)
    return [_carry(choice, arguments, previous, reading.definitions) for arguments in calls]


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
