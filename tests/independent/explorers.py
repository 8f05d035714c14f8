"""Robots and hunters that see only the room they are in, as plain Python models."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

Cell = tuple[int, int]
DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
ROOMS = tuple(itertools.product(range(1, 5), repeat=2))


def beyond(cell: Cell, direction: str) -> Cell | None:
    """The next room in a direction; None behind the wall."""
    x, y = cell[0] + DIRECTIONS[direction][0], cell[1] + DIRECTIONS[direction][1]
    return (x, y) if (x, y) in ROOMS else None


@dataclass(frozen=True)
class Flat:
    """A littered flat. `seen` is what the robot perceived last."""

    dirt: frozenset[Cell] = frozenset()
    littered: int = 0
    robot: Cell = (1, 1)
    actions: int = 0
    cleaned: int = 0
    seen: frozenset[str] = field(default=frozenset())


class VacuumCleaner:
    roles = ("robot", "random")

    def initial(self) -> Flat:
        return Flat()

    def legal(self, flat: Flat) -> Mapping[str, Sequence[str]]:
        if flat.littered < 4:
            free = [f"(litter {x} {y})" for x, y in ROOMS if (x, y) not in flat.dirt]
            return {"robot": ["noop"], "random": free}
        return {"robot": ["suck", *(f"(go {d})" for d in DIRECTIONS)], "random": ["noop"]}

    def after(self, flat: Flat, moves: tuple[str, ...]) -> Flat:
        seen = set()
        if flat.littered < 4:
            x, y = map(int, moves[1].strip("()").split()[1:])
            after = replace(flat, dirt=flat.dirt | {(x, y)}, littered=flat.littered + 1)
            if after.littered < 4:
                return replace(after, seen=frozenset())
        elif moves[0] == "suck":
            clean = flat.cleaned + (flat.robot in flat.dirt)
            after = replace(flat, dirt=flat.dirt - {flat.robot}, cleaned=clean)
            after = replace(after, actions=flat.actions + 1)
        else:
            there = beyond(flat.robot, moves[0].strip("()").split()[1])
            if there is None:
                seen.add("wall")
            after = replace(flat, robot=there or flat.robot, actions=flat.actions + 1)
        if after.robot in after.dirt:
            seen.add("dirt")
        return replace(after, seen=frozenset(seen))

    def scores(self, flat: Flat) -> tuple[int, ...] | None:
        return (25 * flat.cleaned, 0) if flat.cleaned == 4 or flat.actions == 16 else None

    def fluents(self, flat: Flat) -> set[str]:
        found = {f"(dirt {x} {y})" for x, y in flat.dirt}
        found |= {f"(littered {flat.littered})", f"(actions {flat.actions})"}
        return found | {f"(robot {flat.robot[0]} {flat.robot[1]})", f"(cleaned {flat.cleaned})"}

    def percepts(self, flat: Flat) -> Mapping[str, set[str]]:
        return {"robot": set(flat.seen)}


@dataclass(frozen=True)
class Cave:
    """The cave: `things` in the order of their placing, wumpus, gold, pit, pit."""

    things: tuple[Cell, ...] = ()
    hunter: Cell = (1, 1)
    actions: int = 0
    wumpus: bool = True
    gold: bool = False
    arrow: bool = True
    out: bool = False
    seen: frozenset[str] = frozenset()

    @property
    def deadly(self) -> set[Cell]:
        return {*self.things[2:], *(self.things[:1] if self.wumpus else ())}


class Wumpus:
    roles = ("hunter", "random")
    names = ("wumpus", "gold", "pit", "pit")

    def initial(self) -> Cave:
        return Cave()

    def legal(self, cave: Cave) -> Mapping[str, Sequence[str]]:
        if len(cave.things) < 4:
            name = self.names[len(cave.things)]
            free = [room for room in ROOMS if room != (1, 1) and room not in cave.things]
            return {"hunter": ["noop"], "random": [f"(place {name} {x} {y})" for x, y in free]}
        moves = ["grab", *(f"(go {d})" for d in DIRECTIONS)]
        if cave.arrow:
            moves += [f"(shoot {d})" for d in DIRECTIONS]
        if cave.hunter == (1, 1):
            moves.append("climb")
        return {"hunter": moves, "random": ["noop"]}

    def after(self, cave: Cave, moves: tuple[str, ...]) -> Cave:
        if len(cave.things) < 4:
            x, y = map(int, moves[1].strip("()").split()[2:])
            after = replace(cave, things=(*cave.things, (x, y)))
            return self._look(after, set()) if len(after.things) == 4 else after
        words = moves[0].strip("()").split()
        seen, after = set(), replace(cave, actions=cave.actions + 1)
        if words[0] == "go":
            there = beyond(cave.hunter, words[1])
            if there is None:
                seen.add("bump")
            after = replace(after, hunter=there or cave.hunter)
        elif words[0] == "shoot":
            after = replace(after, arrow=False)
            target = beyond(cave.hunter, words[1])
            while target is not None:
                if target == cave.things[0] and cave.wumpus:
                    seen.add("scream")
                    after = replace(after, wumpus=False)
                target = beyond(target, words[1])
        elif words[0] == "grab":
            after = replace(after, gold=cave.gold or cave.hunter == cave.things[1])
        else:
            after = replace(after, out=True)
        return self._look(after, seen)

    def _look(self, cave: Cave, seen: set[str]) -> Cave:
        near = {beyond(cave.hunter, d) for d in DIRECTIONS}
        if cave.wumpus and cave.things[0] in near:
            seen.add("stench")
        if near & set(cave.things[2:]):
            seen.add("breeze")
        if not cave.gold and cave.hunter == cave.things[1]:
            seen.add("glitter")
        return replace(cave, seen=frozenset(seen))

    def scores(self, cave: Cave) -> tuple[int, ...] | None:
        if cave.out:
            return (100 if cave.gold else 25), 0
        dead = len(cave.things) == 4 and cave.hunter in cave.deadly
        return (0, 0) if dead or cave.actions == 30 else None

    def fluents(self, cave: Cave) -> set[str]:
        there = [cave.wumpus, not cave.gold, True, True]
        found = {
            f"(cave {x} {y} {name})"
            for (x, y), name, still in zip(cave.things, self.names, there, strict=False)
            if still
        }
        found |= {f"(hunter {cave.hunter[0]} {cave.hunter[1]})", f"(actions {cave.actions})"}
        found.add(f"(placed {len(cave.things)})")
        marks = {"arrow": cave.arrow, "carriesGold": cave.gold, "out": cave.out}
        marks["dead"] = len(cave.things) == 4 and cave.hunter in cave.deadly
        return found | {mark for mark, holds in marks.items() if holds}

    def percepts(self, cave: Cave) -> Mapping[str, set[str]]:
        return {"hunter": set(cave.seen)}
