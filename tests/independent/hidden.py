"""Games of hiding and seeking in plain Python: Pac-Man, Hubi, sheep and wolf, latent marks, War."""

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


class HubiPosition(NamedTuple):
    door: Cell | None
    walls: tuple[tuple[str, str], ...]  # side and kind, room by room
    figures: tuple[Cell, Cell]
    hubi: Cell | None
    awake: bool
    asked: frozenset[str]
    control: str
    rounds: int
    told: frozenset[str]


class Hubi:
    """Mouse and rabbit in the haunted house."""

    roles = ("mouse", "rabbit", "random")
    furnished = tuple((x, y) for y in (1, 2, 3) for x in (1, 2, 3))
    rooms = tuple(itertools.product(range(1, 5), repeat=2))
    # From the top row down: the initial of the animal, capital if white.
    inhabitants = ("ObTc", "tCoB", "BoCt", "cTbO")
    animals: Mapping[str, str] = {"o": "owl", "b": "bat", "t": "toad", "c": "centipede"}
    fits: Mapping[str, tuple[str, ...]] = {
        "mouse": ("open", "hole", "ajar"),
        "rabbit": ("open", "window", "ajar"),
    }

    def initial(self) -> HubiPosition:
        corners: tuple[Cell, Cell] = ((1, 4), (4, 1))
        return HubiPosition(None, (), corners, None, False, frozenset(), "random", 0, frozenset())

    def inhabitant(self, room: Cell) -> tuple[str, str]:
        letter = self.inhabitants[4 - room[1]][room[0] - 1]
        return self.animals[letter.lower()], "white" if letter.isupper() else "black"

    def wall(self, position: HubiPosition, room: Cell, direction: str) -> str:
        if direction in ("south", "west"):
            return self.wall(position, neighbour(room, COMPASS[direction]), OPPOSITE[direction])
        if room not in self.furnished:
            return "open"
        side, kind = position.walls[self.furnished.index(room)]
        if side != direction:
            return "open"
        if room != position.door:
            return kind
        return "ajar" if position.awake else "shut"

    def ways(self, room: Cell) -> list[str]:
        return [d for d, step in COMPASS.items() if neighbour(room, step) in self.rooms]

    def legal(self, position: HubiPosition) -> Legal:
        found = {role: ["noop"] for role in self.roles}
        if position.control != "random":
            room = position.figures[self.roles.index(position.control)]
            choices = ["wait", *(f"(go {d})" for d in self.ways(room))]
            if self.inhabitant(room)[0] not in position.asked:
                choices.append("ask")
        elif position.door is None:
            choices = [f"(bewitch {x} {y})" for x, y in self.furnished]
        elif len(position.walls) < 9:
            kinds = itertools.product(("north", "east"), ("hole", "window", "solid"))
            choices = [f"(build {side} {kind})" for side, kind in kinds]
        elif position.hubi is None:
            free = [room for room in self.rooms if room not in position.figures]
            choices = [f"(hide {x} {y})" for x, y in free]
        else:
            choices = ["rest", *(f"(float {d})" for d in self.ways(position.hubi))]
        return {**found, position.control: choices}

    def after(self, position: HubiPosition, moves: tuple[str, ...]) -> HubiPosition:
        who = self.roles.index(position.control)
        verb, *rest = words(moves[who])
        if who < 2:
            return self._after_player(position, who, verb, rest)
        control, hubi, told = "mouse", position.hubi, set()
        if verb == "bewitch":
            return position._replace(door=(int(rest[0]), int(rest[1])))
        if verb == "build":
            walls = (*position.walls, (rest[0], rest[1]))
            return position._replace(walls=walls, control="mouse" if len(walls) == 9 else "random")
        if verb == "hide":
            hubi = (int(rest[0]), int(rest[1]))
        elif verb == "float" and hubi is not None:
            hubi = neighbour(hubi, COMPASS[rest[0]])
            told.add("whoosh")
        return self._meeting(position._replace(control=control, hubi=hubi), told)

    def _after_player(
        self, position: HubiPosition, who: int, verb: str, rest: list[str]
    ) -> HubiPosition:
        role, rooms, asked = self.roles[who], list(position.figures), position.asked
        told = set()
        if verb == "go":
            kind = self.wall(position, rooms[who], rest[0])
            told.add(f"(wall {role} {rest[0]} {kind})")
            if kind in self.fits[role]:
                rooms[who] = neighbour(rooms[who], COMPASS[rest[0]])
        elif verb == "ask":
            asked = asked | {self.inhabitant(rooms[who])[0]}
            topic, room = ("hubi", position.hubi) if position.hubi else ("door", position.door)
            assert room is not None
            told.add(f"(clue {topic} {' '.join(self.inhabitant(room))})")
        awake = position.awake
        if not awake and self._at_the_door(position, rooms):
            awake = True
            told.add("creak")
        later = position._replace(
            figures=(rooms[0], rooms[1]),
            asked=asked,
            awake=awake,
            control="rabbit" if who == 0 else "random" if awake else "mouse",
            rounds=position.rounds + who,
        )
        return self._meeting(later, told)

    def _at_the_door(self, position: HubiPosition, rooms: list[Cell]) -> bool:
        assert position.door is not None
        side, _ = position.walls[self.furnished.index(position.door)]
        return set(rooms) == {position.door, neighbour(position.door, COMPASS[side])}

    def _meeting(self, position: HubiPosition, told: set[str]) -> HubiPosition:
        if position.hubi in position.figures and position.hubi is not None:
            told.add(f"(hubi {position.hubi[0]} {position.hubi[1]})")
        return position._replace(told=frozenset(told))

    def scores(self, position: HubiPosition) -> tuple[int, ...] | None:
        if position.figures == (position.hubi, position.hubi):
            return 100, 100, 0
        return (0, 0, 0) if position.rounds == 30 else None

    def fluents(self, position: HubiPosition) -> set[str]:
        found = {f"(control {position.control})", f"(clock {position.rounds})"}
        for (x, y), (side, kind) in zip(self.furnished, position.walls, strict=False):
            found |= {f"(wall {x} {y} {side})", f"(inset {x} {y} {kind})"}
        if len(position.walls) < 9:
            x, y = self.furnished[len(position.walls)]
            found.add(f"(building {x} {y})")
        for name, room in (("door", position.door), ("hubi", position.hubi)):
            if room is not None:
                found.add(f"({name} {room[0]} {room[1]})")
        for role, (x, y) in zip(self.roles, position.figures, strict=False):
            found.add(f"(at {role} {x} {y})")
        found |= {f"(asked {animal})" for animal in position.asked}
        return found | ({"awake"} if position.awake else set())

    def percepts(self, position: HubiPosition) -> Percepts:
        return shared(set(position.told), "mouse", "rabbit")


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


