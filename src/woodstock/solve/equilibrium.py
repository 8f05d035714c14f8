"""An equilibrium of a small game, closer with every round.

>>> from woodstock import Game
>>> solver = EquilibriumSolver(ExtensiveForm.of(Game.from_library("matching-pennies")))
>>> while not solver.is_close:
...     solver.learn()
>>> [round(share, 3) for share in solver.strategy()[0]]
[0.5, 0.5]
"""

from __future__ import annotations

from woodstock.solve.extensive import ExtensiveForm
from woodstock.solve.regret import RegretMinimiser

__all__ = ["EquilibriumSolver"]

CLOSE = 1e-4
"""What players could still gain in an equilibrium that is good enough."""
FIRST_LOOK, LOOKS = 16, 1.3
"""After so many rounds that is worked out for the first time, then each time so many times more."""
RARE = 0.01
"""How often a player gets to a set by its own moves if what it did there on average has a say."""


class EquilibriumSolver:
    """CFR+ on the tree of a game, and when it has been going on for long enough."""

    def __init__(self, tree: ExtensiveForm) -> None:
        self._tree = tree
        self._minimiser = RegretMinimiser(tree)
        self._gain = 1.0
        self._look = FIRST_LOOK

    @property
    def rounds(self) -> int:
        """How many times every player has learned."""
        return self._minimiser.rounds

    @property
    def is_close(self) -> bool:
        """Whether there is hardly anything to gain any more, as far as was looked."""
        return self._gain <= CLOSE

    def learn(self) -> None:
        """One more round."""
        self._minimiser.run(1)
        # To work out what could be gained costs as much as a round: it is done ever more rarely.
        if self.rounds >= self._look:
            self._look = int(LOOKS * self._look)
            self._gain = self._tree.exploitability(self._minimiser.average())

    def strategy(self) -> list[list[float]]:
        """The average strategy; what regrets ask for now where that was hardly ever played."""
        tree, current = self._tree, self._minimiser.current
        strategy = self._minimiser.average()
        for place in range(len(tree.players)):
            mine, _ = tree.reach(strategy, place)
            for where, members in enumerate(tree.members):
                if tree.owners[where] == place and mine[members[0].node] < RARE:
                    strategy[where] = current[where]
        return strategy
