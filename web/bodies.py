"""Bodies of requests: read within bounds, and given on to the server once more."""

from typing import Any

from starlette.types import Message, Receive, Scope


class Refused(Exception):  # noqa: N818 - an answer, not an error
    """A request is answered by the door, with a status and a `detail`."""

    def __init__(self, status: int, detail: Any) -> None:
        super().__init__(status)
        self.status, self.detail = status, detail


class ClientGone(Exception):  # noqa: N818 - nothing is wrong, but nobody waits for an answer
    """The client went away before its body was whole: nothing may be made of the rest."""


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """Read a body as far as it may go, whether its length is announced or not.

    Args:
        scope: The request.
        receive: Gives the body's pieces.
        limit: Bytes that a body may have.

    Raises:
        Refused: 413 above the limit, 415 for a compressed body, which the server can't read.
        ClientGone: the body stopped.
    """
    headers = dict(scope["headers"])
    if headers.get(b"content-encoding", b"").strip().lower() not in (b"", b"identity"):
        raise Refused(415, "Send the body without compression")
    too_long = Refused(413, f"The body is longer than {limit} bytes")
    announced = headers.get(b"content-length", b"")
    if announced.isdigit() and int(announced) > limit:
        raise too_long
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGone
        body += message.get("body", b"")
        if len(body) > limit:
            raise too_long
        if not message.get("more_body", False):
            return bytes(body)


def replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the whole body first, and then what comes after it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
