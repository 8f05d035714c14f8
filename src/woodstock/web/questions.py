"""Routes that ask something and change nothing: games, rules, positions, analyses, the inside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from woodstock import __version__, games
from woodstock.errors import WoodstockError
from woodstock.player import about_player, player_names
from woodstock.web.answers import JsonAnswer, body_of, while_wanted
from woodstock.web.hands import CrewError
from woodstock.web.pictures import picture
from woodstock.web.rulesheets import Rulesheet, UnknownRulesError
from woodstock.web.services.contract import ServiceError
from woodstock.web.streams import event, stream

if TYPE_CHECKING:
    from woodstock.web.crew import Crew, Job

__all__ = ["refused", "routes"]

INSIDE_SECONDS = 20.0
UNHEARD_SECONDS = 15.0
"""How long an analysis goes on to which nobody has begun to listen."""

_STATUS = {"busy": 503, "late": 504, "memory": 507, "died": 502, "stopped": 409}


def refused(_: Request, problem: Exception) -> JsonAnswer:
    """What went wrong, for the person who asked."""
    status = getattr(problem, "status", 400)
    if isinstance(problem, CrewError):
        status = _STATUS.get(problem.reason, 400 if problem.reason == "refused" else 500)
    elif isinstance(problem, UnknownRulesError):
        status = 404
    return JsonAnswer({"error": str(problem)}, status)


def _crew(request: Request) -> Crew:
    crew: Crew = request.app.state.crew
    return crew


def _rules(request: Request, asked: dict[str, Any]) -> Rulesheet:
    sheet: Rulesheet = request.app.state.rules.find(asked.get("game"))
    return sheet


async def about(request: Request) -> JsonAnswer:
    """``GET /api/about``: the version and the limits in force."""
    options = request.app.state.options
    return JsonAnswer(
        {
            "version": __version__,
            "limits": options.limits.to_json(),
            "remote": options.remote,
            # Who asks has the token: links that they give away must open for others, too.
            "invite": {"origin": options.origin, "token": options.token}
            if options.remote
            else None,
            "now": _crew(request).figures(),
        }
    )


def _meta(name: str) -> dict[str, Any]:
    meta = games.meta(name)
    return {
        "name": name,
        "title": meta.title,
        "summary": meta.summary,
        "players": meta.players,
        "kind": meta.kind,
        "board": meta.board,
        "turns": meta.turns,
        "information": meta.information,
        "papers": [{"paper": one.paper, "where": one.where} for one in meta.papers],
    }


async def library(request: Request) -> JsonAnswer:
    """``GET /api/games``: all games of the library."""
    return JsonAnswer(await run_in_threadpool(lambda: [_meta(name) for name in games.names()]))


async def game(request: Request) -> JsonAnswer:
    """``GET /api/games/NAME``: one of them, with its rules."""
    sheet = request.app.state.rules.find(request.path_params["name"])
    if sheet.pasted:
        raise UnknownRulesError("this is no game of the library")
    return JsonAnswer({**_meta(sheet.name), "rules": sheet.text, "digest": sheet.digest})


async def picture_of(request: Request) -> Response:
    """``GET /api/games/NAME/picture.svg``: the middle of its recorded match."""
    sheet = request.app.state.rules.find(request.path_params["name"])
    if sheet.pasted:
        raise UnknownRulesError("this is no game of the library")
    drawn = await run_in_threadpool(picture, sheet.name)
    headers = {"Cache-Control": "max-age=86400"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


async def players(_: Request) -> JsonAnswer:
    """``GET /api/players``: who can sit at a table."""
    return JsonAnswer([{"name": name, "about": about_player(name)} for name in player_names()])


async def check(request: Request) -> JsonAnswer:
    """``POST /api/rules``: what is to be said about a text, and its first position."""
    text = (await body_of(request)).get("text")
    if not isinstance(text, str):
        raise ServiceError("send {text}")
    limits = request.app.state.options.limits
    if len(text) > limits.rules_bytes:
        raise ServiceError(f"rules may be {limits.rules_bytes:,} characters long")
    found = await _crew(request).ask_once("check", {"text": text})
    if found["ok"]:
        sheet = await run_in_threadpool(request.app.state.rules.keep, text)
        found["digest"] = sheet.digest
        try:
            found["view"] = await _crew(request).ask(sheet, "position", {})
        except WoodstockError as problem:
            found["problem"] = str(problem)
    return JsonAnswer(found)


async def playtest(request: Request) -> JsonAnswer:
    """``POST /api/playtest``: what random games show of rules, some seconds later."""
    asked = await body_of(request)
    job = _crew(request).start(_rules(request, asked), "playtest", asked, seconds=INSIDE_SECONDS)
    return JsonAnswer(await wanted(request, job))


async def rules(request: Request) -> JsonAnswer:
    """``GET /api/rules/DIGEST``: a pasted text."""
    sheet = request.app.state.rules.find(f"sha256:{request.path_params['digest']}")
    return JsonAnswer({"text": sheet.text})


async def position(request: Request) -> JsonAnswer:
    """``POST /api/position``: the view of any position."""
    asked = await body_of(request)
    return JsonAnswer(await _crew(request).ask(_rules(request, asked), "position", asked))


async def inside(request: Request) -> JsonAnswer:
    """``POST /api/inside``: network, symmetries, beliefs, reasons, sizes."""
    asked = await body_of(request)
    job = _crew(request).start(_rules(request, asked), "inside", asked, seconds=INSIDE_SECONDS)
    return JsonAnswer(await wanted(request, job))


async def wanted(request: Request, job: Job) -> dict[str, Any] | None:
    """The result of a job; one whose tab is closed is stopped."""
    try:
        return await while_wanted(request, job.result())
    finally:
        job.stop()


async def analyse(request: Request) -> JsonAnswer:
    """``POST /api/analyse``: begin an analysis, or a plan; its events tell the rest."""
    asked = await body_of(request)
    limits = request.app.state.options.limits
    try:
        seconds = min(limits.job_seconds, max(0.05, float(asked.get("seconds", 5))))
    except (TypeError, ValueError, OverflowError):
        raise ServiceError("seconds are a number") from None
    asked = {**asked, "seconds": seconds, "threads": limits.threads, "memory": limits.search_mb}
    service = "plan" if asked.get("what") == "plan" else "analyse"
    sheet = _rules(request, asked)
    job = _crew(request).start(sheet, service, asked, seconds=seconds + limits.load_seconds)
    jobs: dict[str, Job] = request.app.state.jobs
    jobs[job.id] = job
    asyncio.get_running_loop().call_later(UNHEARD_SECONDS, _leave, jobs, job)
    return JsonAnswer({"job": job.id})


def _leave(jobs: dict[str, Job], job: Job) -> None:
    """A job to which nobody listens (any more) is stopped and forgotten."""
    if not job.listeners:
        job.stop()
        jobs.pop(job.id, None)


def _job(request: Request) -> Job:
    job: Job | None = request.app.state.jobs.get(request.path_params["job"])
    if job is None:
        raise UnknownRulesError("there is no such analysis (any more)")
    return job


async def job_events(request: Request) -> StreamingResponse:
    """``GET /api/jobs/ID/events``: progress, and the result. Without a listener it is stopped."""
    return stream(_told(_job(request), request.app.state.jobs), request)


async def _told(job: Job, jobs: dict[str, Job]) -> AsyncIterator[str]:
    job.listeners += 1
    try:
        async for progress in job:
            yield event("progress", progress)
        try:
            yield event("done", await job.result())
        except WoodstockError as problem:
            yield event("failed", {"error": str(problem)})
    finally:
        job.listeners -= 1
        _leave(jobs, job)


async def stop(request: Request) -> JsonAnswer:
    """``POST /api/jobs/ID/stop``."""
    _job(request).stop()
    return JsonAnswer({})


routes = [
    Route("/api/about", about),
    Route("/api/games", library),
    Route("/api/games/{name}", game),
    Route("/api/games/{name}/picture.svg", picture_of),
    Route("/api/players", players),
    Route("/api/rules", check, methods=["POST"]),
    Route("/api/rules/{digest}", rules),
    Route("/api/playtest", playtest, methods=["POST"]),
    Route("/api/position", position, methods=["POST"]),
    Route("/api/inside", inside, methods=["POST"]),
    Route("/api/analyse", analyse, methods=["POST"]),
    Route("/api/jobs/{job}/events", job_events),
    Route("/api/jobs/{job}/stop", stop, methods=["POST"]),
]
