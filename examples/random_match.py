"""Play a random match of any game and print its boards.

``python examples/random_match.py [GAME] [--seed N]``; GAME is a name of the library or a file.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence

from woodstock import Game, State
from woodstock.gdl.terms import Term


def random_match(game: Game, seed: int) -> Iterator[tuple[tuple[Term, ...], State]]:
    """Each joint move of a random match, and the state it leads to.

    >>> [state for _, state in random_match(Game.load("nim"), seed=1)][-1].is_terminal
    True
    """
    rng = random.Random(seed)
    state = game.initial_state()
    while not state.is_terminal:
        # Chance is a role like the others here: everybody draws.
        moves = state.random_joint_move(rng)
        state = state.apply(moves)
        yield moves, state


def main(arguments: Sequence[str] | None = None) -> None:
    """Play one match and print it."""
    parser = argparse.ArgumentParser(description="Play a random match and print its boards.")
    parser.add_argument("game", nargs="?", default="tic-tac-toe")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    game = Game.load(options.game)
    state = game.initial_state()
    print(state)
    for moves, state in random_match(game, options.seed):
        print(", ".join(f"{role}: {move}" for role, move in zip(game.roles, moves, strict=True)))
        print(state)
    print("goals:", state.goals())


if __name__ == "__main__":
    main()
