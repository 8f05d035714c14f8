"""The ground engine: the native evaluator of a ground program behind the `Engine` contract.

A position is the packed bits of its fluents, as `bytes`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from woodstock import _core
from woodstock.engine import Percepts, goal_value, sort_terms
from woodstock.errors import IllegalMoveError, StateError
from woodstock.gdl.rules import Rules
from woodstock.gdl.terms import Term
from woodstock.ground.grounder import Grounding, ground_rules
from woodstock.ground.limits import Limits

__all__ = ["GroundEngine"]


class _Analysis(NamedTuple):
    terminal: bool
    legal: tuple[tuple[Term, ...], ...]
    goals: tuple[tuple[int, ...], ...]


class GroundEngine:
    """Plays on a ground program. Threads may share it: calls into the evaluator hold the GIL."""

    name = "ground"

    def __init__(self, grounding: Grounding, roles: Sequence[str], keep: int = 64) -> None:
        self.grounding = grounding
        self._evaluator = _core.Evaluator(grounding.program)
        self._roles = tuple(roles)
        number = {role: i for i, role in enumerate(self._roles)}
        self._fluents = grounding.fluents
        self._bit = {fluent: i for i, fluent in enumerate(self._fluents)}
        self._moves = [(number.get(role, -1), move) for role, move in grounding.moves]
        self._move_index = {key: i for i, key in enumerate(self._moves)}
        self._goals = [(number.get(role, -1), goal_value(v)) for role, v in grounding.goals]
        self._percepts = [(number.get(role, -1), percept) for role, percept in grounding.percepts]
        program = grounding.program
        always = {
            i
            for i, (_, after) in enumerate(program.fluent_atoms())
            if after and program.is_fact(after)
        }
        self._always = tuple(always.intersection(program.initial()))
        self._known: OrderedDict[bytes, _Analysis] = OrderedDict()
        self._keep = keep

    @classmethod
    def from_rules(cls, rules: Rules, limits: Limits | None = None) -> GroundEngine:
        """Ground rules (in a child process, within limits) and play on the result."""
        return cls(ground_rules(rules, limits), rules.roles)

    def initial(self) -> bytes:
        return self._evaluator.initial()

    def possible_fluents(self) -> Sequence[Term] | None:
        return self._fluents

    def position(self, fluents: Iterable[Term]) -> bytes:
        bits = bytearray(self._evaluator.state_size)
        for fluent in fluents:
            index = self._bit.get(fluent)
            if index is None:
                raise StateError(f"{fluent} can never hold in this game")
            bits[index >> 3] |= 1 << (index & 7)
        for index in self._always:
            # Rules that ask for it were grounded as if they did not: there is no way without it.
            if not bits[index >> 3] >> (index & 7) & 1:
                raise StateError(f"{self._fluents[index]} always holds in this game")
        return bytes(bits)

    def fluents(self, position: bytes) -> frozenset[Term]:
        value = int.from_bytes(position, "little")
        found = []
        while value:
            low = value & -value
            found.append(self._fluents[low.bit_length() - 1])
            value ^= low
        return frozenset(found)

    def legal(self, position: bytes, role: int) -> tuple[Term, ...]:
        return self._analyse(position).legal[role]

    def terminal(self, position: bytes) -> bool:
        return self._analyse(position).terminal

    def goals(self, position: bytes, role: int) -> tuple[int, ...]:
        return self._analyse(position).goals[role]

    def next(self, position: bytes, moves: Sequence[Term]) -> tuple[bytes, Percepts]:
        chosen = []
        for role, move in enumerate(moves):
            index = self._move_index.get((role, move))
            if index is None:
                raise IllegalMoveError(f"{move} is never legal for {self._roles[role]}")
            chosen.append(index)
        after, seen = self._evaluator.next(position, chosen)
        if not seen:
            return after, tuple(() for _ in self._roles)
        found = [self._percepts[i] for i in seen]
        return after, tuple(
            sort_terms(p for r, p in found if r == role) for role in range(len(self._roles))
        )

    def _analyse(self, position: bytes) -> _Analysis:
        known = self._known.get(position)
        if known is None:
            terminal, legal, goals = self._evaluator.analyse(position)
            moves: list[list[Term]] = [[] for _ in self._roles]
            for index in legal:
                role, move = self._moves[index]
                if role >= 0:
                    moves[role].append(move)
            values: list[set[int]] = [set() for _ in self._roles]
            for index in goals:
                role, value = self._goals[index]
                if role >= 0 and value is not None:
                    values[role].add(value)
            known = _Analysis(
                terminal,
                tuple(sort_terms(group) for group in moves),
                tuple(tuple(sorted(group)) for group in values),
            )
            self._known[position] = known
            if len(self._known) > self._keep:
                self._known.popitem(last=False)
        return known
