"""What searching up to symmetry saves, and what looking for symmetries costs where there are none.

``python benchmarks/symmetry_effect.py`` has each search prove games from their beginning, as it is
and up to symmetry: nodes and CPU seconds until the proof. Then, in games without symmetries, both
get the same CPU time by turns, and the overhead is how much faster the plain one is; `match` counts
the first four positions of a match, the look at every one of them included. One JSON object goes
to standard output, progress to standard error.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

from rich.progress import Progress

from woodstock import Game
from woodstock.search import Limits, make_searcher

PAIRS = (("uct", "uct-sym"), ("grave", "grave-sym"), ("mac-ucb", "mac-ucb-sym"))
SOLVED = (
    "tic-tac-toe",
    "randomised-tic-tac-toe",
    "buttons-and-lights-7",
    "monty-hall",
    "orchard",
    "sheep-and-wolf",
    "vacuum-cleaner-random",
    "untwisty",
)
PLAIN = ("checkers", "oware", "sheep-and-wolf", "backgammon", "ttcc4-2p")
NODES, SECONDS = 2_000_000, 6.0


CLOCK = 0.2
"""CPU seconds of a search whose speed is measured."""


def chooser(game: Game) -> str:
    """The first player with a choice."""
    start = game.initial_state()
    players = game.players
    return next((role for role in players if role in start.turn), players[0])


def proof(game: Game, player: str) -> dict[str, Any]:
    """Nodes and seconds until a search has proved the value of the game."""
    searcher = make_searcher(player, game, chooser(game), seed=1, memory_mb=1024)
    searcher.prepare(10.0)
    limits = Limits(nodes=NODES, cpu_seconds=SECONDS)
    found = searcher.think(game.initial_state(), limits=limits)
    return {
        "proved": found.proved,
        "nodes": found.nodes,
        "cpu_seconds": round(found.cpu_seconds, 3),
        "value": round(found.value, 4),
    }


def speed(game: Game, player: str, seed: int, moves: int) -> float:
    """Simulations a CPU second, in each of the first positions."""
    role = chooser(game)
    searcher = make_searcher(player, game, role, seed=seed)
    searcher.prepare(10.0)
    state = game.initial_state()
    simulations = 0
    begun = time.process_time()
    for _ in range(moves):
        simulations += searcher.think(state, limits=Limits(cpu_seconds=CLOCK)).simulations
        joint = [state.legal_moves(one)[0] for one in state.roles]
        state = state.apply(joint)
        if state.is_terminal:
            break
    return simulations / (time.process_time() - begun)


def overhead(game: Game, pair: tuple[str, str], rounds: int, moves: int) -> float:
    """How much slower the second one is, in the median of pairs by turns."""
    ratios = []
    for seed in range(rounds):
        plain, other = (speed(game, player, seed, moves) for player in pair)
        ratios.append(plain / other)
    return round(statistics.median(ratios) - 1, 4)


def main() -> int:
    """Measure both."""
    parser = argparse.ArgumentParser(description="What symmetry saves and costs.")
    parser.add_argument("--rounds", type=int, default=9, help="pairs for each overhead")
    given = parser.parse_args()
    solved: dict[str, Any] = {}
    costs: dict[str, Any] = {}
    with Progress(transient=True) as progress:
        task = progress.add_task("games", total=len(SOLVED) + len(PLAIN))
        for name in SOLVED:
            progress.update(task, description=name, advance=1)
            game = Game.from_library(name)
            solved[name] = {player: proof(game, player) for pair in PAIRS for player in pair}
        for name in PLAIN:
            progress.update(task, description=name, advance=1)
            game = Game.from_library(name)
            costs[name] = {
                pair[1]: {
                    "search": overhead(game, pair, given.rounds, 1),
                    "match": overhead(game, pair, given.rounds, 4),
                }
                for pair in PAIRS
            }
    print(json.dumps({"solved": solved, "overhead": costs}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
