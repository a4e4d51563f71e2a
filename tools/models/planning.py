"""The user's words as calls of the offered tools, in the order in which they were said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from tools.definition import ToolDefinition
from tools.intent import Choice, Clause, EnvironmentNames, Reading, choose, clauses, read
from tools.intent.typos import corrected
from tools.intent.vocabulary import vocabulary
from tools.models.checking import TOOL as HEALTH
from tools.models.checking import checking
from tools.models.exploring import TOOL as EXPLORE
from tools.models.exploring import exploring
from tools.models.following import Planned, Said, again, instead, referring
from tools.models.nouns import environments
from tools.models.querying import parted, querying
from tools.models.scope import Scope
from tools.models.settling import shared, unnamed
from tools.models.slots import filled
from tools.models.strict import Refusal, missed, refusal

_COMPARE = vocabulary("сравн* сопостав* отлича* разниц* compare compared differ* diff versus vs")

MAX_CALLS = 8
"""The most calls one message leads to."""

MAX_CLAUSES = 40
"""The most clauses that are looked at, so that the time stays linear."""


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
    if spoken:
        calls = _with_sql(text, [Planned(*one) for one in spoken], definitions, names)
        return Plan(calls=calls), read("", definitions, names)
    full = read(text, everything, names)
    parts = clauses(full)
    better = corrected(full, parts)
    if better is not None:
        full, parts = better, clauses(better)
    reading = full.only(definitions)
    made = Plan()
    said = Said(reading, full, Clause(0, 0))
    for clause in parts[:MAX_CLAUSES]:
        said = said.then(clause)
        said = said.of(_take(said, made))
    _settle(made, reading)
    made.cut = len(parts) > MAX_CLAUSES or len(made.calls) > MAX_CALLS
    del made.calls[MAX_CALLS:]
    return made, reading


def _with_sql(
    text: str,
    calls: list[Planned],
    definitions: Mapping[str, ToolDefinition],
    names: EnvironmentNames,
) -> list[Planned]:
    """The calls of SQL, and the reads that "describe X and then run …" puts before them."""
    before = parted(text, names, definitions)
    first = plan(before, definitions, names)[0].calls if before else []
    if not first or any(definitions[call.name].effect != "read" for call in first):
        return calls
    kept = {n: v for n, v in first[-1].arguments.items() if n in ("database", "env_id")}
    return [*first, *(Planned(call.name, {**kept, **call.arguments}) for call in calls)]


def _settle(made: Plan, reading: Reading) -> None:
    """Look at all calls together."""
    for call, words in unnamed(made.calls, reading):
        made.calls.remove(call)
        made.refused.append(Refusal("words", words, reading.definitions[call.name], call.arguments))
    made.calls[:] = shared(made.calls, reading)


def _take(said: Said, made: Plan) -> Planned | None:
    """Add what a clause leads to; returns the last call so far."""
    choice, meant = _choice(said)
    if choice.carried and said.previous is None:
        choice = Choice("none")
    special = _special(choice, said.full, said.clause)
    calls = special or _calls(choice, meant, said, made)
    unclear = not special and choice.kind != "call"
    previous = said.previous
    if previous is not None and previous in made.calls:
        whole = instead(said, calls, unclear=unclear)
        if whole is not None:
            at = made.calls.index(previous)
            made.calls[at : at + 1] = whole
            return whole[-1]
    if unclear:
        made.unclear.append(Unclear(_words(said.reading, said.clause), choice))
    for planned in calls:
        call = referring(planned, said, alone=len(calls) == 1)
        if again(call, said):
            continue
        if call not in made.calls:
            made.calls.append(call)
        previous = call
    return previous


def _special(choice: Choice, reading: Reading, clause: Clause) -> list[Planned]:
    """The calls of what has a grammar of its own: health, databases. Never in place of a write."""
    writes = choice.kind == "call" and choice.tools[0].effect == "write"
    if writes or choice.kind in ("how", "cannot"):
        return []
    for tool, arguments_of in ((EXPLORE, exploring), (HEALTH, checking)):
        arguments = arguments_of(reading, clause) if tool in reading.definitions else None
        if arguments is not None:
            one = tool == EXPLORE and _compares(reading, clause)
            places = [] if one else environments(reading, clause)
            return [Planned(tool, arguments | {"env_id": place}) for place in places] or [
                Planned(tool, arguments)
            ]
    return []


def _compares(reading: Reading, clause: Clause) -> bool:
    return any(reading.word(p) in _COMPARE for p in range(clause.start, clause.end))


def _choice(said: Said) -> tuple[Choice, Reading]:
    """The choice among the offered tools; of the others where none of those is meant."""
    offered, full = said.reading, said.full
    choice = choose(offered, said.clause, said.before)
    reads = choice.kind == "call" and choice.tools[0].effect == "read" and not choice.exact
    if len(full.definitions) == len(offered.definitions) or not (choice.kind == "none" or reads):
        return choice, offered
    other = choose(full, said.clause, said.before)
    fits = other.kind == "call" and other.tools[0].name not in offered.definitions
    if fits and (choice.kind == "none" or other.tools[0].effect == "write"):
        return other, full
    return choice, offered


def _calls(choice: Choice, reading: Reading, said: Said, made: Plan) -> list[Planned]:
    """The calls of a clause; one that would write is refused where words are left over."""
    if choice.kind != "call":
        return []
    definition = choice.tools[0]
    scope = Scope.of(definition, reading, said.clause)
    calls = filled(scope)
    if definition.effect == "write" and not choice.exact:
        refused = refusal(scope, calls)
        if refused is not None:
            made.refused.append(refused)
            return []
    if definition.effect == "read" and not choice.exact:
        made.missed += missed(scope, calls)
    return [_carry(choice, arguments, said.previous, reading.definitions) for arguments in calls]


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
