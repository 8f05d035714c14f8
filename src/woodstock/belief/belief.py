"""A belief: the states of a role's information set, or a sample of them, and how likely each is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from woodstock.engine import sort_terms
from woodstock.errors import StateError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

if TYPE_CHECKING:
    from woodstock.drawing import Doubt

__all__ = ["Belief"]

LOOKED_AT, FEW_LOOKED_AT = 256, 4
"""How many states are asked which moves are legal: in bulk, and one after the other."""


class Belief:
    """States that agree with what a role has done and perceived; never empty. Immutable.

    Weights add up to 1: the others are taken to move at random, as chance does, as long as nothing
    else is known of them. `exact` tells that these are all states of the information set; otherwise
    they are a sample, the particles of a filter. `positions` are the states as the engine has them.
    `memories` has for each state a number for each role, which stands for what that role has done
    and perceived on the way there (`woodstock.belief.memory`).

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
        return cls(state.game, role, turn, [state.position], [1.0], memories, exact=True)

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
        ends = self.game.engine.ends(self.positions)
        kept = [i for i, end in enumerate(ends) if not end]
        if not kept or len(kept) == len(self.positions):
            return self
        total = sum(self.weights[i] for i in kept)
        return self._part({i: self.weights[i] / total for i in kept}, exact=self.exact)

    def sample(self, count: int, rng: random.Random) -> Belief:
        """So many states drawn by weight (determinizations); itself where there are no more."""
        if len(self.positions) <= count:
            return self
        drawn = Counter(rng.choices(range(len(self.positions)), self.weights, k=count))
        return self._part({i: times / count for i, times in drawn.items()}, exact=False)

    def _part(self, weights: Mapping[int, float], *, exact: bool) -> Belief:
        """The states with these numbers, with other weights."""
        positions = [self.positions[i] for i in weights]
        memories = [self.memories[i] for i in weights]
        return Belief(
            self.game, self.role, self.turn, positions, [*weights.values()], memories, exact=exact
        )

    @property
    def likeliest(self) -> State:
        """The likeliest state."""
        return next(iter(self.chances))

    @property
    def heaviest(self) -> State:
        """The state of the largest weight, which is cheap to tell; equal ones do not add up."""
        best = max(range(len(self.weights)), key=self.weights.__getitem__)
        return State(self.game, self.positions[best])

    @cached_property
    def _legal(self) -> tuple[Term, ...]:
        some = LOOKED_AT if self.game.engine.name == "circuit" else FEW_LOOKED_AT
        order = sorted(range(len(self.weights)), key=self.weights.__getitem__, reverse=True)[:some]
        weights = [self.weights[i] for i in order]
        role = self.game.roles.index(self.role)
        found = self.game.engine.legal_weights([self.positions[i] for i in order], weights, role)
        sure = max(found.values(), default=0.0) * (1 - 1e-9)
        return sort_terms(move for move, weight in found.items() if weight >= sure)

    def legal_moves(self) -> tuple[Term, ...]:
        """The legal moves of the role.

        Rules should be written so that a role knows them. Where they are not, these are the moves
        that are legal in all of the likeliest states, or else in most of them.
        """
        return self._legal

    @cached_property
    def known(self) -> frozenset[Term]:
        """What holds in all of the states."""
        fluents = (state.fluents for state in self.states)
        return frozenset.intersection(*fluents)

    @cached_property
    def possible(self) -> frozenset[Term]:
        """What holds in some of the states."""
        return frozenset().union(*(state.fluents for state in self.states))

    def draw(self, *, color: bool = False, columns: int | None = None) -> str:
        """The board as text, with question marks for what is not known; as `State.draw`.

        >>> game = Game.from_library("guess-dice")
        >>> states = [game.state([f"(die {n})", "(control player)"]) for n in (2, 5)]
        >>> positions, memories = [one.position for one in states], [[0, 0]] * 2
        >>> belief = Belief(game, "player", 1, positions, [0.5, 0.5], memories, exact=True)
        >>> print(belief.draw())
        die  [?]
        ▶ control: player
        >>> print(*belief.doubts)
        die: 2 or 5
        """
        from woodstock.drawing import draw_text, unsure_board

        game = self.game
        board = unsure_board(self._distinct, game.possible_fluents, game.drawing)
        return draw_text(board, color=color, columns=columns)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is not known, in the words of the game's drawings; what those hide is left out."""
        from woodstock.drawing import Hints, find_doubts

        hints = Hints.read(self.game.drawing)
        return tuple(
            replace(doubt, functor=hints.labels.get(doubt.functor.lower(), doubt.functor))
            for doubt in find_doubts(self._distinct)
            if doubt.functor.lower() not in hints.hide
        )

    @cached_property
    def _distinct(self) -> list[frozenset[Term]]:
        return list(dict.fromkeys(state.fluents for state in self.states))

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "sampled"
        return f"<Belief of {self.role} in {self.game.name}: {len(self.positions)} states, {kind}>"
