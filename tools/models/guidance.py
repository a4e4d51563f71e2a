"""What the planner says when it makes no call: that it did not understand, and what would work."""

from collections.abc import Iterable, Mapping
from typing import Any

from tools.context import Language
from tools.definition import ToolDefinition
from tools.intent.vocabulary import GREETING, PLANNING, THANKS
from tools.intent.words import normalise, tokenise
from tools.messages import text
from tools.messages.markdown import escape
from tools.models.conversation import Turn
from tools.models.planning import MAX_CALLS, Plan, Unclear
from tools.models.strict import Refusal

EXAMPLES = 3
SHOWN = 120
"""Characters of the user's words that are repeated."""


def remarks(plan: Plan, turn: Turn, definitions: Mapping[str, ToolDefinition]) -> str:
    """What is said beside the calls of a plan, or instead of them; may be empty."""
    parts = [refused(item, turn.language) for item in plan.refused]
    parts += [_remark(item, turn.language) for item in plan.unclear if item.choice.kind != "none"]
    lost = [item for item in plan.unclear if item.choice.kind == "none"]
    parts += [text(turn.language, "planner-missed", words=_shown(w)) for w in plan.missed]
    if plan.calls or plan.refused:
        parts += [text(turn.language, "planner-missed", words=_shown(i.words)) for i in lost]
    elif not parts:
        return unknown(turn, definitions)
    if plan.cut:
        parts.append(text(turn.language, "planner-cut", n=MAX_CALLS))
    return "\n\n".join(dict.fromkeys(parts))


def unknown(turn: Turn, definitions: Mapping[str, ToolDefinition]) -> str:
    """That this is an interpreter of commands, with examples that would work here."""
    said = [d.examples[turn.language] for d in fitting(definitions.values(), turn.page)]
    if not said:
        return text(turn.language, "planner-no-tools")
    return "\n".join([text(turn.language, _opening(turn.text)), "", *_bullets(said)])


def _opening(words: str) -> str:
    """The key of what comes before the examples: a greeting is answered by one."""
    said = [token.word for token in tokenise(normalise(words)[:200]) if token.kind != "mark"]
    if said and all(word in GREETING for word in said):
        return "planner-hello"
    thanks = said and all(word in THANKS for word in said)
    return "planner-welcome" if thanks else "planner-unknown"


def fitting(
    definitions: Iterable[ToolDefinition], page: Mapping[str, Any] | None
) -> list[ToolDefinition]:
    """Three tools to show: a search, something about maintenance, something else.

    With a page, what acts on its object comes first; without one, what needs none.
    """
    kind = (page or {}).get("objectType")
    wanted = {"dashboard": "dashboard", "dataset": "dataset", "migration": "task"}.get(str(kind))

    def order(definition: ToolDefinition) -> bool:
        facts = set(definition.page.values()) - {"environment"}
        return wanted not in facts if wanted else bool(facts)

    ordered = sorted(definitions, key=order)
    firsts = {_sort(definition): definition for definition in reversed(ordered)}
    chosen = [firsts[sort] for sort in _SORTS if sort in firsts]
    more = [definition for definition in ordered if definition not in chosen]
    return sorted((chosen + more)[:EXAMPLES], key=order)


_SORTS = ("search", "maintenance", "other")


def _sort(definition: ToolDefinition) -> str:
    if "query" in definition.arguments.model_fields:
        return "search"
    return "maintenance" if "maintenance" in definition.name else "other"


def _remark(item: Unclear, language: Language) -> str:
    """Which of several tools is meant, how the request is written, or that it cannot be done."""
    choice = item.choice
    head = {"how": "planner-how", "cannot": "planner-cannot"}.get(choice.kind, "planner-ask")
    if choice.kind == "cannot" and choice.verb in PLANNING:
        head = "planner-cannot-plan"
    said = [definition.examples[language] for definition in choice.tools]
    words = choice.verb or item.words
    return "\n".join([text(language, head, words=_shown(words)), "", *_bullets(said)])


def refused(item: Refusal, language: Language) -> str:
    """Why nothing is planned, and what would have been."""
    words = text(language, "planner-quote-join").join(_shown(word) for word in item.words)
    head = text(language, f"planner-refused-{item.code}", words=words)
    if item.code not in ("words", "schedule"):
        return head
    if item.code == "schedule" and "ends_at" in item.definition.arguments.model_fields:
        head += " " + text(language, "planner-until")
    facts = "; ".join(f"{key}: {_value(value)}" for key, value in sorted(item.arguments.items()))
    example = item.definition.examples[language]
    key = "planner-without" if facts else "planner-without-facts"
    return f"{head} {text(language, key, example=example, facts=facts)}"


def _value(value: Any) -> str:
    return _shown(", ".join(value) if isinstance(value, list) else str(value))


def _bullets(said: Iterable[str]) -> list[str]:
    return [f"- {example}" for example in said]


def _shown(words: str) -> str:
    return escape(words if len(words) <= SHOWN else f"{words[:SHOWN]}…")
