"""The form of the context takes exactly what the context takes; only what it shows differs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from graph.context_form import context_form
from tools.context import Context

FORM = context_form({"ss-dev": object(), "ss-prod": object()}, nodes=["inject_context"])

VALUES = st.sampled_from(
    [None, "", "3", 3, 1, 2, True, "ss-dev", "elsewhere", "x" * 65, "/a", "//a", "/a b",
     "dashboard", "chart", "ru", "de", [], {}],
)  # fmt: skip
PAGES = st.dictionaries(
    st.sampled_from(
        ["objectType", "objectId", "objectName", "envId", "env_id", "route", "contextVersion", "x"]
    ),
    VALUES,
)
CONTEXTS = st.dictionaries(st.sampled_from(["ui", "language", "role"]), VALUES | PAGES)


def taken(model: type[Context], raw: Any) -> Any:
    """What a model makes of a context; None: it refuses."""
    try:
        return model.model_validate(raw).model_dump()
    except ValidationError:
        return None


@given(CONTEXTS)
def test_the_form_takes_what_the_context_takes(raw: dict[str, Any]) -> None:
    assert taken(FORM, raw) == taken(Context, raw)


@pytest.mark.parametrize("environments", [{}, {"ss-dev": object()}])
def test_the_environments_are_offered_where_there_are_any(environments: dict[str, Any]) -> None:
    page = context_form(environments, nodes=[]).model_json_schema()["$defs"]["UIContext"]
    offered = page["properties"]["envId"]["anyOf"][0].get("enum")
    assert offered == (list(environments) or None)
