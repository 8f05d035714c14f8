"""How long plans can be, and what they can reach, by propagation alone.

From the values that each variable of the state may have in one turn, arc consistency tells those of
the next. That forgets which values go together, so it says too much, never too little. What it says
of a turn depends on that of the turn before alone: once it repeats itself, all turns are known.

>>> from woodstock import Game
>>> from woodstock.scsp.encode import template
>>> game = Game.load("buttons-and-lights-3")
>>> reach = Reach(template(game), game.initial_state(), "robot")
>>> [reach.goals(turns) for turns in range(2, 8)], reach.last
([(), (100,), (100,), (100,), (100, 0), None], 6)
"""

from __future__ import annotations

from collections.abc import Iterable

from woodstock.game import State
from woodstock.gdl.terms import Term
from woodstock.scsp.encode.injector import TemplateSolver
from woodstock.scsp.encode.template import Template

__all__ = ["Reach"]

_Domains = tuple[tuple[int, ...], ...]


class Reach:
    """What plans from a state can reach, turn by turn, worked out as it is asked for."""

    def __init__(self, template: Template, state: State | Iterable[Term], role: str) -> None:
        turn = template.turn
        self._solver = TemplateSolver(template).solver
        self._consistent = self._solver.propagate()
        self._terminal = turn.terminal
        self._slots = turn.slots
        self._score = turn.scores[template.game.roles.index(role)]
        self._worth = [v if isinstance(v, int) else 0 for v in turn.builder.domains[self._score]]
        self._next: _Domains | None = tuple((place,) for place in template.places(state))
        self._seen: dict[_Domains, int] = {}
        self._goals: list[tuple[int, ...]] = []
        self.last: int | None = None
        """No plan is longer than this; None: that is not known, or plans may have any length."""
        self.period: tuple[int, int] | None = None
        """The turn from which on all repeats itself, and after how many turns; None: not known."""

    def goals(self, turns: int) -> tuple[int, ...] | None:
        """Goals that a plan of so many turns may reach, the highest first; None beyond `last`."""
        while turns >= len(self._goals) and self._next is not None:
            self._step()
        if turns < len(self._goals):
            return self._goals[turns]
        if self.period is None:
            return None
        first, length = self.period
        return self._goals[first + (turns - first) % length]

    @property
    def known(self) -> bool:
        """Whether what follows was seen before."""
        return self._next is None

    def most_from(self, turns: int) -> int:
        """The highest goal of plans of so many turns and more, once all are `known`; -1: none."""
        if self.period is not None:
            turns = min(turns, self.period[0])
        return max((goals[0] for goals in self._goals[turns:] if goals), default=-1)

    def _step(self) -> None:
        domains = self._next
        assert domains is not None
        if domains in self._seen:
            first = self._seen[domains]
            self.period, self._next = (first, len(self._goals) - first), None
            return
        self._seen[domains] = len(self._goals)
        solver = self._solver
        solver.push()
        if self._consistent:
            for (now, _), values in zip(self._slots, domains):
                solver.restrict(now, list(values))
        goals: set[int] = set()
        if self._assume(1):
            goals.update(self._worth[value] for value in solver.domain(self._score))
        solver.pop()
        self._goals.append(tuple(sorted(goals, reverse=True)))
        self._next = None
        if self._assume(0):
            self._next = tuple(tuple(solver.domain(after)) for _, after in self._slots)
        else:
            self.last = len(self._goals) - 1
        solver.pop()
        solver.pop()

    def _assume(self, over: int) -> bool:
        solver = self._solver
        solver.push()
        return self._consistent and solver.assign([self._terminal], [over]) and solver.propagate()
