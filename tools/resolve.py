"""What the words of a call mean: an environment, a dashboard. Several or none: a question."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from langchain_core.tools import ToolException

from tools.clients.http import NotFound
from tools.clients.superset import Dashboard, DashboardSummary, Superset
from tools.clients.superset_search import fold
from tools.connect import Call
from tools.definition import ToolDefinition
from tools.messages import text
from tools.messages.markdown import escape
from tools.settings import Settings

SHOWN = 10
"""How many candidates a question names."""

NUMBER = re.compile(r"^[0-9]{1,18}$")
ADDRESS = re.compile(r"^https?://\S+?/superset/dashboard/(?:p/)?(?P<key>[^/?#]+)")
"""A dashboard's address, as people copy it from a browser."""

STAGE_WORDS = {
    "prod": ("prod", "production", "прод", "продакшен", "продакшн", "боевой", "бой"),
    "staging": ("staging", "stage", "стейджинг", "стейдж", "предпрод"),
    "dev": ("dev", "development", "дев", "разработка", "разработки"),
}


@dataclass
class Question(ToolException):
    """The call can't be understood without the user.

    Attributes:
        slot: The argument that is missing or ambiguous.
        words: What the user is asked, in their language.
    """

    slot: str
    words: str

    def __str__(self) -> str:
        return self.words


def environment_id(words: str, call: Call, slot: str = "env_id") -> str:
    """The id of the environment that words name: an id, a title, else the only one of a stage.

    Raises:
        Question: none or several fit.
    """
    known = call.environments()
    if words in known:
        return words
    wanted = fold(words)
    named = [key for key, env in known.items() if wanted in (fold(key), fold(env.title))]
    staged = [key for key, env in known.items() if wanted in STAGE_WORDS[env.stage]]
    found = named or staged
    if len(found) == 1:
        return found[0]
    names = ", ".join(found or known) or "-"
    raise Question(
        slot, text(call.language, "unknown-environment", name=escape(words), known=names)
    )


async def dashboard(words: str, client: Superset, call: Call, slot: str) -> Dashboard:
    """The dashboard that words name: an id, slug or uuid, an exact title, else a unique match.

    Raises:
        Question: none or several fit; the candidates are named.
    """
    found = await _direct(words, client)
    if found is not None:
        return found
    page = await client.search_dashboards(words, limit=100)
    exact = [item for item in page.items if fold(item.title) == fold(words)]
    matches = exact if len(exact) == 1 else list(page.items)
    if len(matches) == 1:
        return await client.dashboard(matches[0].id)
    if not matches:
        raise Question(slot, text(call.language, "no-such-dashboard", name=escape(words)))
    raise Question(slot, _which(words, matches, max(page.total, len(matches)), call))


async def _direct(words: str, client: Superset) -> Dashboard | None:
    """Look up an id, slug, uuid or address; words with spaces can be none of them."""
    word = words.strip().removeprefix("#")
    address = ADDRESS.match(word)
    if address is not None and not word.startswith(f"{client.config.url.rstrip('/')}/"):
        return None
    word = unquote(address["key"]) if address else word
    if not word or any(letter.isspace() or letter in "/?#%" for letter in word):
        return None
    try:
        return await client.dashboard(int(word) if NUMBER.match(word) else word)
    except NotFound:
        return None


def _which(words: str, matches: list[DashboardSummary], total: int, call: Call) -> str:
    lines = [f"- {escape(item.title)} ({item.id})" for item in matches[:SHOWN]]
    head = text(call.language, "which-dashboard", name=escape(words), total=total, shown=len(lines))
    return "\n".join([head, *lines])


async def dataset_dashboards(
    words: str, client: Superset, call: Call, slot: str
) -> list[Dashboard]:
    """The dashboards that stand on the dataset that words name.

    Raises:
        Question: none or several datasets fit, or no dashboard stands on it.
    """
    found = await client.datasets(words)
    if not found:
        raise Question(slot, text(call.language, "no-such-dataset", name=escape(words)))
    if len(found) > 1:
        lines = [f"- {escape(item.name)} ({item.id})" for item in found[:SHOWN]]
        head = text(
            call.language, "which-dataset", name=escape(words), total=len(found), shown=len(lines)
        )
        raise Question(slot, "\n".join([head, *lines]))
    ids = await client.dataset_dashboards(found[0].id)
    if not ids:
        raise Question(slot, text(call.language, "dataset-unused", name=escape(found[0].name)))
    return [await client.dashboard(number) for number in ids]


async def complete(
    definition: ToolDefinition, arguments: dict[str, Any], call: Call
) -> dict[str, Any]:
    """Fill what the page knows and the call left out, and resolve its environment.

    Raises:
        Question: a required argument is still missing, or an environment is not known.
    """
    filled = {key: value for key, value in arguments.items() if value not in (None, [], "")}
    filled = _placed(definition, filled, call)
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
    return slot in filled or definition.instead.get(slot) in filled


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
    if fact == "dashboard" and page.env_id is not None and target not in (None, page.env_id):
        word = await _other_environment(page.object_id, page.env_id, str(target), slot, call)
    annotation = definition.arguments.model_json_schema()["properties"][slot]
    kinds = {part.get("type") for part in annotation.get("anyOf", [annotation])}
    value: Any = int(word) if "integer" in kinds else word
    return {slot: [value] if "array" in kinds else value}


async def _other_environment(
    object_id: str, page_env: str, target: str, slot: str, call: Call
) -> str:
    """The id in the target of the dashboard a page of another environment is about.

    Ids differ between installations, so it goes by uuid. Not found: the user is told.
    """
    here = await call.superset(page_env).dashboard(int(object_id))
    try:
        there = await call.superset(target).dashboard(here.uuid)
    except NotFound:
        title = call.environment(target).title
        words = text(
            call.language, "not-in-environment", name=escape(here.title), environment=escape(title)
        )
        raise Question(slot, words) from None
    return str(there.id)


def _missing(slot: str, call: Call) -> str:
    if slot.endswith("env_id"):
        known = ", ".join(call.environments()) or "-"
        return text(call.language, "which-environment", known=known)
    return text(call.language, f"missing-{slot.replace('_', '-')}")


def environments_named(words: str, settings: Settings) -> frozenset[str]:
    """The ids of the environments that a text names by id, title or stage."""
    padded = f" {re.sub(r'[^0-9a-zа-я_-]+', ' ', fold(words))} "
    return frozenset(
        env_id
        for env_id, environment in settings.environments.items()
        if any(
            f" {fold(name)} " in padded
            for name in (env_id, environment.title, *STAGE_WORDS[environment.stage])
        )
    )
