"""What the tests of the protocol share: both ends of the line, saying what they are told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TypeVar

from woodstock.protocol.hosted_players import Address
from woodstock.protocol.http import Request, read_reply, read_request, reply, request
from woodstock.protocol.messages import Message, read_message
from woodstock.protocol.our_seat import SeatOptions
from woodstock.protocol.server import PlayerServer, ServerOptions

T = TypeVar("T")

PATIENCE = 600.0
"""Seconds after which something has gone wrong, on however busy a machine."""
QUICK = SeatOptions(player="random", seed=1)
"""A player that answers at once, so that its clocks can be long."""

Behaviour = Callable[["Stranger", Message, asyncio.StreamWriter], Awaitable[None]]


class Stranger:
    """A player somebody else wrote: says what it is told to, and remembers what it heard."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.heard: list[Message] = []
        self.raw: list[bytes] = []
        self._behaviour = behaviour
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Stranger:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *problem: object) -> None:
        assert self._server is not None
        self._server.close()

    @property
    def address(self) -> Address:
        assert self._server is not None
        return Address("127.0.0.1", self._server.sockets[0].getsockname()[1])

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request: Request = await read_request(reader)
        assert request.message is not None
        message = read_message(request.message)
        self.heard.append(message)
        try:
            await self._behaviour(self, message, writer)
        finally:
            writer.close()


def says(answer: Callable[[Message], str | bytes]) -> Behaviour:
    """Answers at once; bytes as they are."""

    async def behave(self: Stranger, message: Message, writer: asyncio.StreamWriter) -> None:
        said = answer(message)
        writer.write(said if isinstance(said, bytes) else reply(said))
        await writer.drain()

    return behave


class Client:
    """A game server that says what it is told to say."""

    def __init__(self, server: PlayerServer) -> None:
        self.server = server

    async def bytes(self, data: bytes, *, close: bool = False) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        writer.write(data)
        if close:
            writer.write_eof()
        found = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        return found

    async def ask(self, message: object) -> str:
        data = await self.bytes(request(str(message), "localhost", "W"))
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await read_reply(reader)

    async def timed(self, message: object) -> tuple[str, float]:
        begun = monotonic()
        return await self.ask(message), monotonic() - begun


async def until(true: Callable[[], object]) -> None:
    """Wait for something that others do."""
    end = monotonic() + PATIENCE
    while not true():
        assert monotonic() < end, "nothing happens"
        await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(**options: object) -> AsyncIterator[Client]:
    settings = ServerOptions(port=0, **options)  # type: ignore[arg-type]
    server = PlayerServer(settings)
    await server.open()
    try:
        yield Client(server)
    finally:
        server.close()


def run(test: Callable[[Client], Awaitable[T]], **options: object) -> T:
    async def inside() -> T:
        async with serving(**options) as client:
            return await test(client)

    return asyncio.run(inside())
