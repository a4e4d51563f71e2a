"""Print the server's routes as JSON: methods, path, and whether door and sign-in stand before it.

Run in a process of its own, because the server reads its configuration at import.
"""

import json
from collections.abc import Iterator
from typing import Any

from langgraph_api.server import app

DOOR = "Door"
SIGN_IN = {"ConditionalAuthenticationMiddleware", "SignIn"}
"""The server's own, and that of our routes."""


def routes_of(
    routes: list[Any], prefix: str = "", around: frozenset[str] = frozenset()
) -> Iterator[list[Any]]:
    for route in routes:
        behind = around | set(layers(route))
        if hasattr(route, "routes"):
            yield from routes_of(route.routes, prefix + route.path, behind)
        else:
            methods = sorted(getattr(route, "methods", None) or ["WEBSOCKET"])
            yield [methods, prefix + route.path, DOOR in behind, bool(SIGN_IN & behind)]


def layers(route: Any) -> list[str]:
    app, names = getattr(route, "app", None), []
    while app is not None:
        names.append(type(app).__name__)
        app = getattr(app, "app", None)
    return names


print("ROUTES", json.dumps([*routes_of(app.routes)]))  # noqa: T201 - the answer
