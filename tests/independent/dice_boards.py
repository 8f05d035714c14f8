"""Games with dice and a board, written from their rules: backgammon, Can't Stop and Orchard."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

FACES = range(1, 7)
Moves: TypeAlias = dict[str, list[str]]


class _Alternating:
    """What the games here share: no percepts, and at most one role has something to choose."""

    roles: tuple[str, ...]

    def percepts(self, position: object) -> Mapping[str, set[str]]:
        return {}

    def _moves(self, role: str, moves: Sequence[str]) -> Moves:
        return {other: list(moves) if other == role else ["noop"] for other in self.roles}

    @staticmethod
    def _chosen(moves: Sequence[str]) -> list[str]:
        """The words of the one move that is not noop."""
        (move,) = (move for move in moves if move != "noop")
        return move.strip("()").split()


# --- backgammon ---------------------------------------------------------------------------------

BAR, OFF = 25, 0  # in a player's own count of points


class Board(NamedTuple):
    """How many checkers lie on each point in each player's own count, OFF and BAR included."""

    white: tuple[int, ...]
    black: tuple[int, ...]

    def side(self, player: int) -> tuple[int, ...]:
        return self[player]

    def step(self, player: int, start: int, number: int) -> Board | None:
        """Move one checker, if that is allowed when only this number is to be used."""
        own, enemy = list(self[player]), list(self[1 - player])
        if not own[start] or (own[BAR] and start != BAR):
            return None
        end = start - number
        if end <= 0:
            if any(own[7:]):
                return None  # somebody is not home
            if end < 0 and any(own[start + 1 :]):
                return None  # a larger number bears off the hindmost only
            end = OFF
        else:
            facing = BAR - end
            if enemy[facing] > 1:
                return None
            if enemy[facing] == 1:
                enemy[facing] = 0
                enemy[BAR] += 1
        own[start] -= 1
        own[end] += 1
        pair = (tuple(own), tuple(enemy)) if player == 0 else (tuple(enemy), tuple(own))
        return Board(*pair)

    def steps(self, player: int, number: int) -> Iterator[tuple[int, Board]]:
        for start in range(1, BAR + 1):
            after = self.step(player, start, number)
            if after is not None:
                yield start, after


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    place = numbers.index(number)
    return numbers[:place] + numbers[place + 1 :]


def most(board: Board, player: int, numbers: tuple[int, ...]) -> int:
    """How many of the numbers can be used one after the other at best."""
    best = 0
    for number in set(numbers):
        for _, after in board.steps(player, number):
            best = max(best, 1 + most(after, player, _without(numbers, number)))
            if best == len(numbers):
                return best
    return best


def first_moves(
    board: Board, player: int, numbers: tuple[int, ...]
) -> dict[tuple[int, int], Board]:
    """The moves (start, number) with which a best use of all the numbers begins."""
    found: dict[tuple[int, int], Board] = {}
    best = most(board, player, numbers)
    if best == 0:
        return found
    for number in set(numbers):
        for start, after in board.steps(player, number):
            if 1 + most(after, player, _without(numbers, number)) == best:
                found[start, number] = after
    if best == 1:  # only one can be used: the larger, if that can be
        largest = max(number for _, number in found)
        found = {key: after for key, after in found.items() if key[1] == largest}
    return found


def plays(board: Board, player: int, numbers: tuple[int, ...]) -> set[Board]:
    """The boards to which a whole roll can lead."""
    following = first_moves(board, player, numbers)
    if not following:
        return {board}
    return {
        last
        for (_, number), after in following.items()
        for last in plays(after, player, _without(numbers, number))
    }


def _start() -> tuple[int, ...]:
    points = [0] * 26
    points[24], points[13], points[8], points[6] = 2, 5, 3, 5
    return tuple(points)


class Table(NamedTuple):
    """A position of backgammon."""

    board: Board
    turn: int | None  # who has rolled last; nobody before the opening roll
    numbers: tuple[int, ...]  # to be used, in ascending order
    rolls: int


