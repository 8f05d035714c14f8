"""Perft: the numbers of lines of play to each depth, the classic check of a move generator.

>>> from woodstock import Game
>>> [level.sequences for level in perft(Game.from_library("tic-tac-toe").initial_state(), 3)]
[1, 9, 72, 504]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from woodstock.engine import Engine
from woodstock.game import State
from woodstock.gdl.terms import Term

__all__ = ["Level", "depth_counts", "divide", "perft"]


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


class _Layer:
    """The positions at one depth, each with the number of sequences that lead to it.

    Sequences that meet are followed together, and the engine opens all positions in one go.
    """

    def __init__(self, engine: Engine, counts: Counter[Any]) -> None:
        self._engine = engine
        self.states = len(counts)
        self.sequences = counts.total()
        widths = engine.widths(list(counts))
        self._alive = [(p, counts[p]) for p, width in zip(counts, widths) if width is not None]
        self.alive = len(self._alive)
        self.terminal = self.sequences - sum(count for _, count in self._alive)
        open_widths = [width for width in widths if width is not None]
        self.moves = sum(open_widths)
        """The joint moves to be made for the next layer."""
        self.following = sum(n * width for (_, n), width in zip(self._alive, open_widths))
        """The number of sequences that are longer by one."""

    @classmethod
    def of(cls, state: State) -> _Layer:
        return cls(state.game.engine, Counter([state.position]))

    def next(self, on_progress: Callable[[int, int], None] | None = None) -> _Layer:
        """The layer below; `on_progress` hears how many positions of how many are opened."""
        counts: Counter[Any] = Counter()
        children = self._engine.children([position for position, _ in self._alive])
        for opened, ((_, count), reached) in enumerate(zip(self._alive, children)):
            if on_progress is not None:
                on_progress(opened, self.alive)
            for position in reached:
                counts[position] += count
        return _Layer(self._engine, counts)


def perft(
    state: State, depth: int, on_progress: Callable[[int, int, int], None] | None = None
) -> Iterator[Level]:
    """Count the joint-move sequences of each length from 0 to `depth`, level by level.

    Sequences that meet in one state are followed together, so time and memory go with the
    number of different states; a joint move costs some microseconds on the circuit, some 0.1 ms
    on the ground engine. `on_progress` is told the depth, and how many of its states out of how
    many have been opened. Ends early where every sequence has ended.
    """
    layer = _Layer.of(state)
    for number in range(depth + 1):
        yield Level(number, layer.sequences, layer.terminal, layer.states)
        if not layer.alive or number == depth:
            return
        progress = on_progress and _at_depth(on_progress, number + 1)
        layer = layer.next(progress)


def _at_depth(
    on_progress: Callable[[int, int, int], None], depth: int
) -> Callable[[int, int], None]:
    return lambda opened, total: on_progress(depth, opened, total)


def depth_counts(state: State, *, depth: int | None = None, moves: int | None = None) -> list[int]:
    """The numbers of joint-move sequences of length 0, 1, 2, ... alone.

    As `perft` counts them, but the last depth without making its moves. Stops where every sequence
    has ended, at `depth`, or before more than `moves` joint moves are made in all.

    >>> from woodstock import Game
    >>> depth_counts(Game.from_library("nim").initial_state(), depth=3)
    [1, 12, 115, 866]
    """
    counts = [1]
    layer = _Layer.of(state)
    made = 0
    while layer.alive and (depth is None or len(counts) <= depth):
        counts.append(layer.following)
        made += layer.moves
        if (moves is not None and made > moves) or len(counts) - 1 == depth:
            break
        layer = layer.next()
    return counts


def divide(
    state: State, depth: int, on_progress: Callable[[int, int], None] | None = None
) -> Iterator[tuple[tuple[Term, ...], int]]:
    """The number of sequences of length `depth` behind each first joint move.

    >>> from woodstock import Game
    >>> start = Game.from_library("matching-pennies").initial_state()
    >>> [count for _, count in divide(start, 1)]
    [1, 1, 1, 1]
    """
    if depth < 1:
        return
    first = state.successors()
    for done, (moves, after) in enumerate(first):
        if on_progress is not None:
            on_progress(done, len(first))
        counts = depth_counts(after, depth=depth - 1)
        yield moves, counts[-1] if len(counts) == depth else 0