class LatentPosition(NamedTuple):
    marks: frozenset[tuple[Cell, str]]
    latent: frozenset[Cell]
    control: str
    told: str = ""


class LatentTicTacToe:
    """Five in a line on 10x10 with hidden marks of chance."""

    roles = ("x", "o", "random")
    board = tuple(itertools.product(range(1, 11), repeat=2))

    def initial(self) -> LatentPosition:
        return LatentPosition(frozenset(), frozenset(), "x")

    def legal(self, position: LatentPosition) -> Legal:
        found = {role: ["noop"] for role in self.roles}
        marked = {cell for cell, _ in position.marks}
        if position.control == "random":
            free = [cell for cell in self.board if cell not in marked]
            found["random"] = [f"(mark {x} {y} {s})" for x, y in free for s in "xo"]
        else:
            known = marked - position.latent
            untried = [cell for cell in self.board if cell not in known]
            found[position.control] = [f"(mark {x} {y})" for x, y in untried]
        return found

    def after(self, position: LatentPosition, moves: tuple[str, ...]) -> LatentPosition:
        who = self.roles.index(position.control)
        _, x, y, *sign = words(moves[who])
        cell = int(x), int(y)
        following = self.roles[(who + 1) % 3]
        if sign:
            marks = position.marks | {(cell, sign[0])}
            return LatentPosition(marks, position.latent | {cell}, following)
        for place, found in position.marks:
            if place == cell:
                told = f"(found {x} {y} {found})"
                return position._replace(latent=position.latent - {cell}, told=told)
        marks = position.marks | {(cell, position.control)}
        told = f"(cell {x} {y} {position.control})"
        return LatentPosition(marks, position.latent, following, told)

    def scores(self, position: LatentPosition) -> tuple[int, ...] | None:
        for sign, result in (("x", (100, 0, 0)), ("o", (0, 100, 0))):
            own = {cell for cell, mark in position.marks if mark == sign}
            for x, y in own:
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if all((x + i * dx, y + i * dy) in own for i in range(5)):
                        return result
        return (50, 50, 0) if len(position.marks) == 100 else None

    def fluents(self, position: LatentPosition) -> set[str]:
        found = {f"(cell {x} {y} {sign})" for (x, y), sign in position.marks}
        found |= {f"(latent {x} {y})" for x, y in position.latent}
        return found | {f"(control {position.control})"}

    def percepts(self, position: LatentPosition) -> Percepts:
        return shared({position.told} if position.told else set(), "x", "o")


