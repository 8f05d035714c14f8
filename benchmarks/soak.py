"""A long day at the table: many matches over the network, and what went wrong in them.

``python benchmarks/soak.py --folder FOLDER --turns 5000 --out soak.jsonl`` starts players
(`woodstock serve`, a process each) and hosts matches between them over loopback, several side by
side: games of the library and rulesheets of FOLDER (``*.kif``, ``*.gdl``, also in folders below),
those that cannot be grounded included, both dialects of GDL-II, some scrambled. Matches are cut
after some turns. ``--load`` processes do nothing but take processors away.

Every match is a line of the file; the same command again goes on where it was broken off. One JSON
object with the figures goes to standard output, progress to standard error. The exit code is 1 when
an answer was late (beyond the play clock itself, whatever grace a manager gives), illegal or
missing, or a player died.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from result_lines import Record, ResultLines
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from woodstock import Game, WoodstockError, games
from woodstock.ground.limits import GroundingLimits
from woodstock.match import Turn
from woodstock.protocol.hearing import sees_anything
from woodstock.protocol.hosted_players import Address, Dialect, RemotePlayer
from woodstock.protocol.manager import host_match

CLOCKS = (1.0, 2.0, 3.0)
START_CLOCK = 5.0
GROUNDING_SECONDS = 20.0
MOST_ROLES = 4
MOST_BARREN = 500


@dataclass(frozen=True)
class Plan:
    """A match to be played."""

    number: int
    game: str
    play_clock: float
    turns: int
    dialect: str
    scramble: bool

    @property
    def id(self) -> str:
        """A name that no other match has."""
        return f"{self.number}/{Path(self.game).name}"


def plans(options: argparse.Namespace) -> Iterator[Plan]:
    """Matches without end, over all games in turn."""
    sources = list(options.names or games.names())
    if options.folder is not None:
        found = [*options.folder.rglob("*.kif"), *options.folder.rglob("*.gdl")]
        sources += sorted(map(str, found))
    rng = random.Random(options.seed)
    rng.shuffle(sources)
    number = 0
    while True:
        for source in sources:
            yield Plan(
                number,
                source,
                rng.choice(CLOCKS),
                options.cut,
                rng.choice(("gdl", "gdl2", "gdl2-old")),
                rng.random() < 0.3,
            )
            number += 1


def play(plan: Plan, ports: Sequence[int]) -> Record:
    """Host a match between the players at these ports."""
    row: Record = {"id": plan.id, **asdict(plan), "answers": 0, "late": [], "errors": []}
    try:
        limits = GroundingLimits(seconds=GROUNDING_SECONDS)
        game = Game.load(plan.game, limits=limits)
        roles = game.players
        if not 0 < len(roles) <= MOST_ROLES:
            raise WoodstockError(f"{len(roles)} roles")
    except WoodstockError as problem:
        return {**row, "skipped": str(problem)[:200], "made": 0}
    dialect: Dialect = plan.dialect  # type: ignore[assignment]
    if dialect == "gdl" and sees_anything(game):
        dialect = "gdl2"
    seats = {
        role: RemotePlayer(Address("127.0.0.1", port), dialect) for role, port in zip(roles, ports)
    }
    slowest = 0.0

    def note(turn: Turn) -> None:
        nonlocal slowest
        for role, error, seconds in zip(turn.state.roles, turn.errors, turn.seconds):
            if role not in seats:
                continue
            row["answers"] += 1
            slowest = max(slowest, seconds)
            if error:
                row["errors"].append([turn.number, role, error])
            elif seconds > plan.play_clock:
                row["late"].append([turn.number, role, round(seconds, 3)])

    record = asyncio.run(
        host_match(
            game,
            seats,
            seed=plan.number,
            match_id=f"soak.{plan.number}.{os.getpid()}",
            start_clock=START_CLOCK,
            play_clock=plan.play_clock,
            scramble=plan.scramble,
            max_moves=plan.turns,
            on_turn=note,
        )
    )
    return {
        **row,
        "made": len(record.moves),
        "engine": game.engine.name,
        "slowest": round(slowest, 3),
        "problem": "" if record.problem.startswith("cut") else record.problem,
    }


class Players:
    """Player processes, a table's worth for each match that is played at a time."""

    def __init__(self, tables: int, player: str) -> None:
        self.died = 0
        self._player = player
        self._ports = _free_ports(tables * MOST_ROLES)
        self.tables = [
            self._ports[i : i + MOST_ROLES] for i in range(0, len(self._ports), MOST_ROLES)
        ]
        self._processes = {port: self._start(port) for port in self._ports}

    def _start(self, port: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "woodstock", "serve", "--port", str(port)]
        command += ["--player", self._player, "--memory", "64"]
        return subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def check(self) -> None:
        """Count those that died, and start them again."""
        for port, process in self._processes.items():
            if process.poll() is not None:
                self.died += 1
                self._processes[port] = self._start(port)

    def megabytes(self) -> float:
        """The memory of all players, their workers left out."""
        return sum(_rss(process.pid) for process in self._processes.values())

    def close(self) -> None:
        """End them."""
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.wait(10)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _rss(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def load_on(processes: int) -> Iterator[None]:
    """Processes that take the processor away from others."""
    code = "while True: pass"
    busy = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in busy:
            one.kill()


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Play until there are turns enough."""
    results = ResultLines(options.out)
    rows = results.records
    made = sum(row["made"] for row in rows.values())
    waiting = (plan for plan in plans(options) if plan.id not in rows)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    players = Players(options.matches, options.player)
    memory: list[float] = []
    context = get_context("spawn")
    try:
        time.sleep(5)  # until everybody listens
        with (
            load_on(options.load),
            Progress(*columns, TimeElapsedColumn(), console=console) as progress,
            ProcessPoolExecutor(options.matches, mp_context=context) as pool,
        ):
            bar = progress.add_task("turns", total=options.turns, completed=made)
            free = list(players.tables)
            running: dict[Future[Record], list[int]] = {}
            barren = 0  # matches in a row in which nothing was played
            while made < options.turns or running:
                if barren > MOST_BARREN:
                    raise SystemExit("nothing can be played: every rulesheet is skipped")
                while free and made < options.turns:
                    table = free.pop()
                    running[pool.submit(play, next(waiting), table)] = table
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    free.append(running.pop(future))
                    row = future.result()
                    results.add(row)
                    made += row["made"]
                    barren = 0 if row["made"] else barren + 1
                    progress.update(bar, completed=made)
                    players.check()
                    memory.append(players.megabytes())
    finally:
        players.close()
    return {**summary(list(rows.values())), "died": players.died, **_flat(memory)}


def _flat(memory: Sequence[float]) -> dict[str, float]:
    """The players' memory in the first and the last tenth of the matches."""
    part = max(1, len(memory) // 10)
    if not memory:
        return {}
    return {
        "players_mb_first": round(sum(memory[:part]) / part, 1),
        "players_mb_last": round(sum(memory[-part:]) / part, 1),
    }


def summary(rows: Sequence[Record]) -> dict[str, Any]:
    """The figures."""
    errors = [error for row in rows for error in row["errors"]]
    kinds = Counter(error[2][:2] for error in errors)
    played = [row for row in rows if row["made"]]
    return {
        "matches": len(played),
        "rulesheets": len({row["game"] for row in played}),
        "not_grounded": len({row["game"] for row in played if row["engine"] == "lifted"}),
        "turns": sum(row["made"] for row in rows),
        "answers": sum(row["answers"] for row in rows),
        "late": sum(len(row["late"]) for row in rows) + kinds["TO"],
        "illegal": kinds["IL"],
        "missing": kinds["CE"] + kinds["EX"],
        "skipped": {Path(row["game"]).name: row["skipped"] for row in rows if "skipped" in row},
        "problems": [[row["id"], row["problem"]] for row in played if row["problem"]],
        "wrong": [
            [row["id"], row["play_clock"], row["errors"], row["late"]]
            for row in played
            if row["errors"] or row["late"]
        ],
    }


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="library games (default: all)")
    parser.add_argument("--turns", type=int, default=5_000)
    parser.add_argument("--cut", type=int, default=12, help="turns of a match, at most")
    parser.add_argument("--matches", type=int, default=3, help="side by side")
    parser.add_argument("--load", type=int, default=1, help="processes that take processors away")
    parser.add_argument("--folder", type=Path, help="folder of public rulesheets")
    parser.add_argument("--player", default="woodstock")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="file of finished matches (JSONL)")
    options = parser.parse_intermixed_args(arguments)
    unknown = [name for name in options.names if name not in games.names()]
    if unknown:
        parser.error(f"no game called {', '.join(unknown)}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    found = run(options_of(arguments))
    print(json.dumps(found, indent=1))
    return int(any(found[name] for name in ("late", "illegal", "missing", "died")))


if __name__ == "__main__":
    sys.exit(main())
