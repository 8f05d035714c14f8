"""The application: all routes behind the guard, and what they share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from woodstock.errors import WoodstockError
from woodstock.web import questions, records, table_routes, watching
from woodstock.web.crew import Crew
from woodstock.web.options import WebOptions
from woodstock.web.rulesheets import Rulesheets
from woodstock.web.security import Guard
from woodstock.web.tables import PageTables

__all__ = ["create_app"]

STATIC = Path(__file__).parent / "static"
PAGES = (
    *("/", "/rules", "/analyse", "/inside", "/play", "/watch"),
    *("/play/{rest:path}", "/watch/{rest:path}", "/record/{rest:path}"),
)


async def shell(_: Request) -> Response:
    """Every page is the same shell; the script shows what its address says."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


def create_app(options: WebOptions | None = None) -> Starlette:
    """The page as an ASGI application.

    >>> app = create_app(WebOptions())
    >>> [route.path for route in app.routes][:2]
    ['/', '/rules']
    """
    chosen = options or WebOptions()

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        folder = chosen.folder
        limits = chosen.limits
        app.state.rules = Rulesheets(
            None if folder is None else folder / "rules", most=limits.rulesheets
        )
        app.state.crew = Crew(limits)
        app.state.tables = PageTables(
            app.state.crew, app.state.rules, limits, None if folder is None else folder / "tables"
        )
        await app.state.crew.open()
        try:
            yield
        finally:
            await app.state.tables.close()
            await app.state.crew.close()

    app = Starlette(
        routes=[
            *(Route(path, shell) for path in PAGES),
            *questions.routes,
            *table_routes.routes,
            *records.routes,
            *watching.routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, options=chosen)],
        exception_handlers={WoodstockError: questions.refused},
        lifespan=life,
    )
    app.state.options = chosen
    app.state.jobs = {}
    return app
