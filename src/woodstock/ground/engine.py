"""Engines on a ground program: terms in front, numbers and packed bits behind.

A position is the packed bits of its fluents, as `bytes`. `PackedEngine` is what such engines share,
`GroundEngine` the one that asks the native evaluator, one position after the other.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple, TypeAlias, TypeVar

from woodstock import _core
from woodstock.engine import Engine, Percepts, Successor, sort_terms
from woodstock.errors import IllegalMoveError, StateError
from woodstock.gdl.rules import Rules
from woodstock.gdl.terms import Term
from woodstock.ground.grounder import Grounding, ground_rules
from woodstock.ground.limits import GroundingLimits
from woodstock.ground.numbering import Numbering

__all__ = ["GroundEngine", "Numbers", "PackedEngine"]

BATCH = 8192
"""Positions that are handed over at a time, where there are many."""

Numbers: TypeAlias = tuple[bool, Sequence[int], Sequence[int]]
"""What a ground program says of a position: over or not, its legal moves, the goals that hold."""

E = TypeVar("E", bound="PackedEngine")


class _Analysis(NamedTuple):
    terminal: bool
    legal: tuple[tuple[Term, ...], ...]
    goals: tuple[tuple[int, ...], ...]


class PackedEngine(Engine):
    """What engines on a ground program share. Threads may share one.

    `numbering` says what the numbers of the program stand for. Whoever evaluates the program is
    behind `_evaluate` and `_advance`.
    """

    numbering: Numbering

    _size: int
    """Of a position, in bytes."""

    def __init__(self, grounding: Grounding, roles: Sequence[str], keep: int = 64) -> None:
        self.grounding = grounding
        self.roles = tuple(roles)
        self.numbering = Numbering(grounding, self.roles)
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
    def from_rules(cls: type[E], rules: Rules, limits: GroundingLimits | None = None) -> E:
        """Ground rules (in a child process, within limits) and play on the result."""
        return cls(ground_rules(rules, limits), rules.roles)

    @property
    def greatest_goal(self) -> int:
        return self.numbering.greatest_goal

    @abstractmethod
    def _evaluate(self, positions: Sequence[bytes]) -> Sequence[Numbers]:
        """What the program says of each position."""

    @abstractmethod
    def _advance(
        self, positions: Sequence[bytes], moves: Sequence[Sequence[int]], percepts: bool
    ) -> tuple[Sequence[bytes], Sequence[Sequence[int]]]:
        """The position after a joint move in each one, and the percepts if they are wanted."""

    def initial(self) -> bytes:
        return self._pack(self.grounding.program.initial())

    def possible_fluents(self) -> Sequence[Term] | None:
        return self.numbering.fluents

    def position(self, fluents: Iterable[Term]) -> bytes:
        indices, numbers = [], self.numbering.fluent_numbers
        for fluent in fluents:
            index = numbers.get(fluent)
            if index is None:
                raise StateError(f"{fluent} can never hold in this game")
            indices.append(index)
        bits = self._pack(indices)
        for index in self._always:
            # Rules that ask for it were grounded as if they did not: there is no way without it.
            if not bits[index >> 3] >> (index & 7) & 1:
                raise StateError(f"{self.numbering.fluents[index]} always holds in this game")
        return bits

    def fluents(self, position: bytes) -> frozenset[Term]:
        value, fluents = int.from_bytes(position, "little"), self.numbering.fluents
        found = []
        while value:
            low = value & -value
            found.append(fluents[low.bit_length() - 1])
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
            index = self.numbering.move_numbers.get((role, move))
            if index is None:
                raise IllegalMoveError(f"{move} is never legal for {self.roles[role]}")
            chosen.append(index)
        (after,), (seen,) = self._advance([position], [chosen], True)
        return after, self._perceived(seen)

    def zobrist(self, position: bytes) -> int:
        return _core.zobrist_hash(position)

    def successors(self, position: bytes) -> list[Successor]:
        analysis = self._analyse(position)
        if analysis.terminal or not all(analysis.legal):
            return []
        joint_moves, numbers = product(*analysis.legal), self.numbering.move_numbers
        found: list[Successor] = []
        while batch := list(islice(joint_moves, BATCH)):
            chosen = [[numbers[pair] for pair in enumerate(joint)] for joint in batch]
            after, seen = self._advance([position] * len(batch), chosen, True)
            found.extend(zip(batch, after, map(self._perceived, seen)))
        return found

    def choices(self, positions: Sequence[bytes]) -> list[list[int]]:
        return [[len(moves) for moves in options] for _, options in self._options(positions)]

    def widths(self, positions: Sequence[bytes]) -> list[int | None]:
        return [
            None if terminal else math.prod(map(len, options))
            for terminal, options in self._options(positions)
        ]

    def children(self, positions: Sequence[bytes]) -> Iterator[list[bytes]]:
        for first in range(0, len(positions), BATCH):
            chunk = positions[first : first + BATCH]
            options = [[] if over else moves for over, moves in self._options(chunk)]
            steps = (
                (position, joint)
                for position, moves in zip(chunk, options)
                if moves
                for joint in product(*moves)
            )
            reached: deque[bytes] = deque()
            for moves in options:
                width = math.prod(map(len, moves)) if moves else 0
                while len(reached) < width:
                    batch = list(islice(steps, BATCH))
                    before, chosen = zip(*batch)
                    reached.extend(self._advance(before, chosen, False)[0])
                yield [reached.popleft() for _ in range(width)]

    def _pack(self, indices: Iterable[int]) -> bytes:
        bits = bytearray(self._size)
        for index in indices:
            bits[index >> 3] |= 1 << (index & 7)
        return bytes(bits)

    def _perceived(self, seen: Sequence[int]) -> Percepts:
        if not seen:
            return tuple(() for _ in self.roles)
        found = [self.numbering.percepts[i] for i in seen]
        return tuple(
            sort_terms(p for r, p in found if r == role) for role in range(len(self.roles))
        )

    def _options(self, positions: Sequence[bytes]) -> Iterator[tuple[bool, list[list[int]]]]:
        """Whether each position is over, and the numbers of every role's legal moves."""
        for first in range(0, len(positions), BATCH):
            for terminal, legal, _ in self._evaluate(positions[first : first + BATCH]):
                yield terminal, self.numbering.by_role(legal)

    def _analyse(self, position: bytes) -> _Analysis:
        known = self._known.get(position)
        if known is None:
            ((terminal, legal, goals),) = self._evaluate([position])
            numbering = self.numbering
            terms = numbering.moves
            moves = [[terms[index][1] for index in group] for group in numbering.by_role(legal)]
            values: list[set[int]] = [set() for _ in self.roles]
            for index in goals:
                role, value = numbering.goals[index]
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


class GroundEngine(PackedEngine):
    """Plays on the native evaluator of a ground program. Its calls hold the GIL."""

    name = "ground"

    def __init__(self, grounding: Grounding, roles: Sequence[str], keep: int = 64) -> None:
        super().__init__(grounding, roles, keep)
        self._evaluator = _core.Evaluator(grounding.program)
        self._size = self._evaluator.state_size

    def _evaluate(self, positions: Sequence[bytes]) -> Sequence[Numbers]:
        return [self._evaluator.analyse(position) for position in positions]

    def _advance(
        self, positions: Sequence[bytes], moves: Sequence[Sequence[int]], percepts: bool
    ) -> tuple[Sequence[bytes], Sequence[Sequence[int]]]:
        found = [self._evaluator.next(*step) for step in zip(positions, moves)]
        return [after for after, _ in found], [seen for _, seen in found]