class Backgammon(_Alternating):
    """The whole use of the dice is searched through before each move."""

    roles = ("white", "black", "random")
    LIMIT = 250

    def initial(self) -> Table:
        return Table(Board(_start(), _start()), None, (), 0)

    def _options(self, position: Table) -> dict[tuple[int, int], Board]:
        if position.turn is None:
            return {}
        return first_moves(position.board, position.turn, position.numbers)

    def legal(self, position: Table) -> Moves:
        if position.turn is None:
            rolls = [f"(roll {a} {b})" for a, b in itertools.permutations(FACES, 2)]
            return self._moves("random", rolls)
        options = self._options(position)
        if not options:
            rolls = [f"(roll {a} {b})" for a, b in itertools.product(FACES, repeat=2)]
            return self._moves("random", rolls)
        moves = [f"(move {point(position.turn, i)} {d})" for i, d in options]
        return self._moves(self.roles[position.turn], moves)

    def after(self, position: Table, moves: tuple[str, ...]) -> Table:
        kind, one, two = self._chosen(moves)
        turn = position.turn
        if kind == "roll":
            a, b = int(one), int(two)
            turn = (0 if a > b else 1) if turn is None else 1 - turn
            numbers = (a,) * 4 if a == b else (min(a, b), max(a, b))
            return Table(position.board, turn, numbers, position.rolls + 1)
        assert turn is not None
        number = int(two)
        start = BAR if one == "bar" else int(one) if turn == 0 else BAR - int(one)
        board = position.board.step(turn, start, number)
        assert board is not None
        return position._replace(board=board, numbers=_without(position.numbers, number))

    def scores(self, position: Table) -> tuple[int, ...] | None:
        for player in (0, 1):
            if position.board.side(player)[OFF] == 15:
                return (100, 0, 0) if player == 0 else (0, 100, 0)
        if position.rolls >= self.LIMIT and not self._options(position):
            return (50, 50, 0)
        return None

    def fluents(self, position: Table) -> set[str]:
        found = {f"(tens {position.rolls // 10})", f"(units {position.rolls % 10})"}
        found.add("opening" if position.turn is None else f"(turn {self.roles[position.turn]})")
        for number in set(position.numbers):
            found.add(f"(die {number} {position.numbers.count(number)})")
        return found | checkers(position.board)


def point(player: int, own: int) -> str:
    """The name of a player's own point on the board."""
    return {BAR: "bar", OFF: "off"}.get(own, str(own if player == 0 else BAR - own))


def checkers(board: Board) -> set[str]:
    """A board in the fluents of the rulesheet, which writes numbers in binary."""
    return {
        f"(point {point(player, own)} {name} {weight})"
        for player, name in enumerate(("white", "black"))
        for own, count in enumerate(board.side(player))
        for weight in (1, 2, 4, 8)
        if count & weight
    }


# --- Can't Stop ---------------------------------------------------------------------------------

HEIGHT = {column: 13 - 2 * abs(column - 7) for column in range(2, 13)}
Heights: TypeAlias = tuple[tuple[int, int], ...]  # (column, square), in ascending order


class Climb(NamedTuple):
    """A position of Can't Stop."""

    markers: tuple[Heights, Heights]
    runners: Heights
    dice: tuple[int, ...]
    deciding: bool
    turn: int
    turns: int


