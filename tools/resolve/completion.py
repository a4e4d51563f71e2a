"""What a call leaves out: the page knows it, or the user is asked."""

from typing import Any

from tools.clients.http import NotFound
from tools.clients.superset import Superset
from tools.connect import Call
from tools.definition import ToolDefinition
from tools.messages import text
from tools.messages.markdown import escape
from tools.policy import decide
from tools.policy.rules import rule_of
from tools.resolve.environments import environment_id
from tools.resolve.question import Question


def place(definition: ToolDefinition, arguments: dict[str, Any], call: Call) -> dict[str, Any]:
    """The arguments that are given, with the ids of the environments of the words or the page.

    Nothing is read for it: whether the call may act there can be judged before anything is.

    Raises:
        Question: an environment is not known.
    """
    filled = {key: value for key, value in arguments.items() if value not in (None, [], "")}
    return _placed(definition, filled, call)


async def complete(
    definition: ToolDefinition, placed: dict[str, Any], call: Call
) -> dict[str, Any]:
    """Fill what the page knows and a call that has its environment left out.

    Raises:
        Question: a required argument is still missing.
    """
    filled = dict(placed)
    for slot, fact in definition.page.items():
        if fact != "environment" and not _settled(definition, slot, filled):
            filled |= await _page_object(definition, slot, fact, filled, call)
    # Where comes first: what is meant is looked for there.
    for slot in sorted(definition.required, key=lambda name: (name != definition.target, name)):
        if not _settled(definition, slot, filled):
            raise Question(slot, _missing(slot, call))
    return filled


def _settled(definition: ToolDefinition, slot: str, filled: dict[str, Any]) -> bool:
    """Whether an argument is given, or another one stands for it."""
    return any(name in filled for name in (slot, *definition.instead.get(slot, ())))


def _placed(definition: ToolDefinition, filled: dict[str, Any], call: Call) -> dict[str, Any]:
    """The arguments with the ids of their environments; the page's where none is named."""
    placed = dict(filled)
    if definition.environment != "none" and definition.target not in placed:
        placed |= _of_address(definition, filled, call)
    for slot, fact in definition.page.items():
        if slot not in placed and fact == "environment" and call.page and call.page.env_id:
            placed[slot] = call.page.env_id
    for slot, value in placed.items():
        if slot == definition.target or slot.endswith("_env_id"):
            placed[slot] = environment_id(str(value), call, slot)
    return placed


def _of_address(definition: ToolDefinition, filled: dict[str, Any], call: Call) -> dict[str, str]:
    """The environment whose installation a copied address belongs to."""
    words = [word for value in filled.values() if isinstance(value, list) for word in value]
    hosts = {
        env_id
        for env_id, environment in call.environments().items()
        for word in words
        if str(word).strip().startswith(f"{environment.url.rstrip('/')}/")
    }
    return {definition.target: hosts.pop()} if len(hosts) == 1 else {}


async def _page_object(
    definition: ToolDefinition, slot: str, fact: str, filled: dict[str, Any], call: Call
) -> dict[str, Any]:
    """The page's object as an argument, in the environment that the call acts on."""
    page = call.page
    kind = "migration" if fact == "task" else fact
    if page is None or page.object_id is None or page.object_type != kind:
        return {}
    word = page.object_id
    target = filled.get(definition.target)
    if fact in _ELSEWHERE and page.env_id is not None and target not in (None, page.env_id):
        if _closed(definition, page.env_id, call):
            title = escape(call.environment(page.env_id).title)
            raise Question(slot, text(call.language, "page-closed", environment=title))
        word = await _other_environment(page.object_id, page.env_id, str(target), slot, call, fact)
    annotation = definition.arguments.model_json_schema()["properties"][slot]
    kinds = {part.get("type") for part in annotation.get("anyOf", [annotation])}
    value: Any = int(word) if "integer" in kinds else word
    return {slot: [value] if "array" in kinds else value}


def _closed(definition: ToolDefinition, env_id: str, call: Call) -> bool:
    """Whether the page's object may not be read where it is, to be found where the call acts.

    A read needs the same right there. A write only reads there: its roles and stages say nothing
    of that, but a policy that denies it does.
    """
    if definition.effect == "read":
        return decide(definition, call.user, env_id, call.settings)["verdict"] != "run"
    stage = call.environment(env_id).stage
    return rule_of(definition, env_id, stage, call.settings).deny


async def _other_environment(
    object_id: str, page_env: str, target: str, slot: str, call: Call, fact: str
) -> str:
    """The id in the target of the object a page of another environment is about.

    Ids differ between installations, so it goes by uuid. Not found: the user is told.
    """
    find = _ELSEWHERE[fact]
    title, found = await find(int(object_id), call.superset(page_env), call.superset(target))
    if found is None:
        environment = escape(call.environment(target).title)
        key = f"{fact}-not-in-environment"
        raise Question(slot, text(call.language, key, name=escape(title), environment=environment))
    return str(found)


async def _dashboard_elsewhere(
    number: int, here: Superset, there: Superset
) -> tuple[str, int | None]:
    own = await here.dashboard(number)
    try:
        return own.title, (await there.dashboard(own.uuid)).id
    except NotFound:
        return own.title, None


async def _dataset_elsewhere(
    number: int, here: Superset, there: Superset
) -> tuple[str, int | None]:
    own = await here.dataset(number)
    found = [one.id for one in await there.datasets(own.uuid) if one.uuid == own.uuid]
    return own.name, found[0] if found else None


_ELSEWHERE = {"dashboard": _dashboard_elsewhere, "dataset": _dataset_elsewhere}
"""Finds an object of one installation in another: its title here, and its id there."""


def _missing(slot: str, call: Call) -> str:
    if slot.endswith("env_id"):
        known = ", ".join(call.environments()) or "-"
        return text(call.language, "which-environment", known=known)
    return text(call.language, f"missing-{slot.replace('_', '-')}")
