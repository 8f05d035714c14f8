"""Games of placing: several boards of connect four, a mirror, quarto, copolymer, dots and boxes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .lines import Square, has_line
from .protocol import Generator, Position, cells, winner_takes_all


class OneAtATime:
    """A `Generator` as a `Model`: whoever is not to move has nothing but noop."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.roles = generator.roles
        self._known: tuple[Position, dict[str, Position]] | None = None

    def initial(self) -> Position:
        return self.generator.initial()

    def _moves(self, position: Position) -> dict[str, Position]:
        """What the generator says, asked only once about the same position."""
        if self._known is None or self._known[0] is not position:
            self._known = position, self.generator.moves(position)
        return self._known[1]

    def legal(self, position: Position) -> Mapping[str, Sequence[str]]:
        mover = self.roles[self.generator.mover(position)]
        moves = list(self._moves(position))
        return {role: moves if role == mover else ["noop"] for role in self.roles}

    def after(self, position: Position, moves: tuple[str, ...]) -> Position:
        return self._moves(position)[moves[self.generator.mover(position)]]

    def scores(self, position: Position) -> tuple[int, ...] | None:
        return self.generator.scores(position)

    def fluents(self, position: Position) -> set[str] | None:
        return self.generator.fluents(position)

    def percepts(self, position: Position) -> Mapping[str, set[str]]:
        return {}


Column = tuple[int, ...]  # the players whose discs lie in it, from the bottom
Grid = tuple[Column, ...]


def drop(grid: Grid, column: int, player: int) -> Grid:
    return (*grid[:column], (*grid[column], player), *grid[column + 1 :])


def has_four(grid: Grid, player: int) -> bool:
    discs = {(x, y) for x, column in enumerate(grid) for y, p in enumerate(column) if p == player}
    return has_line(discs, 4)


def is_full(grid: Grid, height: int) -> bool:
    return all(len(column) == height for column in grid)


def disc_fluents(board: object, grid: Grid, roles: tuple[str, ...]) -> set[str]:
    return {
        f"(cell {board} {x} {y} {roles[player]})"
        for x, column in enumerate(grid, 1)
        for y, player in enumerate(column, 1)
    }


class TwoGrids(NamedTuple):
    grids: tuple[Grid, Grid]
    plies: int


class SimultaneousConnectFour:
    """A `Model`: both players move at once, each on the board that the other has just left."""

    roles = ("red", "black")
    width, height = 8, 6

    def initial(self) -> TwoGrids:
        empty: Grid = ((),) * self.width
        return TwoGrids((empty, empty), 0)

    def board_of(self, position: TwoGrids, player: int) -> int:
        return (player + position.plies) % 2

    def legal(self, position: TwoGrids) -> dict[str, list[str]]:
        found = {}
        for player, role in enumerate(self.roles):
            board = self.board_of(position, player)
            columns = enumerate(position.grids[board], 1)
            found[role] = [f"(drop {board + 1} {x})" for x, c in columns if len(c) < self.height]
        return found

    def after(self, position: TwoGrids, moves: tuple[str, ...]) -> TwoGrids:
        grids = list(position.grids)
        for player, move in enumerate(moves):
            board, column = (int(word) - 1 for word in move.strip("()").split()[1:])
            assert board == self.board_of(position, player)
            grids[board] = drop(grids[board], column, player)
        return TwoGrids((grids[0], grids[1]), position.plies + 1)

    def scores(self, position: TwoGrids) -> tuple[int, ...] | None:
        fours = [p for p in (0, 1) if any(has_four(grid, p) for grid in position.grids)]
        if fours:
            return winner_takes_all(fours[0] if len(fours) == 1 else None)
        if all(is_full(grid, self.height) for grid in position.grids):
            return winner_takes_all(None)
        return None

    def fluents(self, position: TwoGrids) -> set[str]:
        found = set()
        for player, role in enumerate(self.roles):
            found.add(f"(at {role} {self.board_of(position, player) + 1})")
            found |= disc_fluents(player + 1, position.grids[player], self.roles)
        return found

    def percepts(self, position: TwoGrids) -> dict[str, set[str]]:
        return {}


