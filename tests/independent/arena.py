"""Races, battles and sowing: the games of the arena in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any, ClassVar, NamedTuple

from .protocol import winner_takes_all

Place = tuple[int, int]


class Alternating:
    """A model in which `mover` alone has a choice; `moves` gives what each move leads to."""

    roles: tuple[str, ...]

    def mover(self, position: Any) -> int:
        raise NotImplementedError

    def moves(self, position: Any) -> dict[str, Any]:
        raise NotImplementedError

    def legal(self, position: Any) -> dict[str, list[str]]:
        mover = self.roles[self.mover(position)]
        return {
            role: list(self.moves(position)) if role == mover else ["noop"] for role in self.roles
        }

    def after(self, position: Any, moves: tuple[str, ...]) -> Any:
        return self.moves(position)[moves[self.mover(position)]]

    def percepts(self, position: Any) -> dict[str, set[str]]:
        return {}


class Star(NamedTuple):
    stones: frozenset[tuple[Place, int]]  # (half cells from the left, row), owner
    ply: int


class ChineseCheckers(Alternating):
    """Every player has a rhombus of 5x5 cells, from its corner along its two directions."""

    roles = ("red", "green", "blue")
    corners = ((6, 0), (12, 6), (0, 6))
    directions = (((-1, 1), (1, 1)), ((-2, 0), (-1, -1)), ((2, 0), (1, -1)))

    def __init__(self) -> None:
        self.fields = [
            [[(x + i * a + j * c, y + i * b + j * d) for j in range(5)] for i in range(5)]
            for (x, y), ((a, b), (c, d)) in zip(self.corners, self.directions, strict=True)
        ]
        cells = {cell for field in self.fields for line in field for cell in line}
        self.names: dict[Place, str] = {}
        for row in range(9):
            for number, cell in enumerate(sorted(c for c in cells if c[1] == row), 1):
                self.names[cell] = "abcdefghi"[row] + str(number)

    def initial(self) -> Star:
        near = ((0, 0), (0, 1), (1, 0))
        return Star(frozenset((self.fields[p][i][j], p) for p in range(3) for i, j in near), 0)

    def mover(self, position: Star) -> int:
        return position.ply % 3

    def moves(self, position: Star) -> dict[str, Star]:
        mover = self.mover(position)
        field = {cell for line in self.fields[mover] for cell in line}
        full = {cell for cell, _ in position.stones}
        found = {"noop": Star(position.stones, position.ply + 1)}

        def jumps(cell: Place) -> list[Place]:
            x, y = cell
            return [
                (x + 2 * a, y + 2 * b)
                for a, b in self.directions[mover]
                if (x + a, y + b) in full & field and (x + 2 * a, y + 2 * b) in field - full
            ]

        for start in (cell for cell, owner in position.stones if owner == mover):
            ends = {(start[0] + a, start[1] + b) for a, b in self.directions[mover]}
            ends = ends & field - full
            for one in jumps(start):
                ends |= {one, *jumps(one)}
            for end in ends:
                stones = position.stones - {(start, mover)} | {(end, mover)}
                text = f"(move {self.names[start]} {self.names[end]})"
                found[text] = Star(stones, position.ply + 1)
        return found

    def scores(self, position: Star) -> tuple[int, ...] | None:
        far = ((4, 4), (4, 3), (3, 4))
        home = [sum((self.fields[p][i][j], p) in position.stones for i, j in far) for p in range(3)]
        if position.ply < 59 and 3 not in home:
            return None
        return tuple((0, 25, 50, 100)[count] for count in home)

    def fluents(self, position: Star) -> set[str]:
        found = {f"(cell {self.names[cell]} {self.roles[p]})" for cell, p in position.stones}
        return found | {
            f"(control {self.roles[position.ply % 3]})",
            f"(step {position.ply + 1})",
        }


class Sowing(NamedTuple):
    houses: tuple[int, ...]  # south's six, then north's six
    captured: tuple[int, int]
    ply: int


class Oware(Alternating):
    roles = ("south", "north")
    limit = 200

    def initial(self) -> Sowing:
        return Sowing((4,) * 12, (0, 0), 0)

    def mover(self, position: Sowing) -> int:
        return position.ply % 2

    def sow(self, position: Sowing, house: int) -> Sowing:
        houses, mover = list(position.houses), self.mover(position)
        seeds, houses[house], at = houses[house], 0, house
        while seeds:
            at = (at + 1) % 12
            if at != house:
                houses[at] += 1
                seeds -= 1
        theirs = range(6 - 6 * mover, 12 - 6 * mover)
        left, gain = list(houses), 0
        while at in theirs and left[at] in (2, 3):
            gain += left[at]
            left[at] = 0
            at -= 1
        if not any(left[i] for i in theirs):  # a grand slam, or nothing was there at all
            left, gain = houses, 0
        captured = list(position.captured)
        captured[mover] += gain
        return Sowing(tuple(left), (captured[0], captured[1]), position.ply + 1)

    def moves(self, position: Sowing) -> dict[str, Sowing]:
        mover = self.mover(position)
        mine = [i for i in range(6 * mover, 6 * mover + 6) if position.houses[i]]
        theirs = slice(6 - 6 * mover, 12 - 6 * mover)
        found = {i: self.sow(position, i) for i in mine}
        if not any(position.houses[theirs]):
            found = {i: after for i, after in found.items() if any(after.houses[theirs])}
        return {f"(sow {i + 1})": after for i, after in found.items()}

    def scores(self, position: Sowing) -> tuple[int, ...] | None:
        rich = max(position.captured) > 24
        if not rich and position.ply < self.limit and self.moves(position):
            return None
        south = position.captured[0] + sum(position.houses[:6])
        return winner_takes_all(None if south == 24 else int(south < 24))

    def fluents(self, position: Sowing) -> set[str]:
        found = {f"(seeds {i} {n})" for i, n in enumerate(position.houses, 1)}
        found |= {
            f"(captured {role} {n})" for role, n in zip(self.roles, position.captured, strict=True)
        }
        return found | {f"(control {self.roles[self.mover(position)]})", f"(ply {position.ply})"}


class Battle(NamedTuple):
    fighters: frozenset[tuple[Place, int, int]]  # (column, row), number, owner
    ply: int


class BattleOfNumbers(Alternating):
    roles = ("red", "green")

    def __init__(self, order: tuple[int, ...], limit: int) -> None:
        self.order, self.limit, self.size = order, limit, len(order)

    def initial(self) -> Battle:
        red = {((1, y), n, 0) for y, n in enumerate(self.order, 1)}
        green = {((self.size, y), n, 1) for y, n in enumerate(self.order[::-1], 1)}
        return Battle(frozenset(red | green), 0)

    def mover(self, position: Battle) -> int:
        return position.ply % 2

    def beats(self, one: int, other: int) -> bool:
        if {one, other} == {1, self.size}:
            return one == 1
        return one >= other

    def moves(self, position: Battle) -> dict[str, Battle]:
        mover = self.mover(position)
        board = {place: (number, owner) for place, number, owner in position.fighters}
        found = {}
        for (x, y), (number, owner) in board.items():
            if owner != mover:
                continue
            for dx, dy in itertools.product((-1, 0, 1), repeat=2):
                there = x + dx, y + dy
                if not (1 <= there[0] <= self.size and 1 <= there[1] <= self.size):
                    continue
                if there in board:
                    enemy, whose = board[there]
                    legal = whose != mover and dx != 0 and dy != 0 and self.beats(number, enemy)
                else:
                    legal = dx == (1, -1)[mover]
                if legal:
                    after = {place: who for place, who in board.items() if place != (x, y)}
                    after[there] = number, mover
                    fighters = frozenset((place, *who) for place, who in after.items())
                    found[f"(move {x} {y} {there[0]} {there[1]})"] = Battle(
                        fighters, position.ply + 1
                    )
        return found

    def taken(self, position: Battle) -> list[int]:
        alive = Counter(owner for _, _, owner in position.fighters)
        return [self.size - alive[1], self.size - alive[0]]

    def scores(self, position: Battle) -> tuple[int, ...] | None:
        red, green = self.taken(position)
        if max(red, green) < self.size and position.ply < self.limit and self.moves(position):
            return None
        return winner_takes_all(None if red == green else int(red < green))

    def fluents(self, position: Battle) -> set[str]:
        found = {f"(cell {x} {y} {n} {self.roles[p]})" for (x, y), n, p in position.fighters}
        found |= {f"(taken {r} {n})" for r, n in zip(self.roles, self.taken(position), strict=True)}
        return found | {f"(control {self.roles[position.ply % 2]})", f"(step {position.ply})"}


class Platforms(NamedTuple):
    colours: frozenset[tuple[Place, int]]  # (row, column), owner
    marked: frozenset[str]
    jumpers: frozenset[tuple[Place, int]]
    ply: int


class PlatformJumpers(Alternating):
    roles = ("red", "blue")

    def initial(self) -> Platforms:
        colours = {((r, c), p) for r in range(1, 11) for c, p in ((5, 1), (6, 0))}
        jumpers = {((1, c), 0) for c in range(1, 11, 2)} | {((10, c), 1) for c in range(2, 11, 2)}
        marked = frozenset({"(column 5)", "(column 6)"})
        return Platforms(frozenset(colours), marked, frozenset(jumpers), 0)

    def mover(self, position: Platforms) -> int:
        return position.ply % 2

    def moves(self, position: Platforms) -> dict[str, Platforms]:
        mover, found = self.mover(position), {}
        colours = dict(position.colours)
        for kind, n in itertools.product(("row", "column"), range(1, 11)):
            line = f"({kind} {n})"
            if line not in position.marked:
                places = [(n, i) if kind == "row" else (i, n) for i in range(1, 11)]
                new = {(place, mover) for place in places if place not in colours}
                found[f"(mark {line})"] = Platforms(
                    position.colours | new,
                    position.marked | {line},
                    position.jumpers,
                    position.ply + 1,
                )
        if found:
            return found
        full = {place for place, _ in position.jumpers}
        for (r, c), owner in position.jumpers:
            for rows, columns in itertools.product((1, 2), range(-2, 3)):
                there = r + (rows, -rows)[mover], c + columns
                if owner != mover or there in full or there not in colours:
                    continue
                if (rows == 1 or abs(columns) == 1) and colours[there] == colours[r, c]:
                    jumpers = position.jumpers - {((r, c), mover)} | {(there, mover)}
                    found[f"(jump {r} {c} {there[0]} {there[1]})"] = Platforms(
                        position.colours, position.marked, jumpers, position.ply + 1
                    )
        return found

    def scores(self, position: Platforms) -> tuple[int, ...] | None:
        for (r, _), owner in position.jumpers:
            if r == (10, 1)[owner]:
                return winner_takes_all(owner)
        return None if self.moves(position) else winner_takes_all(None)

    def fluents(self, position: Platforms) -> set[str]:
        found = {f"(colour {r} {c} {self.roles[p]})" for (r, c), p in position.colours}
        found |= {f"(jumper {r} {c} {self.roles[p]})" for (r, c), p in position.jumpers}
        found |= {f"(marked {line})" for line in position.marked}
        return found | {f"(control {self.roles[position.ply % 2]})"}


class Skies(NamedTuple):
    ships: tuple[Place, Place]
    shots: frozenset[tuple[Place, str]]
    ply: int


class Shmup:
    roles = ("light", "dark")
    winds: ClassVar[dict[str, Place]] = {
        "n": (0, -1), "ne": (1, -1), "e": (1, 0), "se": (1, 1),
        "s": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (-1, -1),
    }  # fmt: skip
    limit = 20

    def initial(self) -> Skies:
        return Skies(((3, 3), (6, 6)), frozenset(), 0)

    def ahead(self, place: Place, wind: str, cells: int = 1) -> Place:
        dx, dy = self.winds[wind]
        return (place[0] + cells * dx - 1) % 8 + 1, (place[1] + cells * dy - 1) % 8 + 1

    def legal(self, position: Skies) -> dict[str, list[str]]:
        if position.ply % 2 == 0:
            return {role: [f"(fire {wind})" for wind in self.winds] for role in self.roles}
        found = {}
        for role, ship in zip(self.roles, position.ships, strict=True):
            found[role] = ["noop"]
            for wind in self.winds:
                there = self.ahead(ship, wind)
                coming = {w for place, w in position.shots if place == there}
                if not any(self.ahead(there, w) == ship for w in coming):
                    found[role].append(f"(move {wind})")
        return found

    def after(self, position: Skies, moves: tuple[str, ...]) -> Skies:
        shots = {(self.ahead(place, wind), wind) for place, wind in position.shots}
        ships = list(position.ships)
        for i, move in enumerate(moves):
            word, _, wind = move.strip("()").partition(" ")
            if word == "fire":
                shots.add((self.ahead(position.ships[i], wind), wind))
            elif word == "move":
                ships[i] = self.ahead(position.ships[i], wind)
        apart = [min((a - b) % 8, (b - a) % 8) for a, b in zip(*ships, strict=True)]
        if all(move.startswith("(move") for move in moves) and max(apart) <= 1:
            ships = list(position.ships)
        return Skies((ships[0], ships[1]), frozenset(shots), position.ply + 1)

    def scores(self, position: Skies) -> tuple[int, ...] | None:
        shots = {place for place, _ in position.shots}
        same = position.ships[0] == position.ships[1]
        hit = [same or ship in shots for ship in position.ships]
        if not any(hit):
            return (50, 50) if position.ply == self.limit else None
        return (50, 50) if all(hit) else (100 * hit[1], 100 * hit[0])

    def fluents(self, position: Skies) -> set[str]:
        found = {
            f"(ship {x} {y} {r})" for r, (x, y) in zip(self.roles, position.ships, strict=True)
        }
        found |= {f"(shot {x} {y} {wind})" for (x, y), wind in position.shots}
        return found | {f"(turn {('fire', 'move')[position.ply % 2]})", f"(step {position.ply})"}

    def percepts(self, position: Skies) -> dict[str, set[str]]:
        return {}


class Canvas(NamedTuple):
    paint: frozenset[tuple[Place, int]]
    brushes: tuple[Place, ...]
    dizzy: tuple[int, ...]  # turns still to wait
    ply: int


class Battlebrushes:
    roles = ("blue", "red", "green", "yellow")
    places = (100, 50, 25, 0)  # what the first to the last get
    # Who shares a place: how many are better and how many equal, with oneself.
    shared: ClassVar[dict[tuple[int, int], int]] = {
        (0, 2): 75, (0, 3): 66, (0, 4): 50, (1, 2): 33, (1, 3): 25, (2, 2): 12,
    }  # fmt: skip

    def initial(self) -> Canvas:
        brushes = ((2, 2), (2, 7), (7, 2), (7, 7))
        return Canvas(frozenset(zip(brushes, range(4), strict=True)), brushes, (0,) * 4, 0)

    def legal(self, position: Canvas) -> dict[str, list[str]]:
        found = {}
        for role, (x, y), dizzy in zip(self.roles, position.brushes, position.dizzy, strict=True):
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} - {*position.brushes}
            ways = [f"(go {i} {j})" for i, j in near if {i, j} <= {*range(1, 9)}]
            found[role] = ["noop"] if dizzy or not ways else ways
        return found

    def after(self, position: Canvas, moves: tuple[str, ...]) -> Canvas:
        wanted = Counter(moves)
        paint = dict(position.paint)
        brushes, dizzy = list(position.brushes), [max(n - 1, 0) for n in position.dizzy]
        for i, move in enumerate(moves):
            if move == "noop":
                continue
            if wanted[move] > 1:
                dizzy[i] = 2
            else:
                x, y = (int(word) for word in move.strip("()").split()[1:])
                brushes[i] = x, y
                paint[x, y] = i
        return Canvas(frozenset(paint.items()), tuple(brushes), tuple(dizzy), position.ply + 1)

    def scores(self, position: Canvas) -> tuple[int, ...] | None:
        if position.ply < 19:
            return None
        count = Counter(owner for _, owner in position.paint)
        found = []
        for i in range(4):
            better = sum(count[j] > count[i] for j in range(4))
            equal = sum(count[j] == count[i] for j in range(4))
            found.append(self.places[better] if equal == 1 else self.shared[better, equal])
        return tuple(found)

    def fluents(self, position: Canvas) -> set[str]:
        found = {f"(cell {x} {y} {self.roles[p]})" for (x, y), p in position.paint}
        for role, (x, y), dizzy in zip(self.roles, position.brushes, position.dizzy, strict=True):
            found |= {f"(brush {x} {y} {role})"}
            found |= {f"(dizzy {role} {dizzy})"} if dizzy else set()
        return found | {f"(step {position.ply + 1})"}

    def percepts(self, position: Canvas) -> dict[str, set[str]]:
        return {}


class Maze(NamedTuple):
    players: tuple[Place, Place]
    bombs: frozenset[tuple[Place, int]]
    fire: frozenset[Place]
    ply: int


class Bomberman:
    roles = ("bomberman", "bomberwoman")
    steps: ClassVar[dict[str, Place]] = {
        "north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0), "nowhere": (0, 0),
    }  # fmt: skip

    def initial(self) -> Maze:
        return Maze(((1, 1), (8, 8)), frozenset(), frozenset(), 0)

    def wall(self, place: Place, side: str) -> bool:
        """Whether a wall lies above (north) or right (east) of the cell."""
        along, across = place if side == "east" else place[::-1]
        return along == 8 or (along != 4 and across in (2, 4, 5, 7))

    def open(self, place: Place, word: str) -> bool:
        if word in ("south", "west"):
            dx, dy = self.steps[word]
            there = place[0] + dx, place[1] + dy
            return min(there) > 0 and not self.wall(there, {"south": "north"}.get(word, "east"))
        return word == "nowhere" or not self.wall(place, word)

    def legal(self, position: Maze) -> dict[str, list[str]]:
        return {
            role: ["drop", *(f"(move {word})" for word in self.steps if self.open(place, word))]
            for role, place in zip(self.roles, position.players, strict=True)
        }

    def after(self, position: Maze, moves: tuple[str, ...]) -> Maze:
        players = list(position.players)
        bombs = {(place, wait - 1) for place, wait in position.bombs if wait}
        fire: set[Place] = set()
        for place, wait in position.bombs:
            if wait == 0 and not self.wall(place, "east"):
                fire |= {(x, place[1]) for x in range(1, 9)}
            if wait == 0 and not self.wall(place, "north"):
                fire |= {(place[0], y) for y in range(1, 9)}
        for i, move in enumerate(moves):
            if move == "drop":
                bombs.add((players[i], 3))
            else:
                dx, dy = self.steps[move.strip("()").split()[1]]
                players[i] = players[i][0] + dx, players[i][1] + dy
        return Maze((players[0], players[1]), frozenset(bombs), frozenset(fire), position.ply + 1)

    def scores(self, position: Maze) -> tuple[int, ...] | None:
        burned = [place in position.fire for place in position.players]
        if not any(burned):
            return (50, 50) if position.ply == 49 else None
        return (50, 50) if all(burned) else (100 * burned[1], 100 * burned[0])

    def fluents(self, position: Maze) -> set[str]:
        found = {
            f"(at {x} {y} {r})" for r, (x, y) in zip(self.roles, position.players, strict=True)
        }
        found |= {f"(at {x} {y} bomb{wait})" for (x, y), wait in position.bombs}
        found |= {f"(at {x} {y} fire)" for x, y in position.fire}
        return found | self.walls() | {f"(step {position.ply + 1})"}

    def walls(self) -> set[str]:
        return {
            f"(wall {x} {y} {side})"
            for x, y in itertools.product(range(1, 9), repeat=2)
            for side in ("north", "east")
            if self.wall((x, y), side)
        }

    def percepts(self, position: Maze) -> dict[str, set[str]]:
        return {}
