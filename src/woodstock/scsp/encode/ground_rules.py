"""Ground rules as literals: every atom that a network needs, from the bottom up.

An atom that one place alone asks for is written out there, where the table stays small; the others
get a variable each, unless they are constants, single conditions or equal to an earlier one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product

from woodstock import _core
from woodstock.game import Game
from woodstock.ground.engine import PackedEngine
from woodstock.ground.grounder import Grounding, ground_rules
from woodstock.scsp.encode.builder import Builder
from woodstock.scsp.encode.literals import FALSE, TRUE, Body, Literal
from woodstock.scsp.encode.recursion import EncodingError, unfold

__all__ = ["MAX_RULES", "GroundRules", "grounding_of"]

MAX_RULES = 400_000
"""Ground rules beyond which no network is made."""

MAX_WRITTEN_OUT = 12
"""Bodies beyond which nothing is written out in them."""


def grounding_of(game: Game) -> Grounding:
    """The ground program of a game: that of its engine, or a new one (`GroundingError`)."""
    engine = game.engine
    if isinstance(engine, PackedEngine):
        return engine.grounding
    return ground_rules(game.rules)


class GroundRules:
    """The rules below some `roots`, over the literals of the inputs.

    `known` has the literals of the ``true`` and ``does`` atoms, `names` what variables for atoms
    shall be called. Definitions go to the builder.
    """

    def __init__(
        self,
        program: _core.GroundProgram,
        builder: Builder,
        known: Mapping[int, Literal],
        roots: Iterable[int],
        names: Mapping[int, str],
    ) -> None:
        if program.rule_count > MAX_RULES:
            raise EncodingError(
                "size",
                f"{program.rule_count:,} ground rules are too many; {MAX_RULES:,} are the limit",
            )
        self._program = program
        self._builder = builder
        self._names = names
        self._literals: dict[int, Literal] = {0: FALSE, **known}
        self._waiting: dict[int, list[Body]] = {}
        self._rules: dict[int, list[list[int]]] = {}
        self._uses: Counter[int] = Counter()
        self._roots = frozenset(roots)
        self._collect()
        for first, end, recursive in program.components():
            atoms = [atom for atom in range(first, end) if atom in self._rules]
            if recursive and atoms:
                self._component(range(first, end))
            else:
                for atom in atoms:
                    if self._uses[atom]:
                        self._atom(atom)

    def bodies(self, atom: int) -> list[list[Literal]]:
        """What a root is defined by."""
        if atom in self._literals or self._uses[atom]:
            return [[self.literal(atom)]]
        if self._program.is_fact(atom):
            return [[]]
        return self._read(self._rules[atom])

    def literal(self, atom: int) -> Literal:
        """The literal of an atom (negative: negated), with a variable where it needs one."""
        if atom < 0:
            return self._builder.negate(self.literal(-atom))
        bodies = self._waiting.pop(atom, None)
        if bodies is not None:
            self._literals[atom] = self._define(atom, bodies)
        return self._literals[atom]

    def _collect(self) -> None:
        """The rules that matter, and how often each atom is asked for in them."""
        waiting = list(self._roots)
        while waiting:
            atom = waiting.pop()
            if atom in self._literals or atom in self._rules:
                continue
            rules = self._program.rules_of(atom)
            self._rules[atom] = rules
            self._uses.update(abs(one) for body in rules for one in body)
            waiting.extend(abs(one) for body in rules for one in body)

    def _define(self, atom: int, bodies: Iterable[Iterable[Literal]]) -> Literal:
        name = self._names.get(atom) or f"atom_{atom}"
        return self._builder.literal([tuple(body) for body in bodies], name)

    def _atom(self, atom: int) -> None:
        if self._program.is_fact(atom):
            self._literals[atom] = TRUE
            return
        simple = self._builder.simplify(self._read(self._rules[atom]))
        if isinstance(simple, bool):
            self._literals[atom] = TRUE if simple else FALSE
        elif len(simple) == 1 and len(simple[0]) == 1:
            self._literals[atom] = simple[0][0]
        elif self._uses[atom] > 1 or atom in self._roots or len(simple) > MAX_WRITTEN_OUT:
            self._literals[atom] = self._define(atom, simple)
        else:
            self._waiting[atom] = simple

    def _component(self, atoms: Iterable[int]) -> None:
        bodies = {}
        for atom in atoms:
            if self._program.is_fact(atom):
                self._literals[atom] = TRUE
            else:
                bodies[atom] = self._program.rules_of(atom)
        self._literals.update(unfold(bodies, self.literal, self._define))

    def _read(self, rules: list[list[int]]) -> list[list[Literal]]:
        """Bodies of atoms as bodies of literals."""
        loose = {abs(one) for body in rules for one in body if abs(one) in self._waiting}
        if len(rules) <= MAX_WRITTEN_OUT:
            chosen: set[int] = set()
            for atom in sorted(loose):
                found = self._written_out(rules, chosen | {atom}, loose)
                if found is not None and self._builder.fits(found):
                    chosen.add(atom)
                else:
                    self.literal(atom)
                    loose.discard(atom)
            if chosen:
                found = self._written_out(rules, chosen, loose)
                if found is not None:
                    for atom in chosen:
                        del self._waiting[atom]
                    return found
        return [[self.literal(one) for one in body] for body in rules]

    def _written_out(
        self, rules: list[list[int]], chosen: set[int], loose: set[int]
    ) -> list[list[Literal]] | None:
        """The bodies with the chosen atoms replaced; None where that takes too many.

        Other atoms that may still be replaced are left out: this is a look ahead.
        """
        found: list[list[Literal]] = []
        for body in rules:
            options: list[list[Body]] = []
            for one in body:
                atom = abs(one)
                if atom in chosen:
                    bodies = self._waiting[atom]
                    inside = bodies if one > 0 else self._builder.otherwise(bodies)
                    if inside is None:
                        return None
                    options.append(inside)
                elif atom not in loose:
                    options.append([(self.literal(one),)])
            for parts in product(*options):
                found.append([literal for part in parts for literal in part])
                if len(found) > MAX_WRITTEN_OUT:
                    return None
        return found
