"""What the server of the controls serves: the product's graph, and the same without guards."""

from typing import Any

import langgraph_api.webhook
from langgraph_sdk import Auth
from starlette.applications import Starlette

from graph.auth import load_rules
from graph.superset import INSTRUCTIONS, settings
from graph.superset import graph as product
from tests.server.doors_open import open_graph
from tests.server.peers.explicit import explicit_graph
from tests.server.peers.middleware import middleware_graph
from tools.connect import Services
from tools.models import load_model

__all__ = ["app", "auth", "explicit", "middleware", "product", "unasked", "unledgered"]

services = Services(settings)
model = load_model(settings)
unledgered = open_graph(instructions=INSTRUCTIONS, model=model, services=services)
unasked = open_graph(asks=False, instructions=INSTRUCTIONS, model=model, services=services)
explicit = explicit_graph()
middleware = middleware_graph()

auth = Auth()
"""Tokens are read, and nothing is refused: no owner, no rule for any route."""
auth.authenticate(load_rules().authenticate)


@auth.on
async def anything(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Refuse nothing, whoever asks. Without any rule the runs would not be told their user."""


# `langgraph dev` has no setting that lets a webhook go to this machine.
langgraph_api.webhook.WEBHOOKS_CONFIG = {"url": {"disable_loopback": False}}

app = Starlette()
"""No door before the server's routes."""
