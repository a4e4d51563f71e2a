"""The app of langgraph.json's `http.app`: the door around the server's routes, and the page."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from tools.records import Records
from tools.settings import Settings, load_settings
from web.consent import consenting
from web.door import Door, DoorPolicy, Rejection
from web.page import page_routes


class RejectionAudit:
    """Keeps rejections in the deployment's records, which are opened at the first one."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._records: Records | None = None

    async def __call__(self, rejection: Rejection) -> None:
        """Keep a rejection."""
        await asyncio.to_thread(self._append, rejection)

    def close(self) -> None:
        """Close the records; a later rejection opens them again."""
        with self._lock:
            records, self._records = self._records, None
        if records is not None:
            records.close()

    def _append(self, rejection: Rejection) -> None:
        with self._lock:
            if self._records is None:
                self._records = Records.open(self._url)
            records = self._records
        problems = [
            {"loc": ".".join(str(part)[:64] for part in problem.loc), "type": problem.type}
            for problem in rejection.problems
        ]
        records.audit.append(
            "context_rejected",
            user_id=rejection.user_id,
            thread_id=rejection.thread_id,
            detail={"route": rejection.route, "problems": problems},
            now=datetime.now(UTC),
        )


class App(FastAPI):
    """The server wraps its rules around the routes of this app, and then calls it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await consenting(super().__call__, scope, receive, send)


def make_app(settings: Settings) -> FastAPI:
    """Make the app of a deployment; the server adds its own routes to it."""
    audit = RejectionAudit(settings.records.url)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(audit.close)

    made = App(
        title="Pilothouse", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )
    policy = DoorPolicy(
        environments=settings.environments,
        studio_role=settings.studio_role,
        request_bytes=settings.limits.request_bytes,
        audit=audit,
    )
    made.add_middleware(Door, policy=policy)
    made.router.routes.extend(page_routes())
    return made


app = make_app(load_settings())
