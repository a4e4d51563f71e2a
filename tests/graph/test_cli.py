"""The `pilothouse` command: the offer, and the check of a deployment."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest

from graph.cli import main
from graph.cli_config import check
from graph.cli_table import table
from graph.cli_tools import roles_in_words
from tools.catalog import SUPERSET
from tools.connect import Services
from tools.context import ROLES, UIContext, User
from tools.definition import EDITORS, EVERYONE
from tools.policy import offer
from tools.settings import load_settings, parse_settings

CONFIG = """
[environments.dev]
title = "Development"
stage = "dev"
url = "http://dev.test"
[[environments.dev.credentials]]
roles = ["viewer", "analyst", "editor"]
username = "reader"
password_env = "READER_PASSWORD"
[[environments.dev.credentials]]
roles = ["operator", "admin"]
username = "chief"
password_env = "CHIEF_PASSWORD"

[environments.prod]
title = "Production"
stage = "prod"
url = "http://prod.test"
[[environments.prod.credentials]]
roles = ["admin"]
username = "chief"
password_env = "CHIEF_PASSWORD"
"""


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deployment of two environments, its secrets set."""
    for name in ("READER_PASSWORD", "CHIEF_PASSWORD", "PILOTHOUSE_JWT_SECRET"):
        monkeypatch.setenv(name, f"hidden-{name}" * 2)
    path = Path("config.toml").absolute()
    path.write_text(CONFIG, encoding="utf-8")
    return path


def superset(request: httpx.Request) -> httpx.Response:
    """A Superset with one account per environment that is not let in."""
    path, body = request.url.path, request.content
    if path.endswith("/login"):
        if request.url.host == "prod.test" or b"hidden-" not in body:
            return httpx.Response(401, json={"message": "Not authorized"})
        return httpx.Response(200, json={"access_token": "a.b.c", "refresh_token": "d.e.f"})
    if path.endswith("/csrf_token/"):
        return httpx.Response(200, json={"result": "csrf"})
    if path == "/version":
        return httpx.Response(200, json={"version_string": "6.1.0"})
    if "Authorization" not in request.headers:
        return httpx.Response(401, json={"msg": "Missing Authorization Header"})
    if path.endswith("/me/"):
        return httpx.Response(200, json={"result": {"username": "somebody"}})
    return httpx.Response(200, json={"count": 0, "result": [], "ids": []})


