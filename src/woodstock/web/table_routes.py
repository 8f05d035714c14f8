"""Tables over HTTP: making one, looking at it, doing something there, hearing what happens.

Everybody comes with a key, and is told what it entitles to know.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from woodstock.errors import WoodstockError
from woodstock.web.answers import JsonAnswer, body_of
from woodstock.web.hands import CrewError
from woodstock.web.questions import wanted
from woodstock.web.seats import PERSON, seat_name, seconds_of
from woodstock.web.streams import event, stream
from woodstock.web.table import ConflictError, Guest, PageTable

if TYPE_CHECKING:
    from woodstock.web.tables import PageTables

__all__ = ["look", "routes"]

HINT_SECONDS = 1.0


async def look(table: PageTable, guest: Guest) -> dict[str, Any]:
    """A table as a guest may see it."""
    while True:
        await table.ready()
        facts, ply, over, stamp = table.facts, table.ply, table.over, table.stamp
        if facts is None:
            raise ConflictError(table.problem)
        role, blind = _eyes(table, guest)
        view = await table.position(0 if blind else ply, role)
        await table.kept()
        if facts is table.facts and ply == table.ply and over == table.over:
            shown = _dimmed(view) if blind else view
            told = {"stamp": stamp, **_told(table, guest, role, blind), "view": shown}
            return {**told, "reason": shown.get("reason")} if over else told


def _eyes(table: PageTable, guest: Guest) -> tuple[str | None, bool]:
    """With whose eyes a guest looks (None: with everybody's), and whether they see nothing."""
    if not table.hidden:
        return None, False
    if guest.roles:
        open_roles = [role for role in table.waiting if role in guest.roles]
        return (*open_roles, *guest.roles)[0], False
    # Where people play, whoever watches could tell them; the players of ours do not listen.
    return None, table.state.had_people or not guest.owner


def _dimmed(view: dict[str, Any]) -> dict[str, Any]:
    """The first position, which everybody knows, in place of one that is a secret."""
    dimmed = {**view, "moves": {}, "turn": [], "percepts": {}, "fluents": [], "dim": True}
    dimmed.pop("chance", None)
    return dimmed


def _told(table: PageTable, guest: Guest, eyes: str | None, blind: bool) -> dict[str, Any]:
    state, facts = table.state, table.facts or {}
    masked = blind or eyes is not None
    return {
        "table": state.table,
        "game": {"ref": table.rules.ref, "title": table.rules.title, "name": table.rules.name},
        "ply": table.ply,
        "line": [_seen(joint, state.roles, eyes) if masked else joint for joint in state.line],
        "over": table.over,
        "goals": facts.get("goals"),
        "resigned": state.resigned,
        "seats": state.seats,
        "you": list(guest.roles),
        "eyes": eyes,
        "owner": guest.owner,
        "waiting": table.waiting,
        "moved": table.moved,
        "links": {role: _link(state.table, key) for role, key in state.keys.items()}
        if guest.owner
        else {},
        "watch": _link(state.table, state.watch) if guest.owner else None,
        "problem": table.problem,
        "errors": [
            f"{number + 1}. {role} {_mistake(error, masked)}; a random move was made instead"
            for number, errors in enumerate(state.errors)
            for role, error in errors.items()
        ],
    }


def _seen(joint: list[str], roles: list[str], eyes: str | None) -> list[str | None]:
    return [move if role == eyes else None for role, move in zip(roles, joint)]


def _mistake(error: str, masked: bool) -> str:
    if error.startswith("TO"):
        return "was late"
    if error.startswith("IL") and not masked:
        return f"chose {error[3:]}, which is not legal"
    return "chose a move that is not legal" if error.startswith("IL") else "failed"


def _link(table: str, key: str) -> str:
    return f"/play/{quote(table)}?key={quote(key)}"


def _tables(request: Request) -> PageTables:
    tables: PageTables = request.app.state.tables
    return tables


async def new(request: Request) -> JsonAnswer:
    """``POST /api/tables``: begin a match; the answer has the keys of all links."""
    state = (await _tables(request).new(await body_of(request))).state
    return JsonAnswer(
        {"table": state.table, "owner": state.owner, "watch": state.watch, "keys": state.keys}
    )


async def _asked(request: Request) -> tuple[PageTable, Guest, dict[str, Any]]:
    table = await _tables(request).find(request.path_params["table"])
    given = await body_of(request) if request.method == "POST" else dict(request.query_params)
    return table, table.guest(given.get("key")), given


async def one(request: Request) -> JsonAnswer:
    """``GET /api/tables/ID?key=KEY``: the match as it stands."""
    table, guest, _ = await _asked(request)
    return JsonAnswer(await look(table, guest))


async def move(request: Request) -> JsonAnswer:
    """``POST /api/tables/ID/move {key, role, ply, move}``."""
    table, guest, given = await _asked(request)
    await table.move(guest, given.get("role"), given.get("ply"), given.get("move"))
    return JsonAnswer(await look(table, guest))


async def undo(request: Request) -> JsonAnswer:
    """``POST /api/tables/ID/undo {key}``: back to one's last choice."""
    table, guest, _ = await _asked(request)
    await table.undo(guest)
    return JsonAnswer(await look(table, guest))


async def resign(request: Request) -> JsonAnswer:
    """``POST /api/tables/ID/resign {key, role}``."""
    table, guest, given = await _asked(request)
    table.resign(guest, given.get("role"))
    return JsonAnswer(await look(table, guest))


async def seats(request: Request) -> JsonAnswer:
    """``POST /api/tables/ID/seats {key, seats}``: change who plays what."""
    table, guest, given = await _asked(request)
    table.sit(guest, given.get("seats"))
    # Who has sat down or stood up is another guest than before.
    return JsonAnswer(await look(table, table.guest(given.get("key"))))


async def hint(request: Request) -> JsonAnswer:
    """``POST /api/tables/ID/hint {key, role, seconds}``: what a player would do."""
    table, guest, given = await _asked(request)
    seconds = seconds_of(given, "seconds", HINT_SECONDS, request.app.state.options.limits)
    job = table.hint(guest, given.get("role"), seconds)
    found = await wanted(request, job) or {}
    if found.get("decision") is None:
        found["decision"] = {"move": found.get("move"), "value": None, "moves": [], "line": []}
    return JsonAnswer(found)


async def record(request: Request) -> Response:
    """``GET /api/tables/ID/record?key=KEY``: the match as a file, as soon as nothing is hidden."""
    table, _, _ = await _asked(request)
    await table.ready()
    if table.hidden:
        raise ConflictError("the record of this match would tell what is hidden; wait for its end")
    state = table.state
    made = await request.app.state.crew.ask(
        table.rules,
        "record",
        {
            "match": f"woodstock.{state.table}",
            "line": state.line,
            "names": [seat_name(state.seats.get(role)) for role in state.roles],
            "people": [state.seats.get(role, {}).get("kind") == PERSON for role in state.roles],
            "seed": state.seed,
            "times": state.times,
            "errors": [[errors.get(role, "") for role in state.roles] for errors in state.errors],
            "resigned": state.resigned,
            "problem": table.problem,
        },
    )
    name = f"{table.rules.name}-{state.table}.json"
    return JsonAnswer(made, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def events(request: Request) -> StreamingResponse:
    """``GET /api/tables/ID/events?key=KEY``: the match at every change, and who thinks."""
    table, _, given = await _asked(request)
    return stream(_happenings(table, str(given["key"])), request)


async def _happenings(table: PageTable, key: str) -> AsyncIterator[str]:
    last: dict[str, Any] = {}
    async for news in table.changes():
        if news is not None:
            yield event("thinking", news)
            continue
        name = "table"
        try:
            told = await look(table, table.guest(key))
        except WoodstockError as problem:
            name, told = "problem", {"error": str(problem)}
            if isinstance(problem, CrewError) and problem.reason == "stopped":
                return
        if {**told, "stamp": 0} != last:
            last = {**told, "stamp": 0}
            yield event(name, told)


routes = [
    Route("/api/tables", new, methods=["POST"]),
    Route("/api/tables/{table}", one),
    Route("/api/tables/{table}/events", events),
    Route("/api/tables/{table}/move", move, methods=["POST"]),
    Route("/api/tables/{table}/undo", undo, methods=["POST"]),
    Route("/api/tables/{table}/resign", resign, methods=["POST"]),
    Route("/api/tables/{table}/seats", seats, methods=["POST"]),
    Route("/api/tables/{table}/hint", hint, methods=["POST"]),
    Route("/api/tables/{table}/record", record),
]
