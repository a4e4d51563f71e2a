"""All calls of a plan looked at together: what none of them took, what holds for each."""

from collections.abc import Iterator, Sequence

from tools.intent import Reading
from tools.models.following import TARGETS, Planned


def unnamed(
    calls: Sequence[Planned], reading: Reading
) -> Iterator[tuple[Planned, tuple[str, ...]]]:
    """The writes to the page's own dashboard where the text quotes one that nothing took.

    They are not what was asked for: each with the titles that were quoted.
    """
    given = str([call.arguments for call in calls])
    quotes = tuple(
        token.text
        for place, token in enumerate(reading.source.tokens)
        if token.kind == "quote" and token.text and place not in reading.phrase_at
        and token.text not in given
    )  # fmt: skip
    for call in tuple(calls) if quotes else ():
        definition = reading.definitions.get(call.name)
        if definition is None or definition.effect != "write":
            continue
        takes = "dashboards" in definition.arguments.model_fields
        if takes and not call.arguments.keys() & TARGETS:
            yield call, quotes


def shared(calls: Sequence[Planned], reading: Reading) -> list[Planned]:
    """The environment at the end is of all reads: "list the schemas and describe X on prod"."""
    last = calls[-1].arguments.get("env_id") if calls else None
    known = [reading.definitions.get(call.name) for call in calls]
    reads = all(definition is not None and definition.effect == "read" for definition in known)
    if last is None or not reads or any("env_id" in call.arguments for call in calls[:-1]):
        return list(calls)
    return [
        Planned(call.name, {**call.arguments, "env_id": last})
        if definition is not None and "env_id" in definition.arguments.model_fields
        else call
        for call, definition in zip(calls, known, strict=True)
    ]
