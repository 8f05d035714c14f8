"""Feed the player's server broken requests; it must answer each, and stay as it was.

    python fuzz/fuzz_protocol.py --runs 1000000 --seed 1 --jobs 2
    python fuzz/fuzz_protocol.py fuzz/crashes/1f0c...       # an input again

Requests of every kind (POST, GET, chunks, wrong lengths, all messages in both dialects, rules) are
mutated and come in cut into pieces. Whatever it is, the server says something that is HTTP, and
afterwards it still answers INFO. The matches that START begins are played by a stub, so that no
process is started.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
from typing import Any

from campaign import Campaign, main
from mutation import Mutator

from woodstock import games
from woodstock.protocol.http import request
from woodstock.protocol.messages import Abort, Play, Start, Stop, read_message, read_move
from woodstock.protocol.server import PlayerServer, ServerOptions


class Stub:
    """A match that nobody plays."""

    def __init__(self, start: Start, begun: float) -> None:
        self.start = start
        self.last_heard = begun

    async def prepare(self) -> None:
        """Ready at once."""

    async def answer(self, message: Play, arrived: float) -> str:
        """Always the same move."""
        assert read_message(str(message)) == message, "a message is not read as it was written"
        return "noop"

    def end(self, message: Stop | Abort) -> None:
        """Nothing to end."""

    def close(self) -> None:
        """Nothing to close."""


class Server(PlayerServer):
    """The real one, but for the workers."""

    def _sit_down(self, message: Start, begun: float, *, again: bool = False) -> Any:
        stub: Any = Stub(message, begun)
        self._seats[message.match] = stub
        return stub


class Requests(Mutator):
    """What game servers send, with mistakes."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self._pool = [*_requests()]

    def input(self, number: int) -> bytes:
        """A request with some mistakes."""
        rng = self._random
        data = rng.choice(self._pool)
        for _ in range(rng.randint(0, 6)):
            data = self._mutate(data, self._pool)
        return data


def _requests() -> list[bytes]:
    rules = games.rules_text("tic-tac-toe")
    messages = [
        "( INFO )",
        "(ping)",
        "( PLAY m NIL )",
        "( PLAY m (( mark 2 1 ) noop ) )",
        "(PLAY m 3 (mark 1 1) ((did x noop) seen))",
        "( STOP m (noop ( mark 1 3 ) ) )",
        "(STOP m 4 noop NIL)",
        "( ABORT m )",
        f"(PREVIEW ({rules[:400]}) 5)",
        f"( START m x ({rules}) 5 3)",
        "(START m x ((role x) (init a)) 1.5 0.5)",
    ]
    found = [request(message, "localhost", "W") for message in messages]
    body = b"( PLAY m NIL )"
    found += [
        b"GET /%28+INFO+%29 HTTP/1.0\r\n\r\n",
        b"GET /(PLAY%20m%20NIL) HTTP/1.1\r\nHost: x\r\n\r\n",
        b"OPTIONS / HTTP/1.1\r\nOrigin: x\r\n\r\n",
        b"POST / HTTP/1.0\r\n\r\n" + body,
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"7\r\n( PLAY \r\n7\r\nm NIL )\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n" + body,
    ]
    return found


class Sink:
    """Takes what the server writes on its way."""

    def write(self, data: bytes) -> None:
        """Into nothing."""


class Alarm(logging.Handler):
    """What the server takes for a mistake of its own is a failure here."""

    def emit(self, record: logging.LogRecord) -> None:
        """Raise it."""
        if record.levelno >= logging.ERROR:
            raise AssertionError(record.getMessage())


_loop = asyncio.new_event_loop()


def serve(data: bytes, number: int) -> None:
    """One connection to the server; `number` decides how its bytes are cut."""
    log, alarm = logging.getLogger("woodstock.protocol"), Alarm()
    log.addHandler(alarm)
    try:
        _loop.run_until_complete(_serve(data, random.Random(number)))
    finally:
        log.removeHandler(alarm)


async def _serve(data: bytes, rng: random.Random) -> None:
    server = Server(ServerOptions())
    await server.answer("(START m x ((role x)) 5 3)")
    reader = asyncio.StreamReader(limit=1 << 17)
    cut = rng.randint(0, len(data))
    reader.feed_data(data[:cut])
    reader.feed_data(data[cut:])
    reader.feed_eof()
    sink: Any = Sink()
    answer = await server._reply(reader, sink)
    assert answer.startswith(b"HTTP/1.0 "), "the answer is no HTTP"
    assert b"\r\n\r\n" in answer, "the answer has no end of its header"
    assert "name" in await server.answer("(INFO)"), "the server is not what it was"
    for piece in (data, data[cut:]):
        read_answer(piece.decode("latin-1"))


def read_answer(text: str) -> None:
    """What a manager does with an answer."""
    try:
        read_move(text)
    except ValueError:
        return


PLAN = Campaign(__doc__ or "", serve, Requests)

if __name__ == "__main__":
    sys.exit(main(PLAN))
