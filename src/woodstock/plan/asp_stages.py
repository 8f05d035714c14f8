"""Ground rules turn by turn, for an answer set solver.

Stage t is the state after t turns. Only what can hold there, as far as a relaxation tells, becomes
an atom of the solver: what cannot hold and what holds in any case are constants, so that the first
stages are small, and the first stage where the game may end with a goal is seen at once. A fluent
is the very literal that says that it holds next in the stage before.

Each turn has an atom *on*: the turn is played. Then the game is not over before it, and every role
makes exactly one legal move. When a turn is not played, the game is over before it. To ask for a
game of at most T turns is to assume that turn T is not on; whatever the solver learns about one T
is true of all others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from woodstock import _core
from woodstock.plan.asp_rules import FALSE, TRUE, Bodies, StageRules, any_of, define
from woodstock.plan.order import MoveOrder, order_of

if TYPE_CHECKING:
    import clingo

__all__ = ["Stages"]

FEW = 8


class Stages:
    """The stages of a ground program from a state on, in a control of clingo.

    `fluents` hold at first, `values` are what the goals with these numbers are worth to the player,
    `movers` which of the roles makes a move (negative: nobody). Where nothing else is wanted, moves
    that commute are made in one order only: that loses plans, but no length or goal of a plan.
    """

    ways = (True, False)
    """Whether to ask for plans of just a length, and up to it. That helps the solver to know when
    the game ends; not to know may leave an easier way."""

    def __init__(
        self,
        control: clingo.Control,
        program: _core.GroundProgram,
        *,
        fluents: Iterable[int],
        values: Sequence[tuple[int, int]],
        movers: Sequence[int],
        roles: int,
        ordered: bool = True,
    ) -> None:
        self._control = control
        self._fluent_atoms = program.fluent_atoms()
        self._terminal = program.terminal_atom
        goals = program.goal_atoms()
        self._goals = [(goals[number], value) for number, value in values if value > 0]
        self._moves: list[list[tuple[int, int, int]]] = [[] for _ in range(roles)]
        for number, (legal, does) in enumerate(program.move_atoms()):
            if legal and movers[number] >= 0:
                self._moves[movers[number]].append((number, legal, does))
        self._rules = StageRules(program, self._roots())
        held = set(fluents)
        self._order = (
            order_of(program, self._rules.relevant, held) if ordered and roles == 1 else None
        )
        with control.backend() as backend:
            if backend.add_atom() != TRUE:  # pragma: no cover - the control was used before
                raise ValueError("stages need a control of their own")
            backend.add_rule([TRUE])
        self._values = [FALSE] * (program.atom_count + 1)
        for atom in self._rules.constants:
            self._values[atom] = TRUE
        for number, (true, _) in enumerate(self._fluent_atoms):
            if true:
                self._values[true] = TRUE if number in held else FALSE
        self.terminal: list[int] = []
        """The literal of the game being over, by stage."""
        self.on: list[int] = []
        """The literal of a turn being played, by turn."""
        self.does: list[list[list[tuple[int, int]]]] = []
        """What each role may do, by turn: number of the move and literal."""
        self._places: list[_Places] = []
        self._goal_literals: list[list[tuple[int, int]]] = []
        self._asked: dict[int, tuple[int, int]] = {}
        """The atom of a goal being asked for, and the stages that know of it."""
        with control.backend() as backend:
            self._look(backend)

    @property
    def last(self) -> int:
        """The last stage there is so far."""
        return len(self.terminal) - 1

    @property
    def ended(self) -> bool:
        """Whether no stage can follow the last one."""
        return self.terminal[-1] == TRUE or not all(self._open)

    def greatest(self, stage: int) -> int:
        """The highest goal that may be reached at a stage, if the game may end there; or -1."""
        if self.terminal[stage] == FALSE:
            return -1
        goals = self._goal_literals[stage]
        return max((value for literal, value in goals if literal != FALSE), default=0)

    def _at_least(self, backend: Any, stage: int, goal: int) -> int:
        """The literal of the player having this goal or more at a stage."""
        if goal <= 0:
            return TRUE
        goals = self._goal_literals[stage]
        return any_of(backend, (literal for literal, value in goals if value >= goal))

    def ending(self, stage: int, goal: int, exact: bool = False) -> list[int]:
        """What to assume for a game that ends at a stage, or before, with this goal or more."""
        with self._control.backend() as backend:
            asked, told = self._asked.get(goal) or (backend.add_atom(), 0)
            if not told:
                backend.add_rule([asked], [], True)
            for before in range(told, stage + 1):
                reached = self._at_least(backend, before, goal)
                if reached != TRUE:
                    backend.add_rule([], [asked, *self._end(before), -reached])
            self._asked[goal] = asked, max(told, stage + 1)
        return [asked, -self.on[stage], *(self.on[stage - 1 : stage] if exact else [])]

    def going_on(self) -> list[int]:
        """What to assume for a game that is not over at the last stage."""
        return [self.on[-1]]

    def _end(self, stage: int) -> list[int]:
        return [-self.on[stage], *self.on[stage - 1 : stage]]

    def grow(self) -> None:
        """Add a turn, and the stage after it."""
        with self._control.backend() as backend:
            self._play(backend)
            values, rules = self._values, self._rules
            rules.evaluate(backend, values, rules.after_moves)
            held = [values[after] if after else FALSE for _, after in self._fluent_atoms]
            for (true, _), value in zip(self._fluent_atoms, held, strict=True):
                if true:
                    values[true] = value
            self._look(backend)

    def answer(self, holds: Callable[[int], bool]) -> tuple[int, list[list[int]]]:
        """The goal and the joint moves of a model, by number."""
        stage = next(stage for stage, on in enumerate(self.on) if not holds(on))
        goals = self._goal_literals[stage]
        plan = [
            [next(number for number, literal in role if holds(literal)) for role in turn]
            for turn in self.does[:stage]
        ]
        return max((value for literal, value in goals if holds(literal)), default=0), plan

    def _roots(self) -> list[int]:
        legal = [legal for role in self._moves for _, legal, _ in role]
        return [*legal, *(atom for atom, _ in self._goals), self._terminal]

    def _look(self, backend: Any) -> None:
        """Evaluate what depends on the state alone."""
        values, rules = self._values, self._rules
        rules.evaluate(backend, values, rules.before_moves)
        terminal = values[self._terminal] if self._terminal else FALSE
        self.terminal.append(terminal)
        on = backend.add_atom()
        backend.add_rule([on], self.on[-1:], True)
        self.on.append(on)
        if terminal != FALSE:
            backend.add_rule([], [on, terminal])
        if terminal != TRUE:
            backend.add_rule([], [-terminal, *self._end(len(self.on) - 1)])
        self._goal_literals.append([(values[atom], value) for atom, value in self._goals])
        self._open = [[move for move in role if values[move[1]] != FALSE] for role in self._moves]

    def _play(self, backend: Any) -> None:
        """Add the turn at the last stage."""
        values, on = self._values, self.on[-1]
        turn = []
        for role, moves in zip(self._moves, self._open, strict=True):
            for _, _, does in role:
                if does:
                    values[does] = FALSE
            chosen = []
            for number, legal, does in moves:
                literal = values[legal]
                if len(moves) == 1:
                    # Whether it is legal matters only where the turn is played.
                    if literal != TRUE:
                        backend.add_rule([], [on, -literal])
                    made = TRUE
                else:
                    made = backend.add_atom()
                    backend.add_rule([made], [on] if literal == TRUE else [on, literal], True)
                chosen.append((number, made))
                if does:
                    values[does] = made
            if len(moves) != 1:
                backend.add_rule([], [on, *(-made for _, made in chosen)])
                backend.add_weight_rule([], 2, [(made, 1) for _, made in chosen])
            turn.append(chosen)
        self.does.append(turn)
        if self._order is not None:
            self._places.append(_Places(backend, self._order.rank, turn[0]))
            end = len(self._places) - (0 if self._order.strict else 1)
            if end > 1:
                self._put_in_order(backend, self._order, *self._places[end - 2 : end])

    def _put_in_order(
        self, backend: Any, order: MoveOrder, before: _Places, after: _Places
    ) -> None:
        """Of two moves that commute, let the first have the lower place."""
        on = self.on[-1]
        for place, made in after.moves.items():
            higher = before.from_place(place + 1)
            if higher != FALSE:
                others = [-before.moves[x] for x in order.apart[place] if x in before.moves]
                backend.add_rule([], [on, made, higher, *others])
        # Where no move has to come after one of a higher place, places never go down. That follows
        # from the rules above, but only by cases: said outright, the solver sees far ahead.
        if len(after.without) <= FEW:
            free = [-made for made in after.without]
            for place in before.moves:
                if place in order.cuts:
                    from_place = [before.from_place(place), -after.from_place(place)]
                    backend.add_rule([], [on, *from_place, *free])


class _Places:
    """The moves of a turn by their places in an order."""

    def __init__(
        self, backend: Any, rank: dict[int, int], moves: Sequence[tuple[int, int]]
    ) -> None:
        self.moves = {rank[number]: made for number, made in moves if number in rank}
        self.without = [made for number, made in moves if number not in rank]
        self._sorted = sorted(self.moves)
        self._from = [FALSE]
        for place in reversed(self._sorted):
            bodies: Bodies = [(self.moves[place],)]
            if len(self._from) > 1:
                bodies.append((self._from[-1],))
            self._from.append(define(backend, bodies))
        self._from.reverse()

    def from_place(self, place: int) -> int:
        """The literal of a move with this place or a higher one."""
        return self._from[bisect_left(self._sorted, place)]
