"""Count the different positions of a game, ply by ply, and how they end.

``python examples/count_positions.py [GAME] [--plies N]``. Tic-tac-toe is counted to its end in a
second or two; for larger games give a number of plies.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from woodstock import Game, State

Layer = set[State]


def layers(game: Game, plies: int | None = None) -> Iterator[Layer]:
    """The states after 0, 1, 2, ... joint moves, each once a layer: states can be hashed.

    >>> [len(layer) for layer in layers(Game.load("tic-tac-toe"), plies=3)]
    [1, 9, 72, 252]
    """
    layer: Layer = {game.initial_state()}
    while layer:
        yield layer
        if plies is not None and plies <= 0:
            return
        plies = None if plies is None else plies - 1
        layer = {
            state.apply(joint)
            for state in layer
            if not state.is_terminal
            for joint in product(*(state.legal_moves(role) for role in game.roles))
        }


def main(arguments: Sequence[str] | None = None) -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description="Count the positions of a game, ply by ply.")
    parser.add_argument("game", nargs="?", default="tic-tac-toe")
    parser.add_argument("--plies", type=int)
    options = parser.parse_args(arguments)
    game = Game.load(options.game)
    total = 0
    ends: Counter[str] = Counter()
    for ply, layer in enumerate(layers(game, options.plies)):
        over = [state for state in layer if state.is_terminal]
        ends.update(str(state.goals()) for state in over)
        total += len(layer)
        print(f"after {ply} plies: {len(layer)} positions, {len(over)} of them terminal")
    print(f"{total} positions")
    for goals, number in ends.most_common():
        print(f"{number} end with {goals}")


if __name__ == "__main__":
    main()
