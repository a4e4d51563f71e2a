"""Every declared tool for every role, stage and page: what is offered, and what is denied.

Expected is what the declarations say, worked out here and not by the policy.
"""

from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from langchain_core.messages import AIMessage, ToolMessage

from tests.agent import Conversation, asks
from tests.doubles import ScriptedChatModel
from tests.tools.policy_help import settings as deployment
from tools.catalog import SUPERSET
from tools.connect import Services
from tools.context import ROLES, ObjectType, Role
from tools.definition import ToolDefinition
from tools.settings import Stage

STAGES: tuple[Stage, ...] = get_args(Stage)
PAGES: tuple[ObjectType | None, ...] = (None, *get_args(ObjectType))
ALL = list(SUPERSET.definitions.values())


def nothing_there(request: httpx.Request) -> httpx.Response:
    return httpx.Response(404, json={"message": "Not found"}, request=request)


@pytest.fixture
async def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Services]:
    monkeypatch.setenv("SECRET", "s")
    made = deployment()
    url = made.records.model_copy(update={"url": f"sqlite:///{tmp_path}/records.db"})
    services = Services(
        made.model_copy(update={"records": url}), transport=httpx.MockTransport(nothing_there)
    )
    yield services
    await services.aclose()


def offered(definition: ToolDefinition, role: Role, kind: ObjectType | None) -> bool:
    """Whether the declaration lets a model see a tool on a page of an environment."""
    fits = kind is None or kind in definition.affinity
    return definition.when == "always" and role in definition.roles and fits


def arguments(definition: ToolDefinition, stage: Stage) -> dict[str, Any]:
    return {} if definition.environment == "none" else {definition.target: stage}


@pytest.mark.parametrize(("role", "stage"), [*product(ROLES, STAGES)])
async def test_offer_and_denial_follow_the_declarations(
    services: Services, role: Role, stage: Stage
):
    for kind in PAGES:
        every = asks(*((one.name, arguments(one, stage)) for one in ALL))
        model = ScriptedChatModel(steps=[every, AIMessage("done")])
        talk = Conversation(services, model, role=role, thread=f"{role}-{stage}-{kind}")
        ui = {"objectType": kind, "envId": stage, "route": "/x", "contextVersion": 1}
        state = await talk.say("go", ui={key: value for key, value in ui.items() if value})

        names = [schema["function"]["name"] for schema in model.tools[0]]
        assert names == [one.name for one in ALL if offered(one, role, kind)]
        assert "__interrupt__" not in state  # a write whose impact can't be counted gets no card
        answers = [one for one in state["messages"] if isinstance(one, ToolMessage)]
        assert [one.name for one in answers] == [one.name for one in ALL]
        for answer, definition in zip(answers, ALL, strict=True):
            denied = answer.artifact["kind"] == "denied"
            assert denied == (role not in definition.roles), (definition.name, kind)
            ran = answer.artifact["kind"] == "result"
            assert not ran or offered(definition, role, kind), (definition.name, kind)
