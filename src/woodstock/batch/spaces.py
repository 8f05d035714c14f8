"""What the columns of arrays stand for: actions, fluents and percepts, by number and by name.

The order is that of the texts' bytes (`woodstock.engine.sort_terms`), so it depends on the rules
alone: not on the grounder, on the machine or on the order of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from woodstock.engine import sort_terms
from woodstock.game import Game
from woodstock.gdl.terms import Term

__all__ = ["Spaces"]

NONE = 2**32 - 1
"""How the native core calls a column that stands for nothing."""


class Spaces:
    """The columns of a game's arrays.

    All roles share one list of `actions`, so that the same move has the same number whoever makes
    it; which of them a role can ever make is in the masks. The same goes for `percepts`.

    >>> spaces = Spaces(Game.load("tic-tac-toe"))
    >>> len(spaces.actions), str(spaces.actions[0]), spaces.action("noop")
    (10, '(mark 1 1)', 9)
    >>> len(spaces.fluents), spaces.fluent("(cell 2 2 x)")
    (29, 14)
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        numbering = game.circuit().numbering
        self.roles: tuple[str, ...] = game.roles
        self.fluents: tuple[Term, ...] = sort_terms(numbering.fluents)
        self.actions: tuple[Term, ...] = sort_terms(move for _, move in numbering.moves)
        self.percepts: tuple[Term, ...] = sort_terms(seen for _, seen in numbering.percepts)

    def action(self, move: Term | str) -> int:
        """The number of a move; `KeyError` where nobody ever makes it."""
        return self._actions[self._game.term(move)]

    def fluent(self, fluent: Term | str) -> int:
        """The number of a fluent; `KeyError` where it never holds."""
        return self._fluents[self._game.term(fluent)]

    def percept(self, percept: Term | str) -> int:
        """The number of a percept; `KeyError` where nobody ever perceives it."""
        return self._percepts[self._game.term(percept)]

    @cached_property
    def _actions(self) -> Mapping[Term, int]:
        return {term: number for number, term in enumerate(self.actions)}

    @cached_property
    def _fluents(self) -> Mapping[Term, int]:
        return {term: number for number, term in enumerate(self.fluents)}

    @cached_property
    def _percepts(self) -> Mapping[Term, int]:
        return {term: number for number, term in enumerate(self.percepts)}

    def columns(self) -> tuple[list[int], list[int], list[int]]:
        """The numbers of the ground program behind the columns, as the native core wants them."""
        numbering = self._game.circuit().numbering
        return (
            [numbering.fluent_numbers[fluent] for fluent in self.fluents],
            _by_role(numbering.move_numbers, self.actions, len(self.roles)),
            _by_role(numbering.percept_numbers, self.percepts, len(self.roles)),
        )


def _by_role(
    numbers: Mapping[tuple[int, Term], int], terms: Sequence[Term], roles: int
) -> list[int]:
    return [numbers.get((role, term), NONE) for role in range(roles) for term in terms]
