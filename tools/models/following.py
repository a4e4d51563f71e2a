"""What a clause says of the call before it: where it is, that it is over, what it was about."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tools.definition import ToolDefinition
from tools.intent import Clause, Reading
from tools.intent.clauses import WE
from tools.intent.vocabulary import (
    DASHBOARD,
    HERE,
    MODAL,
    NEGATION,
    POLITE,
    PRONOUN,
    READ,
    SEARCH,
    SHOW,
    USES,
    Vocabulary,
    vocabulary,
)
from tools.models.checking import TOOL as HEALTH
from tools.models.exploring import TOOL as EXPLORE
from tools.models.nouns import environments
from tools.models.values import SYNONYMS

FIND = "search_dashboards"
EVENTS = "list_maintenance_events"
TARGETS = frozenset({"dashboards", "datasets", "event_id"})
"""What a write is to be done to; with none of them it means the dashboard of the page."""

_THERE = vocabulary("там there its тамошн* нем ней")
_THEIR = vocabulary("its their them it его их него них")
_LOOKS = (
    *(SHOW, SEARCH, POLITE, MODAL, HERE),
    vocabulary("look , . ка then please и it's it его should be probably think"),
)


class Planned(NamedTuple):
    """A call: the tool's name and its arguments."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A clause, and what was said before it.

    Attributes:
        reading: The text as it looks to the offered tools.
        full: The same to all tools.
        clause: The clause.
        before: The clause before it.
        previous: The last call so far.
    """

    reading: Reading
    full: Reading
    clause: Clause
    before: Clause | None = None
    previous: Planned | None = None

    def then(self, clause: Clause) -> "Said":
        """The clause that follows."""
        before = self.clause if self.clause.end else None
        return replace(self, clause=clause, before=before)

    def of(self, previous: Planned | None) -> "Said":
        """The same with its last call."""
        return replace(self, previous=previous)

    def has(self, *words: Vocabulary) -> bool:
        """Whether one of these words is in the clause."""
        return _has(self.reading, self.clause, *words)

    def had(self, *words: Vocabulary) -> bool:
        """Whether one was in the clause before it."""
        return self.before is not None and _has(self.reading, self.before, *words)

    @property
    def stated(self) -> bool:
        """Whether the clause before it asked for nothing: it told how things are."""
        if self.before is None:
            return False
        asked = self.reading.word(self.before.end) == "?" or self.had(READ, SEARCH, NEGATION)
        return not asked

    def tool(self, call: Planned | None, effect: str) -> ToolDefinition | None:
        """The declaration of a call's tool where it has this effect."""
        definition = self.full.definitions.get(call.name) if call is not None else None
        return definition if definition is not None and definition.effect == effect else None


def _has(reading: Reading, clause: Clause, *words: Vocabulary) -> bool:
    places = range(clause.start, clause.end)
    return any(reading.word(p) in known for p in places for known in words)


def instead(said: Said, calls: Sequence[Planned], *, unclear: bool) -> list[Planned] | None:
    """What stands in place of the call before, where a clause only says more of it; else None.

    Args:
        said: The clause, with a call before it.
        calls: What the clause alone leads to.
        unclear: It leads to no tool.
    """
    previous = said.previous
    if previous is None:
        return None
    stands = said.has(DASHBOARD) and said.has(USES) and said.has(PRONOUN, _THERE)
    if previous.name == EXPLORE and stands:
        return [previous]  # «… и какие дашборды на нём стоят»: the answer tells
    if unclear:
        return _elsewhere(said, previous) or _still_open(said, previous)
    if len(calls) != 1:
        return None
    for rule in (_healthy, _joined, _repeated, _named_by_statement):
        whole = rule(said, previous, calls[0])
        if whole is not None:
            return whole
    return None


def _elsewhere(said: Said, previous: Planned) -> list[Planned] | None:
    """«…, глянь на проде»: only where the read before it is to happen."""
    definition = said.tool(previous, "read")
    if definition is None or "env_id" in previous.arguments:
        return None
    places = range(said.clause.start, said.clause.end)
    words = [said.reading.word(p) for p in places if not said.reading.spoken_for(p)]
    only = all(any(word in known for known in _LOOKS) for word in words)
    if not only or "env_id" not in definition.arguments.model_fields:
        return None
    ids = environments(said.reading, said.clause)
    return [Planned(previous.name, {**previous.arguments, "env_id": one}) for one in ids] or None


def _still_open(said: Said, previous: Planned) -> list[Planned] | None:
    """«Заверши обслуживание X и покажи, что ещё открыто»: of the same kind."""
    listed = EVENTS in said.reading.definitions and said.tool(previous, "write") is not None
    if not listed or not said.has(READ) or not said.has(SYNONYMS["open"]):
        return None
    return [previous, _there(Planned(EVENTS, {"state": "open"}), said)]


def _healthy(said: Said, previous: Planned, call: Planned) -> list[Planned] | None:
    """«Дашборд X выглядит странно, проверь его здоровье»: what was named is looked at."""
    points = said.has(PRONOUN, _THERE, vocabulary("it's"))
    if call.name != HEALTH or "dashboard" in call.arguments or not points:
        return None
    dashboards = previous.arguments.get("dashboards", ())
    if len(dashboards) == 1:
        return [previous, _placed(HEALTH, {"dashboard": dashboards[0]}, previous, call)]
    query = previous.arguments.get("query")
    if previous.name != FIND or not query or said.had(SEARCH):
        return None
    return [_placed(HEALTH, {"dashboard": query}, previous, call)]


