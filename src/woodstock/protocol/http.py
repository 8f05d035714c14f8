"""As much of HTTP as game servers and players speak, to the byte as they speak it.

The match server is the client, and sends one message over one connection. Its headers, their order
and their spelling are those of the servers in use, and so are a player's: general HTTP libraries
write others. What comes in is read generously: HTTP/1.0 and 1.1, bodies with a length, in chunks,
or without either, messages in the path of a GET, lengths that count characters instead of bytes.

>>> print(reply("ready").decode().splitlines()[0])
HTTP/1.0 200 OK
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import unquote_plus

from woodstock.errors import WoodstockError

__all__ = ["HttpError", "HttpLimits", "Request", "read_reply", "read_request", "reply", "request"]

_CORS = (
    "Access-Control-Allow-Origin: *",
    "Access-Control-Allow-Methods: POST, GET, OPTIONS",
    "Access-Control-Allow-Headers: Content-Type",
    "Access-Control-Allow-Age: 86400",
)
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class HttpError(WoodstockError):
    """A request or reply that cannot be read; `status` is what to answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class HttpLimits:
    """What is read at most, and how long a sender may take for it, in seconds.

    `pause` is how long a body that has all the bytes it promised but an open parenthesis may stop.
    """

    head_bytes: int = 1 << 16
    body_bytes: int = 1 << 22
    seconds: float = 10.0
    pause: float = 0.5


@dataclass(frozen=True)
class Request:
    """A method and its message; methods other than GET and POST carry none."""

    method: str
    message: str | None


def reply(text: str, status: str = "200 OK") -> bytes:
    """An answer with the headers of a player."""
    body = text.encode()
    lines = [f"HTTP/1.0 {status}", "Content-type: text/acl", f"Content-length: {len(body)}", *_CORS]
    return "\r\n".join([*lines, "", ""]).encode() + body


