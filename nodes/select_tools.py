"""Choose the tools the model may see."""

from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from nodes.runs import page_of, thread_of, user_of
from nodes.state import State
from tools.catalog import Catalog
from tools.connect import Services
from tools.context import Context, User
from tools.policy import offer
from tools.records import Records
from tools.resolve import environments_named


@dataclass(frozen=True)
class SelectTools:
    """Offer the tools that fit the user, the page and the installation."""

    catalog: Catalog
    services: Services
    local_user: User | None = None

    async def __call__(
        self, state: State, runtime: Runtime[Context], config: RunnableConfig
    ) -> State:
        """Name the offered tools."""
        user = user_of(runtime, self.services, self.local_user)
        if user is None:
            return {"offered": []}
        thread_id, page = thread_of(config), page_of(state)
        named = environments_named(state.get("user_text", ""), self.services.settings)

        def choose(records: Records) -> list[str]:
            with records.together():
                offered = offer(
                    self.catalog.definitions.values(),
                    user,
                    page,
                    self.services.settings,
                    named,
                    # The records know it; the state could be written by a client.
                    shortened=bool(thread_id) and records.results.any(thread_id, user.id),
                )
                names = [definition.name for definition in offered]
                records.audit.append(
                    "offered",
                    user_id=user.id,
                    thread_id=thread_id,
                    detail={"tools": names},
                    now=self.services.clock(),
                )
            return names

        return {"offered": await self.services.store(choose)}
