"""Moves whose order does not matter.

Two moves of one role commute where neither writes what the other reads, and both write the same
wherever both write: one after the other, they lead to the same state in both orders. So a plan
needs one of the two orders alone, that of the numbers, if the game is sure to go on in between:
where the two do not differ in what its end depends on, or where it is never over while the second
move is legal.

What a move reads and writes is read off the ground rules with its ``does`` atom true and all others
false. A fluent that then follows from itself alone is not written. Clocks, whose next value no move
has a say in, go their way in both orders; a move that looks at one commutes with none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from woodstock.ground.grounder import Grounding
from woodstock.scsp.encode.slots import fixed_fluents

__all__ = ["Commuting", "Effects", "commuting", "effects_of"]

MOST_WORK = 500_000
"""Rules to look through, over all moves, beyond which nobody asks."""

_Value: TypeAlias = "int | tuple[object, ...]"
"""Under a move: an atom (negative: negated), or a part with the fluents that it depends on."""

_TRUE: _Value = ("true", 0)
_FALSE: _Value = ("false", 0)


@dataclass(frozen=True)
class Effects:
    """What a move reads and writes, as sets of fluents: bit i is fluent i.

    Some of those that it writes hold behind it in any case (`sets`), others do not (`clears`).
    `keeps_on`: the game is never over where the move is legal.
    """

    reads: int
    writes: int
    sets: int
    clears: int
    keeps_on: bool

    def commute(self, other: Effects) -> bool:
        """Whether the order of the two does not matter."""
        met = self.writes & other.reads | self.reads & other.writes
        return not (met | self.writes & other.writes & self.differ(other))

    def differ(self, other: Effects) -> int:
        """The fluents that may not be the same behind the one move and behind the other."""
        same = self.sets & other.sets | self.clears & other.clears
        return (self.writes | other.writes) & ~same


@dataclass(frozen=True)
class Commuting:
    """Pairs of moves that commute, the lower first: one needs the pair in this order alone.

    In between the game goes on for those that are `safe`; it may be over for the `loose` ones.
    """

    safe: tuple[tuple[int, int], ...] = ()
    loose: tuple[tuple[int, int], ...] = ()


def commuting(
    grounding: Grounding, moves: Sequence[int], go_on: Callable[[], bool] = lambda: True
) -> Commuting:
    """Pairs of places in `moves` (of a game's only role, by number) that commute.

    Nothing where the rules are too large to be looked through, or where `go_on` says no.

    >>> from woodstock import Game
    >>> from woodstock.scsp.encode.ground_rules import grounding_of
    >>> grounding = grounding_of(Game.load("buttons-and-lights-10"))
    >>> found = commuting(grounding, range(len(grounding.moves)))
    >>> len(grounding.moves), len(found.safe), len(found.loose)
    (30, 333, 82)
    """
    found = effects_of(grounding, moves, go_on)
    if found is None:
        return Commuting()
    effects, ends = found
    safe: list[tuple[int, int]] = []
    loose: list[tuple[int, int]] = []
    for j, second in enumerate(effects):
        for i, first in enumerate(effects[:j]):
            if first is None or second is None or not first.commute(second):
                continue
            goes_on = second.keeps_on or not first.differ(second) & ends
            (safe if goes_on else loose).append((i, j))
    return Commuting(tuple(safe), tuple(loose))


def effects_of(
    grounding: Grounding, moves: Sequence[int], go_on: Callable[[], bool] = lambda: True
) -> tuple[list[Effects | None], int] | None:
    """The effects of each move, and the fluents that the end of the game depends on.

    None for a move that looks at a clock; None for all where there is too much to look through.
    """
    return _Reading(grounding).run(moves, go_on)


class _Reading:
    def __init__(self, grounding: Grounding) -> None:
        self.program = program = grounding.program
        self.fixed = fixed_fluents(program)
        self.fluents = program.fluent_atoms()
        self.moves = program.move_atoms()
        self.does = {does for _, does in self.moves if does}
        self.support = [0] * (program.atom_count + 1)
        """For each atom the fluents that it depends on, whatever the move."""
        self.moving = [False] * (program.atom_count + 1)
        self.recursive: set[int] = set()
        self.rules: dict[int, list[list[int]]] = {}
        for index, (now, _) in enumerate(self.fluents):
            if now and index not in self.fixed:
                self.support[now] = 1 << index
        self.always = {self.fluents[index][0] for index in self.fixed}
        for atom in self.does:
            self.moving[atom] = True
        for first, end, recursive in program.components():
            self._component(range(first, end), recursive)

    def _component(self, atoms: range, recursive: bool) -> None:
        program = self.program
        mask, moves = 0, False
        for atom in atoms:
            if program.is_input(atom) or program.is_fact(atom):
                continue
            self.rules[atom] = program.rules_of(atom)
            for body in self.rules[atom]:
                for one in body:
                    mask |= self.support[abs(one)]
                    moves = moves or self.moving[abs(one)]
        for atom in atoms:
            if atom in self.rules:
                self.support[atom], self.moving[atom] = mask, moves
                if recursive:
                    self.recursive.add(atom)

    def run(
        self, moves: Sequence[int], go_on: Callable[[], bool]
    ) -> tuple[list[Effects | None], int] | None:
        moved = [atom for atom in sorted(self.rules) if self.moving[atom]]
        if sum(len(self.rules[atom]) for atom in moved) * len(moves) > MOST_WORK:
            return None
        following = []
        for move in moves:
            if not go_on():
                return None
            following.append(self._following(moved, self.moves[move][1]))
        clocks = self._clocks(following)
        effects: list[Effects | None] = []
        for move, values in zip(moves, following):
            reads, writes, sets, clears = self.support[self.moves[move][0]], 0, 0, 0
            for index, (now, _) in enumerate(self.fluents):
                if values[index] != now and not clocks >> index & 1 and index not in self.fixed:
                    writes |= 1 << index
                    reads |= self._support_of(values[index])
                    sets |= (values[index] == _TRUE) << index
                    clears |= (values[index] == _FALSE) << index
            keeps_on = self._keeps_on(self.moves[move][0])
            effects.append(
                None if reads & clocks else Effects(reads, writes, sets, clears, keeps_on)
            )
        return effects, self.support[self.program.terminal_atom]

    def _following(self, moved: Sequence[int], does: int) -> list[_Value]:
        """What each fluent becomes under a move."""
        known = {atom: _TRUE if atom == does else _FALSE for atom in self.does}
        for atom in moved:
            if atom in self.recursive:
                known[atom] = ("all", atom, does, self.support[atom])
            else:
                known[atom] = self._value(self.rules[atom], known)
        return [self._literal(after, known) if after else _FALSE for _, after in self.fluents]

    def _keeps_on(self, legal: int) -> bool:
        """Whether the rules say that the game goes on where this atom holds."""
        true = {legal}
        rules = self.rules
        # What it is the same as, and what follows from that.
        while legal in rules and len(rules[legal]) == 1 and len(rules[legal][0]) == 1:
            legal = rules[legal][0][0]
            if legal < 0 or legal in true:
                break
            true.add(legal)
        return self._never(self.program.terminal_atom, true, 0)

    def _never(self, atom: int, true: set[int], depth: int) -> bool:
        """Whether the atom cannot hold where these do, as far as a short look shows."""
        if not atom or atom in true or atom not in self.rules or depth > 3:
            return not atom
        return all(
            any(
                self._surely(-one, true, depth + 1)
                if one < 0
                else self._never(one, true, depth + 1)
                for one in body
            )
            for body in self.rules[atom]
        )

    def _surely(self, atom: int, true: set[int], depth: int) -> bool:
        """Whether the atom holds where these do, as far as a short look shows."""
        if atom in true:
            return True
        if atom not in self.rules or depth > 3:
            return False
        return any(
            all(one > 0 and self._surely(one, true, depth + 1) for one in body)
            for body in self.rules[atom]
        )

    def _literal(self, literal: int, known: dict[int, _Value]) -> _Value:
        atom = abs(literal)
        value = known.get(atom)
        if value is None:
            if atom in self.always or self.program.is_fact(atom):
                value = _TRUE
            else:
                return literal
        if literal > 0:
            return value
        if value in (_TRUE, _FALSE):
            return _FALSE if value == _TRUE else _TRUE
        return -value if isinstance(value, int) else ("not", value, value[-1])

    def _value(self, rules: list[list[int]], known: dict[int, _Value]) -> _Value:
        bodies: set[frozenset[_Value]] = set()
        for rule in rules:
            body = []
            for one in rule:
                value = self._literal(one, known)
                if value == _TRUE:
                    continue
                if value == _FALSE:
                    break
                body.append(value)
            else:
                if not body:
                    return _TRUE
                bodies.add(frozenset(body))
        if not bodies:
            return _FALSE
        if len(bodies) == 1:
            (only,) = bodies
            if len(only) == 1:
                (value,) = only
                return value
        mask = 0
        for whole in bodies:
            for value in whole:
                mask |= self._support_of(value)
        return ("or", frozenset(bodies), mask)

    def _support_of(self, value: _Value) -> int:
        if isinstance(value, int):
            return self.support[abs(value)]
        mask = value[-1]
        assert isinstance(mask, int)
        return mask

    def _clocks(self, following: Sequence[Sequence[_Value]]) -> int:
        """Fluents that become the same whatever the move, as far as they depend on each other."""
        kept = 0
        for index, (now, _) in enumerate(self.fluents):
            first = following[0][index] if following else now
            # What always stays as it is is no clock: nobody writes it.
            if first != now and all(values[index] == first for values in following):
                kept |= 1 << index
        changed = True
        while changed:
            changed = False
            for index in range(len(self.fluents)):
                if kept >> index & 1 and self._support_of(following[0][index]) & ~kept:
                    kept &= ~(1 << index)
                    changed = True
        return kept
