"""Matches and tournaments that run elsewhere, watched through the files they write.

``woodstock serve --log-dir``, ``match --record`` and ``host --record`` write a match while it is
played, a tournament its store. Whoever watches gets the whole state as a server-sent event at
every change. A folder is looked at once a second at most, whoever watches; there are no more than
`MOST_WATCHERS`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from woodstock.web.answers import JsonAnswer
from woodstock.web.recorded import RecordError
from woodstock.web.records import describe, rules_of, shelf_of
from woodstock.web.rulesheets import Rulesheets
from woodstock.web.shelf import FolderFile, RecordShelf
from woodstock.web.stores import stamp_of, tournament

__all__ = ["routes", "running"]

MOST_WATCHERS = 64
EVERY = 1.0
PING = 15.0
GROWING = 600.0
"""Seconds without a change after which an unfinished match is not called running any more."""
LONGEST = 3600.0
"""Seconds of one stream; the browser asks again by itself."""


def running(shelf: RecordShelf) -> list[dict[str, Any]]:
    """All that can be watched: id, kind (``match`` or ``tournament``), title."""
    found: list[dict[str, Any]] = []
    now = time.time()
    for file in shelf.files():
        stamp = stamp_of(file.path) if file.is_store else file.stamp
        changed = max(stamp[::2], default=0) / 1e9
        fresh = now - changed < GROWING
        common = {"id": file.id, "title": file.name, "changed": int(1000 * changed)}
        if file.is_store:
            found.append({**common, "kind": "tournament", "fresh": fresh})
        elif fresh:
            matches, _ = shelf.matches(file)
            if matches and not matches[-1].over:
                last = matches[-1]
                more = {"moves": len(last.line), "players": last.players, "name": last.name}
                found.append({**common, "kind": "match", "fresh": True, **more})
    return found


async def listing(request: Request) -> JsonAnswer:
    """``GET /api/watch``: what is running."""
    return JsonAnswer(await run_in_threadpool(running, shelf_of(request.app)))


async def events(request: Request) -> Response:
    """``GET /api/watch/{id}/events``: a match or a tournament, whole, at every change."""
    app = request.app
    key = request.path_params["watch"]
    file = await run_in_threadpool(shelf_of(app).file, key)
    if file is None:
        return JsonAnswer({"error": "nothing of the kind is watched here"}, status_code=404)
    if getattr(app.state, "watchers", 0) >= MOST_WATCHERS:
        text = f"{MOST_WATCHERS} are watching already; try again later"
        return JsonAnswer({"error": text}, status_code=503)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(app, key), media_type="text/event-stream", headers=headers)


async def _stream(app: Starlette, key: str) -> AsyncIterator[str]:
    shelf, rules = shelf_of(app), rules_of(app)
    app.state.watchers = getattr(app.state, "watchers", 0) + 1
    end = time.monotonic() + LONGEST
    sent: object = None
    spoken = time.monotonic()
    try:
        while time.monotonic() < end:
            begun = time.monotonic()
            stamp, event = await run_in_threadpool(_look, shelf, rules, key, sent)
            if event:
                yield event
                spoken = time.monotonic()
            elif time.monotonic() - spoken > PING:
                yield ": ping\n\n"
                spoken = time.monotonic()
            if stamp is None:
                return
            sent = stamp
            # A large tournament is looked at less often: a tenth of the time at most.
            await asyncio.sleep(max(EVERY, 10 * (time.monotonic() - begun)))
    finally:
        app.state.watchers -= 1


def _look(shelf: RecordShelf, rules: Rulesheets, key: str, sent: object) -> tuple[object, str]:
    """What has changed since the stamp that was `sent`: the new one, and an event or nothing."""
    file = shelf.file(key)
    if file is None:
        return None, _event("gone", {"error": "the file is not there any more"})
    stamp: object = stamp_of(file.path) if file.is_store else file.stamp
    if stamp == sent:
        return stamp, ""
    try:
        if file.is_store:
            return stamp, _event("tournament", _tournament(file))
        return stamp, _event("match", _match(shelf, rules, file))
    except RecordError as problem:
        return stamp, _event("problem", {"error": str(problem)})


def _match(shelf: RecordShelf, rules: Rulesheets, file: FolderFile) -> dict[str, Any]:
    matches, problem = shelf.matches(file)
    if not matches:
        raise RecordError(problem or "there is no match in this file yet")
    number = len(matches) - 1
    shown = describe(matches[number], rules)
    return {"id": f"{file.id}-{number}", "file": file.name, "matches": len(matches), **shown}


def _tournament(file: FolderFile) -> dict[str, Any]:
    found = tournament(file.path)
    for one in found["last"]:
        one["id"] = f"{file.id}~{one.pop('match')}"
    return {"file": file.name, **found}


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, allow_nan=False)}\n\n"


routes = [
    Route("/api/watch", listing, methods=["GET"]),
    Route("/api/watch/{watch}/events", events, methods=["GET"]),
]
