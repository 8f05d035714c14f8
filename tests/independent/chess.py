"""Chess: what the pieces can do is tried out and dropped if it leaves the king in check.

A board is a text of 64 letters as in FEN (white in capitals, "." for an empty square); square 0
is a1, 1 is b1, and so on to h8.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .protocol import winner_takes_all

STEPS = {
    "n": ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)),
    "b": ((1, 1), (1, -1), (-1, -1), (-1, 1)),
    "r": ((1, 0), (0, 1), (-1, 0), (0, -1)),
}
STEPS["q"] = STEPS["k"] = STEPS["b"] + STEPS["r"]
KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
# Who may castle to which side, with the squares of king and rook.
RIGHTS = {"K": (4, 7), "Q": (4, 0), "k": (60, 63), "q": (60, 56)}
LAST_PLY = 200

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


class Position(NamedTuple):
    board: str
    turn: int  # 0: white
    rights: str  # letters of RIGHTS
    passed: int | None  # the file on which a pawn has just gone two squares
    plies: int

    @classmethod
    def from_fen(cls, fen: str) -> Position:
        rows, turn, rights, passed, *_ = fen.split()
        for digit in "12345678":
            rows = rows.replace(digit, "." * int(digit))
        board = "".join(reversed(rows.split("/")))
        file = None if passed == "-" else "abcdefgh".index(passed[0])
        return cls(board, "wb".index(turn), "".join(sorted(rights.replace("-", ""))), file, 0)


def name(square: int) -> str:
    return f"{'abcdefgh'[square % 8]} {square // 8 + 1}"


def walk(square: int, dx: int, dy: int) -> Iterator[int]:
    """The squares that one meets from a square on, to the edge of the board."""
    x, y = square % 8 + dx, square // 8 + dy
    while 0 <= x < 8 and 0 <= y < 8:
        yield 8 * y + x
        x, y = x + dx, y + dy


def side(piece: str) -> int | None:
    return None if piece == "." else 0 if piece.isupper() else 1


def reach(board: str, square: int) -> Iterator[int]:
    """Where a piece other than a pawn strikes, whatever stands there."""
    kind = board[square].lower()
    for dx, dy in STEPS[kind]:
        for met in walk(square, dx, dy):
            yield met
            if board[met] != "." or kind in "nk":
                break


def attacked(board: str, square: int, by: int) -> bool:
    """Whether a side strikes a square: a piece on it would strike a piece of its own kind."""
    for kind in STEPS:
        piece = kind.upper() if by == 0 else kind
        seen = reach(f"{board[:square]}{kind}{board[square + 1 :]}", square)
        if any(board[met] == piece for met in seen):
            return True
    pawn, behind = ("P", -1) if by == 0 else ("p", 1)
    return any(board[met] == pawn for dx in (-1, 1) for met in list(walk(square, dx, behind))[:1])


def checked(board: str, turn: int) -> bool:
    return attacked(board, board.index("Kk"[turn]), 1 - turn)


def put(board: str, *changes: tuple[int, str]) -> str:
    letters = list(board)
    for square, piece in changes:
        letters[square] = piece
    return "".join(letters)


def pawn_moves(position: Position, square: int) -> Iterator[tuple[int, str, int | None]]:
    """Where a pawn can go, the board afterwards, and the file that it has passed."""
    board, turn = position.board, position.turn
    forward, first = (1, 1) if turn == 0 else (-1, 6)
    moved = put(board, (square, "."))
    pawn = board[square]
    ahead = list(walk(square, 0, forward))[: 2 if square // 8 == first else 1]
    for target in ahead:
        if board[target] != ".":
            break
        double = abs(target - square) == 16
        yield target, put(moved, (target, pawn)), square % 8 if double else None
    for dx in (-1, 1):
        for target in list(walk(square, dx, forward))[:1]:
            if side(board[target]) == 1 - turn:
                yield target, put(moved, (target, pawn)), None
            elif position.passed == target % 8 and square // 8 == (4, 3)[turn]:
                yield target, put(moved, (target, pawn), (target - 8 * forward, ".")), None


def castlings(position: Position) -> Iterator[tuple[str, str]]:
    board, turn = position.board, position.turn
    for right in position.rights:
        if right.isupper() != (turn == 0):
            continue
        king, rook = RIGHTS[right]
        toward = 1 if rook > king else -1
        empty = range(king + toward, rook, toward)
        crossed = (king, king + toward, king + 2 * toward)
        if any(board[s] != "." for s in empty) or any(
            attacked(board, s, 1 - turn) for s in crossed
        ):
            continue
        changes = ((king, "."), (rook, "."), (crossed[2], "Kk"[turn]), (crossed[1], "Rr"[turn]))
        yield f"(castle {'kingside' if toward == 1 else 'queenside'})", put(board, *changes)


@lru_cache(maxsize=10_000)
def legal(position: Position) -> dict[str, Position]:
    board, turn = position.board, position.turn
    found: dict[str, Position] = {}

    def add(move: str, after: str, passed: int | None = None) -> None:
        if not checked(after, turn):
            kept = [r for r in position.rights if all(after[s] == board[s] for s in RIGHTS[r])]
            rights = "".join(kept)
            found[move] = Position(after, 1 - turn, rights, passed, position.plies + 1)

    for square, piece in enumerate(board):
        if side(piece) != turn:
            continue
        if piece in "Pp":
            for target, after, passed in pawn_moves(position, square):
                way = f"{name(square)} {name(target)}"
                if target // 8 not in (0, 7):
                    add(f"(move {way})", after, passed)
                    continue
                for kind in "nbrq":
                    made = kind.upper() if turn == 0 else kind
                    add(f"(promote {way} {KINDS[kind]})", put(after, (target, made)))
        else:
            for target in reach(board, square):
                if side(board[target]) != turn:
                    after = put(board, (square, "."), (target, piece))
                    add(f"(move {name(square)} {name(target)})", after)
    for move, after in castlings(position):
        add(move, after)
    return found


class Chess:
    """Chess from any position on; the limit counts the plies from there."""

    roles = ("white", "black")

    def __init__(self, fen: str = START) -> None:
        self.start = Position.from_fen(fen)

    def initial(self) -> Position:
        return self.start

    def mover(self, position: Position) -> int:
        return position.turn

    def moves(self, position: Position) -> dict[str, Position]:
        return legal(position)

    def scores(self, position: Position) -> tuple[int, ...] | None:
        if legal(position):
            return (50, 50) if position.plies == LAST_PLY else None
        mate = checked(position.board, position.turn)
        return winner_takes_all(1 - position.turn if mate else None)

    def fluents(self, position: Position) -> set[str]:
        found = {f"(control {self.roles[position.turn]})", f"(ply {position.plies + 1})"}
        for square, piece in enumerate(position.board):
            if piece != ".":
                owner = self.roles[0 if piece.isupper() else 1]
                found.add(f"(cell {name(square)} {owner} {KINDS[piece.lower()]})")
        for right in position.rights:
            owner = self.roles[0 if right.isupper() else 1]
            flank = "kingside" if right in "Kk" else "queenside"
            found.add(f"(may_castle {owner} {flank})")
        if position.passed is not None:
            found.add(f"(passed {'abcdefgh'[position.passed]})")
        return found
