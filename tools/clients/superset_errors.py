"""What an answer of Superset means: nothing wrong, or one error of the tree.

Superset words its errors in five shapes (`Complaint.read` knows them all), answers mistakes in
SQL with 500, and a write without a good CSRF token with a redirect to its login page.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tools.clients.http import (
    BadAnswer,
    Busy,
    CsrfRefused,
    Forbidden,
    Invalid,
    LoginFailed,
    NotFound,
    Redirected,
    Refused,
    ServerFault,
    SupersetError,
)
from tools.clients.wire import Answer

MAX_DETAIL = 500
"""Characters of Superset's own words that are passed on."""

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://[^\s\"'<>)]+", re.IGNORECASE)
_CREDENTIAL = re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]+", re.IGNORECASE)
_CSRF = re.compile(r"csrf|referrer", re.IGNORECASE)
_STATUS_ERRORS: Mapping[int, type[Refused]] = {401: LoginFailed, 403: Forbidden, 404: NotFound}
_GATEWAY = frozenset({502, 503, 504})


@dataclass(frozen=True)
class Complaint:
    """Superset's words for an error.

    Attributes:
        text: The message; empty where there is none.
        fields: Messages by field of the request.
        error_type: Superset's name of the error.
        token: Whether the words come from the layer that checks access tokens.
        known: Whether the body has one of Superset's shapes.
    """

    text: str = ""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    error_type: str = ""
    token: bool = False
    known: bool = True

    @classmethod
    def read(cls, body: Any) -> "Complaint":
        """Find the words in the body of an answer."""
        match body:
            case {"errors": [{"message": message, **rest}, *_]}:
                return cls(str(message), error_type=str(rest.get("error_type") or ""))
            case {"message": Mapping() as fields}:
                listed = {str(name): _messages(value) for name, value in fields.items()}
                return cls("; ".join(f"{k}: {', '.join(v)}" for k, v in listed.items()), listed)
            case {"message": message} | {"error": message}:
                return cls(message if isinstance(message, str) else "; ".join(_messages(message)))
            case {"msg": str(message)}:
                return cls(message, token=True)
        return cls(known=False)


def _messages(value: Any) -> tuple[str, ...]:
    """The words of a field, however deep Superset nests them."""
    if isinstance(value, Mapping):
        return tuple(word for item in value.values() for word in _messages(item))
    if isinstance(value, list | tuple):
        return tuple(word for item in value for word in _messages(item))
    return (str(value),)


def clean(text: str, secrets: Iterable[str]) -> str:
    """Words fit to show: no secret, address or control character, at most MAX_DETAIL long."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[secret]")
    text = _CREDENTIAL.sub("[secret]", _ADDRESS.sub("[address]", text))
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return text if len(text) <= MAX_DETAIL else text[: MAX_DETAIL - 1] + "…"


async def error_of(answer: Answer, secrets: Iterable[str] = ()) -> SupersetError | None:
    """The error that an answer means, None for a success.

    Args:
        answer: What came.
        secrets: Texts that may not appear in the error.
    """
    if 200 <= answer.status < 300:
        return None
    if 300 <= answer.status < 400:
        return _redirected(answer)
    complaint = Complaint(known=False)
    with suppress(ValueError):
        complaint = Complaint.read(await answer.json())
    known = tuple(secrets)
    detail = clean(complaint.text, known)
    if answer.status >= 500:
        return ServerFault(
            detail,
            status=answer.status,
            transient=answer.status in _GATEWAY or not complaint.known,
            error_type=clean(complaint.error_type, known),
        )
    return _refusal(answer, complaint, detail, known)


def _refusal(
    answer: Answer, complaint: Complaint, detail: str, secrets: tuple[str, ...]
) -> SupersetError:
    """The error of a 4xx answer."""
    if answer.status == 429:
        return Busy(retry_after=_seconds(answer.headers.get("Retry-After")))
    if answer.status == 422 and complaint.token:
        return LoginFailed(detail, status=422)
    if answer.status == 400 and _CSRF.search(complaint.text):
        return CsrfRefused(detail, status=400)
    if answer.status in (400, 422):
        fields = {
            clean(name, secrets): tuple(clean(word, secrets) for word in words)
            for name, words in complaint.fields.items()
        }
        return Invalid(detail, status=answer.status, fields=fields)
    kind = _STATUS_ERRORS.get(answer.status, Refused)
    # "Not found" and "Forbidden" say less than the error's own sentence.
    return kind("" if kind in (NotFound, Forbidden) else detail, status=answer.status)


def _redirected(answer: Answer) -> SupersetError:
    """A way to the login page means that the credentials or the CSRF token were not accepted."""
    path = urlsplit(answer.headers.get("Location", "")).path
    if path.rstrip("/").endswith("/login"):
        return CsrfRefused(status=answer.status)
    return Redirected(status=answer.status)


def _seconds(value: str | None) -> float | None:
    """Retry-After in seconds; a date is as good as none."""
    return float(value) if value and value.strip().isdecimal() else None


def of_read(error: SupersetError) -> SupersetError:
    """A read needs no CSRF token: sent to the login page, it was not signed in."""
    is_login = isinstance(error, CsrfRefused) and error.status != 400
    return LoginFailed(status=error.status) if is_login else error


async def json_of(answer: Answer) -> Any:
    """The JSON of a success.

    Raises:
        BadAnswer: it is none, as when a proxy's login page comes with 200.
    """
    try:
        return await answer.json()
    except ValueError:
        pass
    raise BadAnswer("its answer is no JSON", status=answer.status)
