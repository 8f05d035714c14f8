"""Small games played by their equilibria: the whole tree is solved, and moves are drawn by lot.

Where something is hidden, or players choose at once, the best move is often none in particular: to
be sure of its due, a player must be hard to guess.
"""

from __future__ import annotations

import random
import time
from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from woodstock.background import Stoppable
from woodstock.belief import Belief
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.keywords import players_of
from woodstock.gdl.terms import Term
from woodstock.search.decision import Decision, Limits, MoveValue
from woodstock.search.searcher import OnProgress, Searcher, check_question
from woodstock.solve.concepts import ahead
from woodstock.solve.equilibrium import EquilibriumSolver
from woodstock.solve.extensive import ExtensiveForm
from woodstock.solve.game_tree import CHANCE, Choice, Utilities

__all__ = ["EquilibriumSearcher", "solved_if_small"]

PROGRESS_SECONDS = 0.1


def solved_if_small(
    sampling: Searcher, game: Game, role: str, *, nodes: int, concept: str, seed: int
) -> Searcher:
    """A search that solves the game, if its tree has no more than so many nodes.

    Otherwise it is the one that samples. Games of complete information are looked at if several
    players can choose at the beginning: where they move in turn, there is no need for luck. Teams
    are left alone: who draws lots does not agree with his partner.

    >>> from woodstock import search
    >>> game = Game.from_library("kuhn-poker")
    >>> made = [search.make_searcher(f"cfr:solve_nodes={most}", game, "bob") for most in (50, 5000)]
    >>> [type(one).__name__ for one in made]
    ['BeliefSearcher', 'EquilibriumSearcher']
    """
    at_once = len(players_of(game.initial_state().turn)) > 1
    if nodes <= 0 or (game.information == "complete" and not at_once):
        return sampling
    if concept == "team":
        return sampling
    try:
        wishes = _wishes(concept, game.players.index(role))
        tree = ExtensiveForm(game, limit=nodes, utilities=wishes)
    except WoodstockError:
        return sampling
    return EquilibriumSearcher(tree, role, sampling, seed=seed)


def _wishes(concept: str, place: int) -> Utilities:
    """What goals are worth to the players, as the one in this place takes it."""
    if concept == "maxn":
        return lambda goals: goals

    def against_us(goals: Sequence[float]) -> Sequence[float]:
        ours = ahead(goals, place) if concept == "difference" else goals[place]
        return [ours if other == place else 1 - ours for other in range(len(goals))]

    return against_us