class JointConnectFour:
    """A `Generator`: a disc on one of two boards, of which the second is suicide."""

    roles = ("red", "black")
    boards = ("normal", "suicide")

    def __init__(self, width: int = 7, height: int = 7) -> None:
        self.width, self.height = width, height

    def initial(self) -> TwoGrids:
        empty: Grid = ((),) * self.width
        return TwoGrids((empty, empty), 0)

    def mover(self, position: TwoGrids) -> int:
        return position.plies % 2

    def moves(self, position: TwoGrids) -> dict[str, TwoGrids]:
        found = {}
        for board, x in itertools.product((0, 1), range(self.width)):
            if len(position.grids[board][x]) < self.height:
                grids = list(position.grids)
                grids[board] = drop(grids[board], x, self.mover(position))
                after = TwoGrids((grids[0], grids[1]), position.plies + 1)
                found[f"(drop {self.boards[board]} {x + 1})"] = after
        return found

    def scores(self, position: TwoGrids) -> tuple[int, ...] | None:
        normal, suicide = position.grids
        for player in (0, 1):
            if has_four(normal, player) or has_four(suicide, 1 - player):
                return winner_takes_all(player)
        full = any(is_full(grid, self.height) for grid in position.grids)
        return winner_takes_all(None) if full else None

    def fluents(self, position: TwoGrids) -> set[str]:
        found = {f"(control {self.roles[self.mover(position)]})"}
        for board, grid in zip(self.boards, position.grids, strict=True):
            found |= disc_fluents(board, grid, self.roles)
        return found


class Stones(NamedTuple):
    stones: tuple[frozenset[Square], frozenset[Square]]
    mover: int


class ReflectConnect:
    """A `Generator`: (0, 0) is the mirror, and a stone on (x, y) also lies on (-x, -y)."""

    roles = ("red", "blue")
    reach = 5
    length = 6

    def initial(self) -> Stones:
        return Stones((frozenset(), frozenset()), 0)

    def mover(self, position: Stones) -> int:
        return position.mover

    def places(self) -> list[Square]:
        span = range(-self.reach, self.reach + 1)
        return [(x, y) for x in span for y in span if x * y >= 0 and (x, y) != (0, 0)]

    def moves(self, position: Stones) -> dict[str, Stones]:
        found = {}
        for x, y in self.places():
            if not any((x, y) in mine for mine in position.stones):
                stones = list(position.stones)
                stones[position.mover] |= {(x, y), (-x, -y)}
                name = f"(put {x + self.reach + 1} {y + self.reach + 1})"
                found[name] = Stones((stones[0], stones[1]), 1 - position.mover)
        return found

    def longest(self, stones: frozenset[Square]) -> int:
        """The longest line, at most that which wins; the mirror is everybody's."""
        squares = {*stones, (0, 0)}
        return max(n for n in range(1, self.length + 1) if has_line(squares, n))

    def scores(self, position: Stones) -> tuple[int, ...] | None:
        red, blue = (self.longest(stones) for stones in position.stones)
        if self.length in (red, blue):
            return winner_takes_all(0 if red > blue else 1)
        if sum(map(len, position.stones)) < len(self.places()):
            return None
        return (50, 50) if red == blue else (70, 30) if red > blue else (30, 70)

    def fluents(self, position: Stones) -> set[str]:
        shift = self.reach + 1
        stones = cells(
            (x + shift, y + shift, self.roles[player])
            for player, mine in enumerate(position.stones)
            for x, y in mine
        )
        return stones | {f"(control {self.roles[position.mover]})"}


class Table(NamedTuple):
    board: frozenset[tuple[Square, str]]
    chosen: str  # empty while a piece is being chosen
    mover: int


class Quarto:
    """A `Generator`: a piece is a word of four letters, one a trait."""

    roles = ("white", "black")
    pieces = tuple("".join(letters) for letters in itertools.product("ts", "dl", "rq", "hf"))

    def initial(self) -> Table:
        return Table(frozenset(), "", 0)

    def mover(self, table: Table) -> int:
        return table.mover

    def pool(self, table: Table) -> list[str]:
        gone = {piece for _, piece in table.board} | {table.chosen}
        return [piece for piece in self.pieces if piece not in gone]

    def moves(self, table: Table) -> dict[str, Table]:
        if not table.chosen:
            return {
                f"(choose {piece})": Table(table.board, piece, 1 - table.mover)
                for piece in self.pool(table)
            }
        taken = {square for square, _ in table.board}
        return {
            f"(place {x} {y})": Table(table.board | {((x, y), table.chosen)}, "", table.mover)
            for x, y in itertools.product(range(1, 5), repeat=2)
            if (x, y) not in taken
        }

    def quarto(self, table: Table) -> bool:
        """Whether all pieces with some letter, the place of which tells the trait, have a line."""
        return any(
            has_line({square for square, piece in table.board if piece[i] == letter}, 4)
            for i in range(4)
            for letter in {piece[i] for piece in self.pieces}
        )

    def scores(self, table: Table) -> tuple[int, ...] | None:
        if self.quarto(table):
            return winner_takes_all(table.mover)  # who has placed is about to choose
        return winner_takes_all(None) if len(table.board) == 16 else None

    def fluents(self, table: Table) -> set[str]:
        found = cells((x, y, piece) for (x, y), piece in table.board)
        found |= {f"(pool {piece})" for piece in self.pool(table)}
        if not table.chosen:
            return found | {f"(choosing {self.roles[table.mover]})"}
        return found | {f"(chosen {table.chosen})", f"(placing {self.roles[table.mover]})"}


