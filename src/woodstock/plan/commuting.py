"""Moves of one player that may as well be made in the other order.

Two moves commute where neither reads what the other changes, in its legality or its effects, and
where they change the same fluents only in ways that are the same in either order. All states must
agree on that, so it is read off the ground rules: for each move, what every fluent becomes of it,
with the move put in.

Fluents that take the same course whatever is done, as a counter of turns does, are *clocks*. They
keep no two moves apart, since after two turns they are the same anyway; moves that read them
commute with none.

The state between two moves is another one when they are swapped, and the game must not end there.
It does not, where it is never over while such moves are legal. Nor does it, if the game is not over
after both of them, and all that they do can only bring its end nearer; then two moves are swapped
only where the game goes on after both.
"""

from __future__ import annotations

import functools
import operator
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from woodstock import _core

__all__ = ["MoveOrder", "order_of"]

SECONDS = 3.0
"""CPU seconds that the search for commuting moves may take."""

FLUENTS = 3000
"""Of more fluents it is not asked which exclude each other."""

CHANGES = ("set", "cleared", "flipped", "other")
"""Ways in which a move may change a fluent."""


@dataclass(frozen=True)
class MoveOrder:
    """In which order moves that commute are made: by their places in `rank`.

    Moves without a place commute with none; `apart` has, for each place, the later places whose
    moves may have to come first: they do not commute with it, and leave it legal.
    """

    rank: dict[int, int]
    apart: list[list[int]]
    strict: bool = False
    """Whether moves may be swapped also where the game ends after both."""

    @functools.cached_property
    def cuts(self) -> frozenset[int]:
        """Places such that no move below has to come after one that is not."""
        found, reach = [], -1
        for place, others in enumerate(self.apart):
            if reach < place:
                found.append(place)
            reach = max(reach, *others, -1)
        return frozenset(found)


@dataclass
class _Effect:
    """What a move does, as sets of fluents in the bits of integers."""

    set: int = 0
    cleared: int = 0
    flipped: int = 0
    other: int = 0
    reads: int = 0
    rises: int = 0
    """Fluents that it may make true; `falls`: those that it may make false."""
    falls: int = 0
    needs: int = 0
    """Fluents that hold wherever it is legal; `bars`: those that never do."""
    bars: int = 0

    @property
    def changes(self) -> int:
        return self.set | self.cleared | self.flipped | self.other


def order_of(
    program: _core.GroundProgram, relevant: Iterable[int], fluents: Iterable[int]
) -> MoveOrder | None:
    """The order of the moves of a game with one role; None: no two moves are known to commute.

    `relevant` are the atoms that have a say in plans, all that they depend on among them;
    `fluents` hold at first.
    """
    try:
        return _order_of(program, set(relevant), set(fluents))
    except _NotKnown:
        return None


def _order_of(
    program: _core.GroundProgram, relevant: set[int], fluents: set[int]
) -> MoveOrder | None:
    effects, clocks, rules = _effects(program, relevant)
    ends = program.terminal_atom
    never_both = _exclusive(effects, clocks, sum(1 << fluent for fluent in fluents))
    # While moves are made, the game is not over: what alone would end it does not hold.
    absent = rules.enough_for(ends) if ends else 0
    for effect in effects.values():
        for fluent in _bits(effect.needs):
            # To clear what cannot hold here changes nothing.
            effect.falls &= ~never_both.get(fluent, 0)
            effect.cleared &= ~never_both.get(fluent, 0)
        effect.falls &= ~absent
    rises, falls = rules.signs(rules.base(ends)) if ends else (0, 0)
    changing = clocks
    for effect in effects.values():
        changing |= effect.changes
    parts = rules.parts(ends) if ends else []
    timeless = {move: effect for move, effect in effects.items() if not effect.reads & clocks}
    lasting = {move: effect for move, effect in timeless.items() if not effect.set & absent}
    if _go_on(lasting.values(), parts):
        return _ranked(lasting, strict=True)
    reads = [part.reads for part in parts]
    clear_cut = all(not part & clocks or not part & changing & ~clocks for part in reads)
    free = {}
    for move, effect in timeless.items():
        calm = not effect.changes & (rises | falls)
        nearer = not effect.rises & falls and not effect.falls & rises
        if move not in lasting:
            # It ends the game: no move comes after it, so that any place will do.
            free[move] = _Effect()
        elif calm or (nearer and clear_cut):
            free[move] = effect
    return _ranked(free, strict=False)


