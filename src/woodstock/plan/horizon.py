"""The turns of a plan as one network: the game goes on in them, and is over behind the last.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> game = Game.load("buttons-and-lights-3")
>>> horizon = Horizon(template(game), 6, game.initial_state(), "robot")
>>> horizon.solver.propagate(), horizon.goals()
(True, [100, 0])
>>> found = horizon.solver.first([(horizon.score, horizon.values_of(100)[0])])
>>> state = game.initial_state()
>>> for joint in horizon.moves(found):
...     state = state.apply(joint)
>>> state.is_terminal, state.goal("robot")
(True, 100)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from woodstock import _core
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.scsp.encode.builder import Table
from woodstock.scsp.encode.template import Template

__all__ = ["Horizon", "NotWanted", "entries_of"]


class NotWanted(Exception):
    """Whoever wanted the network does not want it any more."""


def entries_of(template: Template, commuting: int = 0) -> int:
    """The entries of all tables of a turn, roughly what a stage costs."""
    builder = template.turn.builder
    tables = sum(len(table.rows) * len(table.scope) for table in builder.tables)
    return tables + sum(map(len, builder.domains)) + 2 * commuting


class _Stage:
    """Variables and tables of a turn, as the native core takes them."""

    def __init__(self, about: dict[int, list[Table]]) -> None:
        self.variables = list(about)
        self.tables = [
            (table.scope, [entry for row in table.rows for entry in row], table.allowed)
            for tables in about.values()
            for table in tables
        ]


class Horizon:
    """A template so many times, from a state on, or any. Not for several threads at once.

    With `sooner` the game may be over before; it then stays as it is. `orders` tells, for so many
    turns played, pairs of values of the first role's action of which one order is enough: there the
    second is never followed by the first. Options are those of `_core.CspSolver`; the solver
    learns. `NotWanted` where `go_on` says no before it is made.
    """

    def __init__(
        self,
        template: Template,
        turns: int,
        state: State | Iterable[Term] | None,
        role: str,
        *,
        orders: Callable[[int], Sequence[tuple[int, int]]] = lambda turns: (),
        sooner: bool = False,
        go_on: Callable[[], bool] = lambda: True,
        **options: Any,
    ) -> None:
        self.template = template
        self.turns = turns
        self._go_on = go_on
        self._problem = problem = _core.CspProblem()
        turn = template.turn
        score = turn.scores[template.game.roles.index(role)]
        slots = [variable for pair in turn.slots for variable in pair]
        stage = _Stage(template.tables_about([turn.terminal, *turn.actions, *slots]))
        end = _Stage(template.tables_about([turn.terminal, score]))
        place: dict[int, int] = {}
        over: list[int] = []
        self.actions: list[list[int]] = []
        """The variables of the actions, for each turn in role order."""
        for _ in range(turns):
            place = {now: place[after] for now, after in turn.slots if after in place}
            if not over:
                start = self._variables([now for now, _ in turn.slots], place)
            self._stage(stage, place)
            over.append(place[turn.terminal])
            self.actions.append([place[action] for action in turn.actions])
            if len(self.actions) > 1:
                pairs = orders(len(self.actions) - 1)
                swapped = [value for first, second in pairs for value in (second, first)]
                problem.add_forbidden([self.actions[-2][0], self.actions[-1][0]], swapped)
        place = {now: place[after] for now, after in turn.slots}
        self._stage(end, place)
        over.append(place[turn.terminal])
        self.score: int = place[score]
        self._goals = [v if isinstance(v, int) else 0 for v in turn.builder.domains[score]]
        options.setdefault("heuristic", "activity")
        self.solver = _core.CspSolver(problem, learning=True, **options)
        del self._problem
        if sooner:
            over = [over[0], over[-1]]
        self.possible = self.solver.assign(over, [0] * (len(over) - 1) + [1])
        """Whether there may be such a plan, as far as was seen."""
        if state is not None:
            self.possible = self.solver.assign(start, template.places(state)) and self.possible

    def _variables(self, variables: Sequence[int], place: dict[int, int]) -> list[int]:
        sizes = self.template.turn.builder.domains
        for variable in variables:
            if variable not in place:
                place[variable] = self._problem.add_variable(len(sizes[variable]))
        return [place[variable] for variable in variables]

    def _stage(self, stage: _Stage, place: dict[int, int]) -> None:
        if not self._go_on():
            raise NotWanted
        self._variables(stage.variables, place)
        problem = self._problem
        for scope, rows, allowed in stage.tables:
            add = problem.add_table if allowed else problem.add_forbidden
            add([place[variable] for variable in scope], rows)

    def goals(self) -> list[int]:
        """The goals that are left, the highest first."""
        return sorted({self._goals[v] for v in self.solver.domain(self.score)}, reverse=True)

    def values_of(self, goal: int) -> list[int]:
        """The values of the score that are worth this goal and are left."""
        return [v for v in self.solver.domain(self.score) if self._goals[v] == goal]

    def want_more_than(self, goal: int) -> bool:
        """Take away what is worth no more; False where nothing is left."""
        kept = [v for v in self.solver.domain(self.score) if self._goals[v] > goal]
        return self.solver.restrict(self.score, kept) and self.solver.propagate()

    def moves(self, found: _core.SolveResult) -> list[tuple[Term, ...]]:
        """The joint moves of a solution."""
        values = memoryview(found.solutions).cast("I")
        plan: list[tuple[Term, ...]] = []
        for stage in self.actions:
            joint = []
            for action, options in zip(stage, self.template.turn.moves):
                move = options[values[action]]
                if move is None:  # the game is over
                    return plan
                joint.append(move)
            plan.append(tuple(joint))
        return plan
