"""Amazons on a torus, the skirmishes, majorities, and relatives of breakthrough and reversi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .pieces import FULL, Breakthrough, EightByEight, Position, Reversi, replace
from .protocol import cells, winner_takes_all

Square = tuple[int, int]
STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (-1, -1), (1, -1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def turned_round(scores: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """What everybody gets where winning is losing."""
    return None if scores is None else tuple(100 - score for score in scores)


class BreakthroughSuicide(Breakthrough):
    def scores(self, position: Position) -> tuple[int, ...] | None:
        return turned_round(super().scores(position))


class ReversiSuicide(Reversi):
    def scores(self, position: Position) -> tuple[int, ...] | None:
        return turned_round(super().scores(position))


class Othello(Reversi):
    def moves(self, position: Position) -> dict[str, Position]:
        found = super().moves(position)
        return {name.replace("move", "place"): after for name, after in found.items()}

    def fluents(self, position: Position) -> set[str]:
        return {fluent.replace("cell", "disc") for fluent in super().fluents(position)}


class KnightThrough(EightByEight):
    def initial(self) -> Position:
        return Breakthrough().initial()

    def scores(self, position: Position) -> tuple[int, ...] | None:
        return Breakthrough().scores(position)

    def moves(self, position: Position) -> dict[str, Position]:
        grid, mover = position
        mine, up = ("w", 1) if mover == 0 else ("b", -1)
        found = {}
        for x, y in [(x, y) for y in FULL for x in FULL if grid[y][x] == mine]:
            for dx, dy in LEAPS:
                x2, y2 = x + dx, y + dy
                if dy * up > 0 and x2 in FULL and y2 in FULL and grid[y2][x2] != mine:
                    after = replace(grid, {(x, y): ".", (x2, y2): mine})
                    found[f"(move {x + 1} {y + 1} {x2 + 1} {y2 + 1})"] = Position(after, 1 - mover)
        return found


class Arena(NamedTuple):
    amazons: frozenset[tuple[Square, int]]
    arrows: frozenset[Square]
    mover: int
    archer: Square | None  # the amazon that has moved and must shoot


class AmazonsTorus:
    roles = ("white", "black")
    size = 10

    def initial(self) -> Arena:
        white = [((x, y), 0) for x, y in ((1, 4), (4, 1), (7, 1), (10, 4))]
        black = [((x, y), 1) for x, y in ((1, 7), (4, 10), (7, 10), (10, 7))]
        return Arena(frozenset(white + black), frozenset(), 0, None)

    def mover(self, arena: Arena) -> int:
        return arena.mover

    def queen(self, arena: Arena, start: Square) -> set[Square]:
        """Where a queen gets from here, round the torus, but neither to nor past a piece."""
        taken = {square for square, _ in arena.amazons} | arena.arrows | {start}
        found = set()
        for dx, dy in STRAIGHT + DIAGONAL:
            x, y = start
            while True:
                x, y = (x + dx - 1) % self.size + 1, (y + dy - 1) % self.size + 1
                if (x, y) in taken:
                    break
                found.add((x, y))
        return found

    def moves(self, arena: Arena) -> dict[str, Arena]:
        found = {}
        if arena.archer is not None:
            for x, y in self.queen(arena, arena.archer):
                after = Arena(arena.amazons, arena.arrows | {(x, y)}, 1 - arena.mover, None)
                found[f"(shoot {x} {y})"] = after
            return found
        for start, player in arena.amazons:
            if player == arena.mover:
                others = arena.amazons - {(start, player)}
                for end in self.queen(arena, start):
                    name = f"(move {start[0]} {start[1]} {end[0]} {end[1]})"
                    found[name] = Arena(others | {(end, player)}, arena.arrows, player, end)
        return found

    def scores(self, arena: Arena) -> tuple[int, ...] | None:
        return None if self.moves(arena) else winner_takes_all(1 - arena.mover)

    def fluents(self, arena: Arena) -> set[str]:
        found = cells((x, y, self.roles[player]) for (x, y), player in arena.amazons)
        found |= cells((x, y, "arrow") for x, y in arena.arrows)
        if arena.archer is None:
            return found | {f"(moving {self.roles[arena.mover]})"}
        shooting = {f"(shooting {self.roles[arena.mover]})"}
        return found | shooting | {f"(archer {arena.archer[0]} {arena.archer[1]})"}


class Field(NamedTuple):
    men: frozenset[tuple[Square, int, str]]  # (square, player, kind)
    mover: int
    taken: tuple[int, int]
    plies: int
    rushed: int | None = None  # the file of a pawn that has just made a double step
    moved: frozenset[tuple[int, str]] = frozenset()  # kings and rooks that have left their places


def name(square: Square) -> str:
    return f"{'abcdefgh'[square[0]]} {square[1] + 1}"


def on_board(square: Square) -> bool:
    return square[0] in FULL and square[1] in FULL


class Skirmish:
    """Chess men without check; the men taken are counted."""

    roles = ("white", "black")
    limit = 99
    back = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
    worth = (*range(0, 73, 6), 79, 86, 93, 100)

    def initial(self) -> Field:
        men = {((x, 7 * p), p, kind) for p in (0, 1) for x, kind in enumerate(self.back)}
        men |= {((x, 1 + 5 * p), p, "pawn") for p in (0, 1) for x in FULL}
        return Field(frozenset(men), 0, (0, 0), 0)

    def mover(self, field: Field) -> int:
        return field.mover

    def ends(self, field: Field, start: Square, player: int, kind: str) -> Iterator[Square]:
        """Where a man can go, without castling."""
        owners = {square: owner for square, owner, _ in field.men}
        if kind == "pawn":
            up = 1 - 2 * player
            ahead, twice = (start[0], start[1] + up), (start[0], start[1] + 2 * up)
            if ahead not in owners:
                yield ahead
                if start[1] == 1 + 5 * player and twice not in owners:
                    yield twice
            for side in (-1, 1):
                end = (start[0] + side, start[1] + up)
                passing = end[0] == field.rushed and start[1] == 4 - player
                if owners.get(end) == 1 - player or passing:
                    yield end
            return
        steps = {"rook": STRAIGHT, "bishop": DIAGONAL, "knight": LEAPS}.get(
            kind, STRAIGHT + DIAGONAL
        )
        for dx, dy in steps:
            for far in range(1, 2 if kind in ("king", "knight") else 8):
                end = (start[0] + far * dx, start[1] + far * dy)
                if not on_board(end) or owners.get(end) == player:
                    break
                yield end
                if end in owners:
                    break

    def after(self, field: Field, start: Square, end: Square, becomes: str) -> Field:
        """The field after a move; a pawn that changes files without taking there takes behind."""
        mover = field.mover
        kind = next(kind for square, _, kind in field.men if square == start)
        occupied = {square for square, _, _ in field.men}
        hit = end
        if kind == "pawn" and start[0] != end[0] and end not in occupied:
            hit = (end[0], start[1])
        kept = {man for man in field.men if man[0] not in (start, hit)}
        taken = list(field.taken)
        taken[mover] += len(field.men) - len(kept) - 1
        return Field(
            frozenset(kept | {(end, mover, becomes)}),
            1 - mover,
            (taken[0], taken[1]),
            field.plies + 1,
        )

    def mobile(self, field: Field, player: int) -> bool:
        mine = [man for man in field.men if man[1] == player]
        return any(True for man in mine for _ in self.ends(field, *man))

    def moves(self, field: Field) -> dict[str, Field]:
        found = {}
        for start, player, kind in field.men:
            if player == field.mover:
                for end in self.ends(field, start, player, kind):
                    crowned = kind == "pawn" and end[1] in (0, 7)
                    after = self.after(field, start, end, "queen" if crowned else kind)
                    found[f"(move {name(start)} {name(end)})"] = after
        return found

    def scores(self, field: Field) -> tuple[int, ...] | None:
        if field.plies < self.limit and self.mobile(field, 0) and self.mobile(field, 1):
            return None
        return tuple(self.worth[number] for number in field.taken)

    def fluents(self, field: Field) -> set[str]:
        found = {f"(cell {name(at)} {self.roles[player]} {kind})" for at, player, kind in field.men}
        found |= {f"(taken {role} {n})" for role, n in zip(self.roles, field.taken, strict=True)}
        return found | {f"(control {self.roles[field.mover]})", f"(step {field.plies})"}


class SkirmishZeroSum(Skirmish):
    """With castling, en passant and a choice of promotions; who has taken more wins."""

    limit = 100
    # The rook's file, the files it passes, and where king and rook go.
    castlings = (("kingside", 7, (5, 6), 6, 5), ("queenside", 0, (1, 2, 3), 2, 3))

    def moves(self, field: Field) -> dict[str, Field]:
        mover = field.mover
        home = 7 * mover
        found = {}
        for start, player, kind in field.men:
            if player != mover:
                continue
            moved = set(field.moved)
            if kind == "king" and start[0] == 4:
                moved.add((mover, "king"))
            if kind == "rook" and start in ((7, home), (0, home)):
                moved.add((mover, "kingside" if start[0] else "queenside"))
            for end in self.ends(field, start, player, kind):
                rushed = start[0] if kind == "pawn" and abs(end[1] - start[1]) == 2 else None
                if kind == "pawn" and end[1] in (0, 7):
                    for choice in ("queen", "rook", "bishop", "knight"):
                        files = f"{'abcdefgh'[start[0]]} {'abcdefgh'[end[0]]}"
                        after = self.after(field, start, end, choice)
                        found[f"(promote {files} {choice})"] = after._replace(moved=field.moved)
                else:
                    after = self.after(field, start, end, kind)
                    found[f"(move {name(start)} {name(end)})"] = after._replace(
                        rushed=rushed, moved=frozenset(moved)
                    )
        occupied = {square for square, _, _ in field.men}
        for which, corner, between, king, rook in self.castlings:
            pair = {((4, home), mover, "king"), ((corner, home), mover, "rook")}
            if not pair <= field.men or {(mover, "king"), (mover, which)} & field.moved:
                continue
            if not any((x, home) in occupied for x in between):
                men = field.men - pair
                men |= {((king, home), mover, "king"), ((rook, home), mover, "rook")}
                found[f"(castle {which})"] = Field(
                    men, 1 - mover, field.taken, field.plies + 1, None, field.moved
                )
        return found

    def scores(self, field: Field) -> tuple[int, ...] | None:
        if field.plies < self.limit and self.mobile(field, field.mover):
            return None
        white, black = field.taken
        return winner_takes_all(None if white == black else int(white < black))

    def fluents(self, field: Field) -> set[str]:
        found = super().fluents(field)
        found |= {f"(moved {self.roles[player]} {which})" for player, which in field.moved}
        return found | (set() if field.rushed is None else {f"(rushed {'abcdefgh'[field.rushed]})"})


Stones = tuple[frozenset[Square], frozenset[Square]]


class Majorities:
    """Cells are (row, column), both from 1; a position is the stones of red and of blue."""

    roles = ("red", "blue")
    rows = " abcdefghi"
    holes = frozenset({(2, 8), (4, 6), (5, 2), (5, 4), (6, 5), (8, 5)})
    board = frozenset(
        (row, column) for row in range(1, 10) for column in range(1, 10) if 6 <= row + column <= 14
    ).difference(holes)

    def lines(self) -> dict[str, dict[int, set[Square]]]:
        """The cells of each line of each direction."""
        found: dict[str, dict[int, set[Square]]] = {"rows": {}, "columns": {}, "slopes": {}}
        for row, column in self.board:
            for direction, line in (("rows", row), ("columns", column), ("slopes", row + column)):
                found[direction].setdefault(line, set()).add((row, column))
        return found

    def initial(self) -> Stones:
        return frozenset(), frozenset()

    def mover(self, stones: Stones) -> int:
        return (len(stones[0]) + len(stones[1]) + 1) // 2 % 2

    def moves(self, stones: Stones) -> dict[str, Stones]:
        red, blue = stones
        found = {}
        for row, column in self.board - red - blue:
            placed = frozenset({(row, column)})
            after = (red | placed, blue) if self.mover(stones) == 0 else (red, blue | placed)
            found[f"(place {self.rows[row]} {column})"] = after
        return found

    def won(self, stones: Stones, player: int) -> dict[str, int]:
        """How many lines of each direction a player has more than half of."""
        return {
            direction: sum(2 * len(line & stones[player]) > len(line) for line in lines.values())
            for direction, lines in self.lines().items()
        }

    def scores(self, stones: Stones) -> tuple[int, ...] | None:
        for player in (0, 1):
            if sum(number >= 5 for number in self.won(stones, player).values()) >= 2:
                return winner_takes_all(player)
        return None

    def fluents(self, stones: Stones) -> set[str]:
        found = {f"(control {self.roles[self.mover(stones)]})"}
        if (len(stones[0]) + len(stones[1])) % 2:
            found.add("again")
        for player, role in enumerate(self.roles):
            found |= cells((self.rows[row], column, role) for row, column in stones[player])
            won = self.won(stones, player)
            for direction, lines in self.lines().items():
                for line, squares in lines.items():
                    label = self.rows[line] if direction == "rows" else line
                    number = min(len(squares & stones[player]), len(squares) // 2 + 1)
                    found |= {f"(stones {direction} {label} {role} {n + 1})" for n in range(number)}
                shown = min(won[direction], 5)
                found |= {f"(lines {direction} {role} {n + 1})" for n in range(shown)}
        return found
