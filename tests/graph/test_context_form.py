"""The form of the context takes exactly what the context takes; only what it shows differs."""

from typing import Any

import pytest
from pydantic import ValidationError

from graph.context_form import context_form
from tools.context import Context

FORM = context_form({"ss-dev": object(), "ss-prod": object()}, nodes=["inject_context"])

VALUES: list[Any] = [
    None, "", "3", 3, 1, 2, True, "ss-dev", "elsewhere", "x" * 65, "x" * 257, "/a", "//a", "/a b",
    "/" + "a" * 512, "dashboard", "chart", "ru", "de", [], {},
]  # fmt: skip
FIELDS = ["objectType", "objectId", "objectName", "envId", "env_id", "route", "contextVersion", "x"]


def taken(model: type[Context], raw: Any) -> Any:
    """What a model makes of a context; None: it refuses."""
    try:
        return model.model_validate(raw).model_dump()
    except ValidationError:
        return None


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:20])
def test_the_form_takes_what_the_context_takes(value: Any) -> None:
    contexts = [{"ui": {field: value}} for field in FIELDS]
    contexts += [{"ui": value}, {"language": value}, {"role": value}]
    for raw in contexts:
        assert taken(FORM, raw) == taken(Context, raw), raw


@pytest.mark.parametrize("environments", [{}, {"ss-dev": object()}])
def test_the_environments_are_offered_where_there_are_any(environments: dict[str, Any]) -> None:
    page = context_form(environments, nodes=[]).model_json_schema()["$defs"]["UIContext"]
    offered = page["properties"]["envId"]["anyOf"][0].get("enum")
    assert offered == (list(environments) or None)
