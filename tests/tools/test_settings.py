"""pilothouse.toml is strict: what is wrong is named with its section, and no secret is shown."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tools.settings import Settings, SettingsError, load_settings, parse_settings

FULL = """
language = "ru"

[auth]
algorithm = "HS256"
secret_env = "TOKEN_KEY"
leeway = 0
studio_role = "viewer"

[model]
name = "openai:gpt-4.1"
base_url = "http://127.0.0.1:8000/v1"
api_key_env = "MODEL_KEY"
timeout = 60

[records]
url = "postgresql+psycopg://db/pilothouse"

[limits]
tool_timeout = 20
card_minutes = 5

[policy]
confirm_reads = true
affinity = "strict"
[policy.tools.start_maintenance]
roles = ["admin"]
[policy.stages.prod.run_backup]
risk = "dangerous"
stages = ["prod"]

[environments.ss-dev]
title = "Development"
stage = "dev"
url = "http://127.0.0.1:8088"
[[environments.ss-dev.credentials]]
roles = ["viewer", "analyst"]
username = "reader"
password_env = "READER_PASSWORD"
[[environments.ss-dev.credentials]]
roles = ["admin"]
api_key_env = "ADMIN_KEY"

[repositories]
main = "https://git.example.org/dashboards.git"
"""

MINIMAL: dict[str, Any] = {
    "title": "Development",
    "stage": "dev",
    "url": "http://127.0.0.1:8088",
    "credentials": [{"roles": ["viewer"], "username": "reader", "password_env": "READER_PASSWORD"}],
}


def parse(text: str) -> Settings:
    return parse_settings(tomllib.loads(text))


def environment(**changes: Any) -> dict[str, Any]:
    return {"environments": {"dev": {**MINIMAL, **changes}}}


def wrong(raw: dict[str, Any]) -> str:
    with pytest.raises(SettingsError) as caught:
        parse_settings(raw)
    return str(caught.value)


def test_everything_that_can_be_said() -> None:
    settings = parse(FULL)
    environment = settings.environments["ss-dev"]
    assert (settings.language, settings.auth.leeway, settings.auth.studio_role) == (
        "ru",
        0,
        "viewer",
    )
    assert settings.model.timeout == 60.0
    assert settings.limits.tool_timeout == 20.0
    assert settings.policy.tools["start_maintenance"].roles == ["admin"]
    assert settings.policy.stages["prod"]["run_backup"].stages == ["prod"]
    assert [entry.roles for entry in environment.credentials] == [["viewer", "analyst"], ["admin"]]
    assert settings.repositories == {"main": "https://git.example.org/dashboards.git"}


def test_nothing_said_is_safe() -> None:
    settings = parse("")
    assert settings.environments == {}
    assert settings.model_name is None
    assert settings.studio_role is None
    assert settings.auth.algorithm == "HS256"
    assert settings.policy.affinity == "default"
    assert settings.records.url.startswith("sqlite:///")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("colour = 1", "colour"),
        ("[auth]\nsecret = 1", "[auth] secret"),
        ("[limits]\nmodel_cals = 3", "[limits] model_cals"),
        ("[policy.tools.x]\nrole = []", "[policy.tools.x] role"),
        (FULL + "\n[environments.ss-dev.tls]\nverify = true", "[environments.ss-dev] tls"),
        (
            FULL.replace('username = "reader"', 'username = "reader"\nrolez = []'),
            "[environments.ss-dev.credentials #1] rolez",
        ),
    ],
)
def test_an_unknown_key_is_named_with_its_section(text: str, place: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse(text)
    assert f"  {place}: " in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ({"language": "de"}, "language"),
        ({"auth": {"leeway": "10"}}, "[auth] leeway"),
        ({"limits": {"model_calls": 0}}, "[limits] model_calls"),
        ({"limits": {"card_minutes": True}}, "[limits] card_minutes"),
        ({"model": {"name": "gpt"}}, "[model] name"),
        ({"policy": {"affinity": "loose"}}, "[policy] affinity"),
        ({"policy": {"stages": {"test": {}}}}, "[policy.stages.test] [key]"),
        (environment(stage="production"), "[environments.dev] stage"),
        (environment(url="ftp://host"), "[environments.dev] url"),
        (environment(url="http://user:word@host"), "[environments.dev] url"),
        (environment(url="http://host/?next=1"), "[environments.dev] url"),
        (environment(timeout=0), "[environments.dev] timeout"),
        (environment(verify_tls="yes"), "[environments.dev] verify_tls"),
        (environment(credentials=[{"roles": ["root"]}]), "[environments.dev.credentials #1.roles]"),
        ({"environments": {"Bad Id": MINIMAL}}, "[environments.Bad Id] [key]"),
    ],
)
def test_a_wrong_value_is_named_with_its_section(raw: dict[str, Any], place: str) -> None:
    assert f"  {place}" in wrong(raw)


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        ({"langauge": "en"}, "langauge: unknown key; did you mean `language`?"),
        ({"zzz": 1, "auth": {}}, "zzz: unknown key; known here: language, timezone, auth, "),
        (
            {"auth": {"secret_envs": "A"}},
            "[auth] secret_envs: unknown key; did you mean `secret_env`?",
        ),
        (environment(titel="x"), "[environments.dev] titel: unknown key; did you mean `title`?"),
        (
            environment(credentials=[{"roles": ["viewer"], "api_key_env": "K", "rolez": []}]),
            "[environments.dev.credentials #1] rolez: unknown key; did you mean `roles`?",
        ),
        (
            {"policy": {"stages": {"prod": {"fly": {"role": []}}}}},
            "[policy.stages.prod.fly] role: unknown key; did you mean `roles`?",
        ),
        ({"language": "de"}, "language: must be 'ru' or 'en'"),
        ({"timezone": 3}, "timezone: must be a text, in quotation marks"),
        ({"timezone": "Nowhere"}, "timezone: no time zone of this name"),
        ({"auth": 3}, "auth: must be a section of its own"),
        (
            {"auth": {"leeway": "10"}},
            "[auth] leeway: must be a whole number, without quotation marks",
        ),
        ({"auth": {"leeway": 999}}, "[auth] leeway: must be at most 300"),
        ({"limits": {"model_calls": 0}}, "[limits] model_calls: must be at least 1"),
        ({"limits": {"tool_timeout": 0}}, "[limits] tool_timeout: must be more than 0"),
        ({"model": {"name": "gpt"}}, "[model] name: must be written as provider:model, such as"),
        (
            {"environments": {"dev": {"title": "D", "stage": "dev"}}},
            "[environments.dev] url: is required",
        ),
        ({"environments": {"Bad Id": MINIMAL}}, "[environments.Bad Id] [key]: an id is lower case"),
        (environment(title=""), "[environments.dev] title: must not be empty"),
        (
            environment(title="x" * 101),
            "[environments.dev] title: must have at most 100 characters",
        ),
        (environment(url="bi.example.org"), "[environments.dev] url: must be an address such as"),
        (
            environment(credentials=[{"roles": [], "api_key_env": "K"}]),
            "[environments.dev.credentials #1] roles: must not be empty",
        ),
    ],
)
def test_a_mistake_is_told_in_plain_words(raw: dict[str, Any], line: str) -> None:
    text = wrong(raw)
    assert f"\n  {line}" in text
    assert "Input should" not in text
    assert "Value error" not in text


def test_every_mistake_is_named_at_once() -> None:
    text = wrong({"language": "de", "auth": {"x": 1}, "limits": {"model_calls": 0}})
    assert text.count("\n") == 3


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"roles": ["viewer"]}, "exactly one of"),
        ({"roles": ["viewer"], "username": "u"}, "exactly one of"),
        ({"roles": ["viewer"], "password_env": "P"}, "belong together"),
        ({"roles": ["viewer"], "username": "u", "api_key_env": "K"}, "belong together"),
        ({"roles": ["viewer"], "api_key_env": "K", "session_cookie_env": "C"}, "exactly one of"),
        ({"roles": [], "api_key_env": "K"}, "roles"),
        ({"roles": ["viewer"], "api_key_env": "not a name"}, "api_key_env"),
        ({"roles": ["viewer"], "api_key_env": "K", "provider": "ldap"}, "provider is of no use"),
        (
            {"roles": ["viewer"], "api_key_env": "K", "session_cookie_name": "s"},
            "session_cookie_name is of no use",
        ),
        (
            {"roles": ["viewer"], "session_cookie_env": "C", "session_cookie_name": "a b"},
            "must be the name of a cookie",
        ),
    ],
)
def test_credentials_log_in_one_way(entry: dict[str, Any], words: str) -> None:
    assert words in wrong(environment(credentials=[entry]))


def test_a_role_is_served_once() -> None:
    entry = {"roles": ["viewer", "admin"], "api_key_env": "K"}
    text = wrong(environment(credentials=[*MINIMAL["credentials"], entry]))
    assert "roles served by two credentials: viewer" in text


@pytest.mark.parametrize("keys", [{}, {"jwks_file": "a.json", "jwks_url": "https://b"}])
def test_rs256_needs_one_source_of_keys(keys: dict[str, str]) -> None:
    assert "exactly one of jwks_file and jwks_url" in wrong(
        {"auth": {"algorithm": "RS256", **keys}}
    )
    assert parse_settings({"auth": {"algorithm": "RS256", "jwks_file": "a.json"}}).auth.jwks_file


def test_a_password_in_the_file_is_refused_and_not_shown() -> None:
    text = wrong(environment(credentials=[{**MINIMAL["credentials"][0], "password": "hunter2"}]))
    assert "password" in text
    assert "hunter2" not in text


def test_the_account_of_a_role(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = parse(FULL).environments["ss-dev"]
    analyst = settings.credentials_for("analyst")
    assert analyst is not None
    assert analyst.variable == "READER_PASSWORD"
    assert settings.credentials_for("editor") is None
    with pytest.raises(SettingsError, match="READER_PASSWORD is not set"):
        analyst.secret()
    monkeypatch.setenv("READER_PASSWORD", "word")
    assert analyst.secret() == "word"


def test_settings_are_frozen() -> None:
    settings = parse(FULL)
    with pytest.raises(ValueError, match="frozen"):
        settings.language = "en"  # type: ignore[misc]  # the fault that is to be refused


def test_variables_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PILOTHOUSE_MODEL", "anthropic:claude")
    monkeypatch.setenv("STUDIO_ROLE", "admin")
    settings = parse(FULL)
    assert settings.model_name == "anthropic:claude"
    assert settings.studio_role == "admin"
    monkeypatch.setenv("STUDIO_ROLE", "root")
    with pytest.raises(SettingsError, match="STUDIO_ROLE: 'root'"):
        _ = parse(FULL).studio_role


def test_secrets_are_those_that_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse(FULL).secrets() == []
    for name in ("READER_PASSWORD", "ADMIN_KEY", "TOKEN_KEY", "MODEL_KEY"):
        monkeypatch.setenv(name, f"secret of {name}")
    assert len(parse(FULL).secrets()) == 4
    # What a provider's client finds by itself, and what an address holds.
    monkeypatch.setenv("OPENAI_API_KEY", "sk-by-itself")
    url = "postgresql://robot:p%40ss@db.example.org/records"
    settings = Settings.model_validate({"records": {"url": url}})
    assert settings.secrets() == ["sk-by-itself", "p%40ss", "p@ss"]


def test_which_file_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PILOTHOUSE_CONFIG")
    assert load_settings().language == "en"  # a missing file in the working folder is no mistake
    Path("pilothouse.toml").write_text('language = "ru"', encoding="utf-8")
    assert load_settings().language == "ru"
    other = tmp_path / "other.toml"
    monkeypatch.setenv("PILOTHOUSE_CONFIG", str(other))
    with pytest.raises(SettingsError, match="there is no such file"):
        load_settings()
    other.write_text('[auth]\nstudio_role = "admin"', encoding="utf-8")
    assert load_settings().studio_role == "admin"
    assert load_settings(Path("pilothouse.toml")).language == "ru"


@pytest.mark.parametrize("content", [b"a = ", b"\xff\xfe", b"a = 1\na = 2"])
def test_a_broken_file_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"broken\.toml: "):
        load_settings(path)
    with pytest.raises(SettingsError):
        load_settings(tmp_path)  # a folder