def _go_on(effects: Iterable[_Effect], parts: Iterable[_Part]) -> bool:
    """Whether no swap of two of these moves can end the game between them.

    Each way for the game to end is one that they have no influence on, or one that is not open
    while the second of them is still legal.
    """
    every = list(effects)
    touched = functools.reduce(operator.or_, (e.rises | e.falls for e in every), 0)
    return all(
        effect.needs & part.bars or effect.bars & part.needs
        for part in parts
        if part.reads & touched
        for effect in every
    )


def _ranked(effects: dict[int, _Effect], *, strict: bool) -> MoveOrder | None:
    writers: dict[int, int] = {}
    for effect in effects.values():
        for fluent in _bits(effect.changes):
            writers[fluent] = writers.get(fluent, 0) + 1

    def place(move: int) -> tuple[int, int]:
        # Moves that fill the same place come together: by the fluent that most of them change.
        shared = max(
            _bits(effects[move].changes), key=lambda fluent: (writers[fluent], -fluent), default=-1
        )
        return shared, move

    ordered = sorted(effects, key=place)
    rank = {move: number for number, move in enumerate(ordered)}
    ways: dict[str, dict[int, int]] = {way: {} for way in (*CHANGES, "reads")}
    for move, number in rank.items():
        for way, users in ways.items():
            for fluent in _bits(getattr(effects[move], way)):
                users[fluent] = users.get(fluent, 0) | 1 << number
    apart = []
    for number, move in enumerate(ordered):
        effect, clash = effects[move], 0
        for fluent in _bits(effect.reads):
            for way in CHANGES:
                clash |= ways[way].get(fluent, 0)
        for mine in CHANGES:
            for fluent in _bits(getattr(effect, mine)):
                for way in ways:
                    if way != mine or mine == "other":
                        clash |= ways[way].get(fluent, 0)
        # What the other move makes illegal cannot come right after it anyway.
        for fluent in _bits(effect.bars):
            clash &= ~ways["set"].get(fluent, 0)
        for fluent in _bits(effect.needs):
            clash &= ~ways["cleared"].get(fluent, 0)
        apart.append([other for other in _bits(clash) if other > number])
    if all(len(others) == len(ordered) - 1 - i for i, others in enumerate(apart)):
        return None
    return MoveOrder(rank, apart, strict)


def _exclusive(effects: dict[int, _Effect], clocks: int, start: int) -> dict[int, int]:
    """For each fluent, others that never hold with it.

    That is what holds at first and what every move keeps: when it makes one of two true, the other
    is cleared, or it was false before, as something that the move needs says.
    """
    concerned = 0
    for effect in effects.values():
        concerned |= effect.changes | effect.needs
    concerned &= ~clocks
    if len(_bits(concerned)) > FLUENTS:
        raise _NotKnown
    never = {
        fluent: concerned & ~(1 << fluent) & (~start if start >> fluent & 1 else -1)
        for fluent in _bits(concerned)
    }
    changed = True
    until = time.process_time() + SECONDS
    while changed:
        changed = False
        for effect in effects.values():
            if time.process_time() > until:
                raise _NotKnown
            false = 0
            for fluent in _bits(effect.needs & concerned):
                false |= never[fluent]
            false = false & ~effect.rises | effect.cleared
            for fluent in _bits(effect.rises):
                lost = never[fluent] & ~false
                if lost:
                    changed = True
                    never[fluent] &= false
                    for other in _bits(lost):
                        never[other] &= ~(1 << fluent)
    return never


