"""Superset roles and accounts of the demo."""

from demo.accounts import ROLES, accounts
from demo.rest import Rest
from demo.seeding.dashboards import BOARD, FINANCE, READERS

_ROLES = "/api/v1/security/roles/"
_OWN_STATE = frozenset(
    {
        "DashboardFilterStateRestApi",
        "DashboardPermalinkRestApi",
        "ExploreFormDataRestApi",
        "ExplorePermalinkRestApi",
    }
)
"""What a reader may write: the state of its own browser windows."""
_CHANGING = (
    "can_write",
    "can_add",
    "can_edit",
    "can_delete",
    "can_bulk",
    "can_tag",
    "can_put",
    "can_invalidate",
)
_BEYOND_GAMMA = frozenset(
    {
        ("all_datasource_access", "all_datasource_access"),
        # Without it the schemas and tables of a database cannot be looked at.
        ("all_database_access", "all_database_access"),
        ("can_read", "SQLLab"),
        ("can_format_sql", "SQLLab"),
    }
)
_SUPERSET_ROLES = {
    "viewer": (READERS,),
    "analyst": (READERS, "sql_lab"),
    "editor": (READERS, "sql_lab", "Alpha"),
    "operator": ("Admin",),
    "admin": ("Admin",),
}


def create_people(client: Rest, installation: str) -> tuple[dict[str, int], dict[str, int]]:
    """Create the demo's roles and accounts; return role ids and user ids by name."""
    listed = client.call("GET", _ROLES, query={"page_size": 100})["result"]
    roles = {role["name"]: role["id"] for role in listed}
    for name in (READERS, FINANCE, BOARD):
        roles[name] = client.call("POST", _ROLES, {"name": name})["id"]
    reading = {"permission_view_menu_ids": _reading(client, roles["Gamma"])}
    client.call("POST", f"{_ROLES}{roles[READERS]}/permissions", reading)
    users = {}
    for role, (login, password) in accounts(installation).items():
        users[role] = _user(client, login, password, [roles[n] for n in _SUPERSET_ROLES[role]])
    # An ordinary employee: sees only what the Finance role opens, and by the row rule.
    finance = [roles["Gamma"], roles[FINANCE]]
    users["finance"] = _user(client, "finance", accounts(installation)["viewer"][1], finance)
    return roles, users


def readers(users: dict[str, int]) -> list[int]:
    """Return the accounts that are not Admin: only owners among them see a draft."""
    return [users[role] for role in ROLES if "Admin" not in _SUPERSET_ROLES[role]]


def _reading(client: Rest, gamma: int) -> list[int]:
    # Gamma may create and change dashboards; a reader gets what is left without that.
    rights = client.call("GET", f"{_ROLES}{gamma}/permissions/")["result"]
    kept = [
        right["id"]
        for right in rights
        if right["view_menu_name"] in _OWN_STATE
        or not right["permission_name"].startswith(_CHANGING)
    ]
    wanted = set(_BEYOND_GAMMA)
    page = 0
    while wanted:
        query = {"page": page, "page_size": 100}
        found = client.call("GET", "/api/v1/security/permissions-resources/", query=query)
        if not found["result"]:
            message = f"Superset has no permission {sorted(wanted)}"
            raise LookupError(message)
        for entry in found["result"]:
            pair = (entry["permission"]["name"], entry["view_menu"]["name"])
            if pair in wanted:
                wanted.discard(pair)
                kept.append(entry["id"])
        page += 1
    return kept


def _user(client: Rest, login: str, password: str, roles: list[int]) -> int:
    body = {
        "username": login,
        "first_name": login.removeprefix("pilothouse_").title(),
        "last_name": "Demo",
        "email": f"{login}@example.org",
        "password": password,
        "active": True,
        "roles": roles,
    }
    number: int = client.call("POST", "/api/v1/security/users/", body)["id"]
    return number
