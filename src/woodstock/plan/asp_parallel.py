"""Stages in which several moves are made at once, for an answer set solver.

Moves that are independent can be made one after the other in any order. So a stage is a *set* of
moves, each two of them independent and each legal where the stage begins: a plan of fifty moves
becomes one of a few stages, and a sudoku becomes the constraint problem that it is, in one stage.
That is the parallel semantics of planning as satisfiability (Kautz and Selman 1996; Rintanen,
Heljanko and Niemelä 2006, who call it the ∀-step semantics).

Of turns only the number is left, which is what clocks depend on: the clocks at the end follow from
how many moves there are. Of moves that exclude each other one at most is counted: that at least
fifty of fifty cells are filled then says at once that each of them is.

A model is played through in turns before it counts. Where the game is over too soon in every order
that is tried, the model is forbidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from woodstock import _core
from woodstock.plan.asp_rules import FALSE, TRUE, Bodies, StageRules, any_of, define
from woodstock.plan.effects import Effects
from woodstock.plan.expressions import NotKnown, bits
from woodstock.plan.independence import Independence

if TYPE_CHECKING:
    import clingo

__all__ = ["ParallelStages"]

MOST_TURNS = 2000
"""Clocks are followed for so many turns."""


class ParallelStages:
    """The stages of a ground program of one role, in a control of clingo.

    `fluents` hold at first, `values` are what the goals with these numbers are worth. A plan takes
    at most `turns` turns. `NotKnown` where it cannot be told what moves do, or where no two of them
    are independent.
    """

    ways = (False,)

    def __init__(
        self,
        control: clingo.Control,
        program: _core.GroundProgram,
        *,
        fluents: Sequence[int],
        values: Sequence[tuple[int, int]],
        turns: int | None = None,
    ) -> None:
        self._control = control
        self._program = program
        self._fluent_atoms = program.fluent_atoms()
        self._legal = [legal for legal, _ in program.move_atoms()]
        goals = program.goal_atoms()
        self._goals = [(goals[number], value) for number, value in values if value > 0]
        self._worth = dict(values)
        roots = [*self._legal, *(atom for atom, _ in self._goals), program.terminal_atom]
        self._rules = StageRules(program, roots)
        effects = Effects(program, self._rules.relevant, fluents)
        self._expressions = effects.expressions
        self._moves = Independence(effects)
        self._groups = self._moves.groups()
        if len(self._groups) < 2:
            raise NotKnown
        self._evaluator = _core.Evaluator(program)
        self._start = _packed(fluents, self._evaluator.state_size)
        self._clock(effects, fluents, turns)
        with control.backend() as backend:
            if backend.add_atom() != TRUE:  # pragma: no cover - the control was used before
                raise ValueError("stages need a control of their own")
            backend.add_rule([TRUE])
            held = set(fluents)
            self._values = [FALSE] * (program.atom_count + 1)
            for atom in self._rules.constants:
                self._values[atom] = TRUE
            for number, (true, _) in enumerate(self._fluent_atoms):
                if true:
                    self._values[true] = TRUE if number in held else FALSE
            self.on: list[int] = [backend.add_atom()]
            """The literal of a stage having moves in it, by stage."""
            backend.add_rule([self.on[0]], [], True)
            self._made: list[dict[int, int]] = []
            self._counted: list[int] = []
            self._ends: list[tuple[int, list[tuple[int, int]]]] = []
            self._asked: dict[tuple[int, int], int] = {}
            self._wrong: list[list[int]] = []
            self._look(backend)

    def _clock(self, effects: Effects, fluents: Sequence[int], turns: int | None) -> None:
        """Find out what the clocks that matter at an end are, by the number of moves."""
        rules, terminal = effects.expressions, self._program.terminal_atom
        ends = [atom for atom, _ in self._goals] + ([terminal] if terminal else [])
        read = 0
        for atom in ends:
            read |= rules.support(rules.base(atom))
        read &= effects.clocks
        course = effects.course_of_clocks(fluents, MOST_TURNS)
        self._most = turns
        over = [part for part in rules.parts(terminal) if part.clear] if terminal else []
        over = [part for part in over if not part.reads & ~effects.clocks]
        for turn, held in enumerate(course):
            if any(not part.needs & ~held and not part.bars & held for part in over):
                # No move is made after that.
                self._most = turn if turns is None else min(turn, turns)
                break
        self._clocks: list[tuple[int, int]] = []
        """From how many moves on, and which clocks hold then; they change from one to the next."""
        for turn, held in enumerate(course):
            if not self._clocks or self._clocks[-1][1] != held & read:
                self._clocks.append((turn, held & read))
        self._read = bits(read)
        self._timed = [
            component
            for component in self._rules.before_moves
            if any(rules.support(rules.base(atom)) & read for atom in component if atom > 0)
        ]

    @property
    def last(self) -> int:
        """The last stage there is so far."""
        return len(self._ends) - 1

    @property
    def ended(self) -> bool:
        """Whether no stage can follow the last one."""
        return all(self._values[self._legal[move]] == FALSE for move in self._moves.moves)

    def greatest(self, stage: int) -> int:
        """The highest goal that may be reached at a stage, if the game may end there; or -1."""
        terminal, goals = self._ends[stage]
        if terminal == FALSE:
            return -1
        return max((value for literal, value in goals if literal != FALSE), default=0)

    def ending(self, stage: int, goal: int, exact: bool = False) -> list[int]:
        """What to assume for a game that ends with this goal or more after so many stages."""
        with self._control.backend() as backend:
            for made in self._wrong:
                backend.add_rule([], made)
            self._wrong.clear()
            asked = self._asked.get((stage, goal))
            if asked is None:
                asked = self._asked[stage, goal] = backend.add_atom()
                backend.add_rule([asked], [], True)
                terminal, goals = self._ends[stage]
                reached = any_of(backend, (x for x, value in goals if value >= goal))
                for literal in (terminal, TRUE if goal <= 0 else reached):
                    if literal != TRUE:
                        backend.add_rule([], [asked, -literal])
        return [asked, -self.on[stage]]

    def answer(self, holds: Callable[[int], bool]) -> tuple[int, list[list[int]]] | None:
        """The goal and the joint moves of a model, made in turns; None: it does not work."""
        stages = [[n for n, literal in made.items() if holds(literal)] for made in self._made]
        plan: list[list[int]] = []
        state = self._start
        for moves in filter(None, stages):
            left = list(moves)
            while left:
                terminal, _, goals = self._evaluator.analyse(state)
                if terminal:
                    return self._value(goals), plan
                state, move = self._next(state, left)
                left.remove(move)
                plan.append([move])
        terminal, _, goals = self._evaluator.analyse(state)
        if terminal:
            return self._value(goals), plan
        return None

    def _next(self, state: bytes, moves: Sequence[int]) -> tuple[bytes, int]:
        """Where one of the moves leads, after which the game goes on if that can be.

        All are legal, being independent; whoever gets the plan plays it through once more.
        """
        for move in moves:
            after, chosen = self._evaluator.next(state, [move])[0], move
            if not self._evaluator.analyse(after)[0]:
                break
        return after, chosen

    def reject(self, holds: Callable[[int], bool]) -> None:
        """Let a model not be found again."""
        self._wrong.append([x for made in self._made for x in made.values() if holds(x)])

    def grow(self) -> None:
        """Add a stage of moves, and the state after it."""
        with self._control.backend() as backend:
            self._play(backend)
            self._advance(backend)
            self._look(backend)

    def _value(self, goals: Iterable[int]) -> int:
        return max((self._worth.get(number, 0) for number in goals), default=0)

    def _look(self, backend: Any) -> None:
        """Evaluate what depends on the state alone: what is legal, and how the game may be over."""
        values, rules = self._values, self._rules
        clocks = {fluent: values[self._fluent_atoms[fluent][0]] for fluent in self._read}
        rules.evaluate(backend, values, rules.before_moves)
        # As if no time had passed: that the clocks are up is told by the number of moves.
        early = values[self._program.terminal_atom] if self._program.terminal_atom else FALSE
        if self._made and early != FALSE:
            backend.add_rule([], [self.on[-1], early])
        self._set_clocks(backend)
        rules.evaluate(backend, values, self._timed)
        terminal = values[self._program.terminal_atom] if self._program.terminal_atom else FALSE
        self._ends.append((terminal, [(values[atom], value) for atom, value in self._goals]))
        for fluent, literal in clocks.items():
            values[self._fluent_atoms[fluent][0]] = literal

    def _set_clocks(self, backend: Any) -> None:
        """Let the clocks be what they are after all moves so far, and limit the number of these."""
        if self._most is not None and len(self._counted) > self._most:
            backend.add_weight_rule([], self._most + 1, [(x, 1) for x in self._counted])
        if not self._read:
            return
        at_least = []
        for turn, _ in self._clocks:
            if turn == 0:
                at_least.append(TRUE)
            elif turn > len(self._counted):
                at_least.append(FALSE)
            else:
                at_least.append(backend.add_atom())
                backend.add_weight_rule([at_least[-1]], turn, [(x, 1) for x in self._counted])
        times: dict[int, list[int]] = {fluent: [] for fluent in self._read}
        for (_, held), begun, over in zip(self._clocks, at_least, [*at_least[1:], FALSE]):
            if begun != FALSE:
                now = [x for x in (begun, -over) if x != TRUE]
                literal = define(backend, [tuple(now)]) if now else TRUE
                for fluent in bits(held):
                    times[fluent].append(literal)
        for fluent, literals in times.items():
            self._values[self._fluent_atoms[fluent][0]] = any_of(backend, literals)

    def _play(self, backend: Any) -> None:
        """Let some moves be made in the last stage."""
        values, on, made = self._values, self.on[-1], {}
        for place, move in enumerate(self._moves.moves):
            literal = values[self._legal[move]]
            if literal != FALSE:
                made[place] = backend.add_atom()
                backend.add_rule([made[place]], [on] if literal == TRUE else [on, literal], True)
        self._made.append({self._moves.moves[place]: literal for place, literal in made.items()})
        for clash in self._moves.clashes:
            first, second = ([place for place in bits(side) if place in made] for side in clash)
            self._keep_apart(backend, first, second, made)
        counted = [
            any_of(backend, (made[place] for place in group if place in made))
            for group in self._groups
        ]
        counted = [literal for literal in counted if literal != FALSE]
        self._counted += counted
        # No stage is empty before one that is not.
        backend.add_rule([], [on, *(-literal for literal in counted)])
        self.on.append(backend.add_atom())
        backend.add_rule([self.on[-1]], [on], True)

    def _keep_apart(
        self, backend: Any, first: list[int], second: list[int], made: dict[int, int]
    ) -> None:
        """No two different moves, one of the first and one of the second."""
        common = set(first) & set(second)
        if not first or not second or len(common) == len(first) == len(second) == 1:
            return
        alone = [place for place in first if place not in common]
        if alone:
            other = any_of(backend, (made[place] for place in second))
            for place in alone:
                backend.add_rule([], [made[place], other])
        if common and len(second) > 1:
            weights = [(made[place], 1) for place in second]
            if len(common) == len(second):
                backend.add_weight_rule([], 2, weights)
            else:
                two = backend.add_atom()
                backend.add_weight_rule([two], 2, weights)
                for place in common:
                    backend.add_rule([], [made[place], two])

    def _advance(self, backend: Any) -> None:
        """Let the fluents be what the moves of the last stage make of them."""
        moves, made = self._moves, self._made[-1]
        known: dict[int, int] = {}
        after: dict[int, int] = {}

        def chosen(way: str, fluent: int) -> list[tuple[int, int]]:
            found = [(place, made.get(moves.moves[place])) for place in moves.of(way, fluent)]
            return [(place, literal) for place, literal in found if literal is not None]

        for fluent, (true, _) in enumerate(self._fluent_atoms):
            if not true or not chosen("changes", fluent):
                continue
            now = self._values[true]
            for _, literal in chosen("flipped", fluent):
                if now in (TRUE, FALSE):
                    now = -literal if now == TRUE else literal
                else:
                    now = define(backend, [(now, -literal), (-now, literal)])
            bodies: Bodies = [(literal,) for _, literal in chosen("set", fluent)]
            stays = [] if now == TRUE else [now]
            stays += [-literal for _, literal in chosen("cleared", fluent)]
            for place, literal in chosen("other", fluent):
                stays.append(-literal)
                value = self._literal(backend, moves.effects[place].becomes[fluent], known)
                if value != FALSE:
                    bodies.append((literal,) if value == TRUE else (literal, value))
            if FALSE not in stays:
                bodies.append(tuple(stays) or (TRUE,))
            after[true] = define(backend, bodies)
        for true, literal in after.items():
            self._values[true] = literal

    def _literal(self, backend: Any, value: int, known: dict[int, int]) -> int:
        """The literal of a value of the expressions at the last stage."""
        if value < 0:
            return -self._literal(backend, -value, known)
        if value == self._expressions.TRUE:
            return TRUE
        if value < self._expressions.TRUE:
            return self._values[value]
        if value not in known:
            bodies: Bodies = []
            for body in self._expressions.formula(value):
                literals = [self._literal(backend, x, known) for x in body]
                if FALSE not in literals:
                    bodies.append(tuple(x for x in literals if x != TRUE) or (TRUE,))
            known[value] = define(backend, bodies)
        return known[value]


def _packed(fluents: Iterable[int], size: int) -> bytes:
    return sum(1 << fluent for fluent in fluents).to_bytes(size, "little")
