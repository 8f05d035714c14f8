"""Small games in extensive form: who knows what when, and what is best then.

The tree of all matches, with every player's *information sets*: what it has done and perceived so
far is all that tells one of its decisions from another. `exploitability` says how far a strategy is
from an equilibrium; `woodstock.solve.regret` finds one. For games of some hundred thousand
matches: an oracle for the searches, and where there are few, what they play by.

>>> from woodstock import Game
>>> tree = ExtensiveForm.of(Game.from_library("monty-hall"))
>>> tree.nodes, len(tree.sets)
(43, 7)
>>> uniform = tree.uniform()
>>> round(tree.values(uniform)["candidate"], 3), round(tree.best_response(uniform, "candidate"), 3)
(0.5, 0.667)
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TypeAlias

from woodstock.game import Game
from woodstock.solve.game_tree import CHANCE, GameTree, TooLargeError

__all__ = ["ExtensiveForm", "Strategy", "TooLargeError"]

NODES = 300_000
"""The most nodes that a tree may have."""

Strategy: TypeAlias = Sequence[Sequence[float]]
"""For each information set the probabilities of its moves."""


class ExtensiveForm(GameTree):
    """The tree of a game, and what strategies are worth in it. Chance moves evenly."""

    @classmethod
    def of(cls, game: Game, *, limit: int = NODES) -> ExtensiveForm:
        """The tree of a game; `TooLargeError` where it has more than `limit` nodes."""
        return cls(game, limit=limit)

    def uniform(self) -> list[list[float]]:
        """The strategy that knows nothing."""
        return [[1 / len(one.moves)] * len(one.moves) for one in self.sets]

    def values(self, strategy: Strategy) -> dict[str, float]:
        """What each player gets on average if all keep to a strategy."""
        places = range(len(self.players))
        return {self.players[place]: self.worth(strategy, place)[0] for place in places}

    def best_response(self, strategy: Strategy, role: str) -> float:
        """What a player can get on average if the others keep to a strategy."""
        return self.worth(strategy, self.players.index(role), answer=True)[0]

    def exploitability(self, strategy: Strategy) -> float:
        """What players could gain by answering the strategy as well as they can, on average."""
        usual = self.values(strategy)
        gains = (self.best_response(strategy, role) - usual[role] for role in self.players)
        return sum(gains) / len(self.players)

    def worth(self, strategy: Strategy, place: int, *, answer: bool = False) -> list[float]:
        """For each node what a player gets from there on if all keep to a strategy.

        With `answer` the player itself makes the best of what it knows.
        """
        values = [0.0] * self.nodes
        for node, utilities in self.ends:
            values[node] = utilities[place]
        others = self.reach(strategy, place)[1] if answer else []
        best: dict[int, int] = {}
        for node, where, first, last in reversed(self.choices):
            if where == CHANCE:
                values[node] = sum(values[first:last]) / (last - first)
            elif answer and self.owners[where] == place:
                if where not in best:
                    members = self.members[where]
                    worth = [
                        sum(others[one.node] * values[one.first + move] for one in members)
                        for move in range(last - first)
                    ]
                    best[where] = worth.index(max(worth))
                values[node] = values[first + best[where]]
            else:
                values[node] = sum(map(mul, strategy[where], values[first:last]))
        return values

    def reach(self, strategy: Strategy, place: int) -> tuple[list[float], list[float]]:
        """How likely a player is to make its moves on the way to each node, and all others."""
        mine, others = [1.0] * self.nodes, [1.0] * self.nodes
        for node, where, first, last in self.choices:
            own, rest, count = mine[node], others[node], last - first
            if where != CHANCE and self.owners[where] == place:
                mine[first:last] = [own * share for share in strategy[where]]
                others[first:last] = [rest] * count
            else:
                shares = [1 / count] * count if where == CHANCE else strategy[where]
                mine[first:last] = [own] * count
                others[first:last] = [rest * share for share in shares]
        return mine, others
