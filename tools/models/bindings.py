"""Which environments a call is for, and which of the named things are meant where."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from tools.intent.clauses import separates
from tools.intent.reading import Reading
from tools.intent.source import Phrase
from tools.intent.titles import Title
from tools.models.scope import Scope

ROLES: Mapping[str, frozenset[str]] = {
    "source_env_id": frozenset({"из", "с", "со", "from"}),
    "target_env_id": frozenset({"в", "во", "на", "к", "to", "into"}),
}
"""Prepositions that tell one environment from the other."""


class Group(NamedTuple):
    """Environments that are joined directly: "on dev and prod".

    Attributes:
        values: The environments.
        start: Position of the first word.
    """

    values: tuple[Any, ...]
    start: int


class Bound(NamedTuple):
    """What one call is for.

    Attributes:
        arguments: The environment, or environments by their roles.
        titles: The dashboards that are meant there.
        tables: The datasets that are meant there.
    """

    arguments: dict[str, Any]
    titles: tuple[Title, ...]
    tables: tuple[Title, ...]


def slots_of_places(scope: Scope) -> list[str]:
    """The arguments that are environments."""
    return [n for n in scope.slots if n == scope.definition.target or n.endswith("env_id")]


def places(scope: Scope) -> list[Phrase]:
    """The phrases that name the environments of a clause."""
    phrases = scope.phrases("environment") if slots_of_places(scope) else []
    return _sure(phrases, scope.reading) or phrases[:1]


def bind(scope: Scope) -> list[Bound] | None:
    """One entry for every environment that is named; None: what is meant where is not clear."""
    names = slots_of_places(scope)
    phrases = [p for p in places(scope) if p.value is not None]
    if len(names) > 1 or not phrases:
        arguments = _by_role(names, phrases) if phrases else {}
        return [Bound(arguments, scope.titles, scope.tables)]
    groups = _groups(phrases, scope.reading)
    searches = "query" in scope.slots
    named = sorted((*scope.titles, *scope.tables), key=lambda title: title.start)
    if len(groups) > 1 and not searches:
        shares = _shares(groups, named)
        if shares is None:
            return None
    else:
        shares = [named] * len(groups)
    return [
        Bound(
            {names[0]: value},
            tuple(title for title in scope.titles if title in share),
            tuple(title for title in scope.tables if title in share),
        )
        for group, share in zip(groups, shares, strict=True)
        for value in dict.fromkeys(group.values)
    ]


def _shares(groups: Sequence[Group], named: Sequence[Title]) -> list[list[Title]] | None:
    """The names before each environment, else those behind each; None where neither is clear."""
    if not named:
        return None
    starts = [group.start for group in groups]
    first, last = named[0].start, named[-1].start
    if starts[0] > first and starts[-1] > last:
        edges = [-1, *starts]
    elif starts[0] < first and starts[-1] < last:
        edges = [*starts, last + 1]
    else:
        return None
    shares = [
        [title for title in named if low < title.start < high] for low, high in pairwise(edges)
    ]
    return shares if all(shares) else None


def _groups(phrases: Sequence[Phrase], reading: Reading) -> list[Group]:
    """The environments, those together that nothing but a joining word parts."""
    found: list[Group] = []
    end = -1
    for phrase in phrases:
        values = phrase.value if isinstance(phrase.value, tuple) else (phrase.value,)
        if found and all(separates(reading, p) for p in range(end, phrase.start)):
            found[-1] = Group((*found[-1].values, *values), found[-1].start)
        else:
            found.append(Group(values, phrase.start))
        end = phrase.end
    return found


def _sure(phrases: Sequence[Phrase], reading: Reading) -> list[Phrase]:
    """The environments that can hardly mean anything else: "on dev and prod" are both."""
    found: list[Phrase] = []
    for phrase in phrases:
        joined = found and all(separates(reading, p) for p in range(found[-1].end, phrase.start))
        if phrase.sure or joined:
            found.append(phrase)
    return found


def _by_role(names: Sequence[str], phrases: Sequence[Phrase]) -> dict[str, Any]:
    """The source and the target by their prepositions, else in their order."""
    left = list(phrases)
    found: dict[str, Any] = {}
    for name in names:
        roles = ROLES.get(name, frozenset())
        fits = next((p for p in left if p.preposition in roles), None)
        if fits is not None:
            found[name] = fits.value
            left.remove(fits)
    for name in names:
        if name not in found and left:
            found[name] = left.pop(0).value
    return found
