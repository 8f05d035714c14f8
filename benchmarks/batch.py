"""Steps a second of batches, beside the engine's own playouts of the same game.

``python benchmarks/batch.py [GAME ...] [--counts 1,64,1024,16384] [--seconds 0.5]``

One JSON object goes to standard output: for each game the moves a CPU second of plain playouts, and
for each number of states those of random steps, of steps with given actions, and of masks of legal
actions, all on one thread. `ratio` is playouts to random steps: what the arrays cost.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from woodstock import Game
from woodstock.batch import Batch

GAMES = ("tic-tac-toe", "connect-four", "breakthrough", "reversi", "hex", "checkers", "chess")
PLAYOUTS = 2048


def rate(work: Callable[[], object], size: int, seconds: float) -> float:
    """Units of work a CPU second, each call being `size` of them."""
    work()
    calls, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        work()
        calls += 1
    return calls * size / spent


def playouts(game: Game, seconds: float) -> float:
    """Moves a CPU second of the engine's own random games."""
    state, seeds = game.initial_state(), iter(range(1 << 30))
    length = state.playouts(PLAYOUTS, seed=0).mean_length
    many = 64 * PLAYOUTS if length < 100 else PLAYOUTS
    return rate(lambda: state.playouts(many, seed=next(seeds)), many, seconds) * length


def measure(game: Game, count: int, seconds: float) -> dict[str, float]:
    """What a batch of so many states does in a CPU second, in states."""
    batch = Batch(game, count, seed=1, auto_reset=True)
    random = rate(batch.step, count, seconds)
    actions = np.asarray(batch.legal_mask()).argmax(axis=2)
    start = batch.copy()
    data = start.states()

    def given() -> None:
        start.step(actions)
        start.put(data)

    both = rate(given, count, seconds)
    back = rate(lambda: start.put(data), count, seconds)
    return {
        "random": round(random),
        # What it takes to go back is measured apart and left out.
        "given": round(1 / max(1e-12, 1 / both - 1 / back)),
        "mask": round(rate(batch.legal_mask, count, seconds)),
        "packed_mask": round(rate(lambda: batch.legal_mask(packed=True), count, seconds)),
    }


def main() -> int:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=[*GAMES], metavar="GAME")
    parser.add_argument("--counts", default="1,64,1024,16384")
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    found: dict[str, Any] = {}
    for name in options.games:
        print(name, file=sys.stderr, flush=True)
        game = Game.load(name)
        base = playouts(game, options.seconds)
        rows = {}
        for count in map(int, options.counts.split(",")):
            row = measure(game, count, options.seconds)
            rows[str(count)] = {**row, "ratio": round(base / row["random"], 2)}
        found[name] = {"playout_moves": round(base), "states": rows}
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
