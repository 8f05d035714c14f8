"""What the numbers of a ground program stand for, and back.

The native core speaks of fluents, moves, goals and percepts by number: their places in the lists of
a `Grounding`. Roles are numbers as well, in the order of the rulesheet. The tables between numbers
and terms are made here, once for each engine; `engine.numbering` has them.

>>> from woodstock import Game
>>> game = Game.load("tic-tac-toe")
>>> numbering = game.circuit().numbering
>>> number = numbering.move_number(0, game.term("(mark 2 2)"))
>>> print(numbering.move(number), numbering.movers[number])
(mark 2 2) 0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from woodstock.engine import goal_value
from woodstock.gdl.terms import Term
from woodstock.ground.grounder import Grounding

__all__ = ["Numbering"]

NOBODY = -1
"""Rules may speak of terms that are no role: their moves, goals and percepts are nobody's."""


class Numbering:
    """The tables of a ground program whose roles are numbered in this order.

    By number: `fluents`; `moves`, `goals` and `percepts` with the role they belong to, or `NOBODY`.
    A goal that is no number is None. `movers` are the roles of the moves alone.
    """

    def __init__(self, grounding: Grounding, roles: Sequence[str]) -> None:
        number = {role: place for place, role in enumerate(roles)}
        self.roles = tuple(roles)
        self.fluents: Sequence[Term] = grounding.fluents
        self.moves = [(number.get(role, NOBODY), move) for role, move in grounding.moves]
        self.movers = [role for role, _ in self.moves]
        self.goals = [(number.get(r, NOBODY), goal_value(value)) for r, value in grounding.goals]
        self.percepts = [(number.get(role, NOBODY), seen) for role, seen in grounding.percepts]

    @cached_property
    def greatest_goal(self) -> int:
        """The highest goal that the rules speak of, whether it can be reached or not."""
        return max((value or 0 for _, value in self.goals), default=0)

    @cached_property
    def fluent_numbers(self) -> Mapping[Term, int]:
        """The number of each fluent that may ever hold."""
        return {fluent: number for number, fluent in enumerate(self.fluents)}

    @cached_property
    def move_numbers(self) -> Mapping[tuple[int, Term], int]:
        """The number of each move of a role that may ever be legal."""
        return {key: number for number, key in enumerate(self.moves)}

    @cached_property
    def percept_numbers(self) -> Mapping[tuple[int, Term], int]:
        """The number of all that a role may ever perceive."""
        return {key: number for number, key in enumerate(self.percepts)}

    def move(self, number: int) -> Term:
        """The move with this number."""
        return self.moves[number][1]

    def move_number(self, role: int, move: Term) -> int:
        """The number of a role's move; `KeyError` if it is never legal."""
        return self.move_numbers[role, move]

    def percept_number(self, role: int, percept: Term) -> int:
        """The number of what a role perceives; `KeyError` if it never does."""
        return self.percept_numbers[role, percept]

    def by_role(self, moves: Iterable[int]) -> list[list[int]]:
        """The numbers of moves, apart for each role, in the same order.

        >>> from woodstock import Game
        >>> numbering = Game.load("tic-tac-toe").circuit().numbering
        >>> [len(moves) for moves in numbering.by_role(range(len(numbering.moves)))]
        [10, 10]
        """
        movers = self.movers
        found: list[list[int]] = [[] for _ in self.roles]
        for move in moves:
            role = movers[move]
            if role >= 0:
                found[role].append(move)
        return found

    def best_goals(self, goals: Iterable[int]) -> list[int]:
        """For each role the highest of the goals with these numbers; 0 where it has none."""
        best = [0] * len(self.roles)
        for number in goals:
            role, value = self.goals[number]
            if role >= 0 and value is not None:
                best[role] = max(best[role], value)
        return best
