"""The card that a person decides on: plain JSON, texts in the user's language."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypedDict  # schemas of the state need it before Python 3.12

from tools.context import Language, Role, Stage
from tools.definition import Effect, Impact, Prepared, ToolDefinition
from tools.messages import text
from tools.messages.markdown import escape
from tools.policy import GuardrailDecision, Tone
from tools.records import Approval
from tools.settings import Approver, Risk, Settings
from tools.times import shown

LINES = 20
"""How many lines of each kind a description has; the card has all of them."""

CHARACTERS = 600
"""How much of the arguments and of the user's words a description has."""


class Card(TypedDict):
    """What a person sees of one call.

    `id` is the ledger's; empty on a card that only tells of a refusal. `arguments` may be edited
    (`edited`: a person did so, and this is what came of it),
    `shown` says what they were found to mean. `digest` binds all that was shown. `approval` says
    whose yes is needed, and `note` what that means to the one who asked.
    """

    id: str
    tool_call_id: str
    tool: str
    title: str
    verdict: Literal["confirm", "deny"]
    effect: Effect
    risk: Risk
    tone: Tone
    stage: Stage | None
    badge: str
    environment: dict[str, str] | None
    impact: str
    differences: list[str]
    arguments: dict[str, Any]
    edited: bool
    shown: list[str]
    digest: str
    expires_at: str
    required_roles: list[Role]
    approval: Approver
    reason: str
    user_text: str
    prompt: str
    note: str


def title_of(tool: str, language: Language) -> str:
    """What a tool does, as a person says it; the tool's name where there is no such text."""
    try:
        return text(language, f"tool-{tool.replace('_', '-')}")
    except KeyError:
        return tool


def make_card(
    call_id: str,
    tool: str,
    definition: ToolDefinition | None,
    decision: GuardrailDecision,
    *,
    language: Language,
    settings: Settings,
    env_id: str | None = None,
    prepared: Prepared | None = None,
    digest: str = "",
    expires_at: datetime | None = None,
    user_text: str = "",
) -> Card:
    """Make the card of a call that a person must decide on, or that was refused."""
    environment = settings.environments.get(env_id) if env_id else None
    impact = prepared.impact if prepared else None
    denied = decision["verdict"] == "deny"
    return Card(
        id="",
        tool_call_id=call_id,
        tool=tool,
        title=title_of(tool, language),
        verdict="deny" if denied else "confirm",
        effect=decision["effect"],
        risk=decision["risk"],
        tone=decision["tone"],
        stage=decision["stage"],
        badge=_badge(definition, decision, language),
        environment={"id": env_id, "title": environment.title} if env_id and environment else None,
        impact="" if denied else impact_text(decision, impact, language),
        differences=list(impact.differences) if impact else [],
        arguments=prepared.arguments if prepared else {},
        edited=False,
        shown=list(prepared.shown) if prepared else [],
        digest=digest,
        expires_at=expires_at.isoformat() if expires_at else "",
        required_roles=decision["required_roles"],
        approval=decision["approval"],
        reason=denial(decision, language) if denied else "",
        user_text=user_text,
        prompt=text(language, "card-denied") if denied else _prompt(decision, language),
        note="" if denied or decision["approval"] == "own" else text(language, "card-peer"),
    )


def card_of(row: Approval) -> Card:
    """The card of a ledger row, as it was judged."""
    made: Card = {**row.card, "id": row.id, "expires_at": row.expires_at.isoformat()}  # type: ignore[typeddict-item]
    return made


def impact_text(decision: GuardrailDecision, impact: Impact | None, language: Language) -> str:
    """How much a call would change, in words."""
    if decision["effect"] == "read":
        return text(language, "impact-read")
    if impact is None or impact.changed is None:
        return text(language, "impact-unknown")
    parts = [text(language, "impact-changed", n=impact.changed)]
    if impact.created:
        parts.append(text(language, "impact-created", n=impact.created))
    if impact.removed:
        parts.append(text(language, "impact-removed", n=impact.removed))
    return "; ".join(parts)


def denial(decision: GuardrailDecision, language: Language) -> str:
    """Why a call was refused, and what would be needed."""
    roles = decision["required_roles"]
    return text(
        language, f"denied-{decision['reason'].replace('_', '-')}", role=roles[0] if roles else "-"
    )


def edits(before: Mapping[str, Any], after: Mapping[str, Any], language: Language) -> list[str]:
    """What a person changed in the arguments, a sentence for each of them."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return [
        text(
            language,
            "card-difference",
            name=name,
            before=_plain(before.get(name)),
            after=_plain(after.get(name)),
        )
        for name in names
    ]


def describe(card: Mapping[str, Any], language: Language) -> str:
    """The card as Markdown, for clients that show only a description. Titles are only text.

    What is long is shortened here; the card itself has all of it.
    """
    facts = {"roles": ", ".join(card["required_roles"]), "digest": card["digest"]}
    parts = [
        f"**{card['badge']}** {escape(card['title'])}",
        *filter(None, [card["prompt"], card["note"]]),
        "\n".join(_facts(card, language)),
    ]
    if card["arguments"]:
        words = json.dumps(card["arguments"], ensure_ascii=False)
        parts.append(text(language, "card-arguments", json=escape(_cut(words))))
    if card["user_text"]:
        parts.append(text(language, "card-asked", words=escape(_cut(card["user_text"]))))
    if card["expires_at"]:
        parts.append(text(language, "card-terms", until=shown(card["expires_at"]), **facts))
    return "\n\n".join(parts)


def _facts(card: Mapping[str, Any], language: Language) -> Iterator[str]:
    """What is at stake, as the lines of a list."""
    if card["environment"]:
        yield "- " + text(language, "card-environment", title=escape(card["environment"]["title"]))
    yield f"- {card['impact']}"
    for lines in (card["shown"], card["differences"]):
        yield from (f"- {escape(line)}" for line in lines[:LINES])
        if len(lines) > LINES:
            yield "- " + text(language, "card-more", n=len(lines) - LINES)


def _plain(value: Any) -> str:
    return "–" if value is None else _cut(json.dumps(value, ensure_ascii=False))


def _cut(words: str) -> str:
    return words if len(words) <= CHARACTERS else f"{words[:CHARACTERS]}…"


def _badge(
    definition: ToolDefinition | None, decision: GuardrailDecision, language: Language
) -> str:
    if decision["verdict"] == "deny":
        return text(language, "badge-denied")
    if decision["effect"] == "read":
        return text(language, "badge-read")
    if definition is not None and definition.environment == "none":
        return text(language, "badge-no-environment")
    return text(language, f"badge-{decision['stage'] or 'unknown'}")


def _prompt(decision: GuardrailDecision, language: Language) -> str:
    if decision["effect"] == "read":
        return text(language, "card-read")
    stage = decision["stage"] or "unknown"
    return text(language, f"card-{stage}-{decision['risk']}" if stage == "dev" else f"card-{stage}")
