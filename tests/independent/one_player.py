"""Games for one player, with and without chance, as plain Python models."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

Cell = tuple[int, int]
DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


class Alone:
    """What models of one player without chance have in common."""

    @property
    def roles(self) -> tuple[str, ...]:
        return ("robot",)

    def percepts(self, position: object) -> Mapping[str, set[str]]:
        return {}


class ButtonsAndLights(Alone):
    """Positions are the step and the set of lit lamps (panel, lamp)."""

    def __init__(self, panels: int, joint: bool = False) -> None:
        self.panels, self.joint = panels, joint
        self.presses = 6 * panels if joint else 6

    def initial(self) -> tuple[int, frozenset[tuple[int, str]]]:
        return 0, frozenset()

    def legal(self, position: object) -> Mapping[str, Sequence[str]]:
        return {"robot": [f"(press {x} {b})" for x in range(1, self.panels + 1) for b in "abc"]}

    def after(
        self, position: tuple[int, frozenset[tuple[int, str]]], moves: tuple[str, ...]
    ) -> tuple[int, frozenset[tuple[int, str]]]:
        step, lamps = position
        number, button = moves[0].strip("()").split()[1:]
        panel = int(number)
        p, q, r = ((panel, lamp) in lamps for lamp in "pqr")
        if button == "a":
            p = not p
        elif button == "b":
            p, q = q, p
        else:
            q, r = r, q
        others = {lamp for lamp in lamps if lamp[0] != panel}
        now = {(panel, lamp) for lamp, on in zip("pqr", (p, q, r), strict=True) if on}
        return step + 1, frozenset(others | now)

    def scores(self, position: tuple[int, frozenset[tuple[int, str]]]) -> tuple[int, ...] | None:
        step, lamps = position
        lit = [all((x, lamp) in lamps for lamp in "pqr") for x in range(1, self.panels + 1)]
        if self.joint:
            over, score = all(lit), sum(lit) * 100 // self.panels
        else:
            over = lit[(self.panels + 1) // 2 - 1]
            score = 100 if over else 0
        return (score,) if over or step == self.presses else None

    def fluents(self, position: tuple[int, frozenset[tuple[int, str]]]) -> set[str]:
        step, lamps = position
        return {f"(step {step})"} | {f"(on {x} {lamp})" for x, lamp in lamps}


class Hunter(Alone):
    """Positions are the step, the knight and the pawns left."""

    columns, rows, last = 5, 6, 29

    def initial(self) -> tuple[int, Cell, frozenset[Cell]]:
        cells = itertools.product(range(1, self.columns + 1), range(1, self.rows + 1))
        return 0, (1, 1), frozenset(cells) - {(1, 1)}

    def jumps(self, cell: Cell) -> list[Cell]:
        x, y = cell
        offsets = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx * dy) == 2]
        found = [(x + dx, y + dy) for dx, dy in offsets]
        return [(a, b) for a, b in found if 1 <= a <= self.columns and 1 <= b <= self.rows]

    def legal(self, position: tuple[int, Cell, frozenset[Cell]]) -> Mapping[str, Sequence[str]]:
        _, (x, y), _ = position
        return {"robot": [f"(move {x} {y} {a} {b})" for a, b in self.jumps((x, y))]}

    def after(
        self, position: tuple[int, Cell, frozenset[Cell]], moves: tuple[str, ...]
    ) -> tuple[int, Cell, frozenset[Cell]]:
        step, _, pawns = position
        x, y = map(int, moves[0].strip("()").split()[3:])
        return step + 1, (x, y), pawns - {(x, y)}

    def scores(self, position: tuple[int, Cell, frozenset[Cell]]) -> tuple[int, ...] | None:
        step, _, pawns = position
        taken = 29 - len(pawns)
        return (100 * taken * (taken + 1) // (29 * 30),) if step == self.last else None

    def fluents(self, position: tuple[int, Cell, frozenset[Cell]]) -> set[str]:
        step, (x, y), pawns = position
        found = {f"(pawn {a} {b})" for a, b in pawns}
        return found | {f"(knight {x} {y})", f"(step {step})", f"(taken {29 - len(pawns)})"}


class Untwisty(Alone):
    """Positions are the number of presses, the room, and whether the corridor is locked."""

    code = "hcjafbagd"

    def initial(self) -> tuple[int, int, bool]:
        return 1, 1, False

    def legal(self, position: object) -> Mapping[str, Sequence[str]]:
        return {"robot": [f"(press {b})" for b in "abcdefghij"]}

    def after(self, position: tuple[int, int, bool], moves: tuple[str, ...]) -> object:
        step, room, locked = position
        if not locked and room < 10 and moves[0] == f"(press {self.code[room - 1]})":
            return step + 1, room + 1, False
        return step + 1, room, True

    def scores(self, position: tuple[int, int, bool]) -> tuple[int, ...] | None:
        step, room, _ = position
        return (100 if room == 10 else 0,) if step == 10 else None

    def fluents(self, position: tuple[int, int, bool]) -> set[str]:
        step, room, locked = position
        return {f"(step {step})", f"(room {room})"} | ({"locked"} if locked else set())


class Sudoku(Alone):
    """Positions are the 81 digits in a row, 0 for an empty cell."""

    given = (
        "200090000" "309047620" "001008009" "906001005" "000000000"
        "800500203" "100900300" "035210907" "000080001"
    )  # fmt: skip
    solution = (
        "268395174" "359147628" "741628539" "926831745" "513472896"
        "874569213" "187954362" "435216987" "692783451"
    )  # fmt: skip

    def initial(self) -> str:
        return self.given

    def moves(self, position: str) -> list[tuple[int, int, str]]:
        found = []
        for row, column in itertools.product(range(9), repeat=2):
            if position[9 * row + column] != "0":
                continue
            seen = set(position[9 * row : 9 * row + 9]) | set(position[column::9])
            top, left = row // 3 * 3, column // 3 * 3
            for r in range(top, top + 3):
                seen |= set(position[9 * r + left : 9 * r + left + 3])
            found += [(row + 1, column + 1, d) for d in "123456789" if d not in seen]
        return found

    def legal(self, position: str) -> Mapping[str, Sequence[str]]:
        return {"robot": [f"(write {r} {c} {d})" for r, c, d in self.moves(position)]}

    def after(self, position: str, moves: tuple[str, ...]) -> str:
        r, c, digit = moves[0].strip("()").split()[1:]
        at = 9 * (int(r) - 1) + int(c) - 1
        return position[:at] + digit + position[at + 1 :]

    def scores(self, position: str) -> tuple[int, ...] | None:
        if self.moves(position):
            return None
        empty = self.given.count("0")
        return (100 * (empty - position.count("0")) // empty,)

    def fluents(self, position: str) -> set[str]:
        cells = {
            f"(cell {i // 9 + 1} {i % 9 + 1} {digit})"
            for i, digit in enumerate(position)
            if digit != "0"
        }
        return cells | {f"(written {self.given.count('0') - position.count('0')})"}


class Vectorracer(Alone):
    """Positions are the step, the cell and the speed."""

    course = (
        "####################",
        "##......############",
        "#........####....###",
        "#...##....##......##",
        "#..####.........#..#",
        "#..#####.......##..#",
        "#..#######....###..#",
        "#..##############..#",
        "#..##############..#",
        "#..##############**#",
        "####################",
    )

    def initial(self) -> tuple[int, Cell, Cell]:
        return 0, (2, 2), (0, 0)

    def at(self, x: int, y: int) -> str:
        return self.course[len(self.course) - y][x - 1]

    def legal(self, position: tuple[int, Cell, Cell]) -> Mapping[str, Sequence[str]]:
        _, _, (v, w) = position
        found = [
            f"(accelerate {a} {b})"
            for a, b in itertools.product((-1, 0, 1), repeat=2)
            if abs(v + a) <= 3 and abs(w + b) <= 3
        ]
        return {"robot": found}

    def way(self, cell: Cell, speed: Cell) -> list[Cell]:
        """The cells on the way: evenly spaced points, halves rounded towards the start."""
        parts = max(abs(speed[0]), abs(speed[1]))

        def share(v: int, k: int) -> int:
            whole, rest = divmod(abs(v) * k, parts)
            return (whole + (2 * rest > parts)) * (1 if v > 0 else -1)

        return [
            (cell[0] + share(speed[0], k), cell[1] + share(speed[1], k))
            for k in range(1, parts + 1)
        ]

    def after(
        self, position: tuple[int, Cell, Cell], moves: tuple[str, ...]
    ) -> tuple[int, Cell, Cell]:
        step, cell, (v, w) = position
        a, b = map(int, moves[0].strip("()").split()[1:])
        speed = (v + a, w + b)
        way = self.way(cell, speed)
        if any(self.at(*passed) == "#" for passed in way):
            return step + 1, cell, (0, 0)
        return step + 1, way[-1] if way else cell, speed

    def scores(self, position: tuple[int, Cell, Cell]) -> tuple[int, ...] | None:
        step, cell, _ = position
        if self.at(*cell) == "*":
            return (100 - 5 * (step - 14),)
        return (0,) if step == 34 else None

    def fluents(self, position: tuple[int, Cell, Cell]) -> set[str]:
        step, (x, y), (v, w) = position
        return {f"(car {x} {y})", f"(across {v})", f"(upward {w})", f"(step {step})"}


COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
Code = tuple[str, ...]


def answer(secret: Code, guess: Code) -> tuple[int, int]:
    """Black and white pegs, counted as one does by hand: strike out what is matched."""
    left_secret = [s for s, g in zip(secret, guess, strict=True) if s != g]
    left_guess = [g for s, g in zip(secret, guess, strict=True) if s != g]
    white = 0
    for colour in left_guess:
        if colour in left_secret:
            left_secret.remove(colour)
            white += 1
    return len(secret) - len(left_guess), white


class Mastermind:
    """Positions are the code, once it is made, and the guesses."""

    roles = ("player", "random")

    def initial(self) -> tuple[Code | None, tuple[Code, ...]]:
        return None, ()

    def legal(self, position: tuple[Code | None, tuple[Code, ...]]) -> Mapping[str, Sequence[str]]:
        codes = [" ".join(code) for code in itertools.product(COLOURS, repeat=4)]
        if position[0] is None:
            return {"player": ["noop"], "random": [f"(hide {code})" for code in codes]}
        return {"player": [f"(try {code})" for code in codes], "random": ["noop"]}

    def after(
        self, position: tuple[Code | None, tuple[Code, ...]], moves: tuple[str, ...]
    ) -> tuple[Code | None, tuple[Code, ...]]:
        secret, guesses = position
        if secret is None:
            return tuple(moves[1].strip("()").split()[1:]), ()
        return secret, (*guesses, tuple(moves[0].strip("()").split()[1:]))

    def scores(self, position: tuple[Code | None, tuple[Code, ...]]) -> tuple[int, ...] | None:
        secret, guesses = position
        if secret is not None and secret in guesses:
            return 100, 0
        return (0, 0) if len(guesses) == 8 else None

    def fluents(self, position: tuple[Code | None, tuple[Code, ...]]) -> set[str]:
        secret, guesses = position
        found = {f"(guess {0 if secret is None else len(guesses) + 1})"}
        if secret is None:
            return found
        found |= {f"(secret {i} {colour})" for i, colour in enumerate(secret, 1)}
        for n, guess in enumerate(guesses, 1):
            black, white = answer(secret, guess)
            found |= {f"(peg {n} {i} {colour})" for i, colour in enumerate(guess, 1)}
            found |= {f"(answer {n} black {black})", f"(answer {n} white {white})"}
        return found | ({"found"} if secret in guesses else set())

    def percepts(self, position: tuple[Code | None, tuple[Code, ...]]) -> Mapping[str, set[str]]:
        secret, guesses = position
        if secret is None or not guesses:
            return {}
        black, white = answer(secret, guesses[-1])
        return {"player": {f"(answer {black} {white})"}}
