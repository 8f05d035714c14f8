"""Small games in extensive form: who knows what when, and what is best then.

The tree of all matches, with every player's *information sets*: what it has done and perceived so
far is all that tells one of its decisions from another. Counterfactual regret minimisation
(Zinkevich, Johanson, Bowling and Piccione 2007) finds an equilibrium of two players whose goals are
opposed, and the best plan of one who is alone; `exploitability` says how far a strategy is from it.
For games of some hundred thousand matches: an oracle for the searches.

Players who choose in the same turn are asked one after the other and do not know of each other.
Utilities are goals divided by 100.

>>> from woodstock import Game
>>> tree = ExtensiveForm.of(Game.from_library("monty-hall"))
>>> solver = RegretMinimiser(tree)
>>> solver.run(50)
>>> round(tree.values(solver.average())["candidate"], 3)
0.667
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term

__all__ = ["ExtensiveForm", "InformationSet", "RegretMinimiser", "Strategy", "TooLargeError"]

NODES = 300_000
"""The most nodes that a tree may have."""

Strategy: TypeAlias = Sequence[Sequence[float]]
"""For each information set the probabilities of its moves."""

Memory: TypeAlias = tuple[object, ...]


class TooLargeError(WoodstockError):
    """A game whose tree has too many nodes."""


@dataclass(frozen=True)
class InformationSet:
    """Decisions of a role that it cannot tell from each other, with their moves."""

    number: int
    role: str
    moves: tuple[Term, ...]
    memory: Memory


@dataclass
class _Node:
    """A decision of the role `where` belongs to; without it, chance decides.

    Without children the match is over, and `goals` has the utilities of the players.
    """

    children: list[_Node] = field(default_factory=list)
    where: InformationSet | None = None
    goals: tuple[float, ...] = ()


class ExtensiveForm:
    """The tree of a game."""

    def __init__(self, game: Game, limit: int) -> None:
        self.game = game
        self.players = tuple(role for role in game.roles if role != RANDOM)
        self.sets: list[InformationSet] = []
        self._known: dict[tuple[str, Memory], InformationSet] = {}
        self._open = game.information == "complete"
        self._limit = limit
        self._nodes = 0
        start: dict[str, Memory] = dict.fromkeys(self.players, ())
        self.root = self._grow(game.initial_state(), start)

    @classmethod
    def of(cls, game: Game, *, limit: int = NODES) -> ExtensiveForm:
        """The tree of a game; `TooLargeError` where it has more than `limit` nodes."""
        return cls(game, limit)

    @property
    def nodes(self) -> int:
        """How many nodes the tree has."""
        return self._nodes

    def values(self, strategy: Strategy) -> dict[str, float]:
        """What each player gets on average if all keep to a strategy."""
        return dict(zip(self.players, self._value(self.root, strategy)))

    def uniform(self) -> list[list[float]]:
        """The strategy that knows nothing."""
        return [[1 / len(one.moves)] * len(one.moves) for one in self.sets]

    def best_response(self, strategy: Strategy, role: str) -> float:
        """What a player can get on average if the others keep to a strategy."""
        return _BestResponse(self, strategy, role).value(self.root)

    def exploitability(self, strategy: Strategy) -> float:
        """What players could gain by answering the strategy as well as they can, on average."""
        usual = self.values(strategy)
        gains = (self.best_response(strategy, role) - usual[role] for role in self.players)
        return sum(gains) / len(self.players)

    def _value(self, node: _Node, strategy: Strategy) -> list[float]:
        if not node.children:
            return list(node.goals)
        total = [0.0] * len(self.players)
        for share, child in zip(_shares(node, strategy), node.children):
            for place, value in enumerate(self._value(child, strategy)):
                total[place] += share * value
        return total

    def _node(self) -> _Node:
        self._nodes += 1
        if self._nodes > self._limit:
            raise TooLargeError(f"{self.game.name} has more than {self._limit:,} nodes")
        return _Node()

    def _grow(self, state: State, memories: Mapping[str, Memory]) -> _Node:
        """The tree below a state."""
        if state.is_terminal:
            end = self._node()
            goals = state.goals()
            end.goals = tuple((goals[role] or 0) / 100 for role in self.players)
            return end
        return self._choose(state, memories, {}, [*self.players, RANDOM])

    def _choose(
        self,
        state: State,
        memories: Mapping[str, Memory],
        made: Mapping[str, Term],
        left: Sequence[str],
    ) -> _Node:
        """The tree below a state in which some roles have made their moves."""
        if not left:
            joint = tuple(made[one] for one in state.roles)
            after = state.apply(joint)

            def news(one: str) -> Memory:
                return (joint,) if self._open else (made[one], frozenset(after.percepts(one)))

            return self._grow(after, {one: (*memories[one], *news(one)) for one in self.players})
        role, *others = left
        if role not in state.roles:
            return self._choose(state, memories, made, others)
        legal = state.legal_moves(role)
        if len(legal) == 1:
            return self._choose(state, memories, {**made, role: legal[0]}, others)
        node = self._node()
        if role != RANDOM:
            node.where = self._set(role, legal, memories[role])
        for move in legal:
            node.children.append(self._choose(state, memories, {**made, role: move}, others))
        return node

    def _set(self, role: str, moves: tuple[Term, ...], memory: Memory) -> InformationSet:
        found = self._known.get((role, memory))
        if found is None:
            found = InformationSet(len(self.sets), role, moves, memory)
            self._known[role, memory] = found
            self.sets.append(found)
        elif found.moves != moves:
            raise WoodstockError(f"{role} cannot know which moves it has in {self.game.name}")
        return found


def _shares(node: _Node, strategy: Strategy) -> Sequence[float]:
    if node.where is None:
        return [1 / len(node.children)] * len(node.children)
    return strategy[node.where.number]


class _BestResponse:
    """A player that knows the strategy of the others, but not what it cannot see."""

    def __init__(self, tree: ExtensiveForm, strategy: Strategy, role: str) -> None:
        self._strategy = strategy
        self._role = role
        self._place = tree.players.index(role)
        self._members: dict[int, list[tuple[_Node, float]]] = {}
        self._best: dict[int, int] = {}
        self._values: dict[int, float] = {}
        self._reach(tree.root, 1.0)

    def _reach(self, node: _Node, reach: float) -> None:
        """How often the others and chance lead to each decision of the player."""
        if not node.children:
            return
        shares = _shares(node, self._strategy)
        if node.where is not None and node.where.role == self._role:
            self._members.setdefault(node.where.number, []).append((node, reach))
            shares = [1.0] * len(shares)
        for share, child in zip(shares, node.children):
            self._reach(child, reach * share)

    def value(self, node: _Node) -> float:
        """What the player gets below a node."""
        if not node.children:
            return node.goals[self._place]
        known = self._values.get(id(node))
        if known is None:
            if node.where is not None and node.where.role == self._role:
                known = self.value(node.children[self._choice(node.where)])
            else:
                pairs = zip(_shares(node, self._strategy), node.children)
                known = sum(share * self.value(child) for share, child in pairs if share)
            self._values[id(node)] = known
        return known

    def _choice(self, where: InformationSet) -> int:
        if where.number not in self._best:
            worth = [
                sum(reach * self.value(node.children[move]) for node, reach in members if reach)
                for members in [self._members[where.number]]
                for move in range(len(where.moves))
            ]
            self._best[where.number] = worth.index(max(worth))
        return self._best[where.number]


class RegretMinimiser:
    """Counterfactual regret minimisation, one player after the other.

    With `plus`, regrets never fall below zero and later strategies count more (CFR+, Tammelin
    2014), which is much faster; without, it is the algorithm of 2007.
    """

    def __init__(self, tree: ExtensiveForm, *, plus: bool = True) -> None:
        self._tree = tree
        self._plus = plus
        self._round = 0
        self._regrets = [[0.0] * len(one.moves) for one in tree.sets]
        self._sums = [[0.0] * len(one.moves) for one in tree.sets]
        self._current = tree.uniform()

    def run(self, rounds: int) -> None:
        """Let every player learn so many times."""
        for _ in range(rounds):
            self._round += 1
            for place, role in enumerate(self._tree.players):
                self._learn(self._tree.root, role, place, 1.0, 1.0)
                self._match(role)

    def average(self) -> list[list[float]]:
        """The average strategy, which comes close to an equilibrium."""
        out = []
        for sums in self._sums:
            total = sum(sums)
            out.append([x / total if total > 0 else 1 / len(sums) for x in sums])
        return out

    def _learn(self, node: _Node, role: str, place: int, mine: float, others: float) -> float:
        """The value of a node to the player; its regrets are noted on the way."""
        if not node.children:
            return node.goals[place]
        shares = _shares(node, self._current)
        if node.where is None or node.where.role != role:
            pairs = zip(shares, node.children)
            return sum(
                share * self._learn(child, role, place, mine, others * share)
                for share, child in pairs
            )
        number = node.where.number
        values = [
            self._learn(child, role, place, mine * share, others)
            for share, child in zip(shares, node.children)
        ]
        value = sum(share * one for share, one in zip(shares, values))
        weight = self._round if self._plus else 1
        for move, one in enumerate(values):
            self._regrets[number][move] += others * (one - value)
            self._sums[number][move] += weight * mine * shares[move]
        return value

    def _match(self, role: str) -> None:
        """Play moves in proportion to how much they are regretted."""
        for one in self._tree.sets:
            if one.role != role:
                continue
            regrets = self._regrets[one.number]
            if self._plus:
                regrets[:] = [max(0.0, regret) for regret in regrets]
            wanted = [max(0.0, regret) for regret in regrets]
            total = sum(wanted)
            self._current[one.number] = (
                [regret / total for regret in wanted]
                if total > 0
                else [1 / len(regrets)] * len(regrets)
            )