def request(text: str, host: str, receiver: str) -> bytes:
    """A message with the headers of a game server.

    >>> print(request("( INFO )", "localhost", "Rand").decode().splitlines()[1:4])
    ['Accept: text/delim', 'Host: localhost', 'Sender: GAMESERVER']
    """
    body = text.encode()
    lines = [
        "POST / HTTP/1.0",
        "Accept: text/delim",
        f"Host: {host}",
        "Sender: GAMESERVER",
        f"Receiver: {receiver}",
        "Content-Type: text/acl",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def read_request(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter | None = None,
    limits: HttpLimits | None = None,
) -> Request:
    """The request of a client; `HttpError` where there is none.

    A client that asks whether to go on (``Expect``) is told so through `writer`.
    """
    limits = limits or HttpLimits()
    head = await _head(reader, limits)
    method, path = _request_line(head.first)
    if method == "GET":
        return Request(method, unquote_plus(path.lstrip("/"), errors="replace"))
    if method != "POST":
        return Request(method, None)
    if writer is not None and head.fields.get("expect", "").lower() == "100-continue":
        writer.write(_CONTINUE)
    return Request(method, await _body(reader, head, limits, whole=True))


async def read_reply(reader: asyncio.StreamReader, limits: HttpLimits | None = None) -> str:
    """The body of an answer; the status line is not looked at, as servers do."""
    limits = limits or HttpLimits()
    head = await _head(reader, limits)
    return await _body(reader, head, limits, whole=False)


@dataclass(frozen=True)
class _Head:
    first: str
    fields: dict[str, str]


async def _head(reader: asyncio.StreamReader, limits: HttpLimits) -> _Head:
    try:
        return await asyncio.wait_for(_read_head(reader, limits), limits.seconds)
    except (ValueError, asyncio.LimitOverrunError):
        raise HttpError(431, "a line of the header is too long") from None
    except asyncio.TimeoutError:
        raise HttpError(408, "the header did not come in time") from None
    except OSError as problem:
        raise HttpError(400, f"the connection broke: {problem}") from None


async def _read_head(reader: asyncio.StreamReader, limits: HttpLimits) -> _Head:
    lines: list[str] = []
    size = 0
    while True:
        line = await reader.readline()
        size += len(line)
        if size > limits.head_bytes:
            raise HttpError(431, "the header is too long")
        if not line.endswith(b"\n"):
            raise HttpError(400, "the connection was closed within the header")
        text = line.decode("latin-1").rstrip("\r\n")
        if not text and lines:
            break
        if text:  # blank lines before the first one are left out
            lines.append(text)
    fields = {}
    for text in lines[1:]:
        name, _, value = text.partition(":")
        fields[name.strip().lower()] = value.strip()
    return _Head(lines[0], fields)


def _request_line(line: str) -> tuple[str, str]:
    method, _, rest = line.partition(" ")
    path, _, version = rest.strip().rpartition(" ")
    if not re.fullmatch(r"[A-Za-z]{1,20}", method) or not rest.strip():
        raise HttpError(400, f"{line[:40]!r} is no request")
    if not version.upper().startswith("HTTP/"):
        path = rest.strip()
    return method.upper(), path


async def _body(
    reader: asyncio.StreamReader, head: _Head, limits: HttpLimits, *, whole: bool
) -> str:
    """The body; with `whole`, at least until its parentheses are closed."""
    try:
        return await asyncio.wait_for(_read_body(reader, head, limits, whole), limits.seconds)
    except asyncio.TimeoutError:
        raise HttpError(408, "the message did not come in time") from None
    except asyncio.IncompleteReadError:
        raise HttpError(400, "the connection was closed within the message") from None
    except (ValueError, asyncio.LimitOverrunError):
        raise HttpError(400, "a broken chunk") from None
    except OSError as problem:
        raise HttpError(400, f"the connection broke: {problem}") from None


async def _read_body(
    reader: asyncio.StreamReader, head: _Head, limits: HttpLimits, whole: bool
) -> str:
    if "chunked" in head.fields.get("transfer-encoding", "").lower():
        return _text(await _chunks(reader, limits))
    length = head.fields.get("content-length")
    if length is None:
        return _text(await _until_closed(reader, b"", limits, whole, None))
    if not length.isascii() or not length.isdigit():
        raise HttpError(400, f"{length[:40]!r} is no length")
    if int(length) > limits.body_bytes:
        raise HttpError(413, f"a message of more than {limits.body_bytes} bytes")
    try:
        data = await reader.readexactly(int(length))
    except asyncio.IncompleteReadError as problem:
        data = problem.partial  # it promised more than it had
    if whole and _open(data):
        # The length may have counted characters.
        data = await _until_closed(reader, data, limits, whole, limits.pause)
    return _text(data)


async def _until_closed(
    reader: asyncio.StreamReader,
    data: bytes,
    limits: HttpLimits,
    whole: bool,
    pause: float | None,
) -> bytes:
    """Read on to the end of the stream, or until a message is complete."""
    depth = _Depth()
    depth.add(data)
    parts = [data]
    size = len(data)
    while not (whole and depth.closed):
        try:
            part = await asyncio.wait_for(reader.read(1 << 16), pause)
        except asyncio.TimeoutError:
            break
        if not part:
            break
        size += len(part)
        if size > limits.body_bytes:
            raise HttpError(413, f"a message of more than {limits.body_bytes} bytes")
        parts.append(part)
        depth.add(part)
    return b"".join(parts)


async def _chunks(reader: asyncio.StreamReader, limits: HttpLimits) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        line = await reader.readline()
        length = int(line.split(b";")[0], 16)
        size += length
        if length < 0 or size > limits.body_bytes:
            raise HttpError(413, f"a message of more than {limits.body_bytes} bytes")
        if length == 0:
            return b"".join(parts)
        parts.append(await reader.readexactly(length))
        await reader.readline()


class _Depth:
    """Counts parentheses, outside of comments, as they come in."""

    _SIGNS = re.compile(rb"[();\n]")

    def __init__(self) -> None:
        self._open = 0
        self._seen = False
        self._comment = False

    @property
    def closed(self) -> bool:
        return self._seen and self._open <= 0

    def add(self, data: bytes) -> None:
        for match in self._SIGNS.finditer(data):
            sign = match.group()
            if sign == b"\n":
                self._comment = False
            elif self._comment:
                continue
            elif sign == b";":
                self._comment = True
            else:
                self._open += 1 if sign == b"(" else -1
                self._seen = True


def _open(data: bytes) -> bool:
    depth = _Depth()
    depth.add(data)
    return not depth.closed


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