class EquilibriumSearcher:
    """Solves a game by CFR+ and draws from the average strategy.

    The more rounds, the closer it is to an equilibrium of two players, and to the best plan of one
    who is alone; what is learned stays from move to move. With more players who all play for
    themselves it may be close to nothing in particular, though it often does well. A round is as
    many simulations, and nodes, as the tree has nodes. `sampling` is asked where a situation is
    none of the tree, as a guess may be.

    >>> from woodstock import search
    >>> game = Game.from_library("matching-pennies")
    >>> searcher = search.make_searcher("cfr", game, "j1", seed=1)
    >>> found = searcher.think(game.initial_state(), limits=Limits(seconds=60))
    >>> [(str(one.move), round(one.share, 3)) for one in sorted(found.moves, key=str)]
    [('(retourne face)', 0.5), ('(retourne pile)', 0.5)]
    """

    def __init__(self, tree: ExtensiveForm, role: str, sampling: Searcher, *, seed: int) -> None:
        self._tree = tree
        self._role = role
        self._sampling = sampling
        self._solver = EquilibriumSolver(tree)
        self._rng = random.Random(seed)
        self._thinking = Stoppable("this search is thinking")

    def prepare(self, seconds: float) -> None:
        """Let the search that samples prepare."""
        self._sampling.prepare(seconds)

    def stop(self) -> None:
        """End a `think` that another thread is in; without one, nothing happens."""
        self._thinking.stop()
        self._sampling.stop()

    def think(
        self,
        situation: State | Belief,
        *,
        limits: Limits,
        on_progress: OnProgress | None = None,
    ) -> Decision:
        """Solve until a limit is reached, `stop` is called or there is hardly anything to gain."""
        game = self._tree.game
        check_question(game, situation, limits)
        spot = self._find(
            Belief.certain(situation, self._role) if isinstance(situation, State) else situation
        )
        if spot is None:
            return self._sampling.think(situation, limits=limits, on_progress=on_progress)
        with self._thinking.begun() as stop:
            luck = self._rng.random()
            watch, told = _Watch(limits, self._tree.nodes), 0.0
            while not self._solver.is_close and not stop.is_set and watch.go_on():
                self._solver.learn()
                if on_progress is not None and watch.seconds > told + PROGRESS_SECONDS:
                    told = watch.seconds
                    on_progress(self._decide(spot, luck, watch))
            return self._decide(spot, luck, watch)

    def _find(self, belief: Belief) -> _Spot | None:
        """Where the role is in the tree; sets may differ in nothing but the way there."""
        place = belief.game.roles.index(self._role)
        for position, memories in zip(belief.positions, belief.memories):
            found = self._tree.find(self._role, position, memories[place])
            if found:
                return _Spot(found[0].moves, [one.number for one in found])
        moves = belief.legal_moves()
        begins = belief.positions[0] == belief.game.engine.initial()
        return _Spot(moves, []) if begins and len(moves) == 1 else None

    def _decide(self, spot: _Spot, luck: float, watch: _Watch) -> Decision:
        tree, strategy = self._tree, self._solver.strategy()
        place = tree.players.index(self._role)
        mine, others = tree.reach(strategy, place)
        shares: Sequence[float] = [1.0]
        members = [Choice(0, CHANCE, 0, 1)]
        if spot.sets:

            def often(where: int) -> float:
                return sum(mine[one.node] * others[one.node] for one in tree.members[where])

            where = max(spot.sets, key=often)
            shares, members = strategy[where], tree.members[where]
        weights = [others[one.node] for one in members]
        if not sum(weights):  # the others would never have led us here
            weights = [1.0] * len(members)

        def mean(values: Sequence[float], nodes: Iterable[int]) -> float:
            return sum(w * values[node] for w, node in zip(weights, nodes)) / sum(weights)

        worth = [tree.worth(strategy, one) for one in range(len(tree.players))]
        found = [
            MoveValue(
                move,
                mean(worth[place], (one.first + number for one in members)),
                round(share * self._solver.rounds),
                share=share,
            )
            for number, (move, share) in enumerate(zip(spot.moves, shares))
        ]
        drawn = found[bisect([*accumulate(shares)], luck * sum(shares))]
        return Decision(
            move=drawn.move,
            value=drawn.value,
            values={
                role: mean(values, (one.node for one in members))
                for role, values in zip(tree.players, worth)
            },
            moves=tuple(sorted(found, key=lambda one: (one is not drawn, -one.share))),
            nodes=watch.simulations,
            simulations=watch.simulations,
            depth=tree.turns,
            seconds=watch.seconds,
            cpu_seconds=watch.cpu_seconds,
            notes=(f"{self._solver.rounds:,} rounds of CFR+ on {tree.nodes:,} nodes",),
        )


class _Spot(NamedTuple):
    """The role's moves, and the sets it may be in; none at a beginning without a choice."""

    moves: Sequence[Term]
    sets: Sequence[int]


class _Watch:
    """Keeps to limits: rounds are not begun that would end too late."""

    def __init__(self, limits: Limits, nodes: int) -> None:
        self._limits = limits
        self._nodes = nodes
        self._begun, self._begun_cpu = time.monotonic(), time.thread_time()
        self._before = self._before_cpu = 0.0
        self.simulations = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    @property
    def cpu_seconds(self) -> float:
        return time.thread_time() - self._begun_cpu

    def go_on(self) -> bool:
        """Whether there is room for one more round; if so, it is counted."""
        now, cpu, after = self.seconds, self.cpu_seconds, self.simulations + self._nodes
        limits = self._limits
        # The next one will take as long as the last, and so will the answer.
        ends = (
            (limits.seconds, now + 2 * (now - self._before)),
            (limits.cpu_seconds, cpu + 2 * (cpu - self._before_cpu)),
            (limits.nodes, after),
            (limits.simulations, after),
        )
        if any(limit is not None and end > limit for limit, end in ends):
            return False
        self._before, self._before_cpu, self.simulations = now, cpu, after
        return True
