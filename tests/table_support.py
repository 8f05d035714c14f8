"""Matches on the page without a browser: requests to the application, and what comes back."""

from __future__ import annotations

import asyncio
import json
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

with warnings.catch_warnings():
    # It would rather have a successor of httpx, which it does not need yet.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from woodstock.web.app import create_app
from woodstock.web.options import PageLimits, WebOptions

Json = dict[str, Any]

PATIENCE = 60.0
"""Seconds after which something is wrong, also on a busy machine."""


@contextmanager
def desk(folder: Path | None = None, **limits: int) -> Iterator[TestClient]:
    """The page as a program to ask, until the block ends."""
    app = create_app(WebOptions(folder=folder, limits=PageLimits(**limits)))
    with TestClient(app, base_url="http://127.0.0.1:8080") as client:
        yield client


def person() -> Json:
    """The seat of a person."""
    return {"kind": "person"}


def player(name: str = "legal", seconds: float = 0.1) -> Json:
    """The seat of a player."""
    return {"kind": "player", "player": name, "seconds": seconds}


@dataclass
class Match:
    """A match that somebody has set up, with all its keys."""

    client: TestClient
    table: str
    owner: str
    watch: str
    keys: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, client: TestClient, game: str, seats: Json, **more: Any) -> Match:
        """A new one; ``seed`` and ``line`` may be given."""
        answer = client.post("/api/tables", json={"game": game, "seats": seats, "seed": 1, **more})
        assert answer.status_code == 200, answer.text
        return cls(client, **answer.json())

    def look(self, key: str | None = None) -> Json:
        """The match as a key shows it; the owner's if none is given."""
        answer = self.client.get(f"/api/tables/{self.table}", params={"key": key or self.owner})
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def ask(self, what: str, key: str | None = None, **body: Any) -> tuple[int, Json]:
        """Do something; the status and what was answered."""
        sent = {"key": key or self.owner, **body}
        answer = self.client.post(f"/api/tables/{self.table}/{what}", json=sent)
        return answer.status_code, answer.json()

    def do(self, what: str, key: str | None = None, **body: Any) -> Json:
        """Do something that must be possible."""
        status, found = self.ask(what, key, **body)
        assert status == 200, found
        return found

    def move(self, role: str, move: str, key: str | None = None) -> Json:
        """A choice of a person, now."""
        return self.do("move", key, role=role, move=move, ply=self.look(key)["ply"])

    def until(self, done: Callable[[Json], object], key: str | None = None) -> Json:
        """Look until something is so."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            now = self.look(key)
            if done(now):
                return now
            time.sleep(0.02)
        raise AssertionError("this has never come about")


class Ear:
    """An open stream of a match: all bytes that came over it."""

    def __init__(self, client: TestClient, table: str, key: str) -> None:
        self.heard = b""
        self._client = client
        self._gone = client.portal.call(asyncio.Event)  # type: ignore[union-attr]
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"/api/tables/{table}/events",
            "query_string": f"key={key}".encode(),
            "headers": [(b"host", b"127.0.0.1:8080")],
            "app": client.app,
        }
        self._done = client.portal.start_task_soon(self._listen, scope)  # type: ignore[union-attr]

    async def _listen(self, scope: Json) -> None:
        async def receive() -> Json:
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Json) -> None:
            self.heard += message.get("body", b"")

        await self._client.app(scope, receive, send)  # type: ignore[arg-type]

    def events(self) -> list[Json]:
        """What was told so far, as objects."""
        return [
            json.loads(line[6:])
            for line in self.heard.decode().splitlines()
            if line.startswith("data: ")
        ]

    def until_ply(self, ply: int) -> None:
        """Wait until the match has been told of so far."""
        end = time.monotonic() + PATIENCE
        while not any(one.get("ply", -1) >= ply for one in self.events()):
            assert time.monotonic() < end, f"ply {ply} was never told of"
            time.sleep(0.02)

    def __enter__(self) -> Ear:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave: the page cannot be closed as long as somebody listens."""
        self._client.portal.call(self._gone.set)  # type: ignore[union-attr]
        self._done.result(PATIENCE)
