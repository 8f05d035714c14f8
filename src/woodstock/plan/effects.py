"""What moves do: what each needs, reads and changes, for all states alike, from the ground rules.

Two moves *commute* where neither reads what the other changes, in its legality or its effects, and
where they change the same fluents only in ways that are the same in either order. They are
*independent* where neither can make the other illegal or change what it does: then both may be
made in a row, in either order, wherever each of them is legal.

Fluents that take the same course whatever is done, as a counter of turns does, are *clocks*. They
keep no two moves apart, since after two turns they are the same anyway; moves that read them
commute with none.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from woodstock import _core
from woodstock.plan.expressions import SECONDS, Expressions, NotKnown, bits

__all__ = ["CHANGES", "Effect", "Effects", "relevant_atoms"]

FLUENTS = 3000
"""Of more fluents it is not asked which exclude each other."""

CHANGES = ("set", "cleared", "flipped", "other")
"""Ways in which a move may change a fluent."""


@dataclass
class Effect:
    """What a move does, as sets of fluents in the bits of integers. Clocks are not among them."""

    set: int = 0
    cleared: int = 0
    flipped: int = 0
    other: int = 0
    """What becomes of these depends on more of the state than themselves: `becomes` says how."""
    reads: int = 0
    """What its legality and its effects depend on."""
    rises: int = 0
    """Fluents that it may make true; `falls`: those that it may make false."""
    falls: int = 0
    needs: int = 0
    """Fluents that hold wherever it is legal; `bars`: those that never do.

    That a move is legal counts as a fluent here, above all others: games end where nothing is.
    """
    bars: int = 0
    pro: int = 0
    """Fluents that may make it legal; `contra`: those that may make it illegal."""
    contra: int = 0
    becomes: dict[int, int] = field(default_factory=dict)
    """What each fluent of `other` becomes, as a value of the expressions."""
    looks: int = 0
    """What these values depend on."""

    @property
    def changes(self) -> int:
        """All that it may change."""
        return self.set | self.cleared | self.flipped | self.other


class Effects:
    """The effect of each move that matters, from a state on in which the fluents `start` hold.

    `relevant` are the atoms that have a say, all that they depend on among them. `NotKnown` where
    the rules are too many or too knotted.

    >>> from woodstock import Game
    >>> circuit = Game.load("buttons-and-lights-3").circuit()
    >>> program = circuit.grounding.program
    >>> found = Effects(program, range(1, program.atom_count + 1), program.initial())
    >>> len(found.moves), [str(circuit.numbering.fluents[n]) for n in bits(found.moves[0].flipped)]
    (9, ['(on 1 p)'])
    >>> len(found.course_of_clocks(program.initial(), 99))       # 1 to 7, and then none
    8
    """

    def __init__(
        self, program: _core.GroundProgram, relevant: Iterable[int], start: Iterable[int]
    ) -> None:
        relevant = set(relevant)
        self.expressions = rules = Expressions(program, relevant)
        self._fluents = [
            (number, true, after)
            for number, (true, after) in enumerate(program.fluent_atoms())
            if true in relevant
        ]
        moves = {n: atoms for n, atoms in enumerate(program.move_atoms()) if atoms[0] in relevant}
        becomes: dict[int, dict[int, int]] = {}
        for move, (_, does) in moves.items():
            rules.put_in(does)
            values = ((number, true, rules.given(after)) for number, true, after in self._fluents)
            becomes[move] = {number: value for number, true, value in values if value != true}
        self._ticks = self._find_clocks(becomes)
        self.clocks: int = sum(1 << number for number in self._ticks)
        """The fluents that go their way whatever is done."""
        true_of = {number: true for number, true, _ in self._fluents}
        self.moves: dict[int, Effect] = {}
        """By the number of the move."""
        for move, (legal, _) in moves.items():
            base = rules.base(legal)
            needs, bars = rules.implied(base)
            pro, contra = rules.signs(base)
            effect = Effect(reads=pro | contra, needs=needs, bars=bars, pro=pro, contra=contra)
            for number, value in becomes[move].items():
                if number not in self._ticks:
                    self._note(effect, number, true_of[number], value)
            self.moves[move] = effect
        self._leave_out_what_never_holds(len(program.fluent_atoms()), start)

    def course_of_clocks(self, start: Iterable[int], turns: int) -> list[int]:
        """The clocks that hold now, after one turn, and so on; the last stays as it is."""
        held = sum(1 << fluent for fluent in start) & self.clocks
        course = [held]
        while len(course) <= turns:
            held = sum(
                1 << number
                for number, value in self._ticks.items()
                if self.expressions.holds(value, held)
            )
            if held == course[-1]:
                break
            course.append(held)
        return course

    def _find_clocks(self, becomes: dict[int, dict[int, int]]) -> dict[int, int]:
        """Fluents that change in the same way with every move, by clocks alone."""
        first, *others = becomes.values() or [{}]
        changing = 0
        for values in becomes.values():
            for number in values:
                changing |= 1 << number
        same = {n: v for n, v in first.items() if all(values.get(n) == v for values in others)}
        while True:
            away = changing & ~sum(1 << number for number in same)
            kept = {n: v for n, v in same.items() if not self.expressions.support(v) & away}
            if len(kept) == len(same):
                return same
            same = kept

    def _note(self, effect: Effect, fluent: int, true: int, value: int) -> None:
        """Add to an effect what becomes of a fluent."""
        rules, bit = self.expressions, 1 << fluent
        bodies = rules.formula(value)
        if value == rules.TRUE:
            effect.set |= bit
        elif value == -rules.TRUE:
            effect.cleared |= bit
        elif value == -true:
            effect.flipped |= bit
        else:
            effect.other |= bit
            effect.becomes[fluent] = value
            effect.looks |= rules.support(value)
            effect.reads |= rules.support(value)
        if value != -rules.TRUE and not (bodies and all(true in body for body in bodies)):
            effect.rises |= bit
        if value != rules.TRUE and frozenset([true]) not in bodies:
            effect.falls |= bit

    def _leave_out_what_never_holds(self, fluents: int, start: Iterable[int]) -> None:
        """To clear what cannot hold where a move is legal changes nothing."""
        never = self._exclusive((1 << fluents) - 1, sum(1 << fluent for fluent in start))
        for effect in self.moves.values():
            for fluent in bits(effect.needs):
                effect.falls &= ~never.get(fluent, 0)
                effect.cleared &= ~never.get(fluent, 0)

    def _exclusive(self, fluents: int, start: int) -> dict[int, int]:
        """For each of these fluents, others that never hold with it.

        That is what holds at first and what every move keeps: when it makes one of two true, the
        other is cleared, or it was false before, as something that the move needs says.
        """
        concerned = 0
        for effect in self.moves.values():
            concerned |= effect.changes | effect.needs
        concerned &= fluents & ~self.clocks
        if len(bits(concerned)) > FLUENTS:
            raise NotKnown
        never = {
            fluent: concerned & ~(1 << fluent) & (~start if start >> fluent & 1 else -1)
            for fluent in bits(concerned)
        }
        changed = True
        until = time.process_time() + SECONDS
        while changed:
            changed = False
            for effect in self.moves.values():
                if time.process_time() > until:
                    raise NotKnown
                false = 0
                for fluent in bits(effect.needs & concerned):
                    false |= never[fluent]
                false = false & ~effect.rises | effect.cleared
                for fluent in bits(effect.rises):
                    lost = never[fluent] & ~false
                    if lost:
                        changed = True
                        never[fluent] &= false
                        for other in bits(lost):
                            never[other] &= ~(1 << fluent)
        return never


def relevant_atoms(program: _core.GroundProgram, roots: Iterable[int]) -> set[int]:
    """These atoms and all that they depend on, in this turn and in those before."""
    after = {true: following for true, following in program.fluent_atoms() if true}
    found: set[int] = set()
    todo = [atom for atom in roots if atom]
    while todo:
        atom = todo.pop()
        if atom in found:
            continue
        found.add(atom)
        if program.is_input(atom):
            if after.get(atom):
                todo.append(after[atom])
        elif not program.is_fact(atom):
            todo.extend(abs(literal) for body in program.rules_of(atom) for literal in body)
    return found
