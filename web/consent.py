"""A browser's question whether a page of the internet may reach a private address.

Chromium puts it into the preflight when LangGraph Studio, a public page, calls a server on loopback
or in a private network. The server's CORS rules refuse the whole preflight for it and have no
setting for it, so the question is taken out before them and answered after them: where they let
the page in at all.
"""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ASKED = b"access-control-request-private-network"
ANSWER = "access-control-allow-private-network"


async def consenting(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Run an app that has CORS rules, and consent for the origins that they allow."""
    kept = [(name, value) for name, value in scope.get("headers", ()) if name != ASKED]
    if scope.get("method") != "OPTIONS" or len(kept) == len(scope["headers"]):
        await app(scope, receive, send)
        return

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if "access-control-allow-origin" in headers:
                headers[ANSWER] = "true"
        await send(message)

    await app({**scope, "headers": kept}, receive, answer)
