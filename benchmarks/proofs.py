"""How many endgames are proved in a given CPU time, and how soon.

``python benchmarks/proofs.py --player mac-ucb --player mac-ucb:proof_steps=64 --cpu 1``

Positions lie a fixed number of plies before the end of games between weak players (``--before``,
the same for all players, so that nobody has chosen them by what he can prove), in which one player
has a choice. Every player gets the same CPU time for each, an empty tree and the same seed. One
JSON object goes to standard output: for each player what was proved, the CPU time that took with
and without what was tried in vain, how many were proved in a second of it, and how long it took
as against the first player; the same game by game, and each position. Where two players prove
different values, at least one of them is wrong: these positions are listed and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from blunders import SMALL_BREAKTHROUGH
from exact_positions import MEMORY_MB, chooser, small_breakthrough, weak_game
from rich.console import Console
from side_match import load

from woodstock import Game, State
from woodstock.search import Limits, make_searcher

GAMES = (
    # Lines, races, captures, traits, discs, connections, draughts.
    "connect-four", SMALL_BREAKTHROUGH, "knight-through", "tic-tac-chess-2p", "quarto", "reversi",
    "hex", "checkers",
)  # fmt: skip
BEFORE_END = (5, 7, 9, 11)
"""How many plies before the end of its game a position lies; the next game has the next number."""
EXACT = 1e-6
"""Searches keep bounds in single precision."""

Record = dict[str, Any]


def endgames(
    game: Game, positions: int, rng: random.Random, before_end: Sequence[int] = BEFORE_END
) -> Iterator[tuple[int, State]]:
    """Positions in which one player has a choice, each of another game, and their plies."""
    found = 0
    for number in count():
        if found == positions:
            return
        states, _ = weak_game(game, rng)
        place = len(states) - 1 - before_end[number % len(before_end)]
        # Players may take turns at having a choice: one ply earlier is as good.
        while place >= 0 and chooser(states[place]) is None:
            place -= 1
        if place >= 0:
            found += 1
            yield place, states[place]


def prove(player: str, state: State, seed: int, cpu: float) -> Record:
    """What a player finds out about a position."""
    role = chooser(state)
    assert role is not None
    searcher = make_searcher(player, state.game, role, seed=seed, memory_mb=MEMORY_MB)
    found = searcher.think(state, limits=Limits(cpu_seconds=cpu))
    return {
        "proved": found.proved,
        "value": round(found.value, 6) if found.proved else None,
        "cpu": round(found.cpu_seconds, 4),
        "nodes": found.nodes,
    }


def summary(answers: Iterable[Record]) -> Record:
    """What is told of many answers of one player.

    >>> summary([{"proved": True, "cpu": 0.5}, {"proved": False, "cpu": 1.5}])
    {'positions': 2, 'proved': 1, 'share': 0.5, 'cpu_of_proofs': 0.5, 'cpu': 2.0, 'per_second': 0.5}
    """
    every = [*answers]
    proofs = [one for one in every if one["proved"]]
    spent = sum(one["cpu"] for one in every)
    return {
        "positions": len(every),
        "proved": len(proofs),
        "share": round(len(proofs) / max(1, len(every)), 4),
        "cpu_of_proofs": round(sum(one["cpu"] for one in proofs), 3),
        "cpu": round(spent, 3),
        "per_second": round(len(proofs) / spent, 3) if spent else None,
    }


def contradicts(answers: Iterable[Record]) -> bool:
    """Whether two proofs differ.

    >>> contradicts([{"value": 1.0}, {"value": None}, {"value": 0.5}])
    True
    """
    values = [one["value"] for one in answers if one["value"] is not None]
    return bool(values) and max(values) - min(values) > EXACT


def ratio(pairs: Iterable[tuple[Record, Record]]) -> float | None:
    """How long one player took as against another where one of them had a proof, in the mean.

    The mean is geometric, and a millisecond is the least that counts.

    >>> fast, slow = {"proved": True, "cpu": 0.1}, {"proved": False, "cpu": 0.4}
    >>> ratio([(fast, slow), (slow, slow)])
    0.25
    """
    logs = [
        math.log(max(one["cpu"], 1e-3) / max(other["cpu"], 1e-3))
        for one, other in pairs
        if one["proved"] or other["proved"]
    ]
    return round(math.exp(sum(logs) / len(logs)), 3) if logs else None


def report(positions: Sequence[Record], players: Sequence[str]) -> Record:
    """All that is told."""
    games = dict.fromkeys(one["game"] for one in positions)
    return {
        "players": {
            player: {
                **summary(one["answers"][player] for one in positions),
                "ratio": ratio(
                    (one["answers"][player], one["answers"][players[0]]) for one in positions
                ),
                "games": {
                    game: summary(
                        one["answers"][player] for one in positions if one["game"] == game
                    )
                    for game in games
                },
            }
            for player in players
        },
        "contradictions": [one for one in positions if contradicts(one["answers"].values())],
        "positions": [*positions],
    }


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Count endgames that are proved in time.")
    parser.add_argument("--player", action="append", required=True, help="may be given repeatedly")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--positions", type=int, default=4, help="of each game")
    parser.add_argument(
        "--before",
        type=lambda text: tuple(map(int, text.split(","))),
        default=BEFORE_END,
        help="plies before the end of its game, of the first position, the next ...",
    )
    parser.add_argument("--cpu", type=float, default=1.0, help="CPU seconds for a position")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Ask everybody about everything; 1 when proofs contradict each other."""
    options = parse(arguments)
    console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    positions: list[Record] = []
    for name in options.games.split(","):
        with TemporaryDirectory() as folder:
            small = name == SMALL_BREAKTHROUGH
            game = load(small_breakthrough(Path(folder)) if small else name)
        rng = random.Random(f"{name}/{options.seed}")
        for number, (plies, state) in enumerate(
            endgames(game, options.positions, rng, options.before)
        ):
            answers = {
                player: prove(player, state, number, options.cpu) for player in options.player
            }
            positions.append({"game": name, "plies": plies, "answers": answers})
            told = ", ".join(
                f"{one['cpu']:.3f}" if one["proved"] else "-" for one in answers.values()
            )
            console.print(f"{name} after {plies} plies: {told}")
    found = report(positions, options.player)
    print(json.dumps(found, indent=1))
    return 1 if found["contradictions"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
