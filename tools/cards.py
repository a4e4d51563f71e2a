"""The card that a person decides on: plain JSON, texts in the user's language."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypedDict  # schemas of the state need it before Python 3.12

from tools.context import Language, Role, Stage
from tools.definition import Effect, Impact, Prepared, ToolDefinition
from tools.messages import text
from tools.messages.markdown import escape
from tools.policy import GuardrailDecision, Tone
from tools.settings import Risk, Settings


class Card(TypedDict):
    """What a person sees of one call.

    `id` is the ledger's; empty on a card that only tells of a refusal. `arguments` may be edited
    (`edited`: a person did so, and this is what came of it),
    `shown` says what they were found to mean. `digest` binds all that was shown.
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
    reason: str
    user_text: str
    prompt: str


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
        reason=denial(decision, language) if denied else "",
        user_text=user_text,
        prompt=text(language, "card-denied") if denied else _prompt(decision, language),
    )


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


def describe(card: Mapping[str, Any], language: Language) -> str:
    """The card as Markdown, for clients that show only a description. Titles are only text."""
    environment = card["environment"]
    lines = [f"**{card['badge']}** {card['title']}", "", card["prompt"], ""]
    if environment:
        lines.append(text(language, "card-environment", title=escape(environment["title"])))
    lines += ["", *(f"- {escape(line)}" for line in card["shown"]), "", card["impact"], ""]
    lines += [f"- {escape(line)}" for line in card["differences"]]
    return "\n".join(lines).strip()


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
