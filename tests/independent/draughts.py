"""English draughts, on the 32 dark squares numbered (file, rank) from (0, 0)."""

from __future__ import annotations

from typing import NamedTuple

from .protocol import cells, winner_takes_all

Square = tuple[int, int]
QUIET_LIMIT = 20
NAMES = {"w": "wm", "W": "wk", "b": "bm", "B": "bk"}


class Position(NamedTuple):
    pieces: frozenset[tuple[Square, str]]  # "w" and "b" are men, "W" and "B" kings
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
