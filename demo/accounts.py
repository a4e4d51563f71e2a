"""Accounts of the demo installations, one for each role of the agent."""

import hashlib

ROLES = ("viewer", "analyst", "editor", "operator", "admin")
"""Roles of the agent, weakest first."""
INSTALLATIONS = ("dev", "prod")
HUMAN = ("admin", "admin")
"""Superset login for the person who looks at the demo; it listens on the loopback only."""


def username(role: str) -> str:
    """Return the Superset login that the agent uses for `role`."""
    return f"pilothouse_{role}"


def password(installation: str, role: str) -> str:
    """Return the demo password, the same on every machine and different for each account."""
    # Not a secret: the tail makes it a text that tests can look for where it must not appear.
    tail = hashlib.sha256(f"pilothouse demo {installation} {role}".encode()).hexdigest()[:10]
    return f"{role}-{installation}-{tail}"


def accounts(installation: str) -> dict[str, tuple[str, str]]:
    """Return (login, password) of each role in `installation`."""
    return {role: (username(role), password(installation, role)) for role in ROLES}
