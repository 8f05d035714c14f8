"""Matrix games: what two opponents who move at once can be sure of when they may draw lots.

>>> pennies = matrix_game([[1.0, 0.0], [0.0, 1.0]])
>>> pennies.value, pennies.rows, pennies.columns
(0.5, (0.5, 0.5), (0.5, 0.5))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Equilibrium", "matrix_game"]

TINY = 1e-11
"""What rounding leaves of nothing."""


@dataclass(frozen=True)
class Equilibrium:
    """The value of a matrix game to the row player, and how often each line is played for it.

    A game may have several equilibria; this is one of them. The value is the same in all.
    """

    value: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]


def matrix_game(payoffs: Sequence[Sequence[float]]) -> Equilibrium:
    """The equilibrium of a zero-sum game: `payoffs[i][j]` goes from column j's player to row i's.

    Exact but for rounding: a pure saddle point where there is one, else the simplex method.

    >>> matrix_game([[3.0, 1.0], [4.0, 2.0]]).value
    2.0
    >>> scissors = matrix_game([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    >>> abs(scissors.value) < 1e-12, [round(p, 9) for p in scissors.rows]
    (True, [0.333333333, 0.333333333, 0.333333333])
    """
    floors = [min(row) for row in payoffs]
    roofs = [max(column) for column in zip(*payoffs)]
    value = max(floors)
    if value == min(roofs):
        row, column = floors.index(value), roofs.index(value)
        return Equilibrium(
            value,
            tuple(float(i == row) for i in range(len(floors))),
            tuple(float(j == column) for j in range(len(roofs))),
        )
    return _simplex(payoffs, min(floors) - 1.0)


def _simplex(payoffs: Sequence[Sequence[float]], shift: float) -> Equilibrium:
    """Maximise the sum of y >= 0 with (payoffs - shift) y <= 1; its inverse is the value.

    All entries are at least 1 after the shift, so y = 0 is a start and the maximum is finite. The
    multipliers of the rows are the row player's part. Bland's rule keeps it from going in circles.
    """
    height, width = len(payoffs), len(payoffs[0])
    table = [
        [entry - shift for entry in row] + [float(i == k) for k in range(height)] + [1.0]
        for i, row in enumerate(payoffs)
    ]
    cost = [-1.0] * width + [0.0] * (height + 1)
    basis = list(range(width, width + height))
    while (enter := next((j for j, c in enumerate(cost[:-1]) if c < -TINY), None)) is not None:
        leave = min(
            (i for i in range(height) if table[i][enter] > TINY),
            key=lambda i: (table[i][-1] / table[i][enter], basis[i]),
        )
        pivot = table[leave][enter]
        chosen = table[leave] = [entry / pivot for entry in table[leave]]
        for row in (*(row for row in table if row is not chosen), cost):
            factor = row[enter]
            if factor:
                row[:] = [entry - factor * other for entry, other in zip(row, chosen)]
        basis[leave] = enter
    value = 1.0 / cost[-1]
    solution = dict(zip(basis, (row[-1] for row in table)))
    return Equilibrium(
        value + shift,
        tuple(max(0.0, part * value) for part in cost[width:-1]),
        tuple(max(0.0, solution.get(j, 0.0) * value) for j in range(width)),
    )
