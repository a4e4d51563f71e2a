"""Tools with the signatures of the first real ones, and ways to ask a planner for their calls."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.ai import add_ai_message_chunks

from tools.definition import EVERYONE, OPERATORS, Lexicon, Prepared, ToolDefinition, Toolset
from tools.models import EmbeddedPlanner, EnvironmentName

ENVIRONMENTS = (
    EnvironmentName("ss-dev", "Песочница", "dev"),
    EnvironmentName("ss-stage", "Rehearsal", "staging"),
    EnvironmentName("ss-prod", "Main Site", "prod"),
)

MINI = Toolset("mini")
ABOUT = ("обслуж", "maintenance", "баннер", "плашк", "banner")


async def prepare(arguments: dict[str, Any], call: Any) -> Prepared:
    """Nothing to resolve."""
    return Prepared(arguments)


def count(payload: Any, language: str) -> str:
    """An answer template."""
    return f"{language}: {payload['total']}"


@MINI.tool(
    effect="read",
    roles=EVERYONE,
    environment="none",
    lexicon=Lexicon(
        objects=("инструмент", "tool", "capabilit*", "умеешь", "можешь", "help", "помощь")
    ),
    ru="Что ты умеешь?",
    en="What can you do?",
)
async def show_capabilities() -> str:
    """Tell what can be done."""
    return ""


@MINI.tool(
    effect="read",
    roles=EVERYONE,
    environment="none",
    lexicon=Lexicon(objects=("окруж", "environment", "env")),
    ru="Какие есть окружения?",
    en="Which environments are there?",
)
async def list_environments() -> str:
    """List environments."""
    return ""


@MINI.tool(
    effect="read",
    roles=EVERYONE,
    lexicon=Lexicon(objects=("дашборд", "dashboard"), exclude=("доступн",)),
    ru="Найди дашборды про продажи",
    en="Find dashboards about sales",
    answer=count,
)
async def search_dashboards(
    query: str | None = None,
    env_id: str | None = None,
    tag: str | None = None,
    owner: str | None = None,
    published: bool | None = None,
    changed_since: str | None = None,
    limit: int = 20,
    offset: int = 0,
) -> str:
    """Find dashboards.

    Args:
        query: The query.
        env_id: The env_id.
        tag: The tag.
        owner: The owner.
        published: The published.
        changed_since: The changed_since.
        limit: The limit.
        offset: The offset.
    """
    return ""


@MINI.tool(
    effect="read",
    roles=EVERYONE,
    environment="optional",
    lexicon=Lexicon(objects=ABOUT),
    ru="Какое обслуживание сейчас идёт?",
    en="Which maintenance is open?",
)
async def list_maintenance_events(
    env_id: str | None = None, state: Literal["open", "closed"] | None = None
) -> str:
    """List maintenance events.

    Args:
        env_id: The env_id.
        state: The state.
    """
    return ""


@MINI.tool(
    effect="write",
    roles=OPERATORS,
    prepare=prepare,
    page={"dashboards": "dashboard"},
    required=frozenset({"dashboards"}),
    instead={"dashboards": ("datasets",)},
    lexicon=Lexicon(
        objects=ABOUT,
        actions=("запус", "запущ", "начн", "начать", "включ", "созда", "объяв", "повес",
                 "start", "begin", "create", "announce", "put", "open", "launch"),
    ),
    ru="Запусти обслуживание на этом дашборде",
    en="Start maintenance on this dashboard",
)  # fmt: skip
async def start_maintenance(
    dashboards: list[str] | None = None,
    datasets: list[str] | None = None,
    env_id: str | None = None,
    message: str | None = None,
    ends_at: str | None = None,
) -> str:
    """Start maintenance.

    Args:
        dashboards: The dashboards.
        datasets: The datasets.
        env_id: The env_id.
        message: The message.
        ends_at: The ends_at.
    """
    return ""


@MINI.tool(
    effect="write",
    roles=OPERATORS,
    prepare=prepare,
    page={"dashboards": "dashboard"},
    lexicon=Lexicon(
        objects=ABOUT,
        actions=("закро", "закры", "законч", "заверш", "останов", "убери", "убрать", "сними",
                 "end", "stop", "close", "finish", "remove"),
    ),
    ru="Заверши обслуживание на этом дашборде",
    en="End maintenance on this dashboard",
)  # fmt: skip
async def end_maintenance(
    event_id: str | None = None, env_id: str | None = None, dashboards: list[str] | None = None
) -> str:
    """End maintenance.

    Args:
        event_id: The event_id.
        env_id: The env_id.
        dashboards: The dashboards.
    """
    return ""


@MINI.tool(
    effect="read",
    roles=EVERYONE,
    environment="none",
    page={"task_id": "task"},
    lexicon=Lexicon(objects=("задач", "task", "таск")),
    ru="Что с моей последней задачей?",
    en="What about my latest task?",
)
async def get_task_status(task_id: int | None = None) -> str:
    """Tell the state of a task.

    Args:
        task_id: The task_id.
    """
    return ""


def briefing(text: str, language: str, page: Mapping[str, Any] | None = None) -> SystemMessage:
    """The first message as the graph sends it."""
    facts = {"language": language, "user_text": text, "page": page}
    return SystemMessage("briefing", additional_kwargs={"pilothouse": facts})


def bound(definitions: Iterable[ToolDefinition] = MINI.definitions) -> Any:
    """A planner with these tools."""
    planner = EmbeddedPlanner(environments=ENVIRONMENTS)
    return planner.bind_tools([definition.tool for definition in definitions])


async def ask(model: Any, *messages: BaseMessage) -> AIMessageChunk:
    """The whole of a streamed answer."""
    return add_ai_message_chunks(*[chunk async for chunk in model.astream(list(messages))])


async def said(
    text: str,
    *,
    language: str = "ru",
    definitions: Iterable[ToolDefinition] = MINI.definitions,
    before: Iterable[BaseMessage] = (),
    page: Mapping[str, Any] | None = None,
) -> AIMessageChunk:
    """What the planner makes of a text."""
    first = briefing(text, language, page)
    return await ask(bound(definitions), first, *before, HumanMessage(text))


async def calls(text: str, **facts: Any) -> list[tuple[str, dict[str, Any]]]:
    """The calls the planner makes of a text."""
    return [(call["name"], call["args"]) for call in (await said(text, **facts)).tool_calls]


def asked(name: str, arguments: dict[str, Any], slot: str, **more: Any) -> list[BaseMessage]:
    """A turn that ended in a question."""
    call = {"name": name, "args": arguments, "id": "call_before"}
    artifact = {"kind": "question", "slot": slot, **more}
    return [
        HumanMessage("…"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("?", tool_call_id="call_before", name=name, artifact=artifact),
        AIMessage("?"),
    ]
