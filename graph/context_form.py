"""The run's context as a form: what LangGraph Studio draws for a person to fill in."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, WithJsonSchema, create_model

from tools.context import Context, EnvironmentId, Language, UIContext


def context_form(environments: Mapping[str, Any], nodes: Sequence[str]) -> type[Context]:
    """Make a deployment's schema of the context.

    It takes exactly what `Context` takes: the choices are only shown, `check_context` decides.

    Args:
        environments: The environments to choose from, by id; none: free text.
        nodes: The graph's steps at which Studio offers the fields.
    """
    choice: Any = EnvironmentId
    if environments:
        choice = Annotated[choice, WithJsonSchema({"type": "string", "enum": list(environments)})]
    page: Any = create_model(
        "UIContext",
        __base__=UIContext,
        __doc__=UIContext.__doc__,
        env_id=(choice | None, _like(UIContext, "env_id")),
    )
    place = {"langgraph_nodes": list(nodes)}
    return create_model(
        "Context",
        __base__=Context,
        __doc__=Context.__doc__,
        ui=(page | None, _like(Context, "ui", place)),
        language=(Language | None, _like(Context, "language", place)),
    )


def _like(model: type[BaseModel], name: str, extra: dict[str, Any] | None = None) -> Any:
    """A field that is shown like a model's, with more facts for clients."""
    field = model.model_fields[name]
    return Field(
        default=field.default,
        title=field.title,
        description=field.description,
        json_schema_extra=extra,
    )
