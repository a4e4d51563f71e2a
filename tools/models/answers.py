"""Results of tools as text for people."""

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import ToolMessage

from tools.context import Language
from tools.definition import ToolDefinition
from tools.messages import text
from tools.messages.markdown import escape, table
from tools.models.conversation import Turn

logger = logging.getLogger(__name__)


def answer(turn: Turn, definitions: Mapping[str, ToolDefinition]) -> str:
    """One answer made of the tool messages of a turn, in their order."""
    parts = [
        told(
            message,
            message.name or turn.names.get(message.tool_call_id, ""),
            turn.language,
            definitions,
        )
        for message in turn.results
    ]
    if any(_shortened(message) for message in turn.results):
        parts.append(text(turn.language, "result-more"))
    said = list(dict.fromkeys(part for part in parts if part.strip()))
    return "\n\n".join(said) or text(turn.language, "planner-done")


def _shortened(message: ToolMessage) -> bool:
    """Whether a result was too long; the whole is kept and can be read on."""
    return isinstance(message.artifact, Mapping) and "result_id" in message.artifact


def told(
    message: ToolMessage,
    name: str,
    language: Language,
    definitions: Mapping[str, ToolDefinition],
) -> str:
    """A result by the words of its declaration; anything else as it stands."""
    artifact = message.artifact
    if not isinstance(artifact, Mapping) or artifact.get("kind") != "result":
        return message.text
    payload = _payload(message.text)
    definition = definitions.get(name)
    if definition is not None and definition.answer is not None:
        try:
            return definition.answer(payload, language)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            # A shortened result may lack what the template wants; the facts are shown all the same.
            logger.warning("The answer of %s does not fit its result", name, exc_info=True)
    return render(payload, language)


def _payload(content: str) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content


def render(payload: Any, language: Language) -> str:
    """Any JSON as Markdown: lists of objects as tables, objects as lines of key and value."""
    if isinstance(payload, str):
        return payload
    if isinstance(payload, Mapping):
        return "\n".join(_lines(payload, language)) or text(language, "planner-nothing")
    if isinstance(payload, Sequence):
        return _list(payload, language)
    return _cell(payload)


def _lines(payload: Mapping[str, Any], language: Language) -> list[str]:
    lines: list[str] = []
    for key, value in payload.items():
        if isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
            lines += ["", f"{escape(key)}:", "", _list(value, language), ""]
        elif value not in (None, [], {}):
            lines.append(f"- {escape(key)}: {escape(_cell(value))}")
    return lines


def _list(items: Sequence[Any], language: Language) -> str:
    if not items:
        return text(language, "planner-nothing")
    if all(isinstance(item, Mapping) for item in items):
        columns = list(dict.fromkeys(str(key) for item in items for key in item))
        return table(
            columns,
            ([_cell(item.get(column)) for column in columns] for item in items),
        )
    return "\n".join(f"- {escape(_cell(item))}" for item in items)


def _cell(value: Any) -> str:
    """A value on one line; text as it is, the rest as JSON."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
