"""What atoms are once a move is put in: literals of the state, or formulas over them.

The ground rules say what holds in a state, and after a move. With the move put in, what holds next
depends on the state alone, and mostly on very little of it: a fluent that the move sets is true,
one that it does not touch is itself.
"""

from __future__ import annotations

import functools
import operator
import time
from collections.abc import Iterable
from typing import NamedTuple

from woodstock import _core

__all__ = ["Expressions", "NotKnown", "Way", "bits"]

SECONDS = 3.0
"""CPU seconds that looking through the rules may take."""


def bits(value: int) -> list[int]:
    """The numbers in a set.

    >>> bits(0b1101)
    [0, 2, 3]
    """
    return [place for place, bit in enumerate(bin(value)[:1:-1]) if bit == "1"]


class NotKnown(Exception):
    """The rules are too many, or not of a kind that can be told."""


class Way(NamedTuple):
    """One way for an atom to hold: fluents that it reads, that it needs, and that bar it.

    `clear`: there is no more to it, it holds where it has what it needs and nothing bars it.
    """

    reads: int
    needs: int
    bars: int
    clear: bool


class Expressions:
    """What atoms are, once a move is put in: literals of the state, or nodes over them.

    A node is a set of bodies, and equal nodes have equal numbers. `TRUE` is a number above all
    atoms, and nodes have numbers above that.
    """

    def __init__(self, program: _core.GroundProgram, relevant: set[int]) -> None:
        self._until = time.process_time() + SECONDS
        self.TRUE = program.atom_count + 1
        self._nodes: dict[frozenset[frozenset[int]], int] = {}
        self._signs: dict[int, tuple[int, int]] = {self.TRUE: (0, 0)}
        self._implied: dict[int, tuple[int, int]] = {}
        self._legal = {legal for legal, _ in program.move_atoms()}
        self._fluents = len(program.fluent_atoms())
        self._bodies_of: dict[int, frozenset[frozenset[int]]] = {}
        self._rules = {}
        self._values = [0] * (program.atom_count + 1)
        self._number: dict[int, int] = {}
        for number, (true, _) in enumerate(program.fluent_atoms()):
            if true:
                self._number[true] = number
                self._signs[true] = 1 << number, 0
                self._implied[true] = 1 << number, 0
                self._implied[-true] = 0, 1 << number
        late = []
        for first, end, recursive in program.components():
            atoms = [atom for atom in range(first, end) if atom in relevant]
            for atom in atoms:
                if program.is_input(atom):
                    does = program.category(atom) == _core.Category.DOES
                    self._values[atom] = -self.TRUE if does else atom
                elif program.is_fact(atom):
                    self._values[atom] = self.TRUE
                else:
                    self._rules[atom] = program.rules_of(atom)
            atoms = [atom for atom in atoms if atom in self._rules]
            if any(program.phase(atom) == _core.Phase.MOVE for atom in atoms):
                if recursive:
                    raise NotKnown
                late.extend(atoms)
            else:
                self._settle(atoms)
            if time.process_time() > self._until:
                raise NotKnown
        self._users: dict[int, list[int]] = {}
        for atom in late:
            for used in {abs(literal) for body in self._rules[atom] for literal in body}:
                self._users.setdefault(used, []).append(atom)
            self._values[atom] = self._evaluate(atom)
            if time.process_time() > self._until:
                raise NotKnown
        self._base = list(self._values)
        self._touched: list[int] = []

    def base(self, atom: int) -> int:
        """What an atom of the state is."""
        return self._base[atom]

    def signs(self, literal: int) -> tuple[int, int]:
        """The fluents that it depends on: for, and against."""
        rises, falls = self._signs[abs(literal)]
        return (rises, falls) if literal > 0 else (falls, rises)

    def support(self, literal: int) -> int:
        """All fluents that it depends on."""
        rises, falls = self._signs[abs(literal)]
        return rises | falls

    def parts(self, atom: int) -> list[Way]:
        """The rules of an atom of the state."""
        found, seen, todo = [], {atom}, [atom]
        while todo:
            for body in self._rules.get(todo.pop(), []):
                if len(body) == 1 and body[0] in self._rules:
                    # That one stands for itself: its rules are as good as rules of ours.
                    if body[0] not in seen:
                        seen.add(body[0])
                        todo.append(body[0])
                    continue
                reads = needs = bars = 0
                clear = True
                for literal in body:
                    base = self._base[literal] if literal > 0 else -self._base[-literal]
                    held, barred = self.implied(base)
                    support = self.support(base)
                    reads, needs, bars = reads | support, needs | held, bars | barred
                    clear = clear and support == held | barred and not support & (support - 1)
                found.append(Way(reads, needs, bars, clear))
        return found

    def implied(self, literal: int) -> tuple[int, int]:
        """Fluents that hold wherever a literal of the state does, and those that do not."""
        return self._implied.get(literal, (0, 0))

    def enough_for(self, atom: int) -> int:
        """Fluents each of which is enough for an atom of the state, as far as is seen at once."""
        found, seen, todo = 0, {atom}, [atom]
        while todo:
            for body in self._rules.get(todo.pop(), []):
                if len(body) == 1 and body[0] not in seen:
                    seen.add(body[0])
                    todo.append(body[0])
                    if body[0] > 0 and body[0] not in self._rules:
                        found |= self.implied(body[0])[0]
        return found

    def put_in(self, does: int) -> None:
        """Evaluate all rules with a move made and no other."""
        if time.process_time() > self._until:
            raise NotKnown
        for atom in self._touched:
            self._values[atom] = self._base[atom]
        if not does or not self._base[does]:
            self._touched = []
            return
        self._values[does] = self.TRUE
        found, todo = set(), [does]
        while todo:
            for user in self._users.get(todo.pop(), ()):
                if user not in found:
                    found.add(user)
                    todo.append(user)
        self._touched = [does, *sorted(found)]
        for atom in self._touched[1:]:
            self._values[atom] = self._evaluate(atom)

    def given(self, atom: int) -> int:
        """What an atom is with the move that was put in."""
        return self._values[atom] if atom else -self.TRUE

    def formula(self, value: int) -> frozenset[frozenset[int]]:
        """What a value above all atoms is: one of these bodies holds."""
        return self._bodies_of.get(value, frozenset())

    def holds(self, literal: int, fluents: int) -> bool:
        """Whether it holds where just these of the fluents do that it depends on."""
        if literal < 0:
            return not self.holds(-literal, fluents)
        if literal == self.TRUE:
            return True
        if literal in self._number:
            return bool(fluents >> self._number[literal] & 1)
        if literal in self._bodies_of:
            return any(all(self.holds(x, fluents) for x in b) for b in self._bodies_of[literal])
        base = self._base
        return any(
            all(self.holds(base[x] if x > 0 else -base[-x], fluents) for x in body)
            for body in self._rules[literal]
        )

    def _settle(self, atoms: list[int]) -> None:
        """Atoms of the state stand for themselves, or for the one literal that they are."""
        if len(atoms) == 1:
            bodies = self._reduced(atoms[0])
            single = bodies is not None and len(bodies) == 1 and len(next(iter(bodies))) == 1
            if bodies is None or not bodies or single:
                self._values[atoms[0]] = self._node(bodies)
                return
            if bodies:
                self._imply(atoms[0], bodies)
        for atom in atoms:
            self._values[atom] = atom
            self._signs[atom] = 0, 0
        while True:
            changed = False
            for atom in atoms:
                signs = self._union(
                    frozenset(self._values[x] if x > 0 else -self._values[-x] for x in body)
                    for body in self._rules[atom]
                )
                if signs != self._signs[atom]:
                    self._signs[atom] = signs
                    changed = True
            if not changed:
                return

    def _imply(self, atom: int, bodies: frozenset[frozenset[int]]) -> None:
        """Note what follows from an atom, and from its negation."""
        held, barred = -1, -1
        own = 0
        if atom in self._legal:
            # That a move is legal counts as a fluent here: games end where nothing is.
            own = 1 << self._fluents + atom
        for body in bodies:
            held &= functools.reduce(operator.or_, (self.implied(x)[0] for x in body))
            barred &= functools.reduce(operator.or_, (self.implied(x)[1] for x in body))
        self._implied[atom] = held | own, barred
        single = [self.implied(-x) for body in bodies if len(body) == 1 for x in body]
        held = functools.reduce(operator.or_, (up for up, _ in single), 0)
        barred = functools.reduce(operator.or_, (down for _, down in single), 0)
        self._implied[-atom] = held, barred | own

    def _union(self, bodies: Iterable[frozenset[int]]) -> tuple[int, int]:
        rises = falls = 0
        for body in bodies:
            for literal in body:
                up, down = self.signs(literal)
                rises |= up
                falls |= down
        return rises, falls

    def _evaluate(self, atom: int) -> int:
        return self._node(self._reduced(atom))

    def _reduced(self, atom: int) -> frozenset[frozenset[int]] | None:
        """The bodies of an atom that may hold, without what always does; None: it holds."""
        true, values, found = self.TRUE, self._values, set()
        for body in self._rules[atom]:
            reduced = set()
            for literal in body:
                value = values[literal] if literal > 0 else -values[-literal]
                if value == -true:
                    break
                if value != true:
                    reduced.add(value)
            else:
                if not reduced:
                    return None
                found.add(frozenset(reduced))
        return frozenset(found)

    def _node(self, bodies: frozenset[frozenset[int]] | None) -> int:
        if bodies is None:
            return self.TRUE
        if not bodies:
            return -self.TRUE
        if len(bodies) == 1:
            (body,) = bodies
            if len(body) == 1:
                return next(iter(body))
        node = self._nodes.get(bodies)
        if node is None:
            node = self._nodes[bodies] = self.TRUE + 1 + len(self._nodes)
            self._signs[node] = self._union(bodies)
            self._bodies_of[node] = bodies
        return node
