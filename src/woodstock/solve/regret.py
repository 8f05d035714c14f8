"""Counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione 2007).

It finds an equilibrium of two players whose goals are opposed, and the best plan of one who is
alone. For others nothing is promised, though it often does well.

>>> from woodstock import Game
>>> tree = ExtensiveForm.of(Game.from_library("monty-hall"))
>>> solver = RegretMinimiser(tree)
>>> solver.run(50)
>>> round(tree.values(solver.average())["candidate"], 3)
0.667
"""

from __future__ import annotations

from woodstock.solve.extensive import ExtensiveForm

__all__ = ["RegretMinimiser"]


class RegretMinimiser:
    """Counterfactual regret minimisation, one player after the other.

    With `plus`, regrets never fall below zero and later strategies count more (CFR+, Tammelin
    2014), which is much faster; without, it is the algorithm of 2007.
    """

    def __init__(self, tree: ExtensiveForm, *, plus: bool = True) -> None:
        self._tree = tree
        self._plus = plus
        self.rounds = 0
        """How many times every player has learned."""
        self._regrets = [[0.0] * len(one.moves) for one in tree.sets]
        self._sums = [[0.0] * len(one.moves) for one in tree.sets]
        self.current = tree.uniform()
        """The strategy that regrets ask for now."""

    def run(self, rounds: int) -> None:
        """Let every player learn so many times."""
        for _ in range(rounds):
            self.rounds += 1
            for place in range(len(self._tree.players)):
                self._learn(place)
                self._match(place)

    def average(self) -> list[list[float]]:
        """The average strategy, which comes close to an equilibrium."""
        out = []
        for sums in self._sums:
            total = sum(sums)
            out.append([x / total if total > 0 else 1 / len(sums) for x in sums])
        return out

    def _learn(self, place: int) -> None:
        """Note what a player regrets, and what it played."""
        tree, current = self._tree, self.current
        mine, others = tree.reach(current, place)
        values = tree.worth(current, place)
        weight = self.rounds if self._plus else 1
        for where, members in enumerate(tree.members):
            if tree.owners[where] != place:
                continue
            regrets, sums, shares = self._regrets[where], self._sums[where], current[where]
            for node, _, first, last in members:
                reach, value, played = others[node], values[node], weight * mine[node]
                for move, one in enumerate(values[first:last]):
                    regrets[move] += reach * (one - value)
                    sums[move] += played * shares[move]

    def _match(self, place: int) -> None:
        """Play moves in proportion to how much they are regretted."""
        for where, regrets in enumerate(self._regrets):
            if self._tree.owners[where] != place:
                continue
            wanted = [max(0.0, regret) for regret in regrets]
            if self._plus:
                regrets[:] = wanted
            total = sum(wanted)
            self.current[where] = (
                [regret / total for regret in wanted]
                if total > 0
                else [1 / len(regrets)] * len(regrets)
            )
