"""Who sends a request to a route of our own: the server asks only before routes of its own."""

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tools.context import User
from tools.settings import Auth, SettingsError
from tools.tokens import TokenRefusedError, Verifier, make_verifier, token_of


def verifier_of(auth: Auth) -> Verifier | None:
    """The verifier of a deployment; None: nobody can sign in, as the server's log says already."""
    try:
        return make_verifier(auth)
    except SettingsError:
        return None


class SignIn:
    """Middleware of a route: the request goes on with its proven `user`, or is refused.

    Only a token counts: Studio's own header, which the server takes, is nothing here.
    """

    def __init__(self, app: ASGIApp, verifier: Verifier | None) -> None:
        self.app = app
        self.verifier = verifier

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Prove the sender of a request."""
        try:
            scope["user"] = await self._proven(scope)
        except TokenRefusedError as error:
            answer = JSONResponse({"detail": str(error)}, error.status)
            await answer(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _proven(self, scope: Scope) -> User:
        token = token_of(dict(scope["headers"]))
        if token is None or self.verifier is None:
            raise TokenRefusedError("Sign in: send a token as Authorization: Bearer")
        return await self.verifier.verify(token)
