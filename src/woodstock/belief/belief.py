"""A belief: the states that a role takes for possible, and how likely each is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from woodstock.errors import StateError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["Belief"]


class Belief:
    """States that agree with what a role has done and perceived; never empty. Immutable.

    Weights add up to 1: the others are taken to move at random, as chance does, as long as nothing
    else is known of them. `exact` tells that these are all the states there are; otherwise they are
    a sample. `memories` has for each state a number for each role, which stands for what that role
    has done and perceived on the way there (equal numbers, equal memories).

    >>> belief = Belief.certain(Game.from_library("monty-hall").initial_state(), "candidate")
    >>> len(belief.states), belief.exact
    (1, True)
    """

    def __init__(
        self,
        game: Game,
        role: str,
        turn: int,
        positions: Sequence[Any],
        weights: Sequence[float],
        memories: Sequence[Sequence[int]],
        *,
        exact: bool,
    ) -> None:
        if not positions:
            raise StateError("a belief needs at least one state")
        self.game = game
        self.role = role
        self.turn = turn
        self.positions = positions
        self.weights = weights
        self.memories = memories
        self.exact = exact

    @classmethod
    def certain(cls, state: State, role: str, turn: int = 0) -> Belief:
        """The belief of a role that knows the state."""
        memories = [[0] * len(state.roles)]
        return cls(state.game, role, turn, [state._position], [1.0], memories, exact=True)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states; several of them may be equal if the roles' memories differ."""
        return tuple(State(self.game, position) for position in self.positions)

    @cached_property
    def chances(self) -> dict[State, float]:
        """Each state and how likely it is, the likeliest first."""
        found: dict[State, float] = {}
        for state, weight in zip(self.states, self.weights, strict=True):
            found[state] = found.get(state, 0.0) + weight
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def going_on(self) -> Belief:
        """The same, now that the match is known to go on; itself where nothing goes on."""
        engine = self.game._engine
        kept = [i for i, one in enumerate(self.positions) if not engine.terminal(one)]
        if not kept or len(kept) == len(self.positions):
            return self
        total = sum(self.weights[i] for i in kept)
        return Belief(
            self.game,
            self.role,
            self.turn,
            [self.positions[i] for i in kept],
            [self.weights[i] / total for i in kept],
            [self.memories[i] for i in kept],
            exact=self.exact,
        )

    @property
    def likeliest(self) -> State:
        """The likeliest state."""
        return next(iter(self.chances))

    def legal_moves(self) -> tuple[Term, ...]:
        """The legal moves of the role; rules are written so that it knows them."""
        return self.likeliest.legal_moves(self.role)

    @cached_property
    def known(self) -> frozenset[Term]:
        """What holds in all of the states."""
        fluents = (state.fluents for state in self.states)
        return frozenset.intersection(*fluents)

    @cached_property
    def possible(self) -> frozenset[Term]:
        """What holds in some of the states."""
        return frozenset().union(*(state.fluents for state in self.states))

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "sampled"
        return f"<Belief of {self.role} in {self.game.name}: {len(self.positions)} states, {kind}>"
