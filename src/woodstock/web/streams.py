"""Server-sent events: what happens, told to whoever has the page open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import StreamingResponse

from woodstock.web.hands import CrewError

__all__ = ["PING_SECONDS", "event", "stream"]

PING_SECONDS = 15.0
"""How often a silent stream says that it is alive: a closed tab is noticed then."""


def event(name: str, data: Any) -> str:
    r"""One event as it goes over the wire.

    >>> event("done", {"move": "noop"})
    'event: done\ndata: {"move": "noop"}\n\n'
    """
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def stream(events: AsyncIterator[str], request: Request) -> StreamingResponse:
    """A stream of events, with signs of life between them; `CrewError` where there are too many."""
    state = request.app.state
    if getattr(state, "streams", 0) >= state.options.limits.sessions:
        raise CrewError("too many look at this page at once; try again later", "busy")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    alive = _counted(_alive(events), state)
    return StreamingResponse(alive, media_type="text/event-stream", headers=headers)


async def _counted(events: AsyncIterator[str], state: State) -> AsyncIterator[str]:
    state.streams = getattr(state, "streams", 0) + 1
    try:
        async for told in events:
            yield told
    finally:
        state.streams -= 1


async def _alive(events: AsyncIterator[str]) -> AsyncIterator[str]:
    yield ": hello\n\n"
    following = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            done, _ = await asyncio.wait({following}, timeout=PING_SECONDS)
            if not done:
                yield ": ping\n\n"
                continue
            told = following.result()
            if told is None:
                return
            yield told
            following = asyncio.ensure_future(anext(events, None))
    finally:
        following.cancel()
