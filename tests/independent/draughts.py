"""English draughts and checkers, on the 32 dark squares numbered (file, rank) from (0, 0)."""

from __future__ import annotations

import itertools
from typing import ClassVar, NamedTuple

from .protocol import cells, winner_takes_all

Square = tuple[int, int]
Pieces = frozenset[tuple[Square, str]]
QUIET_LIMIT = 20
NAMES = {"w": "wm", "W": "wk", "b": "bm", "B": "bk"}


class Position(NamedTuple):
    pieces: Pieces  # "w" and "b" are men, "W" and "B" kings
    last: int  # who moved last
    jumped: Square | None  # where a piece stands that has just jumped
    quiet: int  # plies without a capture or a man's move


def name(square: Square) -> str:
    return f"{'abcdefgh'[square[0]]} {square[1] + 1}"


def on_board(square: Square) -> bool:
    return 0 <= square[0] < 8 and 0 <= square[1] < 8


class Draughts:
    roles = ("white", "black")

    def initial(self) -> Position:
        pieces = [
            ((x, y), "w" if y < 3 else "b")
            for y in (0, 1, 2, 5, 6, 7)
            for x in range(8)
            if (x + y) % 2 == 0
        ]
        return Position(frozenset(pieces), 1, None, 0)

    def reach(self, board: dict[Square, str], square: Square) -> tuple[list[Square], list[Square]]:
        """Where a piece can step to and where it can jump to."""
        piece = board[square]
        ranks = {"w": (1,), "b": (-1,)}.get(piece, (1, -1))
        steps, jumps = [], []
        for dx in (-1, 1):
            for dy in ranks:
                near = (square[0] + dx, square[1] + dy)
                far = (square[0] + 2 * dx, square[1] + 2 * dy)
                if on_board(near) and near not in board:
                    steps.append(near)
                elif on_board(far) and far not in board and board[near].lower() != piece.lower():
                    jumps.append(far)
        return steps, jumps

    def continues(self, position: Position) -> bool:
        if position.jumped is None:
            return False
        return bool(self.reach(dict(position.pieces), position.jumped)[1])

    def mover(self, position: Position) -> int:
        return position.last if self.continues(position) else 1 - position.last

    def moves(self, position: Position) -> dict[str, Position]:
        board = dict(position.pieces)
        mover = self.mover(position)
        mine = [square for square, piece in board.items() if piece.lower() == "wb"[mover]]
        if self.continues(position):
            mine = [square for square in mine if square == position.jumped]
        steps = [(a, b) for a in mine for b in self.reach(board, a)[0]]
        jumps = [(a, b) for a in mine for b in self.reach(board, a)[1]]
        found = {}
        for start, end in jumps or steps:
            after = dict(board)
            piece = after.pop(start)
            if jumps:
                del after[(start[0] + end[0]) // 2, (start[1] + end[1]) // 2]
            crowned = piece.islower() and end[1] == (7, 0)[mover]
            after[end] = piece.upper() if crowned else piece
            found[f"({'jump' if jumps else 'move'} {name(start)} {name(end)})"] = Position(
                frozenset(after.items()),
                mover,
                end if jumps and not crowned else None,
                0 if jumps or piece.islower() else position.quiet + 1,
            )
        return found

    def scores(self, position: Position) -> tuple[int, ...] | None:
        if not self.moves(position):
            return winner_takes_all(1 - self.mover(position))
        return winner_takes_all(None) if position.quiet == QUIET_LIMIT else None

    def fluents(self, position: Position) -> set[str]:
        found = cells(("abcdefgh"[x], y + 1, NAMES[piece]) for (x, y), piece in position.pieces)
        found |= {f"(last {self.roles[position.last]})", f"(quiet {position.quiet})"}
        return found | ({f"(jumped {name(position.jumped)})"} if position.jumped else set())


class Checkers:
    """Draughts with a whole capture as one move, of up to three jumps, and men counted at the end.

    Red is "w" here, black is "b".
    """

    roles = ("red", "black")
    names: ClassVar[dict[str, str]] = {"w": "rm", "W": "rk", "b": "bm", "B": "bk"}
    plies = 101

    def initial(self) -> tuple[Pieces, int]:
        return Draughts().initial().pieces, 0

    def captures(
        self, board: dict[Square, str], path: tuple[Square, ...]
    ) -> list[tuple[Square, ...]]:
        """How a capture that has come along the path can go on to its end."""
        ends = Draughts().reach(board, path[-1])[1] if len(path) < 4 else []
        found = []
        for end in ends:
            after = dict(board)
            del after[(path[-1][0] + end[0]) // 2, (path[-1][1] + end[1]) // 2]
            after[end] = after.pop(path[-1])
            found += self.captures(after, (*path, end))
        return found or [path]

    def moves(self, position: tuple[Pieces, int]) -> dict[str, tuple[Pieces, int]]:
        pieces, ply = position
        board = dict(pieces)
        mine = [square for square, piece in board.items() if piece.lower() == "wb"[ply % 2]]
        paths = [path for start in mine for path in self.captures(board, (start,))]
        paths = [path for path in paths if len(path) > 1]
        words = {2: "jump", 3: "double", 4: "triple"}
        if not paths:
            paths = [(start, end) for start in mine for end in Draughts().reach(board, start)[0]]
            words = {2: "move"}
        found = {}
        for path in paths:
            after = dict(board)
            piece = after.pop(path[0])
            for one, two in itertools.pairwise(path):
                after.pop(((one[0] + two[0]) // 2, (one[1] + two[1]) // 2), None)
            if path[-1][1] == (7, 0)[ply % 2]:
                piece = piece.upper()
            after[path[-1]] = piece
            text = f"({words[len(path)]} {' '.join(name(square) for square in path)})"
            found[text] = frozenset(after.items()), ply + 1
        return found

    def legal(self, position: tuple[Pieces, int]) -> dict[str, list[str]]:
        mover = position[1] % 2
        return {self.roles[mover]: list(self.moves(position)), self.roles[1 - mover]: ["noop"]}

    def after(self, position: tuple[Pieces, int], moves: tuple[str, ...]) -> tuple[Pieces, int]:
        return self.moves(position)[moves[position[1] % 2]]

    def men(self, position: tuple[Pieces, int]) -> tuple[int, int]:
        kinds = [piece.lower() for _, piece in position[0]]
        return kinds.count("w"), kinds.count("b")

    def scores(self, position: tuple[Pieces, int]) -> tuple[int, ...] | None:
        if position[1] < self.plies and self.moves(position):
            return None
        red, black = self.men(position)
        return winner_takes_all(None if red == black else int(red < black))

    def fluents(self, position: tuple[Pieces, int]) -> set[str]:
        pieces, ply = position
        found = cells(("abcdefgh"[x], y + 1, self.names[piece]) for (x, y), piece in pieces)
        found |= {f"(pieces {r} {n})" for r, n in zip(self.roles, self.men(position), strict=True)}
        return found | {f"(control {self.roles[ply % 2]})", f"(ply {ply + 1})"}

    def percepts(self, position: tuple[Pieces, int]) -> dict[str, set[str]]:
        return {}
