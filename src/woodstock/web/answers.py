"""What comes in and goes out as JSON: read from strangers, written so that nothing can break it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from woodstock.web.services.contract import ServiceError

__all__ = ["JsonAnswer", "body_of", "read_object", "while_wanted"]

T = TypeVar("T")

MOST_DEPTH = 32
LONG = 50_000
"""Bytes above which JSON is read beside the server's loop."""


class JsonAnswer(JSONResponse):
    r"""JSON in ASCII: halves of signs that somebody has sent do no harm.

    >>> JsonAnswer({"name": chr(0xd800)}).body
    b'{"name":"\\ud800"}'
    """

    def render(self, content: Any) -> bytes:
        """The bytes of the answer."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request; `ServiceError` where it sends something else."""
    body = await request.body()
    return await run_in_threadpool(read_object, body) if len(body) > LONG else read_object(body)


def read_object(body: bytes) -> dict[str, Any]:
    """A JSON object of a stranger: no deeper than `MOST_DEPTH`, of numbers and whole signs only.

    >>> read_object(b'{"ply": 1}')
    {'ply': 1}
    >>> read_object(b'{"ply": NaN}')
    Traceback (most recent call last):
    ...
    woodstock.web.services.contract.ServiceError: this is no JSON
    """
    try:
        text = body.decode()
        found = json.loads(text, parse_constant=_no_number)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()  # halves of signs cannot be written
    except (ValueError, RecursionError):
        raise ServiceError("this is no JSON") from None
    if not isinstance(found, dict):
        raise ServiceError("a JSON object is wanted")
    if _depth(found) > MOST_DEPTH:
        raise ServiceError(f"this JSON is nested deeper than {MOST_DEPTH}")
    return found


def _no_number(name: str) -> None:
    raise ValueError(name)


def _depth(found: object) -> int:
    """How deep it is nested; not by recursion, which is what the depth would break."""
    depth, level = 0, [found]
    while level and depth <= MOST_DEPTH:
        depth += 1
        inner: list[object] = []
        for one in level:
            if isinstance(one, dict):
                inner.extend(value for value in one.values() if isinstance(value, (dict, list)))
            elif isinstance(one, list):
                inner.extend(value for value in one if isinstance(value, (dict, list)))
        level = inner
    return depth


async def while_wanted(request: Request, work: Awaitable[T]) -> T | None:
    """What is worked on, or None as soon as whoever asked has gone; then the work is cancelled."""
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        gone.cancel()
        if not working.done():
            working.cancel()


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