class WarPosition(NamedTuple):
    packet: frozenset[str]
    hands: tuple[frozenset[str], frozenset[str]]
    table: tuple[str, ...]
    stake: int
    won: tuple[int, int]
    chance: tuple[str, ...]  # what chance does before the next cards are played
    told: frozenset[str] = frozenset()


class War:
    """War with open hands of three, once through the packets."""

    roles = ("north", "south", "random")
    ranks = (*map(str, range(2, 11)), "j", "q", "k", "a")

    def initial(self) -> WarPosition:
        cards = frozenset(f"{r} {s}" for r in self.ranks for s in ("hearts", "spades"))
        dealing = ("(deal north)", "(deal south)") * 3
        return WarPosition(cards, (frozenset(), frozenset()), (), 0, (0, 0), dealing)

    def legal(self, position: WarPosition) -> Legal:
        if position.chance:
            draws = [f"(draw {card})" for card in position.packet]
            return {"north": ["noop"], "south": ["noop"], "random": draws}
        plays = ([f"(play {card})" for card in hand] for hand in position.hands)
        return {**dict(zip(self.roles, plays, strict=False)), "random": ["noop"]}

    def after(self, position: WarPosition, moves: tuple[str, ...]) -> WarPosition:
        if position.chance:
            return self._draw(position, moves[2].removeprefix("(draw ").removesuffix(")"))
        cards = tuple(move.removeprefix("(play ").removesuffix(")") for move in moves[:2])
        north, south = (hand - {card} for hand, card in zip(position.hands, cards, strict=True))
        values = [self.ranks.index(card.split()[0]) for card in cards]
        won, stake = list(position.won), position.stake + 1
        chance: tuple[str, ...] = ("(deal north)", "(deal south)")
        if values[0] == values[1]:
            buried = ("(bury north)", "(bury south)")
            chance = buried + chance if len(position.packet) > 2 else buried
        else:
            won[values[1] > values[0]] += stake
            stake = 0
        return WarPosition(
            position.packet,
            (north, south),
            cards,
            stake,
            (won[0], won[1]),
            chance if position.packet else (),
            frozenset(
                f"(played {role} {card})" for role, card in zip(self.roles, cards, strict=False)
            ),
        )

    def _draw(self, position: WarPosition, card: str) -> WarPosition:
        (verb, role), hands = words(position.chance[0]), list(position.hands)
        later = position._replace(
            packet=position.packet - {card}, chance=position.chance[1:], told=frozenset()
        )
        if verb == "bury":
            return later._replace(stake=later.stake + (role == "south"))
        hands[self.roles.index(role)] |= {card}
        told = frozenset({f"(dealt {role} {card})"})
        return later._replace(hands=(hands[0], hands[1]), told=told)

    def scores(self, position: WarPosition) -> tuple[int, ...] | None:
        if position.chance or position.hands[0]:
            return None
        north, south = position.won
        return (50, 50, 0) if north == south else (100, 0, 0) if north > south else (0, 100, 0)

    def fluents(self, position: WarPosition) -> set[str]:
        found = {f"(packet {card})" for card in position.packet}
        for role, hand, pairs in zip(self.roles, position.hands, position.won, strict=False):
            found |= {f"(hand {role} {card})" for card in hand} | {f"(won {role} {pairs})"}
        found |= {
            f"(table {role} {card})" for role, card in zip(self.roles, position.table, strict=False)
        }
        found.add(f"(left {(len(position.packet) + 1) // 2})")
        found |= {f"(stake {position.stake})"}
        found.add(f"(stage {position.chance[0] if position.chance else 'play'})")
        if len(position.chance) > 2 and not position.table:
            found.add(f"(opening {(len(position.chance) - 1) // 2})")
        return found

    def percepts(self, position: WarPosition) -> Percepts:
        return shared(set(position.told), "north", "south")
