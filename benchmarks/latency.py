"""How long a player takes to answer where there is nothing to think about.

``python benchmarks/latency.py`` starts a player (`woodstock serve --player legal`) and asks it over
loopback, one connection a message, as game servers do: INFO, PLAY of a match of connect four, and
PLAY, INFO and ABORT of a player that is thinking (`--player uct`). One JSON object with
milliseconds (median, 99th part of a hundred, most) goes to standard output.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from woodstock import Game, games
from woodstock.gdl.terms import Term
from woodstock.protocol.http import read_reply, request
from woodstock.protocol.messages import Abort, Info, Play, Start, Stop, read_move

GAME = "connect-four"


class Player:
    """A player in a process of its own."""

    def __init__(self, name: str) -> None:
        command = [sys.executable, "-m", "woodstock", "serve", "--port", "0", "--player", name]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        found = re.search(r":(\d+)\.", self._process.stderr.readline())
        assert found
        self._port = int(found[1])

    async def ask(self, message: object) -> tuple[str, float]:
        """The answer, and the milliseconds from the connection to its last byte."""
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(request(str(message), "localhost", "W"))
        text = await read_reply(reader)
        writer.close()
        return text, 1000 * (time.perf_counter() - begun)

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(10)


async def quick(player: Player, times: int) -> dict[str, list[float]]:
    """A player that does not think."""
    found: dict[str, list[float]] = {"info": [], "play": [], "stop": []}
    game = Game.from_library(GAME)
    rules = games.rules_text(GAME)
    for match in range(times):
        found["info"].append((await player.ask(Info()))[1])
        await player.ask(Start(f"m{match}", game.roles[0], rules, 10, 5))
        state, told = game.initial_state(), None
        for _ in range(10):
            text, milliseconds = await player.ask(Play(f"m{match}", told))
            found["play"].append(milliseconds)
            joint: list[Term] = [state.legal_moves(role)[0] for role in game.roles]
            joint[0] = read_move(text)
            state, told = state.apply(joint), tuple(joint)
        found["stop"].append((await player.ask(Stop(f"m{match}", told)))[1])
    return found


async def thinking(player: Player, times: int) -> dict[str, list[float]]:
    """A player that thinks, and is told to stop."""
    found: dict[str, list[float]] = {"info_while_thinking": [], "abort_while_thinking": []}
    found["move_after_abort"] = []
    game = Game.from_library(GAME)
    for match in range(times):
        await player.ask(Start(f"m{match}", game.roles[0], games.rules_text(GAME), 1, 60))
        move = asyncio.create_task(player.ask(Play(f"m{match}", None)))
        await asyncio.sleep(0.3)
        found["info_while_thinking"].append((await player.ask(Info()))[1])
        begun = time.perf_counter()
        found["abort_while_thinking"].append((await player.ask(Abort(f"m{match}")))[1])
        await move
        found["move_after_abort"].append(1000 * (time.perf_counter() - begun))
    return found


def figures(milliseconds: Sequence[float]) -> dict[str, float]:
    """What is told of many."""
    ordered = sorted(milliseconds)
    return {
        "count": len(ordered),
        "median": round(statistics.median(ordered), 2),
        "p99": round(ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)], 2),
        "most": round(ordered[-1], 2),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=20)
    times = parser.parse_args(arguments).times
    found: dict[str, list[float]] = {}
    for name, measure in (("legal", quick), ("uct", thinking)):
        player = Player(name)
        try:
            found |= asyncio.run(measure(player, times))
        finally:
            player.close()
    print(json.dumps({name: figures(one) for name, one in found.items()}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
