"""Recorded matches over HTTP: dropping files in, the list of all, one to step through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.routing import Route

from woodstock.web.answers import JsonAnswer
from woodstock.web.naming import game_of
from woodstock.web.recorded import MOST_BYTES, Recorded, RecordError, load_json
from woodstock.web.rulesheets import Rulesheets
from woodstock.web.shelf import FolderFile, RecordShelf
from woodstock.web.stores import match_of

__all__ = ["describe", "routes", "rules_of", "shelf_of"]

MOST_LISTED = 1000
"""Matches in one list."""


def shelf_of(app: Starlette) -> RecordShelf:
    """The records of an application; made when they are first asked for."""
    shelf = getattr(app.state, "shelf", None)
    if not isinstance(shelf, RecordShelf):
        options = getattr(app.state, "options", None)
        shelf = app.state.shelf = RecordShelf(getattr(options, "records", None))
    return shelf


def rules_of(app: Starlette) -> Rulesheets:
    """The rulesheets of an application."""
    rules = getattr(app.state, "rules", None)
    if not isinstance(rules, Rulesheets):
        rules = app.state.rules = Rulesheets()
    return rules


def describe(match: Recorded, rules: Rulesheets) -> dict[str, Any]:
    """All of a match, with the reference of its game, or null."""
    return {"game": game_of(match, rules, keep=True), **match.to_json()}


def _summary(key: str, match: Recorded, rules: Rulesheets) -> dict[str, Any]:
    return {"id": key, "game": game_of(match, rules), **match.summary()}


async def add(request: Request) -> JsonAnswer:
    """``POST /api/records {name, text}``: keep the matches of a file."""
    limits = getattr(getattr(request.app.state, "options", None), "limits", None)
    most = min(MOST_BYTES, getattr(limits, "upload_bytes", MOST_BYTES))
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            return _refuse(f"the file is larger than {most / 1e6:g} MB", 413)
    shelf, rules = shelf_of(request.app), rules_of(request.app)

    def work() -> list[dict[str, Any]]:
        data = load_json(body.decode("utf-8", errors="replace"))
        text = data.get("text") if isinstance(data, dict) else None
        if not isinstance(text, str):
            raise RecordError("send {name, text}")
        name = data.get("name")
        added = shelf.add(name if isinstance(name, str) else "", text)
        return [_summary(key, match, rules) for key, match in added]

    try:
        return JsonAnswer({"records": await run_in_threadpool(work)})
    except RecordError as problem:
        return _refuse(str(problem), 400)


async def listing(request: Request) -> JsonAnswer:
    """``GET /api/records``: what was dropped in, and what lies in the folder."""
    shelf, rules = shelf_of(request.app), rules_of(request.app)

    def work() -> list[dict[str, Any]]:
        found = [
            {"file": name, "from": "dropped", **_summary(key, match, rules)}
            for key, name, match in shelf.dropped()
        ]
        for file, matches, problem in shelf.listing():
            if len(found) >= MOST_LISTED:
                break
            found.extend(_of_file(file, matches, problem, rules))
        return found[:MOST_LISTED]

    return JsonAnswer({"records": await run_in_threadpool(work)})


def _of_file(
    file: FolderFile, matches: Sequence[Recorded] | None, problem: str, rules: Rulesheets
) -> list[dict[str, Any]]:
    common = {"file": file.name, "from": "folder", "modified": math.floor(1000 * file.modified)}
    if not matches:
        return [{**common, "id": None, "problem": problem or "not read yet"}]
    return [
        {**common, **_summary(f"{file.id}-{number}", match, rules)}
        for number, match in enumerate(matches)
    ]


async def one(request: Request) -> JsonAnswer:
    """``GET /api/records/{id}``: a match with all its moves."""
    shelf, rules = shelf_of(request.app), rules_of(request.app)
    key = request.path_params["record"]

    def work() -> dict[str, Any] | None:
        match = shelf.find(key)
        if match is None and "~" in key:
            store, _, short = key.partition("~")
            file = shelf.file(store)
            if file is not None and file.is_store:
                match = match_of(file.path, short)
        return None if match is None else {"id": key, **describe(match, rules)}

    try:
        found = await run_in_threadpool(work)
    except RecordError as problem:
        return _refuse(str(problem), 400)
    if found is None:
        return _refuse("there is no such record here (any more); drop the file in again", 404)
    return JsonAnswer(found)


def _refuse(text: str, status: int) -> JsonAnswer:
    return JsonAnswer({"error": text}, status_code=status)


routes = [
    Route("/api/records", add, methods=["POST"]),
    Route("/api/records", listing, methods=["GET"]),
    Route("/api/records/{record}", one, methods=["GET"]),
]
