"""The fast path: one native solver a template, which is told the state and forgets it again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from woodstock import _core
from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.scsp.encode.builder import Builder

if TYPE_CHECKING:
    from woodstock.scsp.encode.template import Template, TurnOutcome

__all__ = ["TemplateSolver", "problem_of"]


def problem_of(builder: Builder) -> _core.CspProblem:
    """The native problem of a builder; its variables keep their numbers."""
    problem = _core.CspProblem()
    for domain in builder.domains:
        problem.add_variable(len(domain))
    for table in builder.tables:
        rows = [entry for row in table.rows for entry in row]
        add = problem.add_table if table.allowed else problem.add_forbidden
        add(list(table.scope), rows)
    return problem


class TemplateSolver:
    """Solves one template for state after state. Not for several threads at once.

    Options are those of `_core.CspSolver`; the heuristic is ``lex`` if none is given.
    """

    def __init__(self, template: Template, **options: Any) -> None:
        self.template = template
        turn = template.turn
        # Along the order of the network: moves come before what they determine, so that nothing
        # is ever guessed that propagation would have told.
        options.setdefault("heuristic", "lex")
        self.solver = _core.CspSolver(problem_of(turn.builder), **options)
        self._consistent = self.solver.propagate()
        self._now = [now for now, _ in turn.slots]

    def enter(self, state: State | Iterable[Term]) -> bool:
        """Push a level, fix the variables of now and propagate; whether a solution can be left.

        Follow it by `leave`.
        """
        places = self.template.places(state)
        self.solver.push()
        if not self._consistent:
            return False
        return self.solver.assign(self._now, places) and self.solver.propagate()

    def leave(self) -> None:
        """Forget the state."""
        self.solver.pop()

    def legal(self, state: State | Iterable[Term]) -> list[list[Term | None]]:
        """The moves that each role has, by propagation alone: no search is needed for them.

        [None] where the game is over, nothing at all where some role cannot move.
        """
        turn = self.template.turn
        try:
            if not self.enter(state):
                return [[] for _ in turn.actions]
            return [
                [moves[value] for value in self.solver.domain(action)]
                for action, moves in zip(turn.actions, turn.moves)
            ]
        finally:
            self.leave()

    def solutions(self, state: State | Iterable[Term], limit: int = 0) -> set[TurnOutcome]:
        """All outcomes of a state, or `limit` of them."""
        try:
            if not self.enter(state):
                return set()
            found = self.solver.solve(limit=limit, project=self.template.columns)
        finally:
            self.leave()
        return {self.template.decode(row) for row in found.rows()}
