"""The ways to be somebody for Superset, and what it means when one is refused."""

import base64
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from tools.clients.http import (
    CookieRefused,
    KeyRefused,
    LoginFailed,
    SessionExpired,
    SupersetError,
)

Owner = Literal["user", "deployment"]
"""Whose browser session a cookie is: the asking user's own, or one kept for a deployment."""


@dataclass(frozen=True)
class Account:
    """A Superset account with a password."""

    username: str
    password: str = field(repr=False)
    provider: str = "db"


@dataclass(frozen=True)
class ApiKey:
    """A key of Superset 6.1 that stands for an account."""

    key: str = field(repr=False)


@dataclass(frozen=True)
class SessionCookie:
    """A browser session, made by somebody's login."""

    value: str = field(repr=False)
    name: str = "session"
    owner: Owner = "user"


Login = Account | ApiKey | SessionCookie


def secret_of(login: Login) -> str:
    """What nobody may read of a login."""
    match login:
        case Account(password=secret) | ApiKey(key=secret) | SessionCookie(value=secret):
            return secret


def refused(login: Login, error: SupersetError) -> SupersetError:
    """The error for the caller: a refused login says who can renew it."""
    if not isinstance(error, LoginFailed):
        return error
    match login:
        case ApiKey():
            return KeyRefused(status=error.status)
        case SessionCookie(owner="deployment"):
            return CookieRefused(status=error.status)
        case SessionCookie():
            return SessionExpired(status=error.status)
    return error


def made_at(cookie: str) -> datetime | None:
    """When Superset signed a session cookie; None where the cookie does not tell.

    A cookie of Flask is `data.time.signature`; one of a session kept on the server is only a name.
    """
    parts = cookie.rsplit(".", 2)
    if len(parts) < 3 or len(parts[1]) != 6:  # four bytes
        return None
    try:
        seconds = int.from_bytes(base64.b64decode(f"{parts[1]}==", altchars=b"-_", validate=True))
    except ValueError:
        return None
    return datetime.fromtimestamp(seconds, UTC)
