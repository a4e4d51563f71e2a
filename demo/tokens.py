"""Tokens for the agent's server, one for each role of the demo."""

import time

import jwt

AUDIENCE = "pilothouse"
_DAYS = 30


def make_token(secret: str, role: str, now: float | None = None) -> str:
    """Return a token of the demo's user with `role`, good for 30 days."""
    issued = int(time.time() if now is None else now)
    claims = {
        "sub": f"{role}@demo",
        "name": f"Demo {role}",
        "role": role,
        "aud": AUDIENCE,
        "iat": issued,
        "exp": issued + _DAYS * 24 * 3600,
    }
    return jwt.encode(claims, secret, algorithm="HS256")
