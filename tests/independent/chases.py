"""Chases in plain Python: Pac-Man and sheep and wolf, each with and without hiding."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

Cell = tuple[int, int]
Legal = Mapping[str, list[str]]
Percepts = Mapping[str, set[str]]

COMPASS: dict[str, Cell] = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
DIAGONALS: dict[str, Cell] = {"ne": (1, 1), "nw": (-1, 1), "se": (1, -1), "sw": (-1, -1)}


def neighbour(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]


def words(move: str) -> list[str]:
    return move.strip("()").split()


def shared(percepts: set[str], *players: str) -> Percepts:
    return dict.fromkeys(players, percepts)


# The maze from the top row down, as a picture; blanks are corridors.
MAZE = """
##    ##
## ## ##

 # ## #
 # ## #

## ## ##
##    ##
"""
FLOOR = frozenset(
    (column, 8 - line)
    for line, picture in enumerate(MAZE.split("\n")[1:9])
    for column, sign in enumerate(picture.ljust(8), start=1)
    if sign == " "
)
DOTS = 33


def exits(cell: Cell) -> list[str]:
    return [d for d, step in COMPASS.items() if neighbour(cell, step) in FLOOR]


class PacmanPosition(NamedTuple):
    pacman: Cell
    ghosts: tuple[Cell, ...]
    headings: tuple[str, ...]  # "" before the first move
    dots: frozenset[Cell]
    fruits: frozenset[Cell]
    ghosts_move: bool
    made: int  # moves of Pac-Man


class Pacman:
    """Pac-Man against four ghosts that chance moves."""

    roles = ("pacman", "random")
    names = ("blinky", "pinky", "inky", "clyde")

    def initial(self) -> PacmanPosition:
        fruits = frozenset({(4, 6), (5, 6)})
        ghosts = ((3, 6), (4, 6), (5, 6), (6, 6))
        dots = FLOOR - fruits - {(5, 3)}
        return PacmanPosition((5, 3), ghosts, ("",) * 4, dots, fruits, False, 0)

    def legal(self, position: PacmanPosition) -> Legal:
        if not position.ghosts_move:
            return {"pacman": [f"(go {d})" for d in exits(position.pacman)], "random": ["noop"]}
        ways = [
            [d for d in exits(cell) if not heading or d != OPPOSITE[heading]]
            for cell, heading in zip(position.ghosts, position.headings, strict=True)
        ]
        found = [f"(haunt {' '.join(choice)})" for choice in itertools.product(*ways)]
        return {"pacman": ["noop"], "random": found}

    def after(self, position: PacmanPosition, moves: tuple[str, ...]) -> PacmanPosition:
        if position.ghosts_move:
            chosen = tuple(words(moves[1])[1:])
            ghosts = tuple(
                neighbour(g, COMPASS[d]) for g, d in zip(position.ghosts, chosen, strict=True)
            )
            return position._replace(ghosts=ghosts, headings=chosen, ghosts_move=False)
        cell = neighbour(position.pacman, COMPASS[words(moves[0])[1]])
        return position._replace(
            pacman=cell,
            dots=position.dots - {cell},
            fruits=position.fruits - {cell},
            ghosts_move=True,
            made=position.made + 1,
        )

    def scores(self, position: PacmanPosition) -> tuple[int, ...] | None:
        if not position.dots:
            return 100 - 10 * len(position.fruits), 0
        if position.pacman in position.ghosts or position.made == 100:
            return 50 * (DOTS - len(position.dots)) // DOTS, 0
        return None

    def fluents(self, position: PacmanPosition) -> set[str]:
        figures = {"pacman": position.pacman, **dict(zip(self.names, position.ghosts, strict=True))}
        found = {f"(at {name} {x} {y})" for name, (x, y) in figures.items()}
        found |= {f"(food {x} {y} dot)" for x, y in position.dots}
        found |= {f"(food {x} {y} fruit)" for x, y in position.fruits}
        found |= {
            f"(heading {name} {d})"
            for name, d in zip(self.names, position.headings, strict=True)
            if d
        }
        found |= {f"(eaten {DOTS - len(position.dots)})", f"(round {position.made})"}
        return found | ({"haunting"} if position.ghosts_move else set())

    def percepts(self, position: PacmanPosition) -> Percepts:
        return {}


class ChasePosition(NamedTuple):
    figures: tuple[Cell, Cell, Cell]
    dots: frozenset[Cell]
    plies: int


class HiddenPacman:
    """Pac-Man and two ghosts that are players, with one view for all."""

    roles = ("pacman", "blinky", "inky")
    worth = (*range(0, 20, 2), *range(20, 87, 3), 100)

    def initial(self) -> ChasePosition:
        homes: tuple[Cell, Cell, Cell] = ((5, 3), (4, 6), (5, 6))
        return ChasePosition(homes, FLOOR - set(homes), 0)

    def legal(self, position: ChasePosition) -> Legal:
        hunting = position.plies % 2 == 1
        return {
            role: [f"(go {d})" for d in exits(cell)] if (role != "pacman") == hunting else ["noop"]
            for role, cell in zip(self.roles, position.figures, strict=True)
        }

    def after(self, position: ChasePosition, moves: tuple[str, ...]) -> ChasePosition:
        first, second, third = (
            cell if move == "noop" else neighbour(cell, COMPASS[words(move)[1]])
            for cell, move in zip(position.figures, moves, strict=True)
        )
        return ChasePosition((first, second, third), position.dots - {first}, position.plies + 1)

    def scores(self, position: ChasePosition) -> tuple[int, ...] | None:
        pacman, *ghosts = position.figures
        caught = [100 if ghost == pacman else 0 for ghost in ghosts]
        if any(caught) or not position.dots or position.plies == 99:
            return self.worth[DOTS - len(position.dots)], *caught
        return None

    def fluents(self, position: ChasePosition) -> set[str]:
        found = {
            f"(at {role} {x} {y})"
            for role, (x, y) in zip(self.roles, position.figures, strict=True)
        }
        found |= {f"(food {x} {y})" for x, y in position.dots}
        found |= {f"(eaten {DOTS - len(position.dots)})", f"(plies {position.plies})"}
        return found | ({"hunting"} if position.plies % 2 else set())

    def percepts(self, position: ChasePosition) -> Percepts:
        told = {f"(eaten {DOTS - len(position.dots)})"}
        for one, other in itertools.permutations(range(3), 2):
            mine, theirs = position.figures[one], position.figures[other]
            if any(mine[axis] == theirs[axis] and mine[axis] in (1, 3, 6, 8) for axis in (0, 1)):
                told.add(f"(at {self.roles[one]} {mine[0]} {mine[1]})")
        return shared(told, *self.roles)


FILES = "abcdefgh"
DARK = frozenset(c for c in itertools.product(range(1, 9), repeat=2) if sum(c) % 2 == 0)


def square(cell: Cell) -> str:
    return f"{FILES[cell[0] - 1]} {cell[1]}"


def steps(cell: Cell, taken: frozenset[Cell], directions: str) -> dict[str, Cell]:
    """The free squares diagonally next to a cell, by their direction."""
    around = {d: neighbour(cell, DIAGONALS[d]) for d in directions.split()}
    return {d: to for d, to in around.items() if to in DARK and to not in taken}


class WolfPosition(NamedTuple):
    wolf: Cell | None
    sheep: tuple[frozenset[Cell], ...]  # one flock a player
    wolf_moves: bool
    last: int = 0  # who moved a sheep last
    told: str = ""

    @property
    def taken(self) -> frozenset[Cell]:
        flock: frozenset[Cell] = frozenset().union(*self.sheep)
        return flock if self.wolf is None else flock | {self.wolf}

    def mobile(self, flock: int) -> bool:
        return any(steps(cell, self.taken, "ne nw") for cell in self.sheep[flock])

    @property
    def trapped(self) -> bool:
        return self.wolf is not None and not steps(self.wolf, self.taken, "ne nw se sw")

    @property
    def over(self) -> bool:
        if not any(self.mobile(flock) for flock in range(len(self.sheep))):
            return True
        if self.wolf is None:
            return False
        lowest = min(y for flock in self.sheep for _, y in flock)
        return self.trapped or self.wolf[1] <= lowest

    def move_sheep(self, flock: int, start: Cell, end: Cell) -> WolfPosition:
        sheep = list(self.sheep)
        sheep[flock] = sheep[flock] - {start} | {end}
        return self._replace(sheep=tuple(sheep), wolf_moves=True, last=flock)

    def sheep_moves(self, flock: int) -> dict[str, WolfPosition]:
        return {
            f"(move {square(start)} {square(end)})": self.move_sheep(flock, start, end)
            for start in self.sheep[flock]
            for end in steps(start, self.taken, "ne nw").values()
        }


class SheepAndWolf:
    """All is seen, the wolf is a player and begins."""

    roles = ("wolf", "sheep")

    def initial(self) -> WolfPosition:
        return WolfPosition((4, 8), (frozenset((x, 1) for x in (1, 3, 5, 7)),), True)

    def mover(self, position: WolfPosition) -> int:
        return 0 if position.wolf_moves else 1

    def moves(self, position: WolfPosition) -> dict[str, WolfPosition]:
        if not position.wolf_moves:
            return position.sheep_moves(0)
        assert position.wolf is not None
        return {
            f"(move {square(position.wolf)} {square(end)})": position._replace(
                wolf=end, wolf_moves=False
            )
            for end in steps(position.wolf, position.taken, "ne nw se sw").values()
        }

    def scores(self, position: WolfPosition) -> tuple[int, ...] | None:
        if not position.over:
            return None
        return (0, 100) if position.trapped else (100, 0)

    def fluents(self, position: WolfPosition) -> set[str]:
        assert position.wolf is not None
        found = {f"(cell {square(cell)} sheep)" for cell in position.sheep[0]}
        found.add(f"(cell {square(position.wolf)} wolf)")
        return found | {f"(control {self.roles[self.mover(position)]})"}


class HiddenWolf:
    """Two players with two sheep each; chance places and moves the wolf."""

    roles = ("left", "right", "random")

    def initial(self) -> WolfPosition:
        flocks = frozenset({(1, 1), (3, 1)}), frozenset({(5, 1), (7, 1)})
        return WolfPosition(None, flocks, True, last=1)

    def _mover(self, position: WolfPosition) -> int:
        """The other player than last time, unless that one is stuck."""
        other = 1 - position.last
        return other if position.mobile(other) else position.last

    def _options(self, position: WolfPosition) -> tuple[int, dict[str, WolfPosition]]:
        if not position.wolf_moves:
            mover = self._mover(position)
            return mover, {
                move: later._replace(told=move)
                for move, later in position.sheep_moves(mover).items()
            }
        quiet = position._replace(wolf_moves=False, told="")
        if position.wolf is None:
            ends = {f"(place {FILES[x - 1]})": (x, 8) for x in (2, 4, 6, 8)}
        else:
            free = steps(position.wolf, position.taken, "ne nw se sw")
            ends = {f"(prowl {d})": end for d, end in free.items()}
        return 2, {move: quiet._replace(wolf=end) for move, end in ends.items()}

    def legal(self, position: WolfPosition) -> Legal:
        mover, options = self._options(position)
        return {
            role: list(options) if index == mover else ["noop"]
            for index, role in enumerate(self.roles)
        }

    def after(self, position: WolfPosition, moves: tuple[str, ...]) -> WolfPosition:
        mover, options = self._options(position)
        return options[moves[mover]]

    def scores(self, position: WolfPosition) -> tuple[int, ...] | None:
        if not position.over:
            return None
        return (100, 100, 0) if position.trapped else (0, 0, 0)

    def fluents(self, position: WolfPosition) -> set[str]:
        found = {
            f"(cell {square(cell)} {role}_sheep)"
            for role, flock in zip(self.roles, position.sheep, strict=False)
            for cell in flock
        }
        if position.wolf is not None:
            found.add(f"(wolf {square(position.wolf)})")
        found.add(f"(last {self.roles[position.last]})")
        return found | ({"prowling"} if position.wolf_moves else set())

    def percepts(self, position: WolfPosition) -> Percepts:
        told = {position.told} if position.told else set()
        wolf = position.wolf
        if wolf is not None and any(
            abs(x - wolf[0]) == abs(y - wolf[1]) == 1 for flock in position.sheep for x, y in flock
        ):
            told.add(f"(wolf {square(wolf)})")
        return shared(told, "left", "right")
