"""What can go wrong with an HTTP service, as one tree of exceptions.

    SupersetError
    ├── Unreachable       no connection: nothing was sent
    ├── Unanswered        sent, and no answer came
    ├── TooLarge          the answer is longer than we read
    ├── ServerFault       an answer 5xx
    │   └── BadAnswer     an answer that is no Superset answer at all
    └── Refused           an answer that proves that nothing was done
        ├── NotFound, Forbidden, Invalid, Busy, Redirected, Changed
        ├── SessionExpired, CsrfRefused
        └── LoginFailed
            └── KeyRefused, CookieRefused

`str(error)` is English for a person and holds no URL, header, query or secret; `code` is for
programs and for translations (messages `superset-<code>`).
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import ClassVar, Literal

ErrorCode = Literal[
    "error",
    "unreachable",
    "unanswered",
    "too_large",
    "server_fault",
    "bad_answer",
    "refused",
    "not_found",
    "forbidden",
    "invalid",
    "busy",
    "redirected",
    "changed",
    "login_failed",
    "key_refused",
    "cookie_refused",
    "session_expired",
    "csrf_refused",
]
"""One word for each class below; each class says what it means."""

# At DEBUG httpcore writes the headers of answers, cookies included; at INFO httpx writes addresses.
logging.getLogger("httpcore").setLevel(logging.INFO)
logging.getLogger("httpx").setLevel(logging.WARNING)


class SupersetError(Exception):
    """A request to Superset failed.

    Attributes:
        code: The kind of error.
        nothing_done: Whether it is proven that the request changed nothing. Where it is False
            and the request was a write, its outcome is unknown.
        detail: Superset's own words, shortened and cleared of secrets; may be empty.
        status: The answer's status code, None without an answer.
    """

    code: ClassVar[ErrorCode] = "error"
    summary: ClassVar[str] = "The request to Superset failed"
    nothing_done: ClassVar[bool] = False

    def __init__(self, detail: str = "", *, status: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.status = status

    def __str__(self) -> str:
        return f"{self.summary}: {self.detail}" if self.detail else self.summary


class Unreachable(SupersetError):  # noqa: N818 - says what happened
    """No connection was made, or signing in was not answered: the request was never sent."""

    code: ClassVar[ErrorCode] = "unreachable"
    summary = "Superset cannot be reached; nothing was sent"
    nothing_done = True


class Unanswered(SupersetError):  # noqa: N818 - says what happened
    """The request was sent and no answer came: a write may or may not have happened.

    Attributes:
        timed_out: The time was up; otherwise the connection broke.
    """

    code: ClassVar[ErrorCode] = "unanswered"
    summary = "Superset did not answer"

    def __init__(self, detail: str = "", *, timed_out: bool = False) -> None:
        super().__init__(detail)
        self.timed_out = timed_out


class TooLarge(SupersetError):  # noqa: N818 - says what happened
    """The answer is longer than the bound; the rest was not read."""

    code: ClassVar[ErrorCode] = "too_large"
    summary = "Superset's answer is too large"


class ServerFault(SupersetError):  # noqa: N818 - says what happened
    """Superset failed inside (5xx). Mistakes in SQL come as this too, with their words.

    Attributes:
        transient: A second try may succeed: the answer did not come from Superset's own code.
        error_type: Superset's name of the error, such as GENERIC_DB_ENGINE_ERROR; may be empty.
    """

    code: ClassVar[ErrorCode] = "server_fault"
    summary = "Superset failed"

    def __init__(
        self,
        detail: str = "",
        *,
        status: int | None = None,
        transient: bool = False,
        error_type: str = "",
    ) -> None:
        super().__init__(detail, status=status)
        self.transient = transient
        self.error_type = error_type


class BadAnswer(ServerFault):
    """A success by its status whose body is no answer of Superset: a page, or broken JSON."""

    code: ClassVar[ErrorCode] = "bad_answer"
    summary = "The address answers, but not as Superset does"


class Refused(SupersetError):  # noqa: N818 - says what happened
    """Superset refused the request: it is proven that nothing was done."""

    code: ClassVar[ErrorCode] = "refused"
    summary = "Superset refused the request"
    nothing_done = True


class NotFound(Refused):
    """There is no such object, or the account may not see it."""

    code: ClassVar[ErrorCode] = "not_found"
    summary = "Superset has no such object, or the account may not see it"


class Forbidden(Refused):
    """The account may not do this: it is no owner, or its role lacks the right."""

    code: ClassVar[ErrorCode] = "forbidden"
    summary = "The Superset account has no right to do this"


class Invalid(Refused):
    """Superset does not accept the values (400, 422).

    Attributes:
        fields: What is wrong with each field; empty where Superset names none.
    """

    code: ClassVar[ErrorCode] = "invalid"
    summary = "Superset does not accept the values"

    def __init__(
        self,
        detail: str = "",
        *,
        status: int | None = None,
        fields: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        super().__init__(detail, status=status)
        self.fields = fields


class Busy(Refused):
    """Too many requests (429).

    Attributes:
        retry_after: Seconds that Superset asks to wait, None if it does not say.
    """

    code: ClassVar[ErrorCode] = "busy"
    summary = "Superset is busy: too many requests"

    def __init__(self, detail: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(detail, status=429)
        self.retry_after = retry_after


class Redirected(Refused):
    """The answer leads elsewhere (3xx); redirects are never followed."""

    code: ClassVar[ErrorCode] = "redirected"
    summary = "The address answers with a redirect: it is not Superset's own address"


class Changed(Refused):
    """The object was changed by somebody since it was read."""

    code: ClassVar[ErrorCode] = "changed"
    summary = "The object was changed in Superset since it was read"


class LoginFailed(Refused):
    """The account's password, key or token is not accepted, also after a new login."""

    code: ClassVar[ErrorCode] = "login_failed"
    summary = "Superset does not accept the account"


class KeyRefused(LoginFailed):
    """The deployment's API key is revoked or past its end, or the installation takes no keys."""

    code: ClassVar[ErrorCode] = "key_refused"
    summary = "Superset does not accept the API key"


class CookieRefused(LoginFailed):
    """The session of the deployment's cookie is over; an administrator has to renew it."""

    code: ClassVar[ErrorCode] = "cookie_refused"
    summary = "Superset does not accept the session cookie: its session is over"


class SessionExpired(Refused):
    """The user's own session is over; only the user can renew it."""

    code: ClassVar[ErrorCode] = "session_expired"
    summary = "The session expired; reload the page"


class CsrfRefused(Refused):
    """The CSRF token is not accepted, also after a new one was fetched."""

    code: ClassVar[ErrorCode] = "csrf_refused"
    summary = "Superset does not accept the CSRF token"


@contextmanager
def before_write(what: str) -> Iterator[None]:
    """Errors inside prove that nothing was done, whatever they are: the write comes after.

    Args:
        what: The preparation, for the error's text.

    Raises:
        Unreachable: in the place of every error that leaves an outcome open.
    """
    try:
        yield
    except SupersetError as error:
        if error.nothing_done:
            raise
        failure = Unreachable(f"{what} failed ({error})")
    else:
        return
    raise failure
