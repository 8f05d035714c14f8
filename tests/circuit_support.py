"""Circuits beside the scalar evaluator, and random play worked out exactly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

from core_support import ground_natively
from ground_support import ground_here, library_grounding, rules_of
from woodstock import games
from woodstock._core import Circuit, Evaluator, GroundProgram, Simulator, Tally, instruction_sets
from woodstock.engine import goal_value
from woodstock.gdl.rules import Rules
from woodstock.ground.grounder import Grounding
from woodstock.playouts import Playouts
from woodstock.playouts import Tally as AnyTally

ISAS = instruction_sets()


class Pair:
    """A ground program as a circuit and as the evaluator that the circuit must agree with."""

    def __init__(
        self,
        program: GroundProgram,
        roles: Sequence[str],
        movers: Sequence[int],
        goals: Sequence[tuple[int, int | None]],
    ) -> None:
        self.program = program
        self.roles = list(roles)
        self.movers = movers
        self.goals = goals
        self.evaluator = Evaluator(program)
        scored = [-1 if value is None else role for role, value in goals]
        values = [value or 0 for _, value in goals]
        self.circuit = Circuit(program, len(roles), movers, scored, values)
        self.simulator = Simulator(self.circuit)

    @classmethod
    def of_rules(cls, rules: Rules, *, split: bool = True) -> Pair:
        return cls.of_grounding(ground_here(rules, split=split), rules)

    @classmethod
    def of_library(cls, name: str) -> Pair:
        return cls.of_grounding(library_grounding(name), rules_of(games.rules_text(name)))

    @classmethod
    def of_grounding(cls, grounding: Grounding, rules: Rules) -> Pair:
        number = {role: i for i, role in enumerate(rules.roles)}
        return cls(
            grounding.program,
            rules.roles,
            [number.get(role, -1) for role, _ in grounding.moves],
            [(number.get(role, -1), goal_value(value)) for role, value in grounding.goals],
        )

    @classmethod
    def of_kif(cls, text: str) -> Pair:
        return cls.of_rules(rules_of(text))

    @classmethod
    def of_asp(cls, text: str) -> Pair:
        """Of the numbered form that `core_support` grounds."""
        program = ground_natively(text)
        symbols = [program.term(role)[0] for role in program.roles()]
        number = {symbol: i for i, symbol in enumerate(symbols)}
        return cls(
            program,
            list(map(str, symbols)),
            [number.get(program.term(role)[0], -1) for role, _ in program.moves()],
            [
                (number.get(program.term(role)[0], -1), program.term(value)[0])
                for role, value in program.goals()
            ],
        )

    @property
    def initial(self) -> bytes:
        return self.circuit.initial()

    def scalar(self, state: bytes) -> tuple[bool, list[int], list[int]]:
        # Without any fluent the evaluator's states are empty and the circuit's a byte.
        return self.evaluator.analyse(state[: self.evaluator.state_size])

    def scalar_next(self, state: bytes, moves: Sequence[int]) -> tuple[bytes, list[int]]:
        after, seen = self.evaluator.next(state[: self.evaluator.state_size], moves)
        return after or bytes(1), seen

    def options(self, state: bytes) -> list[list[int]]:
        """The legal moves of each role."""
        _, legal, _ = self.scalar(state)
        return [[m for m in legal if self.movers[m] == role] for role in range(len(self.roles))]

    def joint_moves(self, state: bytes) -> Iterator[tuple[int, ...]]:
        return product(*self.options(state))

    def random_states(self, rng: random.Random, count: int) -> list[bytes]:
        """States of random play from the start, and others of any bits at all."""
        fluents = len(self.program.fluents())
        found: list[bytes] = []
        state = self.initial
        while len(found) < count:
            found.append(state)
            options = self.options(state)
            if rng.random() < 0.2:
                mask = rng.getrandbits(fluents) if fluents else 0
                state = mask.to_bytes(self.circuit.state_size, "little")
            elif all(options) and rng.random() < 0.9:
                state, _ = self.scalar_next(state, [rng.choice(moves) for moves in options])
            else:
                state = self.initial
        rng.shuffle(found)
        return found

    def play(self, state: bytes, count: int, *, seed: int, max_plies: int = 1000) -> Playouts:
        (tally,) = self.simulator.playouts(state, [count], seed, max_plies)
        return Playouts.of(self.roles, tally)


@dataclass
class Exact:
    """What uniformly random play gives on average: means and variances."""

    goals: list[tuple[float, float]]
    length: tuple[float, float]
    stuck: float
    cut: float
    unclear: float
    shortest: int
    longest: int


def exact_play(pair: Pair, state: bytes, max_plies: int, limit: int = 20_000) -> Exact | None:
    """All lines of random play, followed together where they meet; None when there are too many.

    Rests on the scalar evaluator alone.
    """
    ends: Counter[tuple[int, tuple[int, ...], int, str]] = Counter()
    layer: dict[bytes, float] = {state: 1.0}
    made = 0
    for ply in range(max_plies + 1):
        following: dict[bytes, float] = {}
        for here, chance in layer.items():
            terminal, _, goals = pair.scalar(here)
            options = pair.options(here)
            if terminal or not all(options) or ply == max_plies:
                how = "over" if terminal else "stuck" if not all(options) else "cut"
                held = [
                    [value for role, value in (pair.goals[g] for g in goals) if role == player]
                    for player in range(len(pair.roles))
                ]
                values = [[value for value in one if value is not None] for one in held]
                best = tuple(max(one, default=0) for one in values)
                odd = sum(len(one) != 1 for one in values)
                ends[ply, best, odd, how] += chance  # type: ignore[assignment]
                continue
            joint = list(product(*options))
            made += len(joint)
            if made > limit:
                return None
            for moves in joint:
                after, _ = pair.scalar_next(here, moves)
                following[after] = following.get(after, 0.0) + chance / len(joint)
        if not following:
            break
        layer = following

    def moments(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
        mean = sum(chance * value for value, chance in values)
        return mean, sum(chance * (value - mean) ** 2 for value, chance in values)

    lengths = [length for length, _, _, _ in ends]
    return Exact(
        goals=[
            moments([(best[role], chance) for (_, best, _, _), chance in ends.items()])
            for role in range(len(pair.roles))
        ],
        length=moments([(length, chance) for (length, _, _, _), chance in ends.items()]),
        stuck=sum(chance for (_, _, _, how), chance in ends.items() if how == "stuck"),
        cut=sum(chance for (_, _, _, how), chance in ends.items() if how == "cut"),
        unclear=sum(odd * chance for (_, _, odd, _), chance in ends.items()),
        shortest=min(lengths),
        longest=max(lengths),
    )


def assert_plausible(found: Playouts, exact: Exact, sigmas: float = 5.0) -> None:
    """Playouts agree with exact figures within so many standard deviations."""

    def close(name: str, mean: float, expected: float, variance: float, largest: float) -> None:
        # What happens very rarely is not normally distributed: three such playouts are granted.
        slack = 3 * largest / found.count if variance > 1e-12 else 1e-9 * max(1.0, largest)
        bound = sigmas * sqrt(variance / found.count) + slack
        assert abs(mean - expected) <= bound, (name, mean, expected, bound, found.count)

    for (role, mean), (expected, variance) in zip(found.mean_goals.items(), exact.goals):
        close(role, mean, expected, variance, 100.0)
    close("length", found.mean_length, *exact.length, float(exact.longest))
    for name, share, expected in (
        ("stuck", found.stuck / found.count, exact.stuck),
        ("cut", found.cut / found.count, exact.cut),
    ):
        close(name, share, expected, max(0.0, expected * (1 - expected)), 1.0)
    roles = len(exact.goals)
    close("unclear", found.unclear / found.count, exact.unclear, roles * roles / 4, float(roles))
    assert exact.shortest <= found.shortest <= found.longest <= exact.longest


def as_tuple(tally: Tally | AnyTally) -> tuple[object, ...]:
    """All that a tally says."""
    return (
        tally.playouts,
        tally.stuck,
        tally.cut,
        tally.unclear,
        tally.length_sum,
        tally.length_squares,
        tally.shortest,
        tally.longest,
        tuple(tally.goal_sums),
        tuple(tally.goal_squares),
    )


def large_rulesheet(rng: random.Random) -> str:
    """Rules with dozens of fluents and moves, in turns or not, with recursion on both sides.

    Made by a plain generator: what hypothesis draws stays small, and small circuits have no
    guards, no deep trees of moves and no slots to spare.
    """
    roles = range(1, rng.randint(2, 4))
    fluents = range(100, 100 + rng.choice([1, 3, 9, 20, 65]))
    blocks = [list(range(10 * b, 10 * b + rng.randint(1, 4))) for b in range(rng.randint(0, 5))]
    lines = [f"p0({role})." for role in roles]
    lines += [f"p1({f})." for f in fluents if rng.random() < 0.4]
    turns = len(roles) > 1 and rng.random() < 0.6
    moves = [(role, 200 + i) for role in roles for i in range(rng.choice([0, 1, 2, 5, 9, 30, 70]))]

    def some(items: Sequence[str], most: int) -> list[str]:
        return [rng.choice(items) for _ in range(rng.randint(1, most))]

    def signed(atoms: Sequence[str]) -> list[str]:
        return [sign + atom for atom in atoms for sign in ("", "not ")]

    def rule(head: str, body: Sequence[str]) -> None:
        lines.append(f"{head} :- {', '.join(body)}.")

    def helpers(predicate: int, below: list[str]) -> list[str]:
        """Blocks of helpers; one may rest on itself, and negates only what is below its block."""
        for block in blocks:
            atoms = [f"p{predicate}({number})" for number in block]
            for atom in atoms:
                for _ in range(rng.randint(1, 4)):
                    rule(atom, [*some(signed(below), 3), *rng.sample(atoms, rng.randint(0, 1))])
            below = [*below, *atoms]
        return below

    state = helpers(16, [f"p2({f})" for f in fluents])
    if turns:
        lines.append("p1(90).")
        for role in roles:
            rule(f"p5({90 + role % len(roles)})", [f"p2({89 + role})"])
            rule(f"p4({role},199)", [f"not p2({89 + role})"])
    for role, move in moves:
        mine = [f"p2({89 + role})"] if turns else []
        if rng.random() < 0.2:
            lines.append(f"p4({role},{move}){' :- ' if mine else ''}{', '.join(mine)}.")
        for _ in range(rng.randint(0, 2)):
            rule(f"p4({role},{move})", [*mine, *some(signed(state), 3)])
    if rng.random() < 0.8:
        lines += [f"p4({role},198)." for role in roles if rng.random() < 0.9]
    made = [f"p3({role},{move})" for role, move in moves]
    after = helpers(17, [*state, *made])
    for fluent in fluents:
        if rng.random() < 0.5:
            rule(f"p5({fluent})", [f"p2({fluent})", *some(signed([*made, *after]), 2)])
        for _ in range(rng.randint(0, 3)):
            rule(f"p5({fluent})", some(signed(rng.choice([state, after, made or state])), 4))
    for _ in range(rng.randint(0, 2)):
        rule("p6", some(signed(state), 5))
    for role in roles:
        for value in rng.sample([0, 10, 30, 50, 100], rng.randint(0, 4)):
            rule(f"p7({role},{value})", some(signed(state), 2))
        for percept in range(rng.randint(0, 3)):
            rule(f"p8({role},{percept})", some(signed(after), 3))
    return "\n".join(lines) + "\n"
