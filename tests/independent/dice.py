"""Dice games: Yahtzee, Pickomino, Käseklau and guessing a die."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import NamedTuple

from .protocol import winner_takes_all

PLAYERS = ("alice", "bob")
NOBODY = {"alice": ("noop",), "bob": ("noop",), "random": ("noop",)}
BOXES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("three_of_a_kind", "four_of_a_kind", "full_house"),
    *("small_straight", "large_straight", "yahtzee", "chance"),
)
UPPER, LOWER, YAHTZEE = range(6), range(6, 13), 11


def box_points(dice: tuple[int, ...], box: int, joker: bool = False) -> int:
    """The points of five dice in a box."""
    counts = sorted(Counter(dice).values())
    distinct = "".join(map(str, sorted(set(dice))))
    if box in UPPER:
        return (box + 1) * dice.count(box + 1)
    if BOXES[box] == "three_of_a_kind":
        return sum(dice) if counts[-1] >= 3 else 0
    if BOXES[box] == "four_of_a_kind":
        return sum(dice) if counts[-1] >= 4 else 0
    if BOXES[box] == "full_house":
        return 25 if counts == [2, 3] or joker else 0
    if BOXES[box] == "small_straight":
        return 30 if any(run in distinct for run in ("1234", "2345", "3456")) or joker else 0
    if BOXES[box] == "large_straight":
        return 40 if distinct in ("12345", "23456") or joker else 0
    if BOXES[box] == "yahtzee":
        return 50 if counts == [5] else 0
    return sum(dice)


Sheet = tuple[int | None, ...]


class Table(NamedTuple):
    dice: tuple[int, ...] = (0,) * 5  # 0: in the cup
    throws: int = 1
    turn: int = 0
    sheets: tuple[Sheet, ...] = ((None,) * 13, (None,) * 13)
    extras: tuple[int, ...] = (0, 0)  # how many Yahtzees were worth 100

    def upper(self, player: int) -> int:
        return sum(self.sheets[player][box] or 0 for box in UPPER)

    def total(self, player: int) -> int:
        boxes = sum(points or 0 for points in self.sheets[player])
        return boxes + 35 * (self.upper(player) >= 63) + 100 * self.extras[player]


class Yahtzee:
    roles = ("alice", "bob", "random")

    def initial(self) -> Table:
        return Table()

    def boxes(self, table: Table) -> list[int]:
        """The boxes in which the player on turn may write."""
        sheet = table.sheets[table.turn]
        free = [box for box in range(13) if sheet[box] is None]
        if not self.joker(table):
            return free
        own = [box for box in free if box == table.dice[0] - 1]
        return own or [box for box in free if box in LOWER] or free

    def joker(self, table: Table) -> bool:
        return len(set(table.dice)) == 1 and table.sheets[table.turn][YAHTZEE] is not None

    def legal(self, table: Table) -> dict[str, tuple[str, ...]]:
        if 0 in table.dice:
            thrown = itertools.product(range(1, 7), repeat=min(2, table.dice.count(0)))
            moves = tuple(f"(throw {' '.join(map(str, faces))})" for faces in thrown)
            return {**NOBODY, "random": moves}
        moves = tuple(f"(enter {BOXES[box]})" for box in self.boxes(table))
        if table.throws < 3:
            marks = [mark for mark in itertools.product("01", repeat=5) if "1" in mark]
            moves += tuple(f"(reroll {' '.join(mark)})" for mark in marks)
        return {**NOBODY, PLAYERS[table.turn]: moves}

    def after(self, table: Table, moves: tuple[str, ...]) -> Table:
        if 0 in table.dice:
            faces = [int(face) for face in moves[2].strip("()").split()[1:]]
            dice = [die or (faces.pop(0) if faces else 0) for die in table.dice]
            return table._replace(dice=tuple(dice))
        kind, *words = moves[table.turn].strip("()").split()
        if kind == "reroll":
            dice = [0 if word == "1" else die for die, word in zip(table.dice, words, strict=True)]
            return table._replace(dice=tuple(dice), throws=table.throws + 1)
        box, joker = BOXES.index(words[0]), self.joker(table)
        sheet = list(table.sheets[table.turn])
        sheets, extras = list(table.sheets), list(table.extras)
        extras[table.turn] += joker and sheet[YAHTZEE] == 50
        sheet[box] = box_points(table.dice, box, joker)
        sheets[table.turn] = tuple(sheet)
        return Table(turn=1 - table.turn, sheets=tuple(sheets), extras=tuple(extras))

    def scores(self, table: Table) -> tuple[int, ...] | None:
        if any(None in sheet for sheet in table.sheets):
            return None
        totals = [table.total(player) for player in (0, 1)]
        return (*winner_takes_all(leader(totals)), 0)

    def fluents(self, table: Table) -> set[str]:
        found = {f"(throws {table.throws})", f"(turn {PLAYERS[table.turn]})"}
        for number, face in enumerate(table.dice, 1):
            found.add(f"(die {number} {face})" if face else f"(cup {number})")
        for player, name in enumerate(PLAYERS):
            for box, points in zip(BOXES, table.sheets[player], strict=True):
                if points is not None:
                    found.add(f"(score {name} {box} {points})")
            upper = table.upper(player)
            found |= {f"(subtotal {name} tens {upper // 10})"}
            found |= {f"(subtotal {name} units {upper % 10})"}
            if upper >= 63:
                found.add(f"(bonus {name})")
            places = ("thousands", "hundreds", "tens", "units")
            for place, digit in zip(places, f"{table.total(player):04}", strict=True):
                found.add(f"(total {name} {place} {digit})")
        return found

    def percepts(self, table: Table) -> dict[str, set[str]]:
        return {}


def leader(numbers: list[int]) -> int | None:
    return None if numbers[0] == numbers[1] else numbers.index(max(numbers))


FACES = ("1", "2", "3", "4", "5", "worm")


class Grill(NamedTuple):
    tiles: frozenset[int] = frozenset(range(21, 37))
    stacks: tuple[tuple[int, ...], ...] = ((), ())  # the uppermost tile last
    turn: int = 0
    turns: int = 0
    kept: tuple[int, ...] = (0,) * 6  # by face
    rolled: tuple[int, ...] = (0,) * 6
    hand: int = 8  # dice still to be thrown

    def sum(self) -> int:
        return sum(n * min(value, 5) for value, n in enumerate(self.kept, 1))

    def spare(self) -> int:
        return 8 - sum(self.kept)


def worms(tiles: tuple[int, ...]) -> int:
    return sum((tile - 17) // 4 for tile in tiles)


class Pickomino:
    roles = ("alice", "bob", "random")
    limit = 100

    def initial(self) -> Grill:
        return Grill()

    def prizes(self, grill: Grill) -> set[int]:
        if not grill.kept[5]:
            return set()
        total = grill.sum()
        lower = [tile for tile in grill.tiles if tile <= total]
        return {tile for tile in grill.stacks[1 - grill.turn][-1:] if tile == total} | {
            tile for tile in lower if tile == max(lower)
        }

    def legal(self, grill: Grill) -> dict[str, tuple[str, ...]]:
        if grill.hand:
            thrown = itertools.product(FACES, repeat=min(2, grill.hand))
            return {**NOBODY, "random": tuple(f"(throw {' '.join(faces)})" for faces in thrown)}
        if any(grill.rolled):
            moves = [
                f"(keep {face})"
                for face, rolled, kept in zip(FACES, grill.rolled, grill.kept, strict=True)
                if rolled and not kept
            ]
        else:
            moves = [f"(take {tile})" for tile in self.prizes(grill)]
            if grill.spare():
                moves.append("again")
        return {**NOBODY, PLAYERS[grill.turn]: tuple(moves) or ("fail",)}

    def after(self, grill: Grill, moves: tuple[str, ...]) -> Grill:
        if grill.hand:
            faces = moves[2].strip("()").split()[1:]
            rolled = tuple(
                n + faces.count(face) for face, n in zip(FACES, grill.rolled, strict=True)
            )
            return grill._replace(rolled=rolled, hand=grill.hand - len(faces))
        kind, *words = moves[grill.turn].strip("()").split()
        if kind == "keep":
            face = FACES.index(words[0])
            kept = tuple(grill.rolled[face] if i == face else n for i, n in enumerate(grill.kept))
            return grill._replace(kept=kept, rolled=(0,) * 6)
        if kind == "again":
            return grill._replace(hand=grill.spare())
        tiles, stacks = set(grill.tiles), [list(stack) for stack in grill.stacks]
        mine, other = stacks[grill.turn], stacks[1 - grill.turn]
        if kind == "take":
            tile = int(words[0])
            if tile in tiles:
                tiles.remove(tile)
            else:
                assert other.pop() == tile
            mine.append(tile)
        else:
            returned = mine.pop() if mine else 0
            highest = max(tiles)
            if highest > returned:
                tiles.remove(highest)
            tiles |= {returned} - {0}
        return Grill(frozenset(tiles), tuple(map(tuple, stacks)), 1 - grill.turn, grill.turns + 1)

    def scores(self, grill: Grill) -> tuple[int, ...] | None:
        if grill.tiles and grill.turns < self.limit:
            return None
        ranks = [(worms(stack), max(stack, default=0)) for stack in grill.stacks]
        winner = None if ranks[0] == ranks[1] else ranks.index(max(ranks))
        return (*winner_takes_all(winner), 0)

    def fluents(self, grill: Grill) -> set[str]:
        found = {f"(grill {tile})" for tile in grill.tiles}
        for name, stack in zip(PLAYERS, grill.stacks, strict=True):
            found |= {f"(own {name} {tile})" for tile in stack}
            found |= {f"(on {upper} {lower})" for lower, upper in itertools.pairwise(stack)}
        found |= {f"(kept {f} {n})" for f, n in zip(FACES, grill.kept, strict=True) if n}
        found |= {f"(rolled {f} {n})" for f, n in zip(FACES, grill.rolled, strict=True) if n}
        found |= {f"(hand {grill.hand})", f"(spare {grill.spare()})", f"(sum {grill.sum()})"}
        return found | {f"(turn {PLAYERS[grill.turn]})", f"(turns {grill.turns})"}

    def percepts(self, grill: Grill) -> dict[str, set[str]]:
        return {}


class House(NamedTuple):
    mouse: int = 1
    cat: int = 4
    cards: tuple[int, ...] = (6,) * 5  # by room
    unseen: tuple[int, ...] = (10,) * 3
    loot: int = 0
    safe: tuple[int, ...] = (0, 0)
    turn: int = 0
    phase: str = "roll"
    rolls: int = 0

    def finished(self) -> bool:
        return self.cards.count(0) >= 3 or self.rolls == Kaseklau.limit


class Kaseklau:
    roles = ("alice", "bob", "random")
    limit = 100

    def initial(self) -> House:
        return House()

    def legal(self, house: House) -> dict[str, tuple[str, ...]]:
        if house.phase == "turn":
            cards = ((s, k) for s in (1, 2, 3) for k in range(1, house.unseen[s - 1] + 1))
            return {**NOBODY, "random": tuple(f"(turn {s} {k})" for s, k in cards)}
        if house.phase == "choose":
            moves = ("stop",) if house.finished() else ("stop", "again")
            return {**NOBODY, PLAYERS[house.turn]: moves}
        rolls = itertools.product((0, 1, 2), (1, 2, 3))
        return {**NOBODY, "random": tuple(f"(roll {c} {m})" for c, m in rolls)}

    def after(self, house: House, moves: tuple[str, ...]) -> House:
        room = house.mouse - 1
        if house.phase == "turn":
            slices = int(moves[2].split()[1])
            return house._replace(
                loot=house.loot + slices,
                cards=change(house.cards, room, house.cards[room] - 1),
                unseen=change(house.unseen, slices - 1, house.unseen[slices - 1] - 1),
                phase="choose",
            )
        if house.phase == "choose":
            if moves[house.turn] == "again":
                return house._replace(phase="roll")
            safe = change(house.safe, house.turn, house.safe[house.turn] + house.loot)
            return house._replace(safe=safe, loot=0, phase="roll", turn=1 - house.turn)
        cat_steps, mouse_steps = (int(word) for word in moves[2].strip("()").split()[1:])
        cat = (house.cat + cat_steps - 1) % 5 + 1
        mouse = (house.mouse + mouse_steps - 1) % 5 + 1
        house = house._replace(cat=cat, mouse=mouse, rolls=house.rolls + 1)
        if cat == mouse:
            return house._replace(loot=0, turn=1 - house.turn)
        return house._replace(phase="turn" if house.cards[mouse - 1] else "choose")

    def scores(self, house: House) -> tuple[int, ...] | None:
        if not house.finished() or house.phase != "roll":
            return None
        return (*winner_takes_all(leader(list(house.safe))), 0)

    def fluents(self, house: House) -> set[str]:
        found = {f"(mouse {house.mouse})", f"(cat {house.cat})", f"(rolls {house.rolls})"}
        found |= {f"(stack {room} {n})" for room, n in enumerate(house.cards, 1)}
        found |= {f"(unseen {s} {n})" for s, n in enumerate(house.unseen, 1)}
        found |= {f"(safe {name} {n})" for name, n in zip(PLAYERS, house.safe, strict=True)}
        found.add(f"(loot {house.loot})")
        return found | {f"(turn {PLAYERS[house.turn]})", f"(phase {house.phase})"}

    def percepts(self, house: House) -> dict[str, set[str]]:
        return {}


def change(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], number, *numbers[index + 1 :])


class GuessDice:
    """The position is what was thrown and guessed so far."""

    roles = ("player", "random")

    def initial(self) -> tuple[int, ...]:
        return ()

    def legal(self, numbers: tuple[int, ...]) -> dict[str, tuple[str, ...]]:
        if numbers:
            return {"player": tuple(f"(guess {n})" for n in range(1, 7)), "random": ("noop",)}
        return {"player": ("noop",), "random": tuple(f"(throw {n})" for n in range(1, 7))}

    def after(self, numbers: tuple[int, ...], moves: tuple[str, ...]) -> tuple[int, ...]:
        move = moves[0] if numbers else moves[1]
        return (*numbers, int(move.strip("()").split()[1]))

    def scores(self, numbers: tuple[int, ...]) -> tuple[int, ...] | None:
        return (100 * (numbers[0] == numbers[1]), 0) if len(numbers) == 2 else None

    def fluents(self, numbers: tuple[int, ...]) -> set[str]:
        if not numbers:
            return {"(control random)"}
        seen = f"(guessed {numbers[1]})" if len(numbers) == 2 else "(control player)"
        return {f"(die {numbers[0]})", seen}

    def percepts(self, numbers: tuple[int, ...]) -> dict[str, set[str]]:
        return {"player": {"rattle" if len(numbers) == 1 else f"(die {numbers[0]})"}}
