"""The second wall: what a client may send to the server about a run, a state or a thread.

The first is the ledger, which lets no write through whatever comes in here. This one refuses with
words what no honest client needs, and takes what the known clients send for what they mean.
An admin may send all of it, which is what state edits and forks in LangGraph Studio need.
"""

from collections.abc import Mapping, MutableMapping
from typing import Any, Literal

from tools.context import Language, language_of

Broken = Literal[
    "wall-goto", "wall-update", "wall-command", "wall-beside", "wall-checkpoint", "wall-messages",
    "wall-state", "wall-past",
]  # fmt: skip
"""The name of the text that tells what is refused."""

RESOLVED = {"decisions": {"*": {"type": "reject"}}}
"""What Agent Chat UI's "Mark as resolved" means: no to all cards that are open."""

MARKED = "marked as resolved"
"""Why a card is closed that Agent Inbox's "Mark as resolved" has withdrawn."""

SPOKEN = frozenset({"human", "user"})
INVENTED = frozenset({"tool"})
END = "__end__"
FORKS = ("checkpoint_id", "checkpoint_ns", "checkpoint_map")
"""Keys of a checkpoint; the server writes them into `configurable`."""


def take_as_meant(asked: MutableMapping[str, Any]) -> None:
    """Rewrite, in place, what known clients send for want of a better word.

    * Agent Chat UI's lone jump to the end over a card is a no to the cards. Where no card is open
      the server runs nothing for it.
    * The stream protocol takes a message over a card for its answer: it is a message.
    * Agent Chat UI invents tool messages when one types over a card: the agent writes its own.

    Args:
        asked: The request for a run: `input`, `command`, ...
    """
    command = _given(asked.get("command"))
    if command in ({"goto": END}, {"goto": [END]}) and not asked.get("input"):
        asked["command"] = {"resume": RESOLVED}
    if set(command) == {"resume"} and _is_message(command["resume"]) and not asked.get("input"):
        asked["command"], asked["input"] = None, command["resume"]
    said = asked.get("input")
    if isinstance(said, MutableMapping) and isinstance(said.get("messages"), list):
        kept = [one for one in said["messages"] if not _kinds(one) <= INVENTED]
        said["messages"] = kept


def broken_by_run(asked: Mapping[str, Any]) -> Broken | None:
    """What of a request for a run only an admin may send; None: nothing.

    Allowed are a message, null to go on, an answer to a card alone, and a checkpoint alone
    (regenerate, edit), each also with `interrupt_before` and `interrupt_after`.
    """
    command = _given(asked.get("command"))
    if "goto" in command:
        return "wall-goto"
    if "update" in command:
        return "wall-update"
    if set(command) - {"resume"}:
        return "wall-command"
    if command and asked.get("input"):
        return "wall-beside"
    if command and _forks(asked):
        return "wall-checkpoint"
    return "wall-messages" if _forges(asked.get("input")) else None


def broken_by_state(body: Any) -> Broken | None:
    """What of a write to a thread's state only an admin may send; None: nothing.

    Allowed is Agent Inbox's "Mark as resolved": no values, as the end.
    """
    given = _given(body)
    return None if given == {"as_node": END} else "wall-state"


def broken_by_thread(body: Any) -> Broken | None:
    """What of a new thread only an admin may send; None: nothing."""
    return "wall-past" if "supersteps" in _given(body) else None


def language_of_run(asked: Mapping[str, Any], default: Language) -> Language:
    """The language in which to refuse a run: the client's, else that of its words."""
    context = asked.get("context")
    wanted = context.get("language") if isinstance(context, Mapping) else None
    said = asked.get("input")
    messages = said.get("messages") if isinstance(said, Mapping) else None
    words = [one.get("content") for one in _listed(messages) if isinstance(one, Mapping)]
    asked_for = wanted if wanted in ("ru", "en") else None
    return language_of("".join(str(one or "") for one in words), asked_for, default)


def _given(value: Any) -> dict[str, Any]:
    """The keys that mean something; what is no object, but something, is an unknown one."""
    if isinstance(value, Mapping):
        return {key: kept for key, kept in value.items() if kept not in (None, [], {}, "")}
    return {"": value} if value else {}


def _forks(asked: Mapping[str, Any]) -> bool:
    config = asked.get("config")
    configurable = config.get("configurable") if isinstance(config, Mapping) else None
    places = (asked, asked.get("checkpoint"), configurable)
    return any(
        bool(place.get(key)) for place in places if isinstance(place, Mapping) for key in FORKS
    )


def _is_message(resume: Any) -> bool:
    return isinstance(resume, Mapping) and set(resume) == {"messages"}


def _forges(said: Any) -> bool:
    """Whether an input holds messages that are not a person's own words."""
    messages = said.get("messages") if isinstance(said, Mapping) else None
    return not all(_kinds(one) <= SPOKEN for one in _listed(messages))


def _listed(messages: Any) -> list[Any]:
    """Messages as a list, as the graph reads a single one, too."""
    if messages is None:
        return []
    return messages if isinstance(messages, list) else [messages]


def _kinds(message: Any) -> frozenset[str]:
    """What a message says it is, in each form that langchain-core reads.

    A text is a person's; a pair is role and text; an object names a role or a type, and where it
    names both they may differ.
    """
    if isinstance(message, str):
        return frozenset({"human"})
    if isinstance(message, list):
        return frozenset({str(message[0]) if len(message) == 2 else ""})
    if not isinstance(message, Mapping):
        return frozenset({""})
    named = [message[key] for key in ("role", "type") if message.get(key) is not None]
    return frozenset(str(one) for one in named) or frozenset({""})
