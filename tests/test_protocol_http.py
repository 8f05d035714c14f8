"""HTTP as game servers and players speak it."""

from __future__ import annotations

import asyncio
import itertools
import selectors
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from woodstock.protocol.http import (
    HttpError,
    HttpLimits,
    Request,
    read_reply,
    read_request,
    reply,
    request,
)

T = TypeVar("T")
QUICK = HttpLimits(head_bytes=2000, body_bytes=5000, seconds=0.5, pause=0.05)
CAPTURED_REPLY = (
    b"HTTP/1.0 200 OK\r\n"
    b"Content-type: text/acl\r\n"
    b"Content-length: 12\r\n"
    b"Access-Control-Allow-Origin: *\r\n"
    b"Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
    b"Access-Control-Allow-Headers: Content-Type\r\n"
    b"Access-Control-Allow-Age: 86400\r\n"
    b"\r\n"
    b"( mark 2 1 )"
)
CAPTURED_REQUEST = (
    b"POST / HTTP/1.0\r\n"
    b"Accept: text/delim\r\n"
    b"Host: localhost\r\n"
    b"Sender: GAMESERVER\r\n"
    b"Receiver: Rand\r\n"
    b"Content-Type: text/acl\r\n"
    b"Content-Length: 30\r\n"
    b"\r\n"
    b"( PLAY match.ticTacToe.1 NIL )"
)


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Time passes only while there is nothing to do, however busy the machine is."""

    def __init__(self) -> None:
        self._passed = 0.0
        super().__init__(_Impatient(self))

    def time(self) -> float:
        return self._passed

    def let_pass(self, seconds: float) -> None:
        self._passed += seconds


class _Impatient(selectors.DefaultSelector):
    def __init__(self, loop: SimulatedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found and timeout is not None:
            self._loop.let_pass(max(0.0, timeout))
        return found


def simulated(work: Coroutine[Any, Any, T]) -> T:
    loop = SimulatedLoop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()


def read(parts: Iterable[bytes], *, close: bool = True, limits: HttpLimits = QUICK) -> Request:
    """What is read when the parts come in one after the other."""

    async def run() -> Request:
        reader = asyncio.StreamReader(limit=1 << 17)

        async def feed() -> None:
            for part in parts:
                reader.feed_data(part)
                await asyncio.sleep(0)
            if close:
                reader.feed_eof()

        feeding = asyncio.create_task(feed())
        try:
            return await read_request(reader, None, limits)
        finally:
            feeding.cancel()

    return simulated(run())


def status_of(data: bytes, *, close: bool = True) -> int:
    with pytest.raises(HttpError) as problem:
        read([data], close=close)
    return problem.value.status


def test_the_bytes_are_those_of_servers_in_use() -> None:
    assert reply("( mark 2 1 )") == CAPTURED_REPLY
    assert request("( PLAY match.ticTacToe.1 NIL )", "localhost", "Rand") == CAPTURED_REQUEST


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("close", [True, False])
def test_a_request_is_read_however_it_is_cut(size: int, close: bool) -> None:
    parts = [CAPTURED_REQUEST[i : i + size] for i in range(0, len(CAPTURED_REQUEST), size)]
    assert read(parts, close=close) == Request("POST", "( PLAY match.ticTacToe.1 NIL )")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"POST / HTTP/1.1\r\ncontent-length: 6\r\n\r\n(INFO)", "(INFO)"),
        (b"POST /any/path HTTP/1.0\nContent-Length: 6\n\n(INFO)", "(INFO)"),
        (b"POST / HTTP/1.0\r\n\r\n(PLAY m\n NIL)", "(PLAY m\n NIL)"),
        (
            b"POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\n(PLAY m (\xc3\xa9\xc3\xa9))",
            "(PLAY m (éé))",
        ),
        (b"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n(a \xe9)", "(a é)"),
        (b"POST / HTTP/1.0\r\nContent-Length: 99\r\n\r\n(INFO)", "(INFO)"),
        (
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"3\r\n(IN\r\n3;x\r\nFO)\r\n0\r\n\r\n",
            "(INFO)",
        ),
        (b"GET /%28+INFO+%29 HTTP/1.0\r\n\r\n", "( INFO )"),
        (b"get /(INFO) HTTP/1.1\r\nHost: x\r\n\r\n", "(INFO)"),
        (b"GET / HTTP/1.1\r\n\r\n", ""),
        (b"\r\nPOST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)", "(INFO)"),
        (b"POST / HTTP/1.0\r\n\r\n(PLAY m ; :-)\n NIL)", "(PLAY m ; :-)\n NIL)"),
    ],
)
def test_requests_are_read_generously(data: bytes, message: str) -> None:
    assert read([data]).message == message


def test_without_a_length_a_message_ends_with_its_parenthesis() -> None:
    assert read([b"POST / HTTP/1.0\r\n\r\n(PLAY m (a", b" b))"], close=False).message == (
        "(PLAY m (a b))"
    )


@pytest.mark.parametrize("method", ["OPTIONS", "HEAD", "PUT", "DELETE"])
def test_other_methods_carry_no_message(method: str) -> None:
    assert read([f"{method} / HTTP/1.0\r\n\r\n".encode()], close=False) == Request(method, None)


def test_what_cannot_be_read_has_a_status() -> None:
    post = b"POST / HTTP/1.0\r\n"
    assert status_of(b"") == 400
    assert status_of(b"nonsense") == 400
    assert status_of(b"\x16\x03\x01\x02\x00\n\n") == 400
    assert status_of(post + b"Content-Length: x\r\n\r\n(INFO)") == 400
    assert status_of(post + b"Content-Length: -5\r\n\r\n(INFO)") == 400
    assert status_of(post + b"Content-Length: 999999\r\n\r\n(INFO)") == 413
    assert status_of(post + b"\r\n(" + b"a " * 5000) == 413
    assert status_of(post + b"X: " + b"y" * 3000 + b"\r\n\r\n") == 431
    assert status_of(post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n") == 400
    assert status_of(post + b"Transfer-Encoding: chunked\r\n\r\nffff\r\n") == 413
    assert status_of(post, close=False) == 408
    assert status_of(post + b"Content-Length: 10\r\n\r\n(INFO", close=False) == 408


def test_a_reply_is_read_to_its_length_or_to_the_end() -> None:
    async def body(data: bytes) -> str:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await read_reply(reader, QUICK)

    assert simulated(body(CAPTURED_REPLY)) == "( mark 2 1 )"
    assert simulated(body(b"HTTP/1.1 500 Oh\r\n\r\n( mark 2 1 )")) == "( mark 2 1 )"
    assert simulated(body(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnoopnoop")) == "noop"
    assert simulated(body(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nnoop")) == "noop"


def test_a_client_that_asks_is_told_to_go_on() -> None:
    async def run() -> tuple[Request, bytes]:
        told = bytearray()

        class Writer:
            def write(self, data: bytes) -> None:
                told.extend(data)

        reader = asyncio.StreamReader()
        reader.feed_data(
            b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n(INFO)"
        )
        found = await read_request(reader, Writer(), QUICK)  # type: ignore[arg-type]
        return found, bytes(told)

    assert simulated(run()) == (Request("POST", "(INFO)"), b"HTTP/1.1 100 Continue\r\n\r\n")


heads = st.sampled_from([b"POST / HTTP/1.0\r\n", b"GET /", b"POST / HTTP/1.1\r\nContent-Length: "])


@settings(max_examples=200)
@given(heads, st.binary(max_size=80), st.lists(st.integers(0, 80), max_size=3))
def test_nothing_but_an_http_error_comes_out(head: bytes, rest: bytes, cuts: list[int]) -> None:
    data = head + rest
    places = [0, *sorted(cuts), len(data)]
    try:
        read([data[a:b] for a, b in itertools.pairwise(places)])
    except HttpError:
        return
