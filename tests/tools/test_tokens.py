"""Tokens: what proves a user, and everything that does not."""

import asyncio
import base64
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.signing import SECRET, token
from tools.context import User
from tools.settings import Auth, SettingsError
from tools.tokens import TokenRefusedError, Verifier, make_verifier


@pytest.fixture
def hs256(monkeypatch: pytest.MonkeyPatch) -> Verifier:
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET)
    return make_verifier(Auth())


async def status_of(verifier: Verifier, bearer: str) -> int:
    try:
        await verifier.verify(bearer)
    except TokenRefusedError as error:
        return error.status
    return 200


@pytest.mark.parametrize(
    ("claims", "user"),
    [
        ({}, User("olga", "operator", "olga", None)),
        ({"name": "Olga P."}, User("olga", "operator", "Olga P.", None)),
        ({"environments": ["dev"]}, User("olga", "operator", "olga", frozenset({"dev"}))),
        (
            {"environment_roles": {"prod": "viewer"}},
            User("olga", "operator", "olga", roles={"prod": "viewer"}),
        ),
        ({"environments": []}, User("olga", "operator", "olga", frozenset())),
        ({"name": "x" * 1000}, User("olga", "operator", "x" * 256, None)),
        # Claims of others are no concern of ours.
        ({"aud": "somebody", "kind": "StudioUser"}, User("olga", "operator", "olga", None)),
    ],
)
async def test_a_user_is_proven(hs256: Verifier, claims: dict[str, Any], user: User):
    assert await hs256.verify(token(**claims)) == user


class Soon(int):
    """Seconds from the moment the test runs, which is long after its parameters are made."""


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({"exp": Soon(-60)}, 401),
        ({"exp": Soon(-5)}, 200),  # within the clocks' difference
        ({"exp": None}, 401),
        ({"exp": "soon"}, 401),
        ({"nbf": Soon(+60)}, 401),
        ({"sub": ""}, 401),
        ({"sub": "x" * 257}, 401),
        ({"sub": "langgraph-studio-user"}, 401),
        ({"name": ["x"]}, 401),
        ({"environments": "dev"}, 401),
        ({"environments": [1]}, 401),
        ({"environment_roles": ["dev"]}, 401),
        ({"environment_roles": {"dev": "root"}}, 401),
        ({"environment_roles": {"dev": ["admin"]}}, 401),
        ({"environment_roles": {"dev": "admin"}}, 200),
        ({"role": None}, 403),
        ({"role": "Admin"}, 403),
        ({"role": ["admin"]}, 403),
    ],
)
async def test_claims_must_be_sound(hs256: Verifier, claims: dict[str, Any], status: int):
    now = int(time.time())
    given = {name: now + one if isinstance(one, Soon) else one for name, one in claims.items()}
    assert await status_of(hs256, token(**given)) == status


@pytest.mark.parametrize("bearer", ["", "x", "a.b.c", "\ud800", token()[:-2], token() + "x"])
async def test_nonsense_proves_nothing(hs256: Verifier, bearer: str):
    assert await status_of(hs256, bearer) == 401


@pytest.mark.parametrize("claims", [{"role": "root"}, {"exp": 1}, {"sub": ""}])
async def test_a_refusal_does_not_repeat_the_token(hs256: Verifier, claims: dict[str, Any]):
    bearer = token(**claims)

    with pytest.raises(TokenRefusedError) as refused:
        await hs256.verify(bearer)

    assert bearer.rsplit(".", 1)[1] not in str(refused.value)
    assert refused.value.__cause__ is None


async def test_only_the_deployment_s_algorithm_counts(hs256: Verifier):
    claims = {"sub": "eve", "role": "admin", "exp": time.time() + 60}

    none = jwt.encode(claims, None, algorithm="none")
    long = "another secret that is long enough for it" * 2
    for forged in (
        none,
        none.rstrip(".") + "." + token().rsplit(".", 1)[1],
        jwt.encode(claims, SECRET * 2, algorithm="HS512"),
        jwt.encode(claims, long, algorithm="HS256"),
    ):
        assert await status_of(hs256, forged) == 401


async def test_without_sub_nobody_is_proven(hs256: Verifier):
    claims = {"role": "admin", "exp": time.time() + 60}

    assert await status_of(hs256, jwt.encode(claims, SECRET, algorithm="HS256")) == 401


