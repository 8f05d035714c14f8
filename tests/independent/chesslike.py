"""Small relatives of chess on 5x5 squares with homes outside: TicTac Chess, Free For All, TTCC4."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from .protocol import winner_takes_all

Square = tuple[int, int]
ARENA = frozenset(itertools.product(range(2, 7), range(2, 7)))
MIDDLE = tuple(itertools.product(range(3, 6), range(3, 6)))
LINES = (
    *({(x, y) for x, y in MIDDLE if x == n} for n in range(3, 6)),
    *({(x, y) for x, y in MIDDLE if y == n} for n in range(3, 6)),
    {(x, y) for x, y in MIDDLE if x == y},
    {(x, y) for x, y in MIDDLE if x + y == 8},
)
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def shift(square: Square, step: Square, times: int = 1) -> Square:
    return square[0] + times * step[0], square[1] + times * step[1]


def way(start: Square, end: Square) -> str:
    return f"(move {start[0]} {start[1]} {end[0]} {end[1]})"


class Duel(NamedTuple):
    owners: frozenset[tuple[Square, int]]
    turn: int
    taken: tuple[int, int]
    plies: int


class LeapAndTake:
    """What TicTac Chess and Free For All have in common."""

    roles = ("red", "blue")
    homes: tuple[Square, Square] = ((1, 4), (7, 4))

    def initial(self) -> Duel:
        return Duel(frozenset({(self.homes[0], 0), (self.homes[1], 1)}), 0, (0, 0), 0)

    def mover(self, position: Duel) -> int:
        return position.turn

    def moves(self, position: Duel) -> dict[str, Duel]:
        owners, turn = dict(position.owners), position.turn
        found = {}
        for start in [square for square, owner in owners.items() if owner == turn]:
            quiet = [shift(start, d) for d in LEAPS]
            takes = [shift(start, d) for d in STRAIGHT + DIAGONAL]
            ends = [end for end in quiet if end not in owners]
            ends += [end for end in takes if owners.get(end) == 1 - turn]
            for end in ARENA.intersection(ends):
                found[way(start, end)] = self.after(position, start, end)
        # Who can do nothing passes.
        return found or {"noop": position._replace(turn=1 - turn, plies=position.plies + 1)}

    def after(self, position: Duel, start: Square, end: Square) -> Duel:
        owners, turn = dict(position.owners), position.turn
        taken = list(position.taken)
        taken[turn] += end in owners
        owners[end] = turn
        if start != self.homes[turn]:
            del owners[start]
        counts = (taken[0], taken[1])
        return Duel(frozenset(owners.items()), 1 - turn, counts, position.plies + 1)

    def fluents(self, position: Duel) -> set[str]:
        found = {f"(cell {x} {y} {self.roles[owner]})" for (x, y), owner in position.owners}
        return found | {f"(control {self.roles[position.turn]})", f"(ply {position.plies + 1})"}


class TicTacChess(LeapAndTake):
    def scores(self, position: Duel) -> tuple[int, ...] | None:
        for player in range(2):
            squares = {square for square, owner in position.owners if owner == player}
            if any(squares.issuperset(line) for line in LINES):
                return winner_takes_all(player)
        return (0, 0) if position.plies == 30 else None


class FreeForAll(LeapAndTake):
    def scores(self, position: Duel) -> tuple[int, ...] | None:
        if position.plies < 30:
            return None
        return tuple(min(100, 10 * number) for number in position.taken)

    def fluents(self, position: Duel) -> set[str]:
        counts = zip(self.roles, position.taken, strict=True)
        return super().fluents(position) | {f"(taken {role} {min(10, n)})" for role, n in counts}


Piece = tuple[int, str]
HOMES: dict[Piece, Square] = {
    (0, "knight"): (1, 3),
    (0, "checker"): (1, 4),
    (0, "pawn"): (1, 5),
    (1, "pawn"): (7, 3),
    (1, "checker"): (7, 4),
    (1, "knight"): (7, 5),
}


class Mixture(NamedTuple):
    pieces: frozenset[tuple[Square, Piece]]
    turn: int
    plies: int


class TTCC4:
    roles = ("white", "black")

    def initial(self) -> Mixture:
        return Mixture(frozenset((square, piece) for piece, square in HOMES.items()), 0, 0)

    def mover(self, position: Mixture) -> int:
        return position.turn

    def captures(self, board: dict[Square, Piece], start: Square) -> dict[Square, Square | None]:
        """Where a piece can go, with the square on which it takes something."""
        owner, kind = board[start]

        def enemy(square: Square) -> bool:
            return square in board and board[square][0] != owner

        found: dict[Square, Square | None] = {}
        steps = {"pawn": STRAIGHT, "checker": DIAGONAL, "knight": LEAPS, "disc": ()}[kind]
        for end in (shift(start, d) for d in steps):
            if end not in board:
                found[end] = None
            elif kind == "knight" and enemy(end):
                found[end] = end
        for d in DIAGONAL:
            near, far = shift(start, d), shift(start, d, 2)
            if kind == "pawn" and enemy(near):
                found[near] = near
            if kind == "checker" and enemy(near) and far not in board:
                found[far] = near
        return {end: taken for end, taken in found.items() if end in ARENA}

    def moves(self, position: Mixture) -> dict[str, Mixture]:
        board, turn = dict(position.pieces), position.turn
        following = {}
        for start in [square for square, piece in board.items() if piece[0] == turn]:
            for end, taken in self.captures(board, start).items():
                after = dict(board)
                lost = after.pop(taken) if taken else None
                after[end] = after.pop(start)
                if lost in HOMES:
                    after[HOMES[lost]] = lost
                following[way(start, end)] = after
        for x in range(3, 6):
            if (x, 6) not in board:
                y = 6
                while y > 2 and (x, y - 1) not in board:
                    y -= 1
                following[f"(drop {x})"] = {**board, (x, y): (turn, "disc")}
        return {
            move: Mixture(frozenset(after.items()), 1 - turn, position.plies + 1)
            for move, after in (following or {"noop": board}).items()
        }

    def scores(self, position: Mixture) -> tuple[int, ...] | None:
        for player in range(2):
            squares = {square for square, piece in position.pieces if piece[0] == player}
            if any(squares.issuperset(line) for line in LINES):
                return winner_takes_all(player)
        return (50, 50) if position.plies == 100 else None

    def fluents(self, position: Mixture) -> set[str]:
        pieces = {f"(cell {x} {y} {self.roles[p]} {kind})" for (x, y), (p, kind) in position.pieces}
        return pieces | {f"(control {self.roles[position.turn]})", f"(ply {position.plies + 1})"}
