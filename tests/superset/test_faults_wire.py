"""Faults on real sockets: connections that are refused, cut, left half-way or closed when idle."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from tests.superset.superset_stub import PASSWORD, token
from tools.clients.http import Unanswered, Unreachable
from tools.clients.superset import Account, Superset, SupersetConfig

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Cutter:
    """An HTTP server that answers the sign-in and treats the rest as it is told."""

    def __init__(self, treat: Callable[[asyncio.StreamWriter, int], Awaitable[None]]) -> None:
        self.treat = treat
        self.requests = 0
        self.idle: float | None = None

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await self.head(reader):
                if b"/api/v1/security/" in head:
                    answer(writer, {"access_token": token("1"), "result": "csrf"})
                else:
                    self.requests += 1
                    await self.treat(writer, self.requests)
                if writer.is_closing():
                    return
                await writer.drain()
        finally:
            writer.close()

    async def head(self, reader: asyncio.StreamReader) -> bytes:
        """The next request, its body included; nothing when the connection is over."""
        try:
            async with asyncio.timeout(self.idle):
                head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, TimeoutError):
            return b""
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                await reader.readexactly(int(line.split(b":")[1]))
        return head


def answer(writer: asyncio.StreamWriter, body: object, announce: int = 0) -> None:
    content = json.dumps(body).encode()
    length = announce or len(content)
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    writer.write(head.encode() + content)


async def cut(writer: asyncio.StreamWriter, _number: int) -> None:
    writer.close()


async def half(writer: asyncio.StreamWriter, _number: int) -> None:
    answer(writer, {}, announce=1000)
    writer.close()


async def reset(writer: asyncio.StreamWriter, _number: int) -> None:
    writer.transport.abort()


async def fine(writer: asyncio.StreamWriter, _number: int) -> None:
    answer(writer, {"done": True})


async def cut_first(writer: asyncio.StreamWriter, number: int) -> None:
    await (cut if number == 1 else fine)(writer, number)


@asynccontextmanager
async def serving(cutter: Cutter) -> AsyncIterator[Superset]:
    server = await asyncio.start_server(cutter, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    config = SupersetConfig(f"http://127.0.0.1:{port}", retry_pause=0.01)
    superset = Superset(config, Account("robot", PASSWORD))
    try:
        yield superset
    finally:
        await superset.aclose()
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("treat", [cut, half, reset])
async def test_a_connection_that_breaks_after_sending(
    treat: Callable[[asyncio.StreamWriter, int], Awaitable[None]],
) -> None:
    cutter = Cutter(treat)
    async with serving(cutter) as superset:
        with pytest.raises(Unanswered) as caught:
            await superset.request_json("PUT", "/x", body={}, write=True)
        assert not caught.value.nothing_done
        assert cutter.requests == 1, "a write is sent once"
        with pytest.raises(Unanswered):
            await superset.request_json("GET", "/x")
        assert cutter.requests == 3, "a read is sent twice"


async def test_a_read_survives_one_cut() -> None:
    async with serving(Cutter(cut_first)) as superset:
        assert await superset.request_json("GET", "/x") == {"done": True}


@pytest.mark.parametrize("write", [False, True])
async def test_a_server_that_is_gone_was_sent_nothing(write: bool) -> None:
    async with serving(Cutter(fine)) as superset:
        await superset.request_json("PUT", "/x", body={}, write=True)
    config = superset.config
    again = Superset(config, Account("robot", PASSWORD))
    with pytest.raises(Unreachable):
        await again.request_json("GET" if not write else "PUT", "/x", write=write)
    await again.aclose()


async def test_a_connection_closed_while_idle_puts_no_write_in_doubt() -> None:
    cutter = Cutter(fine)
    cutter.idle = 0.1
    async with serving(cutter) as superset:
        for _ in range(3):
            assert await superset.request_json("PUT", "/x", body={}, write=True)
            await asyncio.sleep(0.25)
    assert cutter.requests == 3
