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
        settings = self.services.settings
        user = user_of(runtime, self.services, self.local_user)
        named = environments_named(state.get("user_text", ""), settings)
        offered = offer(
            self.catalog.definitions.values(), user, page_of(state), settings, named=named
        )
        names = [definition.name for definition in offered]
        if user is not None:
            await self.services.store(
                lambda records: records.audit.append(
                    "offered",
                    user_id=user.id,
                    thread_id=thread_of(config),
                    detail={"tools": names},
                    now=self.services.clock(),
                )
            )
        return {"offered": names}
