"""No secret, address or query in any text, whatever a server says back."""

import logging
import traceback
from typing import Any, get_args

import httpx
import pytest

from tests.superset.superset_stub import (
    FINAL,
    PASSWORD,
    TRANSIENT,
    URL,
    Handler,
    Reply,
    Stub,
    body,
    connected,
)
from tools.clients import http
from tools.clients.http import ErrorCode, SupersetError
from tools.clients.superset import Account, ApiKey, SessionCookie
from tools.clients.superset_errors import MAX_DETAIL
from tools.messages import text

CANARIES = ("canary", "superset.invalid", "secret-query")


def reflecting(status: int, shape: str) -> Handler:
    """A server that says back everything it was sent."""

    def reply(request: httpx.Request) -> Reply:
        told = (
            f"{request.url} {request.headers!r} {request.headers.get('Authorization')} {PASSWORD}"
        )
        words = {
            "errors": {"errors": [{"message": told, "error_type": told}]},
            "message": {"message": told},
            "fields": {"message": {told: [told]}},
            "error": {"error": told},
            "msg": {"msg": told},
        }[shape]
        return body(status, words)

    return reply


FAULTS: list[Reply | Handler] = [
    *TRANSIENT,
    *FINAL,
    *[
        reflecting(status, shape)
        for status in (400, 401, 403, 404, 409, 422, 500)
        for shape in ("errors", "message", "fields", "error", "msg")
    ],
    httpx.ConnectError(f"{URL} {PASSWORD}"),
    httpx.ReadTimeout(f"{URL} {PASSWORD}"),
    httpx.Response(302, headers={"Location": f"{URL}/x?canary=1"}),
    httpx.Response(200, text=f"<html>{PASSWORD}"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=[str(number) for number in range(len(FAULTS))])
@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_no_secret_is_ever_shown(
    fault: Reply | Handler, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected(Stub([fault] * 4)) as superset:
        with pytest.raises(SupersetError) as caught:
            await superset.request_json(
                method, "/api/v1/x", query={"q": {"a": "secret-query"}}, write=method == "PUT"
            )
    error = caught.value
    shown = [
        str(error),
        repr(error),
        repr(vars(error)),
        "".join(traceback.format_exception(error)),
        caplog.text,
    ]
    for part in walk(error):
        shown += [str(part), repr(part), repr(vars(part))]
    for canary in CANARIES:
        assert not [words for words in shown if canary in words]
    assert len(str(error)) < MAX_DETAIL + 200


def walk(error: BaseException | None) -> list[BaseException]:
    """An error and everything that hangs on it."""
    found: list[BaseException] = []
    while error is not None:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


@pytest.mark.parametrize(
    "login", [Account("robot", PASSWORD), ApiKey("canary-key"), SessionCookie("canary-session")]
)
def test_logins_do_not_show_their_secret(login: Any) -> None:
    assert "canary" not in repr(login)


def errors() -> list[type[SupersetError]]:
    classes: list[type[SupersetError]] = [SupersetError]
    for known in classes:
        classes += known.__subclasses__()
    return classes


def test_each_error_has_its_own_code_and_words_in_both_languages() -> None:
    codes = [kind.code for kind in errors()]
    assert sorted(codes) == sorted(get_args(ErrorCode))
    for code in codes:
        assert text("ru", f"superset-{code}") != text("en", f"superset-{code}")
    assert all(kind.summary and kind.__name__ in (http.__doc__ or "") for kind in errors())
