"""Which tools a model may see: by role, page and environment."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from tools.context import ROLES, ObjectType, UIContext, User
from tools.definition import ToolDefinition
from tools.policy.decision import decide
from tools.settings import Settings

CAPABILITIES = "show_capabilities"
"""Name of the tool that every known user is offered on every page."""

STRICT_AFFINITY: Mapping[ObjectType, frozenset[str]] = MappingProxyType(
    {
        "dashboard": frozenset(
            {
                "search_dashboards",
                "get_health_summary",
                "deploy_dashboard",
                "run_llm_validation",
                "run_llm_documentation",
                "execute_migration",
                "create_branch",
                "commit_changes",
                CAPABILITIES,
            }
        ),
        "dataset": frozenset(
            {
                "superset_explore_database",
                "superset_format_sql",
                "superset_audit_permissions",
                "superset_execute_sql",
                "superset_create_dataset",
                "search_dashboards",
                "get_task_status",
                "list_environments",
                CAPABILITIES,
            }
        ),
    }
)
"""Tools of a page under `affinity = "strict"`; other pages keep the declarations' sets."""


def offer(
    definitions: Iterable[ToolDefinition],
    user: User | None,
    page: UIContext | None,
    settings: Settings,
    named: frozenset[str] = frozenset(),
    *,
    shortened: bool = False,
) -> list[ToolDefinition]:
    """Choose the tools that a model may see, in the order of their declaration.

    A tool is left out where the user could not call it: not in the page's environment nor in one
    that the words name, and without a page in none at all. The kind of object of the page is a
    hard filter.

    Args:
        definitions: All tools of the agent.
        user: The authenticated user; None is offered nothing.
        page: Where the user comes from; None (Studio, SDK): the full offer of the role.
        settings: The deployment.
        named: Ids of environments that the user's own words name.
        shortened: Whether a result of the conversation was shortened.
    """
    if user is None or user.role not in ROLES:
        return []
    return [
        definition
        for definition in definitions
        if definition.name == CAPABILITIES
        or (
            (definition.when == "always" or shortened)
            and _fits(definition, page, settings)
            and any(
                decide(definition, user, env_id, settings)["verdict"] != "deny"
                for env_id in _places(definition, page, settings, named)
            )
        )
    ]


def _fits(definition: ToolDefinition, page: UIContext | None, settings: Settings) -> bool:
    """Whether a tool belongs to the kind of object that the page is about."""
    if page is None or page.object_type is None or definition.when == "shortened":
        return True
    if settings.policy.affinity == "strict" and page.object_type in STRICT_AFFINITY:
        return definition.name in STRICT_AFFINITY[page.object_type]
    return page.object_type in definition.affinity


def _places(
    definition: ToolDefinition, page: UIContext | None, settings: Settings, named: frozenset[str]
) -> list[str | None]:
    """Environments in which a call could act: any of them is enough for an offer."""
    if definition.environment == "none":
        return [None]
    if page is not None and page.env_id is not None:
        return [page.env_id, *named]
    known = named if page is not None else settings.environments
    return [*known] if definition.environment == "required" else [None, *known]
