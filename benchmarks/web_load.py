"""Many people at the page at once: how long they wait, what it holds, what a killed server loses.

    python benchmarks/web_load.py [--sessions 50] [--seconds 120] [--no-kill]

starts ``woodstock web`` in a folder of its own. Every session opens a table against a player that
thinks 0.5 to 1 s a move, listens to its events and makes random legal moves; one in five analyses
between two moves, one in five pastes rules of its own first. After three quarters of the time the
server is killed as if by a power cut and started again, and every move that was acknowledged is
looked for. Standard output has one JSON object: milliseconds by kind of request before and after
that, the memory, what was lost. Rules that nobody has asked for yet have to be read first: that
counts as ``paste`` and ``first look``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

from web_client import Client, LostError, Server, Watcher

from woodstock import games

GAMES = ("tic-tac-toe", "connect-four", "breakthrough", "reversi", "hex", "chess")
PAGES = ("/", "/static/app.js", "/static/style.css", "/api/games", "/api/players")


class Figures:
    """What all sessions have measured."""

    def __init__(self) -> None:
        self.before: defaultdict[str, list[float]] = defaultdict(list)
        self.after: defaultdict[str, list[float]] = defaultdict(list)
        self.times = self.before
        self.failures: Counter[str] = Counter()
        self.acknowledged = 0
        self.players: list[float] = []


def _summary(times: dict[str, list[float]]) -> dict[str, Any]:
    """Milliseconds of all kinds of requests."""
    return {kind: _spread(every) for kind, every in sorted(times.items())}


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)

    def at(share: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

    return {
        "count": len(ordered),
        "p50": at(0.5),
        "p95": at(0.95),
        "p99": at(0.99),
        "max": round(1000 * ordered[-1], 1),
    }


async def lag(times: list[float]) -> None:
    """How late this process is woken up: what a busy machine adds to every figure."""
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(0.05)
        times.append(time.perf_counter() - begun - 0.05)


class Session:
    """Somebody at the page."""

    def __init__(self, number: int, port: int, figures: Figures, seed: int) -> None:
        self.number = number
        self._client = Client(port)
        self._figures = figures
        self._draw = random.Random(f"{seed}/{number}")
        self._port = port
        self.acked: tuple[str, str, str, int, str, list[list[str]]] | None = None
        """Table, key, role, ply, move and line of the last move that was acknowledged."""
        self._table = ""
        self._key = ""
        self._seen: dict[str, Any] = {}
        self._changed = asyncio.Event()

    async def ask(self, kind: str, method: str, path: str, body: object = None) -> Any:
        """A request whose time counts."""
        begun = time.perf_counter()
        status, found = await self._client.ask(method, path, body)
        self._figures.times[kind].append(time.perf_counter() - begun)
        if status >= 400 and status != 409:
            self._figures.failures[f"{kind} {status} {str(found)[:120]}"] += 1
            return None
        return found

    async def live(self, until: float) -> None:
        """Play matches until the time is over; a server that is away is waited for."""
        await asyncio.sleep(self._draw.uniform(0, 5))
        while time.monotonic() < until:
            try:
                for page in PAGES if self._draw.random() < 0.5 else PAGES[:3]:
                    await self.ask("page", "GET", page)
                await self._match(until)
            except LostError:
                self._table = ""
                await asyncio.sleep(1)
        self._client.close()

    async def _match(self, until: float) -> None:
        game = GAMES[self.number % len(GAMES)]
        if self.number % 5 == 3:
            pasted = f"; {self.number}\n{games.rules_text(game)}"
            found = await self.ask("paste", "POST", "/api/rules", {"text": pasted})
            if found is None or not found.get("ok"):
                return
            game = f"sha256:{found['digest']}"
        view = await self.ask("position", "POST", "/api/position", {"game": game})
        if view is None:
            return
        mine = self._draw.choice(view["players"])
        player = ("woodstock", "uct")[self.number % 2]
        seconds = self._draw.choice((0.5, 0.75, 1.0))
        seat = {"kind": "player", "player": player, "seconds": seconds}
        seats = {role: seat for role in view["players"] if role != mine}
        made = await self.ask("table", "POST", "/api/tables", {"game": game, "seats": seats})
        if made is None:
            return
        self._table, self._key = made["table"], made["owner"]
        self._seen = {}
        hearing = asyncio.create_task(self._listen())
        try:
            await self._play(game, mine, until, hearing)
        finally:
            hearing.cancel()
            with suppress(asyncio.CancelledError, LostError):
                await hearing

    async def _listen(self) -> None:
        path = f"/api/tables/{self._table}/events?key={self._key}"
        async for name, data in Client(self._port).events(path):
            if name == "table":
                self._seen = data
                self._changed.set()

    async def _play(self, game: str, mine: str, until: float, hearing: asyncio.Task[None]) -> None:
        asked = time.monotonic()
        while time.monotonic() < until and not self._seen.get("over"):
            if hearing.done():
                raise LostError("the stream has ended")
            seen = self._seen
            moves = [one["move"] for one in seen.get("view", {}).get("moves", {}).get(mine, [])]
            if mine not in seen.get("waiting", []) or not moves:
                self._changed.clear()
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), 1)
                continue
            self._figures.players.append(time.monotonic() - asked)
            await asyncio.sleep(self._draw.uniform(0.3, 1.5))
            if self.number % 5 == 1 and self._draw.random() < 0.3:
                await self._analyse(game, seen["line"])
            move = self._draw.choice(moves)
            body = {"key": self._key, "role": mine, "ply": seen["ply"], "move": move}
            path = f"/api/tables/{self._table}"
            found = await self.ask("move", "POST", f"{path}/move", body)
            asked = time.monotonic()
            if found is not None and "error" not in found:
                self._figures.acknowledged += 1
                self.acked = (self._table, self._key, mine, seen["ply"], move, seen["line"])
                if found["ply"] >= self._seen["ply"]:
                    self._seen = found
            if self._draw.random() < 0.1:
                await self.ask("look", "GET", f"{path}?key={self._key}")

    async def _analyse(self, game: str, line: list[list[str]]) -> None:
        body = {"game": game, "line": line, "player": "woodstock", "seconds": 2}
        found = await self.ask("analyse", "POST", "/api/analyse", body)
        if found is None or "job" not in found:
            return
        begun = time.perf_counter()
        async for name, _ in Client(self._port).events(f"/api/jobs/{found['job']}/events"):
            if name == "progress":
                self._figures.times["first words of an analysis"].append(
                    time.perf_counter() - begun
                )
                return  # and the tab is closed
            if name in ("done", "failed"):
                return

    async def check(self) -> str:
        """What is wrong with the last acknowledged move, if anything."""
        if self.acked is None:
            return ""
        table, key, role, ply, move, line = self.acked
        status, found = await self._client.ask("GET", f"/api/tables/{table}?key={key}")
        if status != 200:
            return f"{table}: {found}"
        if found["line"][:ply] != line:
            return f"{table}: the line before ply {ply} differs"
        at = found["view"]["roles"].index(role)
        if len(found["line"]) > ply and found["line"][ply][at] == move:
            return ""
        return "" if role in found["moved"] else f"{table}: {role} {move} at ply {ply} is lost"


async def measure(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run all sessions, with a kill in the middle, and sum up."""
    figures = Figures()
    server = await Server.start(folder)
    watcher = Watcher(server.pid)
    sessions = [Session(n, server.port, figures, arguments.seed) for n in range(arguments.sessions)]
    for game in GAMES:
        await sessions[0].ask("first look", "POST", "/api/position", {"game": game})
    until = time.monotonic() + arguments.seconds
    watching = asyncio.create_task(watcher.watch(arguments.seconds))
    late: list[float] = []
    lagging = asyncio.create_task(lag(late))
    living = [asyncio.create_task(one.live(until)) for one in sessions]
    lost: list[str] = []
    if not arguments.no_kill:
        await asyncio.sleep(0.75 * arguments.seconds)
        figures.times = figures.after
        server.kill()
        left = await server.orphans()
        acked = [one.acked for one in sessions]
        server = await Server.start(folder, server.port)
        watcher.pid = server.pid
        for one, kept in zip(sessions, acked):
            probe = Session(one.number, server.port, Figures(), 0)
            probe.acked = kept
            if problem := await probe.check():
                lost.append(problem)
        lost += [f"process {pid} outlived the server" for pid in left]
    await asyncio.gather(*living)
    about = (await Client(server.port).ask("GET", "/api/about"))[1]
    watching.cancel()
    lagging.cancel()
    server.close()
    return {
        "sessions": arguments.sessions,
        "seconds": arguments.seconds,
        "cores": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg()[0],
        "wakes_late_by": _spread(late),
        "milliseconds": _summary(figures.before),
        "milliseconds_after_the_kill": _summary(figures.after),
        "players_answered_after": _spread(figures.players) if figures.players else None,
        "acknowledged_moves": figures.acknowledged,
        "failures": dict(figures.failures.most_common(20)),
        "lost": lost,
        "killed": not arguments.no_kill,
        "server_peak_mb": round(watcher.server_mb),
        "all_peak_mb": round(watcher.all_mb),
        "most_processes": watcher.processes,
        "now": about["now"],
    }


def main() -> None:
    """Run it and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-kill", action="store_true", help="let the server live")
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(parser.parse_args(), Path(folder)))
    print(json.dumps(found, indent=2))
    sys.exit(bool(found["lost"]))


if __name__ == "__main__":
    main()
