"""Several turns in a row on one native solver, told what one role did and perceived.

The same network as `unroll` makes, without what nobody asks for here: scores and utilities.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> game = Game.from_library("hidden-matching-pennies")
>>> chain = Chain(template(game, percepts="alice"), 2, game.initial_state())
>>> chain.perceive(1, [game.term("(coins heads)")]) and chain.solver.propagate()
True
>>> sorted(map(str, chain.moves(1, "random")))
['(choose heads heads)', '(choose heads tails)']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from woodstock import _core
from woodstock.errors import StateError
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.scsp.encode.template import Template

__all__ = ["Chain"]


class Chain:
    """A template so many times, from a state on. Not for several threads at once.

    All turns are played: the game is over in none of them, but it may be after the last. What is
    told stays. Options are those of `_core.CspSolver`.
    """

    def __init__(self, template: Template, stages: int, state: State, **options: Any) -> None:
        self.template = template
        turn = template.turn
        slots = [variable for pair in turn.slots for variable in pair]
        percepts = [variable for variable, _ in turn.percepts]
        about = template.tables_about([turn.terminal, *turn.actions, *slots, *percepts])
        tables = [table for tables in about.values() for table in tables]
        flat = [[entry for row in table.rows for entry in row] for table in tables]
        problem = _core.CspProblem()
        self._places: list[dict[int, int]] = []
        for _ in range(stages):
            place: dict[int, int] = {}
            if self._places:
                place = {now: self._places[-1][after] for now, after in turn.slots}
            for variable in about:
                if variable not in place:
                    place[variable] = problem.add_variable(len(turn.builder.domains[variable]))
            for table, rows in zip(tables, flat):
                add = problem.add_table if table.allowed else problem.add_forbidden
                add([place[variable] for variable in table.scope], rows)
            self._places.append(place)
        self.actions = [[place[action] for action in turn.actions] for place in self._places]
        """The variables of the actions, for each stage in role order."""
        self.solver = _core.CspSolver(problem, **options)
        now = [self._places[0][variable] for variable, _ in turn.slots]
        over = [place[turn.terminal] for place in self._places]
        self.possible = self.solver.assign(
            [*now, *over], [*template.places(state), *(0 for _ in over)]
        )
        """Whether this may have a solution, as far as was seen."""

    def move(self, stage: int, role: str, move: Term) -> bool:
        """A role makes this move in a stage (from 1 on); False where it never can."""
        number = self.template.game.roles.index(role)
        options = self.template.turn.moves[number]
        if move not in options:
            self.possible = False
            return False
        return self._assign([self.actions[stage - 1][number]], [options.index(move)])

    def perceive(self, stage: int, percepts: Iterable[Term]) -> bool:
        """The observer perceives exactly this in a stage; False where it never can."""
        try:
            values = self.template.percept_places(percepts)
        except StateError:
            self.possible = False
            return False
        place = self._places[stage - 1]
        return self._assign([place[v] for v, _ in self.template.turn.percepts], values)

    def moves(self, stage: int, role: str) -> list[Term | None]:
        """The moves of a role in a stage that are left."""
        number = self.template.game.roles.index(role)
        left = self.solver.domain(self.actions[stage - 1][number])
        return [self.template.turn.moves[number][value] for value in left]

    def joint_move(self, stage: int) -> tuple[Term, ...]:
        """The joint move of a stage in which every action is decided."""
        found = []
        for action, moves in zip(self.actions[stage - 1], self.template.turn.moves):
            (value,) = self.solver.domain(action)
            move = moves[value]
            assert move is not None  # the game is over in none of the stages
            found.append(move)
        return tuple(found)

    def _assign(self, variables: list[int], values: list[int]) -> bool:
        self.possible = self.possible and self.solver.assign(variables, values)
        return self.possible
