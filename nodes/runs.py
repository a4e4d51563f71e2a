"""Who runs a step, on which thread: the facts of a run that no client can write."""

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from nodes.state import State
from tools.connect import Call, Services
from tools.context import Context, Language, UIContext, User, identify
from tools.definition import ToolDefinition
from tools.messages import text


def user_of(runtime: Runtime[Context], services: Services, local_user: User | None) -> User | None:
    """The authenticated user: the server's inside a server, else the one given to `build`."""
    if runtime.server_info is not None:
        return identify(runtime.server_info.user, services.settings.studio_role)
    return local_user


def known_user(
    runtime: Runtime[Context], services: Services, local_user: User | None, language: Language
) -> User:
    """The authenticated user.

    Raises:
        PermissionError: nobody is signed in, or the role is none of ours.
    """
    user = user_of(runtime, services, local_user)
    if user is None:
        raise PermissionError(text(language, "not-authenticated"))
    return user


def thread_of(config: RunnableConfig) -> str:
    """The id of the conversation; empty where there is none to come back to."""
    return str(config.get("configurable", {}).get("thread_id") or "")


def page_of(state: State) -> UIContext | None:
    """The page that `inject_context` validated."""
    page = state.get("page")
    return UIContext.model_validate(page) if page is not None else None


def make_call(
    call_id: str,
    user: User,
    state: State,
    runtime: Runtime[Context],
    config: RunnableConfig,
    services: Services,
    offered: tuple[ToolDefinition, ...] = (),
    **more: Any,
) -> Call:
    """What a tool, or the judgement of its call, is told beside the arguments."""
    return Call(
        id=call_id,
        thread_id=thread_of(config),
        user=user,
        language=state.get("language", services.settings.language),
        page=page_of(state),
        services=services,
        offered=offered,
        emit=runtime.stream_writer,
        **more,
    )


def call_id(call: Mapping[str, Any]) -> str:
    """The id of a tool call in the model's message."""
    return str(call["id"] or "")
