"""Golden data of the library: counts of the game tree and a recorded match for each game.

``python tools/record_game.py [NAME ...]`` writes ``perft.json`` and ``playthrough.json``; with
``--check`` it writes nothing and says which files would change.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, get_args

from written import write_changed

from woodstock import games
from woodstock.errors import UnknownGameError
from woodstock.game import EngineName, Game
from woodstock.match import depth_counts, random_playthrough

__all__ = ["DEFAULT_MOVES", "main"]

DEFAULT_MOVES = 50_000
DEFAULT_SEED = 1


def _perft_text(counts: Sequence[int]) -> str:
    return json.dumps({"depth_counts": list(counts)}) + "\n"


def _match_text(match: dict[str, Any]) -> str:
    """One ply a line: short files, and a changed ply shows as one changed line."""
    plies = ",\n".join("  " + json.dumps(ply) for ply in match["plies"])
    head = f'{{"game": {json.dumps(match["game"])}, "seed": {match["seed"]}, "plies": [\n'
    return f"{head}{plies}\n]}}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description="Write the golden counts and the recorded match of library games.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="games (default: all)")
    parser.add_argument("--moves", type=int, default=DEFAULT_MOVES, help="moves to make in all")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="seed of the match")
    parser.add_argument("--engine", choices=get_args(EngineName), default="auto")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    options = parser.parse_args(arguments)
    try:
        for name in options.names:
            games.rules_path(name)
    except UnknownGameError as error:
        parser.error(str(error))  # exits with code 2, before anything is written

    changed = 0
    for name in options.names or games.names():
        game = Game.from_library(name, engine=options.engine)
        counts = depth_counts(game.initial_state(), moves=options.moves)
        texts = {
            "perft.json": _perft_text(counts),
            "playthrough.json": _match_text(random_playthrough(game, options.seed)),
        }
        for file in write_changed(games.rules_path(name).parent, texts, check=options.check):
            changed += 1
            print(f"{name}/{file} {'differs' if options.check else 'written'}")
        print(f"{name}: {' '.join(map(str, counts))}")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
