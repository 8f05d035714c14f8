"""Perft: the numbers of lines of play to each depth, the classic check of a move generator.

>>> from woodstock import Game
>>> [level.sequences for level in perft(Game.from_library("tic-tac-toe").initial_state(), 3)]
[1, 9, 72, 504]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from woodstock.game import State
from woodstock.gdl.terms import Term

__all__ = ["Level", "divide", "perft"]


@dataclass(frozen=True)
class Level:
    """What there is at one depth.

    `sequences` joint-move sequences of this length exist (none goes on after the end of the
    game); `terminal` of them end the game; they lead to `states` different states.
    """

    depth: int
    sequences: int
    terminal: int
    states: int

    def to_json(self) -> dict[str, int]:
        """The level as a flat JSON object."""
        return asdict(self)


def perft(
    state: State, depth: int, on_progress: Callable[[int, int, int], None] | None = None
) -> Iterator[Level]:
    """Count the joint-move sequences of each length from 0 to `depth`, level by level.

    Sequences that meet in one state are followed together, so time and memory go with the
    number of different states. `on_progress` is told the depth, and how many of its states out
    of how many have been opened. Ends early where every sequence has ended.
    """
    layer: Counter[State] = Counter([state])
    for number in range(depth + 1):
        alive = [(state, count) for state, count in layer.items() if not state.is_terminal]
        sequences = layer.total()
        yield Level(number, sequences, sequences - sum(n for _, n in alive), len(layer))
        if not alive or number == depth:
            return
        layer = Counter()
        for opened, (state, count) in enumerate(alive):
            if on_progress is not None:
                on_progress(number + 1, opened, len(alive))
            for moves in state.joint_moves():
                layer[state.apply(moves)] += count


def divide(
    state: State, depth: int, on_progress: Callable[[int, int], None] | None = None
) -> Iterator[tuple[tuple[Term, ...], int]]:
    """The number of sequences of length `depth` behind each first joint move.

    >>> from woodstock import Game
    >>> start = Game.from_library("matching-pennies").initial_state()
    >>> [count for _, count in divide(start, 1)]
    [1, 1, 1, 1]
    """
    if depth < 1 or state.is_terminal:
        return
    first = list(state.joint_moves())
    for done, moves in enumerate(first):
        if on_progress is not None:
            on_progress(done, len(first))
        levels = list(perft(state.apply(moves), depth - 1))
        yield moves, levels[-1].sequences if len(levels) == depth else 0
