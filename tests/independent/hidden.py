"""Games of hidden things in plain Python: Hubi, latent marks, War."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

from independent.chases import COMPASS, OPPOSITE, Cell, Legal, Percepts, neighbour, shared, words


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
