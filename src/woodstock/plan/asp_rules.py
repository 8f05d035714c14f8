"""Ground rules for an answer set solver: what holds in a state, as literals of the solver.

What cannot hold and what holds in any case are constants, so that only what is open becomes an
atom.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from woodstock import _core
from woodstock.plan.effects import relevant_atoms

__all__ = ["FALSE", "TRUE", "Bodies", "StageRules", "any_of", "define"]

TRUE = 1
"""The literal of what holds in any case: atom 1 is a fact. Its negation never holds."""

FALSE = -TRUE

Bodies = list[tuple[int, ...]]


class StageRules:
    """The rules that have a say in some atoms, in an order of evaluation."""

    def __init__(self, program: _core.GroundProgram, roots: Iterable[int]) -> None:
        relevant = self.relevant = relevant_atoms(program, roots)
        self._bodies: dict[int, list[list[int]]] = {}
        self.constants: set[int] = set()
        """Atoms that always hold."""
        self.before_moves: list[list[int]] = []
        """Components of atoms that depend on the state alone; several atoms: recursive."""
        self.after_moves: list[list[int]] = []
        for first, end, recursive in program.components():
            atoms = [atom for atom in range(first, end) if atom in relevant]
            atoms = [atom for atom in atoms if not program.is_input(atom)]
            if not atoms:
                continue
            facts = [atom for atom in atoms if program.is_fact(atom)]
            self.constants.update(facts)
            atoms = [atom for atom in atoms if atom not in self.constants]
            self._bodies.update((atom, program.rules_of(atom)) for atom in atoms)
            late = any(program.phase(atom) == _core.Phase.MOVE for atom in atoms)
            group = self.after_moves if late else self.before_moves
            if recursive:
                group.append([-1, *atoms])
            else:
                group.extend([atom] for atom in atoms)

    def evaluate(self, backend: Any, values: list[int], components: Iterable[list[int]]) -> None:
        """Give each atom its literal, with rules in the backend where it is no constant."""
        bodies_of = self._bodies
        for component in components:
            atom = component[0]
            if atom < 0:
                self._evaluate_together(backend, values, component[1:])
                continue
            found: Bodies = []
            for body in bodies_of[atom]:
                reduced = []
                for literal in body:
                    value = values[literal] if literal > 0 else -values[-literal]
                    if value == FALSE:
                        break
                    if value != TRUE:
                        reduced.append(value)
                else:
                    if not reduced:
                        values[atom] = TRUE
                        break
                    found.append(tuple(reduced))
            else:
                values[atom] = define(backend, found)

    def _evaluate_together(self, backend: Any, values: list[int], atoms: list[int]) -> None:
        """The same for atoms that depend on each other, none through a negation."""
        inside = set(atoms)
        # What of each body is settled outside, and which atoms inside it needs.
        parts: list[tuple[int, list[int], list[int]]] = []
        for atom in atoms:
            values[atom] = FALSE
            for body in self._bodies[atom]:
                outside = [values[a] if a > 0 else -values[-a] for a in body if a not in inside]
                if FALSE not in outside:
                    needs = [a for a in body if a in inside]
                    parts.append((atom, [v for v in outside if v != TRUE], needs))
        certain = _closure((atom, needs) for atom, outside, needs in parts if not outside)
        possible = _closure((atom, needs) for atom, _, needs in parts)
        for atom in possible:
            values[atom] = TRUE if atom in certain else backend.add_atom()
        for atom, outside, needs in parts:
            if atom not in certain and possible.issuperset(needs):
                inner = [values[need] for need in needs if need not in certain]
                backend.add_rule([values[atom]], outside + inner)


def _closure(rules: Iterable[tuple[int, list[int]]]) -> set[int]:
    """The atoms that follow from rules without negation."""
    left = list(rules)
    found: set[int] = set()
    while True:
        size = len(found)
        waiting = []
        for atom, needs in left:
            if atom not in found:
                if found.issuperset(needs):
                    found.add(atom)
                else:
                    waiting.append((atom, needs))
        if len(found) == size:
            return found
        left = waiting


def define(backend: Any, bodies: Bodies) -> int:
    """The literal of a disjunction of conjunctions."""
    if not bodies:
        return FALSE
    if (TRUE,) in bodies:
        return TRUE
    if len(bodies) == 1 and len(bodies[0]) == 1:
        return bodies[0][0]
    atom: int = backend.add_atom()
    for body in bodies:
        backend.add_rule([atom], body)
    return atom


def any_of(backend: Any, literals: Iterable[int]) -> int:
    """The literal of a disjunction."""
    return define(backend, [(literal,) for literal in literals if literal != FALSE])
