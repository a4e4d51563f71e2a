"""Signed tokens (JWT): who a request comes from, proven by the deployment's key."""

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import jwt

from tools.context import ROLES, User, are_roles
from tools.settings import Auth, SettingsError

SECRET_BYTES = 32
"""HS256 is as strong as its secret: shorter ones are refused (RFC 7518, section 3.2)."""

NAME_CHARACTERS = 256
JWKS_SECONDS = 5.0
"""How long a key server may take."""

STUDIO_ID = "langgraph-studio-user"
"""The id that the server gives to LangGraph Studio's user: no token may take it."""

Key = str | jwt.PyJWK


class TokenRefusedError(Exception):
    """A token that lets nobody in; the text is for the client and holds nothing of the token.

    Attributes:
        status: 401 where nobody is proven, 403 where somebody without a place here is.
    """

    def __init__(self, text: str, status: Literal[401, 403] = 401) -> None:
        super().__init__(text)
        self.status: Literal[401, 403] = status


@dataclass(frozen=True)
class Verifier:
    """Checks tokens against the settings and one source of keys."""

    auth: Auth
    key_for: Callable[[str], Key]
    """Finds the key for a token; may block on the network."""

    async def verify(self, token: str) -> User:
        """Say who a token proves.

        Raises:
            TokenRefusedError: signature, time, claims or role are not as they must be.
        """
        try:
            if self.auth.jwks_url is None:
                claims = self._claims(token, self.key_for(token))
            else:
                claims = self._claims(token, await asyncio.to_thread(self.key_for, token))
        except jwt.ExpiredSignatureError:
            raise TokenRefusedError("The token has expired: sign in again") from None
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise TokenRefusedError("The token is not valid here") from None
        return _user(claims, self.auth.leeway)

    def _claims(self, token: str, key: Key) -> dict[str, Any]:
        """The verified claims; the algorithm is the deployment's, whatever the token says."""
        return jwt.decode(
            token,
            key,
            algorithms=[self.auth.algorithm],
            audience=self.auth.audience,
            issuer=self.auth.issuer,
            leeway=self.auth.leeway,
            options={"require": ["exp", "sub"], "verify_aud": self.auth.audience is not None},
        )


def token_of(headers: Mapping[Any, Any]) -> str | None:
    """The token of a request; Authorization wins over x-api-key, which other clients send."""
    sent = {_text(name).lower(): _text(value).strip() for name, value in headers.items()}
    if "authorization" in sent:
        scheme, _, token = sent["authorization"].partition(" ")
        return token.strip() or None if scheme.lower() == "bearer" else None
    return sent.get("x-api-key") or None


def _text(value: Any) -> str:
    # langgraph-api gives bytes, other servers of this interface give strings.
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def make_verifier(auth: Auth) -> Verifier:
    """Make the verifier of a deployment; reads the secret or the key file.

    Raises:
        SettingsError: the secret is missing or short, or the key file is none.
    """
    if auth.algorithm == "HS256":
        secret = os.environ.get(auth.secret_env, "")
        if len(secret.encode()) < SECRET_BYTES:
            raise SettingsError(f"{auth.secret_env} must be set to at least {SECRET_BYTES} bytes")
        return Verifier(auth, lambda _: secret)
    if auth.jwks_file is not None:
        keys = _read_keys(Path(auth.jwks_file))
        return Verifier(auth, lambda token: _choose(keys, token))
    client = jwt.PyJWKClient(str(auth.jwks_url), timeout=JWKS_SECONDS)
    return Verifier(auth, client.get_signing_key_from_jwt)


def _read_keys(path: Path) -> jwt.PyJWKSet:
    try:
        return jwt.PyJWKSet.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, AttributeError, jwt.PyJWTError) as error:
        raise SettingsError(f"[auth] jwks_file: {path} is no JWK set: {error}") from None


def _choose(keys: jwt.PyJWKSet, token: str) -> jwt.PyJWK:
    """The key that the token names; a token without a name gets the only key."""
    name = jwt.get_unverified_header(token).get("kid")
    if name is None and len(keys.keys) == 1:
        return keys.keys[0]
    for key in keys.keys:
        if name is not None and key.key_id == name:
            return key
    raise jwt.InvalidKeyError("no such key")


def _user(claims: dict[str, Any], leeway: float) -> User:
    """The user of verified claims.

    Raises:
        TokenRefusedError: the claims are malformed (401) or give no role of ours (403).
    """
    user_id, name, environments = claims["sub"], claims.get("name"), claims.get("environments")
    if not isinstance(user_id, str) or not 0 < len(user_id) <= NAME_CHARACTERS:
        raise TokenRefusedError("The claim sub must be a text of 1 to 256 characters")
    if user_id == STUDIO_ID:
        raise TokenRefusedError("The claim sub is a reserved name")
    if name is not None and not isinstance(name, str):
        raise TokenRefusedError("The claim name must be a text")
    if environments is not None and not _is_texts(environments):
        raise TokenRefusedError("The claim environments must be a list of environment ids")
    role, roles = claims.get("role"), claims.get("environment_roles")
    if role not in ROLES:
        raise TokenRefusedError(
            f"Access denied: the token's role is none of {', '.join(ROLES)}", 403
        )
    if roles is not None and not are_roles(roles):
        raise TokenRefusedError(
            f"The claim environment_roles must give environment ids one of {', '.join(ROLES)}"
        )
    allowed = None if environments is None else frozenset(environments)
    until = float(claims["exp"]) + leeway
    name = (name or user_id)[:NAME_CHARACTERS]
    return User(user_id, role, name, allowed, dict(roles or {}), until)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