@pytest.mark.parametrize(
    ("settings", "claims", "status"),
    [
        ({"audience": "pilothouse"}, {"aud": "pilothouse"}, 200),
        ({"audience": "pilothouse"}, {"aud": ["x", "pilothouse"]}, 200),
        ({"audience": "pilothouse"}, {"aud": "x"}, 401),
        ({"audience": "pilothouse"}, {}, 401),
        ({"issuer": "https://id"}, {"iss": "https://id"}, 200),
        ({"issuer": "https://id"}, {"iss": "https://evil"}, 401),
        ({"issuer": "https://id"}, {}, 401),
    ],
)
async def test_audience_and_issuer_count_where_they_are_set(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], claims: dict[str, Any], status: int
):
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET)

    assert await status_of(make_verifier(Auth(**settings)), token(**claims)) == status


@pytest.mark.parametrize("secret", [None, "", "x" * 31])
def test_a_weak_secret_is_refused(monkeypatch: pytest.MonkeyPatch, secret: str | None):
    monkeypatch.delenv("PILOTHOUSE_JWT_SECRET", raising=False)
    if secret is not None:
        monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", secret)

    with pytest.raises(SettingsError, match="PILOTHOUSE_JWT_SECRET"):
        make_verifier(Auth())


# RS256 ----------------------------------------------------------------------------------------

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def jwks(*names: str | None) -> dict[str, Any]:
    """A key set that holds the public key under each name."""
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
    named = [{} if name is None else {"kid": name} for name in names]
    return {"keys": [public | {"use": "sig", "alg": "RS256"} | name for name in named]}


def rsa_token(key: Any = KEY, kid: str | None = "k1", **claims: Any) -> str:
    facts = {"sub": "olga", "role": "viewer", "exp": time.time() + 60} | claims
    headers = {} if kid is None else {"kid": kid}
    return jwt.encode(facts, key, algorithm="RS256", headers=headers)


def from_file(folder: Path, content: Any) -> Verifier:
    file = folder / "jwks.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return make_verifier(Auth(algorithm="RS256", jwks_file=str(file)))


@pytest.mark.parametrize(
    ("names", "kid", "key", "status"),
    [
        (["k1"], "k1", KEY, 200),
        (["k0", "k1"], "k1", KEY, 200),
        ([None], None, KEY, 200),
        (["k1"], None, KEY, 200),
        (["k0", "k1"], None, KEY, 401),
        (["k0"], "k1", KEY, 401),
        (["k1"], "k1", OTHER, 401),
    ],
)
async def test_keys_of_a_file(
    tmp_path: Path, names: list[str | None], kid: str | None, key: Any, status: int
):
    verifier = await asyncio.to_thread(from_file, tmp_path, jwks(*names))

    assert await status_of(verifier, rsa_token(key, kid)) == status


async def test_the_public_key_is_no_secret_of_hs256(tmp_path: Path):
    verifier = await asyncio.to_thread(from_file, tmp_path, jwks("k1"))
    pem = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    claims = {"sub": "eve", "role": "admin", "exp": time.time() + 60}
    # The library refuses to sign this, so it is signed by hand.
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"k1"}').rstrip(b"=")
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=")
    signature = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(
        head + b"." + body, pem
    )
    forged = b".".join([head, body, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()

    assert await status_of(verifier, forged) == 401


@pytest.mark.parametrize("content", [[], {}, {"keys": []}, {"keys": [{"kty": "none"}]}])
def test_a_file_without_keys_is_an_error_of_the_settings(tmp_path: Path, content: Any):
    with pytest.raises(SettingsError, match="jwks_file"):
        from_file(tmp_path, content)


def test_a_missing_file_is_an_error_of_the_settings():
    with pytest.raises(SettingsError, match="jwks_file"):
        make_verifier(Auth(algorithm="RS256", jwks_file="nowhere.json"))


@pytest.fixture
def key_server() -> Iterator[str]:
    """An address that serves the key set."""

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(jwks("k1")).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Keys)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/jwks"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_keys_of_a_server(key_server: str):
    verifier = make_verifier(Auth(algorithm="RS256", jwks_url=key_server))

    assert await verifier.verify(rsa_token()) == User("olga", "viewer", "olga")
    assert await status_of(verifier, rsa_token(OTHER)) == 401
    assert await status_of(verifier, rsa_token(kid="other")) == 401


async def test_an_unreachable_key_server_lets_nobody_in():
    verifier = make_verifier(Auth(algorithm="RS256", jwks_url="http://127.0.0.1:9/jwks"))

    assert await status_of(verifier, rsa_token()) == 401
