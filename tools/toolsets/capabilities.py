"""What this user can ask for here."""

from typing import Any

from tools.connect import Call
from tools.context import Language
from tools.definition import EVERYONE, Lexicon, Toolset
from tools.messages import text
from tools.results import items_of

CAPABILITIES = Toolset("capabilities")


def answer_capabilities(payload: Any, language: Language) -> str:
    """List the tools by group, with an example each."""
    lines = [text(language, "capabilities-head")]
    for group in items_of(payload["groups"]):
        lines += ["", f"**{text(language, 'group-' + group['group'])}**"]
        lines += [f"- {tool['title']}: «{tool['example']}»" for tool in items_of(group["tools"])]
    return "\n".join(lines)


@CAPABILITIES.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(
        objects=(
            "инструмент",
            "команд",
            "умеешь",
            "возможност",
            "можешь",
            "помощь",
            "tool",
            "command",
            "capabilit*",
            "feature",
            "функци",
            "help",
            "способен",
            "способна",
            "what can you do",
            "able to do",
            "able to help",
            "capable of",
            "can you do",
            "can you actually do",
            "can you even do",
            "skill",
            "function",
            "can i ask",
            "i ask you",
            "i can ask",
            "able to ask",
            "действия мне",
            "можно попросить",
            "allowed to",
            "разрешен",
            "могу тебя",
            "могу у тебя",
            "могу попросить",
            "навык",
        ),
    ),
    ru="Что ты умеешь?",
    en="What can you do?",
    environment="none",
    answer=answer_capabilities,
    fast=True,
)
async def show_capabilities(call: Call) -> dict[str, Any]:
    """Tell which tools this user may use here, grouped, with an example request for each."""
    groups: dict[str, list[dict[str, str]]] = {}
    for definition in call.offered:
        if definition.when != "always":
            continue
        groups.setdefault(definition.group, []).append(
            {
                "tool": definition.name,
                "title": text(call.language, f"tool-{definition.name.replace('_', '-')}"),
                "effect": definition.effect,
                "example": definition.examples[call.language],
            }
        )
    return {"groups": [{"group": name, "tools": tools} for name, tools in groups.items()]}