def _bits(value: int) -> list[int]:
    return [place for place, bit in enumerate(bin(value)[:1:-1]) if bit == "1"]


class _Part(NamedTuple):
    """One way for the game to end: fluents that it reads, that it needs, and that bar it."""

    reads: int
    needs: int
    bars: int


class _NotKnown(Exception):
    """The rules are too many, or not of a kind that can be told."""


def _effects(
    program: _core.GroundProgram, relevant: set[int]
) -> tuple[dict[int, _Effect], int, _Expressions]:
    """The effect of each move without that on the clocks, which come second."""
    rules = _Expressions(program, relevant)
    fluents = [
        (number, true, after)
        for number, (true, after) in enumerate(program.fluent_atoms())
        if true in relevant
    ]
    moves = {n: atoms for n, atoms in enumerate(program.move_atoms()) if atoms[0] in relevant}
    becomes: dict[int, dict[int, int]] = {}
    for move, (_, does) in moves.items():
        rules.put_in(does)
        values = ((number, true, rules.given(after)) for number, true, after in fluents)
        becomes[move] = {number: value for number, true, value in values if value != true}
    clocks = _clocks(becomes, rules)
    true_of = {number: true for number, true, _ in fluents}
    effects = {}
    for move, (legal, _) in moves.items():
        legal = rules.base(legal)
        needs, bars = rules.implied(legal)
        effect = effects[move] = _Effect(reads=rules.support(legal), needs=needs, bars=bars)
        for number, value in becomes[move].items():
            if not clocks >> number & 1:
                rules.note(effect, number, true_of[number], value)
    return effects, clocks, rules


def _clocks(becomes: dict[int, dict[int, int]], rules: _Expressions) -> int:
    """Fluents that change in the same way with every move, by clocks alone."""
    first, *others = becomes.values() or [{}]
    changing = 0
    for values in becomes.values():
        for number in values:
            changing |= 1 << number
    same = {n: v for n, v in first.items() if all(values.get(n) == v for values in others)}
    while True:
        clocks = sum(1 << number for number in same)
        kept = {n: v for n, v in same.items() if not rules.support(v) & changing & ~clocks}
        if len(kept) == len(same):
            return clocks
        same = kept


class _Expressions:
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
        for number, (true, _) in enumerate(program.fluent_atoms()):
            if true:
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
                    raise _NotKnown
                late.extend(atoms)
            else:
                self._settle(atoms)
            if time.process_time() > self._until:
                raise _NotKnown
        self._users: dict[int, list[int]] = {}
        for atom in late:
            for used in {abs(literal) for body in self._rules[atom] for literal in body}:
                self._users.setdefault(used, []).append(atom)
            self._values[atom] = self._evaluate(atom)
            if time.process_time() > self._until:
                raise _NotKnown
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

    def parts(self, atom: int) -> list[_Part]:
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
                for literal in body:
                    base = self._base[literal] if literal > 0 else -self._base[-literal]
                    held, barred = self.implied(base)
                    reads, needs, bars = reads | self.support(base), needs | held, bars | barred
                found.append(_Part(reads, needs, bars))
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
            raise _NotKnown
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

    def note(self, effect: _Effect, fluent: int, true: int, value: int) -> None:
        """Add to an effect what becomes of a fluent."""
        bit = 1 << fluent
        bodies = self._bodies_of.get(value, frozenset())
        if value == self.TRUE:
            effect.set |= bit
        elif value == -self.TRUE:
            effect.cleared |= bit
        elif value == -true:
            effect.flipped |= bit
        else:
            effect.other |= bit
            effect.reads |= self.support(value)
        if value != -self.TRUE and not (bodies and all(true in body for body in bodies)):
            effect.rises |= bit
        if value != self.TRUE and frozenset([true]) not in bodies:
            effect.falls |= bit

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
