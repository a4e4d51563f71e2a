"""`pilothouse token`: what it signs is what the server accepts, and for whom it is said."""

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path

import jwt
import pytest

from graph.cli import main
from tools.context import ROLES, User
from tools.settings import load_settings
from tools.tokens import TokenRefusedError, make_verifier

SECRET = "of this test alone, and long enough"
CONFIG = """
[auth]
audience = "pilothouse"
issuer = "here"
[environments.dev]
title = "Development"
stage = "dev"
url = "http://dev.test"
[environments.prod]
title = "Production"
stage = "prod"
url = "http://prod.test"
"""


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deployment with two environments and a secret."""
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET)
    path = Path("config.toml")
    path.write_text(CONFIG, encoding="utf-8")
    return path


def proven(config: Path, token: str) -> User:
    """The user whom the server's verifier sees in a token."""
    return asyncio.run(make_verifier(load_settings(config).auth).verify(token))


@pytest.mark.parametrize("role", ROLES)
def test_the_server_accepts_it(role: str, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["token", "--role", role, "--config", str(config)]) == 0
    streams = capsys.readouterr()
    (token,) = streams.out.splitlines()
    user = proven(config, token)
    assert (user.id, user.role, user.environments) == (f"{role}@trial", role, None)
    assert f"A token for {role}@trial with the role {role} in all environments" in streams.err
    assert SECRET not in streams.out + streams.err


def test_it_says_what_it_was_told(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--role",
        "operator",
        "--sub",
        "anna",
        "--days",
        "2",
        "--environments",
        "dev, prod",
    ]
    assert main(["token", *arguments, "--config", str(config)]) == 0
    streams = capsys.readouterr()
    token = streams.out.strip()
    user = proven(config, token)
    assert (user.id, user.environments) == ("anna", frozenset({"dev", "prod"}))
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] == 2 * 24 * 3600
    assert (claims["aud"], claims["iss"]) == ("pilothouse", "here")
    until = datetime.fromtimestamp(claims["exp"], UTC)
    assert re.search(
        rf"anna with the role operator in dev, prod, good until {until:%Y-%m-%d %H:%M} UTC",
        streams.err,
    )


def test_another_secret_makes_another_token(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["token", "--role", "admin", "--config", str(config)]) == 0
    token = capsys.readouterr().out.strip()
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET[::-1])
    with pytest.raises(TokenRefusedError):
        proven(config, token)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--days", "0"], "--days must be 1 to 365"),
        (["--days", "366"], "--days must be 1 to 365"),
        (["--environments", "dev,stage"], "Unknown environment 'stage'; known: dev, prod"),
        (["--environments", ","], "known: dev, prod"),
        (["--sub", ""], "The claim sub must be a text"),
        (["--sub", "langgraph-studio-user"], "The claim sub is a reserved name"),
    ],
)
def test_what_the_server_would_refuse_is_not_printed(
    arguments: list[str], words: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["token", "--role", "viewer", *arguments, "--config", str(config)]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert words in streams.err


def test_without_a_secret_of_ours_nothing_is_signed(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", "short")
    assert main(["token", "--role", "viewer", "--config", str(config)]) == 2
    assert "PILOTHOUSE_JWT_SECRET must be set to at least 32 bytes" in capsys.readouterr().err
    config.write_text('[auth]\nalgorithm = "RS256"\njwks_file = "keys.json"\n')
    assert main(["token", "--role", "viewer", "--config", str(config)]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "only your identity provider can sign" in streams.err


def test_a_role_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["token"])
    assert "--role" in capsys.readouterr().err
