"""The page without a network: its application, asked request by request, as raw as one likes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from starlette.applications import Starlette

from woodstock.web.app import create_app
from woodstock.web.options import WebOptions

PATIENCE = 120.0
"""Seconds that only matter when something is wrong."""


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)


class Stream:
    """A request whose answer comes bit by bit; `close` is a tab that is closed."""

    def __init__(self, app: Starlette, scope: dict[str, Any], body: bytes = b"") -> None:
        self._sent: asyncio.Queue[Any] = asyncio.Queue()
        self._given = [{"type": "http.request", "body": body, "more_body": False}]
        self._gone = asyncio.Event()
        self._task = asyncio.ensure_future(app(scope, self._receive, self._sent.put))
        self._text = ""

    async def _receive(self) -> dict[str, Any]:
        if self._given:
            return self._given.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def message(self) -> dict[str, Any]:
        """The next thing that is sent."""
        waiting = asyncio.ensure_future(self._sent.get())
        await asyncio.wait(
            {waiting, self._task}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED
        )
        if not waiting.done():
            await asyncio.sleep(0)
        if not waiting.done():
            waiting.cancel()
            if self._task.done():
                self._task.result()
            raise EOFError("nothing more is sent")
        found: dict[str, Any] = waiting.result()
        return found

    async def event(self, *names: str) -> tuple[str, Any]:
        """The next event of one of these names, or of any."""
        while True:
            while "\n\n" in self._text:
                block, _, self._text = self._text.partition("\n\n")
                lines = dict(line.partition(": ")[::2] for line in block.split("\n"))
                if "event" in lines and (not names or lines["event"] in names):
                    return lines["event"], json.loads(lines["data"])
            self._text += (await self.message()).get("body", b"").decode()

    async def close(self) -> None:
        """Hang up, and wait until the application knows it."""
        self._gone.set()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._task), PATIENCE)


class Page:
    """The application, running."""

    def __init__(self, app: Starlette) -> None:
        self.app = app

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """The whole answer to a request; `body` is bytes, or something for JSON."""
        stream = self.open(method, path, body, headers)
        start = await stream.message()
        data = b""
        while True:
            message = await stream.message()
            data += message.get("body", b"")
            if not message.get("more_body"):
                break
        await stream.close()
        names = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return Reply(start["status"], names, data)

    def open(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Stream:
        """A request whose answer is not waited for."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body)
        data = data.encode() if isinstance(data, str) else data
        given = {"host": "127.0.0.1:8080"}
        if method == "POST":
            given |= {"content-type": "application/json", "content-length": str(len(data))}
        given |= dict(headers or {})
        raw, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote_to_bytes(raw).decode(errors="replace"),
            "raw_path": raw.encode(errors="replace"),
            "query_string": query.encode(errors="replace"),
            "root_path": "",
            "headers": [
                (name.lower().encode(), value.encode("latin-1", "replace"))
                for name, value in given.items()
            ],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8080),
            "state": {},
        }
        return Stream(self.app, scope, data)

    async def get(self, path: str, **headers: str) -> Reply:
        """A plain question."""
        return await self.ask("GET", path, None, headers)

    async def post(self, path: str, body: object, **headers: str) -> Reply:
        """A question in JSON."""
        return await self.ask("POST", path, body, headers)


@asynccontextmanager
async def running(options: WebOptions | None = None) -> AsyncIterator[Page]:
    """The page between its start and its end."""
    app = create_app(options)
    async with app.router.lifespan_context(app):
        yield Page(app)


class Loop:
    """A page that tests ask one after the other without a loop of their own."""

    def __init__(self, loop: asyncio.AbstractEventLoop, page: Page) -> None:
        self._loop = loop
        self.page = page

    def ask(self, *arguments: Any, **more: Any) -> Reply:
        """As `Page.ask`."""
        return self._loop.run_until_complete(self.page.ask(*arguments, **more))

    def open(self, *arguments: Any, **more: Any) -> Stream:
        """As `Page.open`."""

        async def opened() -> Stream:
            return self.page.open(*arguments, **more)

        return self._loop.run_until_complete(opened())

    def run(self, work: Any) -> Any:
        """Whatever else there is to wait for."""
        return self._loop.run_until_complete(work)


@contextmanager
def looping(options: WebOptions | None = None) -> Iterator[Loop]:
    """A page in a loop of its own."""
    loop = asyncio.new_event_loop()
    around = running(options)
    try:
        page = loop.run_until_complete(around.__aenter__())
        yield Loop(loop, page)
        loop.run_until_complete(around.__aexit__(None, None, None))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()
