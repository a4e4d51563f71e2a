"""Tokens as a deployment's identity provider would sign them."""

import time
from typing import Any

import jwt

SECRET = "a secret of the tests, long enough for HS256"


def token(user: str = "olga", role: str | None = "operator", **claims: Any) -> str:
    """A valid token; a claim of None is left out."""
    facts = {"sub": user, "role": role, "exp": int(time.time()) + 3600} | claims
    given = {name: value for name, value in facts.items() if value is not None}
    return jwt.encode(given, SECRET, algorithm="HS256")
