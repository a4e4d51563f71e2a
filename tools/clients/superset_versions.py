"""What differs between Superset's versions (measured on 4.1.4, 5.0.0, 6.0.0 and 6.1.0)."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

UNKNOWN = "unknown"
"""The version of an installation that does not tell it; all before 6.1 do not."""

Feature = Literal[
    "version",
    "me_with_token",
    "api_keys",
    "dashboard_by_uuid",
    "create_with_uuid",
    "roles_search",
    "native_filters",
]
"""version: GET /version tells it. me_with_token: /me/ accepts access tokens.
api_keys: keys for accounts. dashboard_by_uuid: a dashboard's address may be its uuid.
create_with_uuid: dashboards, charts and datasets may be created with a uuid.
roles_search: roles with their users and rights in one call, and the audit addresses.
native_filters: a dashboard's filters can be written by themselves."""

SINCE: Mapping[Feature, tuple[int, int]] = MappingProxyType(
    {
        "version": (6, 1),
        "me_with_token": (6, 1),
        "api_keys": (6, 1),
        "dashboard_by_uuid": (6, 0),
        "create_with_uuid": (6, 0),
        "roles_search": (6, 0),
        "native_filters": (5, 0),
    }
)


def supports(version: str, feature: Feature) -> bool:
    """Whether a version has a feature; one that does not tell itself counts as the oldest."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return found is not None and (int(found[1]), int(found[2])) >= SINCE[feature]