class CantStop(_Alternating):
    """What a pair of sums allows is found by letting the runners climb, one sum at a time."""

    roles = ("red", "blue", "random")
    LIMIT = 100

    def initial(self) -> Climb:
        return Climb(((), ()), (), (), False, 0, 0)

    @staticmethod
    def climbed(position: Climb, column: int) -> Heights | None:
        """The runners after one of them has climbed one square of this column."""
        runners = dict(position.runners)
        if any(dict(side).get(column) == HEIGHT[column] for side in position.markers):
            return None
        if column not in runners:
            if len(runners) == 3:
                return None
            runners[column] = dict(position.markers[position.turn]).get(column, 0)
        if runners[column] == HEIGHT[column]:
            return None
        runners[column] += 1
        return tuple(sorted(runners.items()))

    def options(self, position: Climb) -> dict[str, Heights]:
        """The moves after a roll, with the runners they lead to."""
        found: dict[str, Heights] = {}
        if len(position.dice) < 4:
            return found
        a, b, c, d = position.dice
        for one, two in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
            low, high = min(one, two), max(one, two)
            first = {column: self.climbed(position, column) for column in (low, high)}
            both = None
            if (runners := first[low]) is not None:
                both = self.climbed(position._replace(runners=runners), high)
            if both is not None:
                found[f"(climb {low} {high})"] = both
            elif low == high and runners is not None:
                found[f"(climb {low} {low})"] = runners  # only one square was left
            else:
                for column, after in first.items():
                    if after is not None:
                        found[f"(climb {column})"] = after
        return found

    def legal(self, position: Climb) -> Moves:
        if position.deciding:
            return self._moves(self.roles[position.turn], ["go", "stop"])
        options = self.options(position)
        if options:
            return self._moves(self.roles[position.turn], list(options))
        name = "second" if len(position.dice) == 2 else "first"
        rolls = [f"(roll {name} {a} {b})" for a, b in itertools.product(FACES, repeat=2)]
        return self._moves("random", rolls)

    def after(self, position: Climb, moves: tuple[str, ...]) -> Climb:
        words = self._chosen(moves)
        if words[0] == "roll":
            dice = (int(words[2]), int(words[3]))
            if words[1] == "second":
                return position._replace(dice=position.dice + dice)
            if position.dice:  # the roll before was a bust
                position = self._next_turn(position)
            return position._replace(dice=dice)
        if words[0] == "climb":
            runners = self.options(position)[f"({' '.join(words)})"]
            return position._replace(runners=runners, dice=(), deciding=True)
        if words[0] == "go":
            return position._replace(deciding=False)
        own = {**dict(position.markers[position.turn]), **dict(position.runners)}
        claimed = [column for column, square in own.items() if square == HEIGHT[column]]
        other = dict(position.markers[1 - position.turn])
        for column in claimed:
            other.pop(column, None)
        sides = [tuple(sorted(own.items())), tuple(sorted(other.items()))]
        if position.turn == 1:
            sides.reverse()
        return self._next_turn(position._replace(markers=(sides[0], sides[1])))

    @staticmethod
    def _next_turn(position: Climb) -> Climb:
        turn, turns = 1 - position.turn, position.turns + 1
        return position._replace(runners=(), dice=(), deciding=False, turn=turn, turns=turns)

    def scores(self, position: Climb) -> tuple[int, ...] | None:
        for player, side in enumerate(position.markers):
            if sum(square == HEIGHT[column] for column, square in side) >= 3:
                return (100, 0, 0) if player == 0 else (0, 100, 0)
        return (50, 50, 0) if position.turns == self.LIMIT else None

    def fluents(self, position: Climb) -> set[str]:
        found = {f"(turn {self.roles[position.turn]})"}
        found |= {f"(tens {position.turns // 10})", f"(units {position.turns % 10})"}
        found |= {"deciding"} if position.deciding else set()
        found |= {f"(die {i} {v})" for i, v in enumerate(position.dice, start=1)}
        for name, side in zip(
            ("red", "blue", "runner"), (*position.markers, position.runners), strict=True
        ):
            found |= {f"(at {column} {square} {name})" for column, square in side}
        return found


# --- Orchard ------------------------------------------------------------------------------------

TREES = ("apple", "cherry", "pear", "plum")


class Harvest(NamedTuple):
    """A position of Orchard."""

    fruit: tuple[int, ...] = (10, 10, 10, 10)
    raven: int = 0
    turn: int = 0
    basket: int = 0  # fruits still to be taken from a basket roll


class Orchard(_Alternating):
    """Faces of the die that mean nothing are rolled again at once."""

    roles = ("alice", "bob", "random")

    def initial(self) -> Harvest:
        return Harvest()

    def legal(self, position: Harvest) -> Moves:
        trees = [tree for tree, fruit in zip(TREES, position.fruit, strict=True) if fruit]
        if position.basket:
            return self._moves(self.roles[position.turn], [f"(pick {tree})" for tree in trees])
        return self._moves("random", [f"(roll {face})" for face in (*trees, "raven", "basket")])

    def after(self, position: Harvest, moves: tuple[str, ...]) -> Harvest:
        kind, what = self._chosen(moves)
        if what == "basket":
            return position._replace(basket=2)
        if what == "raven":
            return position._replace(raven=position.raven + 1, turn=1 - position.turn)
        fruit = list(position.fruit)
        fruit[TREES.index(what)] -= 1
        basket = position.basket - 1 if kind == "pick" else 0
        turn = position.turn if basket else 1 - position.turn
        return position._replace(fruit=tuple(fruit), basket=basket, turn=turn)

    def scores(self, position: Harvest) -> tuple[int, ...] | None:
        if not any(position.fruit):
            return (100, 100, 0)
        return (0, 0, 0) if position.raven == 9 else None

    def fluents(self, position: Harvest) -> set[str]:
        found = {f"(fruit {t} {n})" for t, n in zip(TREES, position.fruit, strict=True)}
        found |= {f"(raven {position.raven})", f"(turn {self.roles[position.turn]})"}
        if position.basket:
            found.add(f"(basket {position.basket})")
        return found
