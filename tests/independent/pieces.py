"""Games of moving or turning pieces: breakthrough and reversi."""

from __future__ import annotations

from typing import NamedTuple

from .protocol import cells, winner_takes_all

Grid = tuple[str, ...]  # eight strings of eight characters; grid[y][x], "." is empty
FULL = range(8)


class Position(NamedTuple):
    grid: Grid
    mover: int


def replace(grid: Grid, changes: dict[tuple[int, int], str]) -> Grid:
    """The grid with other contents on some (x, y)."""
    return tuple(
        "".join(changes.get((x, y), grid[y][x]) for x in range(len(grid[y])))
        for y in range(len(grid))
    )


class EightByEight:
    roles: tuple[str, ...] = ("white", "black")
    letters = "wb"

    def mover(self, position: Position) -> int:
        return position.mover

    def fluents(self, position: Position) -> set[str]:
        stones = cells(
            (x + 1, y + 1, self.roles[self.letters.index(position.grid[y][x])])
            for y in FULL
            for x in FULL
            if position.grid[y][x] != "."
        )
        return stones | {f"(control {self.roles[position.mover]})"}


class Breakthrough(EightByEight):
    def initial(self) -> Position:
        return Position(("w" * 8,) * 2 + ("." * 8,) * 4 + ("b" * 8,) * 2, 0)

    def scores(self, position: Position) -> tuple[int, ...] | None:
        grid = position.grid
        text = "".join(grid)
        if "w" in grid[7] or "b" not in text:
            return winner_takes_all(0)
        if "b" in grid[0] or "w" not in text:
            return winner_takes_all(1)
        return None

    def moves(self, position: Position) -> dict[str, Position]:
        grid, mover = position
        mine, up = ("w", 1) if mover == 0 else ("b", -1)
        found = {}
        for y in FULL:
            for x in FULL:
                if grid[y][x] != mine:
                    continue
                for x2 in (x - 1, x, x + 1):
                    if x2 not in FULL or grid[y + up][x2] == mine:
                        continue
                    if x2 == x and grid[y + up][x2] != ".":
                        continue
                    after = replace(grid, {(x, y): ".", (x2, y + up): mine})
                    name = f"(move {x + 1} {y + 1} {x2 + 1} {y + up + 1})"
                    found[name] = Position(after, 1 - mover)
        return found


class Reversi(EightByEight):
    roles = ("black", "white")
    letters = "bw"

    def initial(self) -> Position:
        empty = "." * 8
        return Position((empty,) * 3 + ("...wb...", "...bw...") + (empty,) * 3, 0)

    def turned(self, grid: Grid, player: int, x: int, y: int) -> list[tuple[int, int]]:
        """The discs that turn when the player puts one on (x, y)."""
        mine, yours = self.letters[player], self.letters[1 - player]
        found = []
        if grid[y][x] == ".":
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    row = []
                    i, j = x + dx, y + dy
                    while i in FULL and j in FULL and grid[j][i] == yours:
                        row.append((i, j))
                        i, j = i + dx, j + dy
                    if i in FULL and j in FULL and grid[j][i] == mine:
                        found += row
        return found

    def placements(self, position: Position, player: int) -> dict[str, Position]:
        found = {}
        for y in FULL:
            for x in FULL:
                turned = self.turned(position.grid, player, x, y)
                if turned:
                    changes = dict.fromkeys([*turned, (x, y)], self.letters[player])
                    after = Position(replace(position.grid, changes), 1 - player)
                    found[f"(move {x + 1} {y + 1})"] = after
        return found

    def moves(self, position: Position) -> dict[str, Position]:
        stay = Position(position.grid, 1 - position.mover)
        return self.placements(position, position.mover) or {"noop": stay}

    def scores(self, position: Position) -> tuple[int, ...] | None:
        if self.placements(position, 0) or self.placements(position, 1):
            return None
        text = "".join(position.grid)
        black, white = text.count("b"), text.count("w")
        return winner_takes_all(None if black == white else int(white > black))
