"""The catalogues: which tools each agent has."""

from dataclasses import dataclass
from types import MappingProxyType

from langchain_core.tools import BaseTool

from tools.definition import ToolDefinition, Toolset
from tools.toolsets.capabilities import CAPABILITIES
from tools.toolsets.dashboards import DASHBOARDS
from tools.toolsets.explore import EXPLORE
from tools.toolsets.health import HEALTH
from tools.toolsets.installation import INSTALLATION
from tools.toolsets.maintenance import MAINTENANCE
from tools.toolsets.operations import OPERATIONS
from tools.toolsets.results import RESULTS
from tools.toolsets.sql import SQL


@dataclass(frozen=True)
class Catalog:
    """Tool definitions by name, in the order they are declared."""

    definitions: MappingProxyType[str, ToolDefinition]

    @classmethod
    def of(cls, *toolsets: Toolset) -> "Catalog":
        """Join toolsets.

        Raises:
            ValueError: two tools have one name.
        """
        definitions: dict[str, ToolDefinition] = {}
        for toolset in toolsets:
            for definition in toolset:
                if definition.name in definitions:
                    raise ValueError(f"Tool {definition.name!r} is declared twice")
                definitions[definition.name] = definition
        return cls(MappingProxyType(definitions))

    def get(self, name: str) -> ToolDefinition | None:
        """The declaration of a tool, or None."""
        return self.definitions.get(name)

    def named(self, names: list[str]) -> tuple[ToolDefinition, ...]:
        """The declarations of these names; unknown names are left out."""
        return tuple(self.definitions[name] for name in names if name in self.definitions)

    def tools(self, names: list[str]) -> list[BaseTool]:
        """The tools of these names, as a model is offered them."""
        return [definition.tool for definition in self.named(names)]


SUPERSET = Catalog.of(
    CAPABILITIES, INSTALLATION, HEALTH, DASHBOARDS, EXPLORE, SQL, MAINTENANCE, OPERATIONS, RESULTS
)
