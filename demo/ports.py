"""Choosing and taking ports on the loopback address."""

import socket
from collections.abc import Callable, Collection

from demo.errors import DemoError

HOST = "127.0.0.1"
_TRIES = 50


def take(port: int) -> socket.socket:
    """Return a listening socket on `port` (0: any free one), to be handed to a child.

    Taking the port here leaves no moment in which a stranger could answer in our place.
    """
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A port that an earlier server of ours has just left is free, in spite of TIME_WAIT.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((HOST, port))
        taken.listen(256)
    except OSError as error:
        taken.close()
        message = f"Port {port} on {HOST} is taken by another program."
        raise DemoError(message) from error
    return taken


def is_free(port: int) -> bool:
    """Tell whether nothing listens on `port`."""
    try:
        take(port).close()
    except DemoError:
        return False
    return True


def next_free(
    usual: int, avoid: Collection[int] = (), free: Callable[[int], bool] = is_free
) -> int:
    """Return the usual port, or the next one that is free and not in `avoid`."""
    for port in range(usual, usual + _TRIES):
        if port not in avoid and free(port):
            return port
    message = f"No free port between {usual} and {usual + _TRIES - 1} on {HOST}."
    raise DemoError(message)
