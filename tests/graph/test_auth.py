"""The hooks without a server: what each stamps, filters and refuses."""

import asyncio
import logging
import time
from typing import Any

import pytest
from langgraph_sdk import Auth

from graph.auth import Rules, load_rules, register
from tests.signing import SECRET, token
from tools import settings
from tools.tokens import make_verifier

Refusal = Auth.exceptions.HTTPException
OLGA = {"identity": "olga", "role": "operator", "environments": None}
ADMIN = {"identity": "anna", "role": "admin", "environments": None}
CASES: list[tuple[str, str]] = [
    *[("threads", action) for action in ("create", "read", "update", "delete", "search")],
    ("threads", "create_run"),
    *[("assistants", action) for action in ("create", "read", "update", "delete", "search")],
    *[("crons", action) for action in ("create", "read", "update", "delete", "search")],
    *[("store", action) for action in ("put", "get", "search", "delete", "list_namespaces")],
    ("something", "new"),
]


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Rules:
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET)
    return Rules(make_verifier(settings.Auth()), None, {"dev": 1})


async def ask(rules: Rules, user: Any, resource: str, action: str, value: Any) -> Any:
    """Call a hook as the server finds it."""
    entry = register(rules)
    chain = [(resource, action), (resource, "*"), ("*", action), ("*", "*")]
    handlers = [entry._handlers[key][-1] for key in chain if key in entry._handlers]
    handler = (handlers or [entry._global_handlers[-1]])[0]
    ctx = Auth.types.AuthContext(user=user, permissions=[], resource=resource, action=action)  # type: ignore[arg-type]
    return await handler(ctx=ctx, value=value)


@pytest.mark.parametrize(("resource", "action"), CASES)
@pytest.mark.parametrize(
    "user",
    [
        None,
        {"identity": "x", "role": "root"},
        {"identity": "", "role": "admin"},
        {"identity": "langgraph-studio-user", "kind": "StudioUser", "role": "admin"},
    ],
)
async def test_every_hook_refuses_who_has_no_role(
    rules: Rules, user: Any, resource: str, action: str
):
    with pytest.raises(Refusal) as refused:
        await ask(rules, user, resource, action, {"namespace": ("a",)})

    assert refused.value.status_code == 403


@pytest.mark.parametrize("action", ["create", "read", "update", "delete", "search", "create_run"])
@pytest.mark.parametrize("metadata", [None, {}, {"owner": "eve", "topic": "x"}])
async def test_threads_are_stamped_in_place_and_filtered(
    rules: Rules, action: str, metadata: dict[str, Any] | None
):
    value = {"metadata": metadata} if metadata is not None else {}

    assert await ask(rules, OLGA, "threads", action, value) == {"owner": "olga"}
    assert value["metadata"]["owner"] == "olga"
    if metadata is not None:
        assert value["metadata"] is metadata


async def test_what_has_no_rule_is_refused(rules: Rules):
    assert await ask(rules, ADMIN, "something", "new", {}) is False


@pytest.mark.parametrize(
    ("kwargs", "complaint"),
    [
        (
            {
                "context": {"role": "admin"},
                "config": {"configurable": {"__context_provided__": True}},
            },
            "context.role",
        ),
        ({"config": {"configurable": {"ui": {"x": 1}}}}, "config.configurable.ui.x"),
        ({"config": {"configurable": {"language": "de"}}}, "config.configurable.language"),
    ],
)
async def test_a_run_with_a_bad_context_is_refused(
    rules: Rules, kwargs: dict[str, Any], complaint: str
):
    with pytest.raises(Refusal, match=complaint) as refused:
        await ask(rules, OLGA, "threads", "create_run", {"metadata": {}, "kwargs": kwargs})

    assert refused.value.status_code == 422


@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"config": None, "context": None},
        # Without a context the server puts its own keys there.
        {"context": {"thread_id": "t"}, "config": {"configurable": {"thread_id": "t"}}},
        {"context": {"language": "ru"}, "config": {"configurable": {"__context_provided__": True}}},
    ],
)
async def test_a_run_with_a_sound_context_passes(rules: Rules, kwargs: dict[str, Any]):
    value = {"metadata": {}, "kwargs": kwargs}

    assert await ask(rules, OLGA, "threads", "create_run", value) == {"owner": "olga"}


async def test_a_server_that_hands_over_the_request_is_understood(rules: Rules):
    with pytest.raises(Refusal, match=r"context\.role"):
        await ask(rules, OLGA, "threads", "create_run", {"context": {"role": "admin"}})


@pytest.mark.parametrize("action", ["create", "update"])
async def test_assistants_are_an_admin_s_and_hold_sound_contexts(rules: Rules, action: str):
    with pytest.raises(Refusal, match="role admin"):
        await ask(rules, OLGA, "assistants", action, {})
    with pytest.raises(Refusal, match=r"context\.role"):
        await ask(rules, ADMIN, "assistants", action, {"context": {"role": "x"}})
    assert await ask(rules, ADMIN, "assistants", action, {}) == {"owner": "anna"}
    assert await ask(rules, OLGA, "assistants", "read", {}) is None


@pytest.mark.parametrize(
    ("user", "namespace", "expected"),
    [
        ("olga", ("a", "b"), ("users", "olga", "a", "b")),
        ("olga", None, ("users", "olga")),
        ("olga", (), ("users", "olga")),
        ("olga", ("users", "olga", "a"), ("users", "olga", "a")),
        ("olga", ("users", "eve", "a"), ("users", "olga", "users", "eve", "a")),
        ("o.p@x.org", ("a",), ("users", "o%2Ep%40x%2Eorg", "a")),
        ("o%2Ep", ("a",), ("users", "o%252Ep", "a")),
        ("../eve", ("a",), ("users", "%2E%2E%2Feve", "a")),
    ],
)
async def test_namespaces_start_with_their_owner(
    rules: Rules, user: str, namespace: Any, expected: tuple[str, ...]
):
    value = {"namespace": namespace}

    assert await ask(rules, OLGA | {"identity": user}, "store", "put", value) is None
    assert value["namespace"] == expected


@pytest.mark.parametrize(
    "headers",
    [
        {b"authorization": f"Bearer {token()}".encode()},
        {"Authorization": f"Bearer {token()}"},
        {b"x-api-key": token().encode()},
        {"X-Api-Key": token()},
    ],
)
async def test_headers_of_both_kinds_of_server(rules: Rules, headers: Any):
    facts = await rules.authenticate(headers)

    # The token's end, with the clocks' difference that is allowed.
    assert 3600 <= facts.pop("until") - time.time() + 60 < 3800
    assert facts == {
        "identity": "olga",
        "display_name": "olga",
        "is_authenticated": True,
        "role": "operator",
        "environments": None,
        "environment_roles": {},
    }


@pytest.mark.parametrize("variable", ["PILOTHOUSE_JWT_SECRET", "STUDIO_ROLE", "PILOTHOUSE_CONFIG"])
async def test_broken_settings_let_nobody_in(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, variable: str
):
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET)
    monkeypatch.setenv(variable, "broken")

    with caplog.at_level(logging.ERROR):
        rules = await asyncio.to_thread(load_rules)

    assert "nobody can sign in" in caplog.text
    with pytest.raises(Refusal) as refused:
        await rules.authenticate({"x-api-key": token()})
    assert refused.value.status_code == 401
    assert rules.studio_role is None


def test_sound_settings_are_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PILOTHOUSE_JWT_SECRET", SECRET)
    monkeypatch.setenv("STUDIO_ROLE", "viewer")

    assert load_rules().studio_role == "viewer"
