"""Ask for the best move in a position, and why it is best.

``python examples/best_move.py [GAME] [--after MOVES] [--seconds S]``. MOVES are joint moves in the
order of the roles, one after the other, as in ``--after "(mark 2 2)" noop noop "(mark 1 1)"``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from woodstock import Game, State


def after(game: Game, moves: Sequence[str]) -> State:
    """The state after some joint moves.

    >>> after(Game.load("tic-tac-toe"), ["(mark 2 2)", "noop"]).turn
    ('o',)
    """
    state = game.initial_state()
    for first in range(0, len(moves), len(game.roles)):
        state = state.apply(moves[first : first + len(game.roles)])
    return state


def main(arguments: Sequence[str] | None = None) -> None:
    """Think and print."""
    parser = argparse.ArgumentParser(description="Ask for the best move in a position.")
    parser.add_argument("game", nargs="?", default="tic-tac-toe")
    parser.add_argument("--after", nargs="*", default=[], metavar="MOVE")
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args(arguments)
    state = after(Game.load(options.game), options.after)
    print(state)
    for role in (role for role in state.game.players if role in state.turn):
        found = state.analyse(role, seconds=options.seconds)
        for one in found.moves[:5]:
            print(f"{one.move}: {100 * one.value:.1f} {one.bounds}")
        print(f"{role} should play {found.move}")


if __name__ == "__main__":
    main()
