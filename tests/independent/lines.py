"""Games of lines: tic-tac-toe, connect four and pentago."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .protocol import cells, winner_takes_all

Square = tuple[int, int]


class Board(NamedTuple):
    stones: frozenset[tuple[Square, int]]  # (square, player)
    mover: int
    turning: bool = False  # pentago: a marble lies, a quadrant must be turned


def has_line(squares: set[Square], length: int) -> bool:
    """Whether the squares hold `length` in a line."""
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x, y in squares:
            if all((x + i * dx, y + i * dy) in squares for i in range(length)):
                return True
    return False


class LineGame:
    """Common to the three: who has a line, and the board as fluents."""

    width = height = length = 3
    roles: tuple[str, ...] = ("x", "o")

    def initial(self) -> Board:
        return Board(frozenset(), 0)

    def mover(self, board: Board) -> int:
        return board.mover

    def squares(self) -> Iterable[Square]:
        return [(x, y) for x in range(1, self.width + 1) for y in range(1, self.height + 1)]

    def free(self, board: Board) -> list[Square]:
        taken = {square for square, _ in board.stones}
        return [square for square in self.squares() if square not in taken]

    def lines(self, board: Board) -> list[int]:
        return [
            player
            for player in (0, 1)
            if has_line({square for square, owner in board.stones if owner == player}, self.length)
        ]

    def scores(self, board: Board) -> tuple[int, ...] | None:
        lines = self.lines(board)
        if not lines and self.free(board):
            return None
        return winner_takes_all(lines[0] if len(lines) == 1 else None)

    def fluents(self, board: Board) -> set[str]:
        stones = cells((x, y, self.roles[player]) for (x, y), player in board.stones)
        return stones | {f"(control {self.roles[board.mover]})"}


class TicTacToe(LineGame):
    def moves(self, board: Board) -> dict[str, Board]:
        return {
            f"(mark {x} {y})": Board(board.stones | {((x, y), board.mover)}, 1 - board.mover)
            for x, y in self.free(board)
        }

    def fluents(self, board: Board) -> set[str]:
        return super().fluents(board) | cells((x, y, "b") for x, y in self.free(board))


class ConnectFour(LineGame):
    length = 4
    roles = ("red", "black")

    def __init__(self, width: int, height: int = 6) -> None:
        self.width, self.height = width, height

    def moves(self, board: Board) -> dict[str, Board]:
        found = {}
        for column in range(1, self.width + 1):
            height = sum(1 for (x, _), _ in board.stones if x == column)
            if height < self.height:
                stone = ((column, height + 1), board.mover)
                found[f"(drop {column})"] = Board(board.stones | {stone}, 1 - board.mover)
        return found


class Pentago(LineGame):
    width = height = 6
    length = 5
    roles = ("red", "black")
    corners = ((3, 3), (0, 3), (0, 0), (3, 0))  # what lies left of and below quadrant 1, 2, 3, 4

    def moves(self, board: Board) -> dict[str, Board]:
        if not board.turning:
            return {
                f"(place {x} {y})": Board(board.stones | {((x, y), board.mover)}, board.mover, True)
                for x, y in self.free(board)
            }
        return {
            f"(rotate {quadrant} {direction})": Board(
                frozenset(
                    (self.turn(square, corner, direction), player)
                    for square, player in board.stones
                ),
                1 - board.mover,
            )
            for quadrant, corner in enumerate(self.corners, 1)
            for direction in ("clockwise", "counterclockwise")
        }

    @staticmethod
    def turn(square: Square, corner: Square, direction: str) -> Square:
        """Where a marble goes; turning about the middle of the quadrant, y pointing up."""
        dx, dy = square[0] - corner[0] - 2, square[1] - corner[1] - 2
        if max(abs(dx), abs(dy)) > 1:
            return square
        dx, dy = (dy, -dx) if direction == "clockwise" else (-dy, dx)
        return corner[0] + 2 + dx, corner[1] + 2 + dy

    def fluents(self, board: Board) -> set[str]:
        stones = cells((x, y, self.roles[player]) for (x, y), player in board.stones)
        phase = "turning" if board.turning else "placing"
        return stones | {f"({phase} {self.roles[board.mover]})"}
