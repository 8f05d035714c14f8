"""What an independent move generator offers, and counting and playing with it.

The generators in this folder are plain Python and know nothing of GDL: they were written from the
rules of the games, to find out whether the rulesheets say the same.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Protocol

Position = Any  # each generator has its own hashable kind of position


class Generator(Protocol):
    """The rules of a game for one player to move at a time. Players are numbered from 0."""

    @property
    def roles(self) -> tuple[str, ...]: ...
    def initial(self) -> Position: ...
    def mover(self, position: Position) -> int: ...
    def moves(self, position: Position) -> dict[str, Position]:
        """The moves as the rulesheet writes them, with the position each leads to."""
        ...

    def scores(self, position: Position) -> tuple[int, ...] | None:
        """What everybody gets if the game is over here, otherwise None."""
        ...

    def fluents(self, position: Position) -> set[str]:
        """The position as the rulesheet writes it."""
        ...


def counts(generator: Generator, depth: int) -> list[int]:
    """The numbers of move sequences of length 0, 1, ..., depth."""
    layer: Counter[Hashable] = Counter([generator.initial()])
    found = [1]
    for _ in range(depth):
        following: Counter[Hashable] = Counter()
        for position, number in layer.items():
            if generator.scores(position) is None:
                for successor in generator.moves(position).values():
                    following[successor] += number
        layer = following
        found.append(sum(layer.values()))
    return found


def random_match(generator: Generator, seed: int) -> Iterator[tuple[Position, str | None]]:
    """The positions of a random match with the move made in each; None at the end."""
    rng = random.Random(seed)
    position = generator.initial()
    while generator.scores(position) is None:
        move = rng.choice(sorted(generator.moves(position)))
        yield position, move
        position = generator.moves(position)[move]
    yield position, None


def winner_takes_all(winner: int | None, players: int = 2) -> tuple[int, ...]:
    """100 for the winner and 0 for the others; 50 for all if nobody has won."""
    if winner is None:
        return (50,) * players
    return tuple(100 if player == winner else 0 for player in range(players))


def cells(entries: Iterable[tuple[object, object, object]]) -> set[str]:
    """Fluents ``(cell a b c)`` from triples."""
    return {f"(cell {a} {b} {c})" for a, b, c in entries}
