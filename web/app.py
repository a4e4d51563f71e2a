"""The app of langgraph.json's `http.app`: the door around the server's routes, and the page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from tools.catalog import SUPERSET
from tools.connect import Services
from tools.settings import Settings, load_settings
from web.approvals import approval_routes
from web.consent import consenting
from web.door import Door, DoorPolicy, Rejection
from web.page import page_routes
from web.resolving import Withdrawal


@dataclass(frozen=True)
class RejectionAudit:
    """Keeps rejections in the deployment's records, which are opened at the first one."""

    services: Services

    async def __call__(self, rejection: Rejection) -> None:
        """Keep a rejection."""
        problems = [
            {"loc": ".".join(str(part)[:64] for part in problem.loc), "type": problem.type}
            for problem in rejection.problems
        ]
        await self.services.store(
            lambda records: records.audit.append(
                "context_rejected",
                user_id=rejection.user_id,
                thread_id=rejection.thread_id,
                detail={"route": rejection.route, "problems": problems},
                now=self.services.clock(),
            )
        )


class App(FastAPI):
    """The server wraps its rules around the routes of this app, and then calls it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await consenting(super().__call__, scope, receive, send)


def make_app(settings: Settings) -> FastAPI:
    """Make the app of a deployment; the server adds its own routes to it."""
    services = Services(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await services.aclose()

    made = App(
        title="Pilothouse", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )
    policy = DoorPolicy(
        environments=settings.environments,
        studio_role=settings.studio_role,
        request_bytes=settings.limits.request_bytes,
        audit=RejectionAudit(services),
        resolve=Withdrawal(services),
        language=settings.language,
    )
    made.add_middleware(Door, policy=policy)
    made.router.routes.extend([*approval_routes(services, SUPERSET.definitions), *page_routes()])
    return made


app = make_app(load_settings())
