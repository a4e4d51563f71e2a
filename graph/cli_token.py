"""`pilothouse token`: a token of the deployment's own secret, for a first try."""

import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import jwt

from tools.context import Role
from tools.settings import Settings, SettingsError
from tools.tokens import TokenRefusedError, make_verifier

DAYS = range(1, 366)
"""How long such a token may be good: nothing can take it back."""


@dataclass(frozen=True)
class Wish:
    """What a token is to say.

    Attributes:
        role: Role of the user.
        sub: The user's id; None: a made one that tells the role.
        days: How long it is good.
        environments: The only environments the user may touch; None: all.
    """

    role: Role
    sub: str | None
    days: int
    environments: Sequence[str] | None


def issue(settings: Settings, wish: Wish) -> int:
    """Print a token, and beside it for whom and until when; return the exit code.

    Raises:
        SettingsError: the secret is not ours or missing, or the server would refuse the token.
    """
    until = datetime.now(UTC) + timedelta(days=wish.days)
    user_id = wish.sub if wish.sub is not None else f"{wish.role}@trial"
    print(make_token(settings, wish, user_id, until))
    where = "all environments" if wish.environments is None else ", ".join(wish.environments)
    print(
        f"A token for {user_id} with the role {wish.role} in {where}, good until "
        f"{until:%Y-%m-%d %H:%M} UTC. It is for trying: nothing but a new secret takes it back.",
        file=sys.stderr,
    )
    return 0


def make_token(settings: Settings, wish: Wish, user_id: str, until: datetime) -> str:
    """A signed token that this deployment's server accepts.

    Raises:
        SettingsError: it would not be accepted, or there is nothing to sign it with.
    """
    _check(settings, wish)
    claims = {
        "sub": user_id,
        "role": wish.role,
        "iat": int(datetime.now(UTC).timestamp()),
        "exp": int(until.timestamp()),
        "aud": settings.auth.audience,
        "iss": settings.auth.issuer,
        "environments": None if wish.environments is None else list(wish.environments),
    }
    verifier = make_verifier(settings.auth)
    said = {name: value for name, value in claims.items() if value is not None}
    token = jwt.encode(said, os.environ[settings.auth.secret_env], algorithm="HS256")
    try:
        asyncio.run(verifier.verify(token))
    except TokenRefusedError as error:
        raise SettingsError(f"The server would refuse this token: {error}") from None
    return token


def _check(settings: Settings, wish: Wish) -> None:
    if settings.auth.algorithm != "HS256":
        raise SettingsError(
            "[auth] algorithm is RS256: only your identity provider can sign tokens; get one there"
        )
    if wish.days not in DAYS:
        raise SettingsError(f"--days must be {DAYS[0]} to {DAYS[-1]}")
    unknown = sorted(set(wish.environments or ()) - settings.environments.keys())
    if unknown or wish.environments == []:
        known = ", ".join(settings.environments) or "none"
        raise SettingsError(f"Unknown environment {', '.join(unknown)!r}; known: {known}")
