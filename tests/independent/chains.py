"""Hex, with a union-find of the stones; with or without the swap rule."""

from __future__ import annotations

from typing import NamedTuple

from .protocol import cells, winner_takes_all

ROWS = "abcdefghijk"
EDGES = ("first", "last")


class Position(NamedTuple):
    stones: tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
    mover: int


class Hex:
    roles = ("red", "blue")

    def __init__(self, size: int = 9) -> None:
        self.size = size

    def initial(self) -> Position:
        return Position((frozenset(), frozenset()), 0)

    def mover(self, position: Position) -> int:
        return position.mover

    def moves(self, position: Position) -> dict[str, Position]:
        found = {}
        for row in range(self.size):
            for column in range(self.size):
                if any((row, column) in mine for mine in position.stones):
                    continue
                stones = [set(mine) for mine in position.stones]
                stones[position.mover].add((row, column))
                after = (frozenset(stones[0]), frozenset(stones[1]))
                name = f"(place {ROWS[row]} {column + 1})"
                found[name] = Position(after, 1 - position.mover)
        return found

    def joined(self, player: int, stones: frozenset[tuple[int, int]]) -> bool:
        """Whether the player's two edges hang together."""
        parent: dict[object, object] = {node: node for node in (*stones, *EDGES)}

        def find(node: object) -> object:
            while parent[node] != node:
                node = parent[node]
            return node

        for row, column in stones:
            place = (row, column)[player]  # red goes down the rows, blue along the columns
            links: list[object] = [(row + i, column + j) for i, j in ((0, 1), (1, 0), (1, -1))]
            links += [EDGES[0]] * (place == 0) + [EDGES[1]] * (place == self.size - 1)
            for other in links:
                if other in parent:
                    parent[find(other)] = find((row, column))
        return find(EDGES[0]) == find(EDGES[1])

    def scores(self, position: Position) -> tuple[int, ...] | None:
        for player, stones in enumerate(position.stones):
            if self.joined(player, stones):
                return winner_takes_all(player)
        return None

    def fluents(self, position: Position) -> set[str]:
        stones = cells(
            (ROWS[row], column + 1, self.roles[player])
            for player, mine in enumerate(position.stones)
            for row, column in mine
        )
        return stones | {f"(control {self.roles[position.mover]})"}


class SwapHex(Hex):
    """Blue may answer the first stone by taking it over, mirrored on the diagonal."""

    def moves(self, position: Position) -> dict[str, Position]:
        found = super().moves(position)
        red, blue = position.stones
        if position.mover == 1 and len(red) == 1 and not blue:
            ((row, column),) = red
            found["swap"] = Position((frozenset(), frozenset({(column, row)})), 0)
        return found

    def fluents(self, position: Position) -> set[str]:
        placed = sum(len(stones) for stones in position.stones)
        phase = {(0, 0): {"opening"}, (1, 1): {"reply"}}.get((placed, position.mover), set())
        return super().fluents(position) | phase