class Polymer(NamedTuple):
    stones: tuple[frozenset[Square], frozenset[Square]]  # red, blue
    turn: int  # the colour
    swapped: bool
    deciding: bool  # the second player may swap


class Copolymer:
    """A `Generator`: cells are at (x, y) with x + y + z = 0, none of them larger than 3."""

    roles = ("first", "second")
    colours = ("red", "blue")
    reach = 3

    def initial(self) -> Polymer:
        return Polymer((frozenset(), frozenset()), 0, False, False)

    def mover(self, position: Polymer) -> int:
        return position.turn ^ position.swapped

    def places(self) -> list[Square]:
        span = range(-self.reach, self.reach + 1)
        return [(x, y) for x in span for y in span if abs(x + y) <= self.reach]

    def moves(self, position: Polymer) -> dict[str, Polymer]:
        if position.deciding:
            return {
                "keep": position._replace(deciding=False),
                "swap": position._replace(deciding=False, swapped=True),
            }
        found = {}
        opening = not any(position.stones)
        for x, y in self.places():
            if any((x, y) in stones for stones in position.stones):
                continue
            around = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i != j}
            again = len(around & position.stones[1 - position.turn]) >= 2
            stones = list(position.stones)
            stones[position.turn] |= {(x, y)}
            found[f"(place {y + self.reach + 1} {x + self.reach + 1})"] = Polymer(
                (stones[0], stones[1]),
                position.turn if again else 1 - position.turn,
                position.swapped,
                opening,
            )
        return found

    def scores(self, position: Polymer) -> tuple[int, ...] | None:
        for colour, stones in enumerate(position.stones):
            if 2 * len(stones) > len(self.places()):
                return winner_takes_all(colour ^ position.swapped)
        return None

    def fluents(self, position: Polymer) -> set[str]:
        found = {f"(control {self.colours[position.turn]})"}
        if not any(position.stones):
            found.add("opening")
        if position.deciding:
            found.add("pie")
        for colour, stones in enumerate(position.stones):
            name = self.colours[colour]
            found.add(f"(plays {self.roles[colour ^ position.swapped]} {name})")
            found.add(f"(stones {name} {len(stones)})")
            found |= cells((y + self.reach + 1, x + self.reach + 1, name) for x, y in stones)
        return found


Edge = tuple[int, int, int, int]


class Drawing(NamedTuple):
    lines: frozenset[Edge]
    owners: frozenset[tuple[Square, int]]
    mover: int


class DotsAndBoxes:
    """A `Generator`, the suicide variant: more boxes lose."""

    roles = ("x", "o")
    dots = 6

    def initial(self) -> Drawing:
        return Drawing(frozenset(), frozenset(), 0)

    def mover(self, drawing: Drawing) -> int:
        return drawing.mover

    def edges(self) -> list[Edge]:
        dots = range(1, self.dots + 1)
        across = [(x, y, x + 1, y) for x in dots[:-1] for y in dots]
        return across + [(x, y, x, y + 1) for x in dots for y in dots[:-1]]

    @staticmethod
    def sides(box: Square) -> set[Edge]:
        x, y = box
        up, over = y + 1, x + 1
        return {(x, y, over, y), (x, up, over, up), (x, y, x, up), (over, y, over, up)}

    def moves(self, drawing: Drawing) -> dict[str, Drawing]:
        found = {}
        owned = {box for box, _ in drawing.owners}
        corners = range(1, self.dots)
        boxes = [(x, y) for x in corners for y in corners]
        for edge in self.edges():
            if edge in drawing.lines:
                continue
            lines = drawing.lines | {edge}
            closed = [box for box in boxes if box not in owned and self.sides(box) <= lines]
            owners = drawing.owners | {(box, drawing.mover) for box in closed}
            mover = drawing.mover if closed else 1 - drawing.mover
            found["(draw {} {} {} {})".format(*edge)] = Drawing(lines, owners, mover)
        return found

    def numbers(self, drawing: Drawing) -> list[int]:
        return [sum(owner == player for _, owner in drawing.owners) for player in (0, 1)]

    def scores(self, drawing: Drawing) -> tuple[int, ...] | None:
        if len(drawing.lines) < len(self.edges()):
            return None
        x, o = self.numbers(drawing)
        return winner_takes_all(0 if x < o else 1)

    def fluents(self, drawing: Drawing) -> set[str]:
        found = {"(line {} {} {} {})".format(*edge) for edge in drawing.lines}
        found |= {f"(owner {x} {y} {self.roles[p]})" for (x, y), p in drawing.owners}
        found.add(f"(control {self.roles[drawing.mover]})")
        numbers = self.numbers(drawing)
        return found | {f"(boxes {role} {n})" for role, n in zip(self.roles, numbers, strict=True)}