def _joined(said: Said, previous: Planned, call: Planned) -> list[Planned] | None:
    """One read that was said in two clauses: «нужен дашборд X, поищи на проде»."""
    named = said.has(DASHBOARD) and said.had(DASHBOARD)
    if call.name == FIND and named:
        return None
    whole = joined(previous, call)
    return None if whole is None else [whole]


def joined(first: Planned, second: Planned) -> Planned | None:
    """«… таблицы clients? База core»: one call that was said in two clauses; None: it is two."""
    if first.name != second.name or first.name not in (FIND, EXPLORE, EVENTS):
        return None
    if first.name == FIND:
        apart = not first.arguments.keys() & second.arguments.keys()
        return Planned(FIND, {**first.arguments, **second.arguments}) if apart else None
    whole = {**first.arguments, **second.arguments}
    agree = all(whole[name] == value for name, value in first.arguments.items())
    if first.name == EVENTS:
        return second if agree and second.arguments == whole else None
    objects = {"table", "dataset", "listing"} & whole.keys()
    return Planned(first.name, whole) if agree and len(objects) <= 1 else None


def _repeated(said: Said, previous: Planned, call: Planned) -> list[Planned] | None:
    """«Техработы на X закончились, сними баннер»: the same write again, of nothing that is new.

    «Работы закончились, сними баннер с X» says it the other way round.
    """
    if said.tool(call, "write") is None or call.name != previous.name:
        return None
    new = call.arguments.keys() - previous.arguments.keys()
    agree = all(previous.arguments.get(n, v) == v for n, v in call.arguments.items())
    same = agree and not new & (TARGETS | {"dashboard"})
    if not previous.arguments:
        same = not said.had(HERE)
    return [Planned(call.name, {**call.arguments, **previous.arguments})] if same else None


def _named_by_statement(said: Said, previous: Planned, call: Planned) -> list[Planned] | None:
    """«Дашборд 5 починили, снимай баннер»: a statement names what a write is to be done to."""
    definition = said.tool(call, "write")
    if definition is None or said.before is None:
        return None
    own = call.arguments.keys() & TARGETS
    told = said.reading.word(said.before.end) != "?" and not said.had(READ)
    if previous == Planned(EVENTS, {}) and told:
        return [call]  # «Работы тут окончены, убирай объявление»
    if own and said.reading.word(said.before.start) in WE:
        # "We're rebuilding the tables, so put …": what was read is a reason.
        return [call] if previous.name in (EXPLORE, FIND, HEALTH) else None
    named = previous.arguments.get("dashboard") or previous.arguments.get("query")
    takes = "dashboards" in definition.arguments.model_fields and previous.name in (HEALTH, FIND)
    if not named or not takes or own or not said.stated or said.has(HERE):
        return None
    return [_placed(call.name, {"dashboards": [named]}, previous, call)]


def _placed(name: str, named: dict[str, Any], previous: Planned, call: Planned) -> Planned:
    """A call of what was named before, there where it was named."""
    place = {key: value for key, value in previous.arguments.items() if key == "env_id"}
    return Planned(name, {**named, **place, **call.arguments})


def referring(call: Planned, said: Said, *, alone: bool) -> Planned:
    """A call with what its words point at in the clause before."""
    call = _theirs(call, said) if alone else call
    return _there(call, said)


def _theirs(call: Planned, said: Said) -> Planned:
    """«"A" and "B" are fine again; end their maintenance»: what was quoted before is meant."""
    definition = said.tool(call, "write")
    if definition is None or said.before is None or call.arguments.keys() & TARGETS:
        return call
    if not said.has(_THEIR) or "dashboards" not in definition.arguments.model_fields:
        return call
    quotes = [
        said.reading.source.tokens[p].text
        for p in range(said.before.start, said.before.end)
        if said.reading.source.tokens[p].kind == "quote" and not said.reading.spoken_for(p)
    ]
    places = environments(said.reading, said.before) if "env_id" not in call.arguments else []
    place = {"env_id": places[0]} if len(places) == 1 else {}
    return Planned(call.name, {**call.arguments, "dashboards": quotes, **place}) if quotes else call


def _there(call: Planned, said: Said) -> Planned:
    """«… и покажи там открытые»: in the environment that was named before."""
    definition = said.reading.definitions.get(call.name)
    env_id = said.previous.arguments.get("env_id") if said.previous is not None else None
    if definition is None or env_id is None or "env_id" in call.arguments or not said.has(_THERE):
        return call
    takes = "env_id" in definition.arguments.model_fields
    return Planned(call.name, {**call.arguments, "env_id": env_id}) if takes else call


def again(call: Planned, said: Said) -> bool:
    """«…, глянь, есть ли он там»: whether it is the same read, of nothing that is new."""
    previous = said.previous
    if previous is None or said.tool(call, "read") is None or call.name != previous.name:
        return False
    same = all(previous.arguments.get(name) == value for name, value in call.arguments.items())
    return same and bool(previous.arguments)