def offered(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Names of the tools that `pilothouse tools --json` lists."""
    assert main(["tools", "--json", *arguments]) == 0
    return [entry["name"] for entry in json.loads(capsys.readouterr().out)]


def test_all_declarations(capsys: pytest.CaptureFixture[str]) -> None:
    assert offered(capsys) == list(SUPERSET.definitions)
    assert main(["tools"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["TOOL", "EFFECT", "RISK", "ROLES", "GROUP", "WHEN"]
    assert [line.split()[0] for line in lines[1:]] == list(SUPERSET.definitions)
    (row,) = [line for line in lines if line.startswith("start_maintenance")]
    assert re.search(r"write +guarded +operator\+ +maintenance", row)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("page", [None, "none", "dashboard", "dataset", "migration"])
@pytest.mark.parametrize("env_id", [None, "dev", "prod"])
def test_the_offer_is_the_graphs(
    role: Any,
    page: str | None,
    env_id: str | None,
    config: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["--config", str(config), "--role", role]
    arguments += ["--page", page] if page else []
    arguments += ["--env", env_id] if env_id else []
    kind = None if page in (None, "none") else page
    context = UIContext.model_validate({"objectType": kind, "envId": env_id})
    expected = offer(
        SUPERSET.definitions.values(),
        User("cli", role),
        None if page is None and env_id is None else context,
        load_settings(config),
        frozenset(),
    )
    assert offered(capsys, *arguments) == [definition.name for definition in expected]


def test_the_offer_depends_on_role_page_and_environment(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask(*arguments: str) -> list[str]:
        return offered(capsys, "--config", str(config), *arguments)

    assert "start_maintenance" in ask("--role", "operator", "--env", "dev")
    assert "start_maintenance" not in ask("--role", "viewer", "--env", "dev")
    assert "start_maintenance" not in ask("--role", "operator", "--env", "prod")  # no account there
    assert "start_maintenance" in ask("--role", "admin", "--env", "prod")
    # A page without an environment is environment-agnostic; no page at all is Studio.
    assert "search_dashboards" not in ask("--role", "admin", "--page", "none")
    assert "search_dashboards" in ask("--role", "admin")


def test_without_environments_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "--role", "admin"]) == 0
    streams = capsys.readouterr()
    assert "show_capabilities" in streams.out
    assert "start_maintenance" not in streams.out
    assert "No environments are configured" in streams.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["tools", "--role", "admin", "--env", "stage"],
            "Unknown environment 'stage'; known: dev, prod",
        ),
        (["tools", "--page", "dashboard"], "need --role"),
    ],
)
def test_a_wrong_question_is_answered_with_words(
    arguments: list[str], words: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--config", str(config)]) == 2
    streams = capsys.readouterr()
    assert words in streams.err
    assert streams.out == ""


@pytest.mark.parametrize("arguments", [[], ["config"], ["tools", "--role", "root"], ["review"]])
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: pilothouse" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["tools"], ["config", "check"]])
def test_wrong_settings_exit_2(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("wrong.toml")
    path.write_text('[environments.dev]\ntitle = "x"\nstage = "test"\npassword = "hunter2"\n')
    assert main([*command, "--config", str(path)]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    for place in ("stage", "url", "password"):
        assert f"[environments.dev] {place}: " in streams.err
    assert "hunter2" not in streams.err
    assert main([*command, "--config", "missing.toml"]) == 2
    assert "there is no such file" in capsys.readouterr().err


async def test_check_logs_in_with_every_account(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("READER_PASSWORD")
    settings = parse_settings(_parsed())
    assert await check(Services(settings, transport=httpx.MockTransport(superset))) == 1
    streams = capsys.readouterr()
    head, *rows = streams.out.splitlines()[:4]
    assert head.split() == ["ENVIRONMENT", "STAGE", "ACCOUNT", "ROLES", "VERSION", "RESULT"]
    assert re.search(
        r"dev +dev +reader +viewer, analyst, editor .*READER_PASSWORD is not set", rows[0]
    )
    assert re.search(
        r"dev +dev +chief +operator, admin +6\.1\.0 +ok, \d\.\d\d s, as somebody$", rows[1]
    )
    assert re.search(r"prod +prod +chief +admin +\S.* ", rows[2])
    assert "ok," not in rows[2]
    assert rows[2].endswith("Not authorized; renew CHIEF_PASSWORD")
    assert "hidden-" not in streams.out + streams.err
    assert streams.out.splitlines()[-1] == "Something is amiss, see above; the server can start."


async def test_check_passes_when_all_get_in(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = _parsed()
    del raw["environments"]["prod"]
    services = Services(parse_settings(raw), transport=httpx.MockTransport(superset))
    assert await check(services) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "All is well."


def test_check_says_what_else_is_amiss(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDIO_ROLE", "root")
    path = Path("amiss.toml")
    path.write_text(
        '[model]\nname = "openai:x"\napi_key_env = "MODEL_KEY"\n[policy.tools.fly]\nroles = []\n'
        '[environments.dev]\ntitle = "D"\nstage = "dev"\nurl = "http://dev.test"\n'
    )
    assert main(["config", "check", "--config", str(path)]) == 2
    out = capsys.readouterr().out
    for words in (
        "[policy.tools.fly] there is no such tool: the server can't start.",
        "[environments.dev] has no credentials",
        "PILOTHOUSE_JWT_SECRET must be set to at least 32 bytes: nobody can sign in.",
        "MODEL_KEY is not set: the server can't start.",
        "STUDIO_ROLE: 'root'",
    ):
        assert words in out
    assert out.splitlines()[-1] == "The server can't work like this, see above."


def test_what_does_not_stop_the_server_is_1(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path("empty.toml")
    path.touch()
    assert main(["config", "check", "--config", str(path)]) == 1
    assert "No environments are configured" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("openai:gpt-4.1", "set OPENAI_API_KEY, or name another variable in [model] api_key_env"),
        ("ollama:llama", "needs a package: pip install"),
        ("nowhere:x", "The model nowhere:x "),
        ("gpt", "is not written as provider:model"),
    ],
)
async def test_check_tells_a_model_that_cannot_be_used(
    model: str,
    words: str,
    config: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("PILOTHOUSE_MODEL", model)
    services = Services(parse_settings(_parsed()), transport=httpx.MockTransport(superset))
    assert await check(services) == 2
    out = capsys.readouterr().out
    (line,) = [line for line in out.splitlines() if line.startswith("- ")]
    assert words in line
    assert line.endswith(": the server can't start.")


async def test_check_takes_a_model_with_package_and_key(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "hidden-model-key")
    monkeypatch.setenv("PILOTHOUSE_MODEL", "openai:gpt-4.1")
    services = Services(parse_settings(_parsed()), transport=httpx.MockTransport(superset))
    assert await check(services) == 1  # only the account of prod is not let in
    out = capsys.readouterr().out
    assert "- " not in [line[:2] for line in out.splitlines()]
    assert "hidden-model-key" not in out


def test_check_of_an_unreachable_installation(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CONFIG.replace("http://dev.test", "http://127.0.0.1:9").split("[environments.prod]")[0]
    config.write_text(text, encoding="utf-8")
    assert main(["config", "check", "--config", str(config)]) == 1
    out = capsys.readouterr().out
    assert out.count("cannot be reached") == 2
    assert "127.0.0.1" not in out


def test_secrets_are_read_from_the_env_file_as_the_server_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDIO_ROLE", "admin")
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", "from the shell")
    Path(".env").write_text("STUDIO_ROLE=root\nPILOTHOUSE_JWT_SECRET=\n")
    assert main(["config", "check"]) == 2
    out = capsys.readouterr().out
    assert "STUDIO_ROLE: 'root'" in out
    assert "PILOTHOUSE_JWT_SECRET must be set" in out


def test_words_for_roles() -> None:
    assert roles_in_words(EVERYONE) == "everyone"
    assert roles_in_words(EDITORS) == "editor+"
    assert roles_in_words(frozenset({"admin"})) == "admin"
    assert roles_in_words(frozenset({"viewer", "admin"})) == "viewer, admin"


def test_tables_are_aligned() -> None:
    assert table(("A", "B"), [("longer", "x"), ("s", "")]) == "A       B\nlonger  x\ns"


def _parsed() -> dict[str, Any]:
    return tomllib.loads(CONFIG)
